// One serving process per database file: part of the key index lives in its memory.
#pragma once

#include <einmal/result.hpp>

#include <string>
#include <utility>

namespace einmal::store {

/// Holds `<database>.lock` locked; the system releases it when the process ends, however it ends. The file stays.
class ServerLock {
 public:
    /// Errc::unavailable when another server (or the making of the database) holds it, or the file cannot be made.
    [[nodiscard]] static Result<ServerLock> acquire(const std::string& database);

    ServerLock(ServerLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    ServerLock& operator=(ServerLock&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~ServerLock();

 private:
    explicit ServerLock(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
};

}  // namespace einmal::store
