#include "store/sqlite_backup.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace einmal::store {
namespace {

Error system_error(const std::string& doing) {
    return {Errc::unavailable, doing + ": " + std::generic_category().message(errno)};
}

Error taken(const std::string& file) { return {Errc::configuration, file + " exists; a backup overwrites nothing"}; }

/// The unfinished copy, beside its later name; goes with the object unless it has been renamed.
class PartialFile {
 public:
    explicit PartialFile(const std::string& target) : name_(target + ".partial-XXXXXX") {
        const int descriptor = ::mkstemp(name_.data());
        if (descriptor >= 0) {
            exists_ = true;
            ::close(descriptor);
        }
    }
    PartialFile(const PartialFile&) = delete;
    PartialFile& operator=(const PartialFile&) = delete;
    ~PartialFile() {
        if (exists_) ::unlink(name_.c_str());
    }
    [[nodiscard]] bool exists() const { return exists_; }
    [[nodiscard]] const std::string& name() const { return name_; }

    /// Fails with errno EEXIST when the target exists by now.
    [[nodiscard]] bool rename_to(const std::string& target) {
        if (::renameat2(AT_FDCWD, name_.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0) {
            exists_ = false;
            return true;
        }
        // Some network file systems cannot refuse to replace, but all can link; the old name then goes with the object.
        return errno == EINVAL && ::link(name_.c_str(), target.c_str()) == 0;
    }

 private:
    std::string name_;
    bool exists_ = false;
};

[[nodiscard]] bool sync(const std::string& path, int flags) {
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
    if (descriptor < 0) return false;
    const bool synced = ::fsync(descriptor) == 0;
    const int reason = errno;
    ::close(descriptor);
    errno = reason;
    return synced;
}

std::optional<Error> copy_all(Connection& source, const std::string& file) {
    Connection target(file, OpenMode::read_write, std::chrono::milliseconds{0});
    // An unfinished copy is thrown away, so it needs no journal; it is synced as a whole at the end.
    target.execute("PRAGMA journal_mode = OFF");
    target.execute("PRAGMA synchronous = OFF");
    sqlite3_backup* backup = sqlite3_backup_init(target.handle(), "main", source.handle(), "main");
    if (backup == nullptr) return Error{Errc::unavailable, std::string(sqlite3_errmsg(target.handle()))};
    // In one step, so that it is one snapshot and a busy server cannot make it start again and again.
    const int step = sqlite3_backup_step(backup, -1);
    const int finish = sqlite3_backup_finish(backup);
    if (step == SQLITE_DONE && finish == SQLITE_OK) return std::nullopt;
    return SqliteFailure(finish != SQLITE_OK ? finish : step, "cannot copy", sqlite3_errmsg(target.handle())).error();
}

}  // namespace

Result<void> back_up(Connection& source, const std::string& file) {
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::symlink_status(file, ignored))) return taken(file);
    PartialFile partial(file);
    if (!partial.exists()) return system_error("cannot make " + partial.name());
    try {
        if (auto failed = copy_all(source, partial.name())) return *std::move(failed);
    } catch (const SqliteFailure& failure) {
        return failure.error();
    }
    if (!sync(partial.name(), O_RDWR)) return system_error("cannot sync " + partial.name());
    if (!partial.rename_to(file)) return errno == EEXIST ? taken(file) : system_error("cannot make " + file);
    auto folder = std::filesystem::path(file).parent_path();
    if (folder.empty()) folder = ".";
    if (!sync(folder.string(), O_RDONLY | O_DIRECTORY)) return system_error("cannot sync " + folder.string());
    return {};
}

}  // namespace einmal::store
