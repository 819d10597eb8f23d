// Says to the log when working with the database begins and ceases to fail: once per change, not once per request.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

namespace einmal::store {

/// Thread-safe.
class Health {
 public:
    /// `doing` is a short fixed phrase for the log, such as "writing".
    explicit Health(std::string_view doing) : doing_(doing) {}
    void failed(const std::string& reason);
    void succeeded();

 private:
    const std::string_view doing_;
    std::mutex mutex_;
    std::string reason_;  // guarded by mutex_; empty: all is well
};

}  // namespace einmal::store
