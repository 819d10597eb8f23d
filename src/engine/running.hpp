// The operations that are running in this process, by key, so that a repetition is told so at once, other content is a
// mismatch before it is anything else, and whoever wishes can wait. Nothing of it is on disk: a crash leaves no trace.
#pragma once

#include <einmal/types.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <vector>

namespace einmal::engine {

/// Used on one executor only.
class Running {
 public:
    enum class Begun {
        started,   ///< the caller owns the key until its Turn ends
        same,      ///< the same operation is running: 409, or wait (contract K5)
        mismatch,  ///< another request is running under the key: 422 (contract K5)
    };

    /// Ownership of a key while its operation runs; ends by itself. Outlived by the table.
    class Turn {
     public:
        Turn() = default;
        Turn(Running& table, const KeyDigest& key) : table_(&table), key_(key) {}
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;
        ~Turn() {
            if (table_ != nullptr) table_->end(key_);
        }

     private:
        Running* table_ = nullptr;
        KeyDigest key_;
    };

    /// With `started`, the caller makes a Turn at once.
    Begun begin(const KeyDigest& key, const Fingerprint& fingerprint);

    [[nodiscard]] bool contains(const KeyDigest& key) const { return entries_.contains(key); }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }

    /// Returns when the operation under `key` has ended, or at `deadline`.
    boost::asio::awaitable<void> wait(KeyDigest key, std::chrono::steady_clock::time_point deadline);

 private:
    using Waiter = std::shared_ptr<boost::asio::steady_timer>;

    struct Entry {
        Fingerprint fingerprint;
        std::vector<Waiter> waiters;
    };

    struct Hash {
        std::size_t operator()(const KeyDigest& key) const {
            std::size_t hash = 0;
            std::memcpy(&hash, key.bytes.data(), sizeof hash);
            return hash;
        }
    };

    void end(const KeyDigest& key);

    std::unordered_map<KeyDigest, Entry, Hash> entries_;
};

}  // namespace einmal::engine
