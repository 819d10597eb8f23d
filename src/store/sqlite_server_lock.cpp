#include "store/sqlite_server_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace einmal::store {

Result<ServerLock> ServerLock::acquire(const std::string& database) {
    const std::string file = database + ".lock";
    ServerLock lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (lock.descriptor_ < 0) {
        return Error{Errc::unavailable, "cannot open " + file + ": " + std::generic_category().message(errno)};
    }
    if (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) {
            return Error{Errc::unavailable, "cannot lock " + file + ": " + std::generic_category().message(errno)};
        }
        return Error{Errc::unavailable, database + " is in use by another server; only one may serve a database file"};
    }
    return lock;
}

ServerLock::~ServerLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace einmal::store
