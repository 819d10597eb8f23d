#include "cli/new_token.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/digest.hpp"

namespace einmal::cli {

namespace {

/// A file descriptor that is closed with its scope.
class Descriptor {
 public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int number() const { return number_; }

 private:
    int number_;
};

bool write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

bool sync_directory(const std::filesystem::path& directory) {
    const Descriptor opened(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return opened.number() >= 0 && ::fsync(opened.number()) == 0;
}

bool write_and_rename(const std::filesystem::path& draft, const std::filesystem::path& file, std::string_view text) {
    // A draft can only be left over from a start that was killed right here.
    ::unlink(draft.c_str());
    const Descriptor opened(::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (opened.number() < 0) return false;
    // The umask may have taken more away than others' rights.
    return ::fchmod(opened.number(), 0600) == 0 && write_all(opened.number(), text) && ::fsync(opened.number()) == 0 &&
           ::rename(draft.c_str(), file.c_str()) == 0;
}

}  // namespace

NewToken new_token(Entropy& entropy) {
    std::array<std::byte, 32> bytes{};
    entropy.fill(bytes);
    NewToken token;
    token.text = "ein_" + base::to_base64url(bytes);
    token.digest = TokenDigest{base::sha256(token.text)};
    return token;
}

Result<void> write_token_file(const std::filesystem::path& file, const std::string& token) {
    std::filesystem::path draft = file;
    draft += ".draft";
    const std::filesystem::path directory = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
    if (!write_and_rename(draft, file, token + "\n") || !sync_directory(directory)) {
        const std::string why = std::strerror(errno);
        ::unlink(draft.c_str());
        return Error{Errc::unavailable, "the token file " + file.string() + " cannot be written: " + why};
    }
    return {};
}

}  // namespace einmal::cli
