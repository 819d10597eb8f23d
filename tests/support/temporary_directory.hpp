// A directory of the test's own that goes with it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace einmal::test {

class TemporaryDirectory {
 public:
    /// Throws std::system_error when the system's directory for temporary files cannot be written.
    TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    ~TemporaryDirectory();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// The path of a file in it, which need not exist.
    [[nodiscard]] std::string file(std::string_view name) const { return (path_ / name).string(); }

 private:
    std::filesystem::path path_;
};

}  // namespace einmal::test
