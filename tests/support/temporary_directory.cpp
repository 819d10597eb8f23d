#include "support/temporary_directory.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace einmal::test {

TemporaryDirectory::TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "einmal-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
    path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
    std::error_code ignored;  // what is left behind is no reason to fail a test
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace einmal::test
