// How often records were replayed (contract K14): counted in memory, written down about once a second in one statement,
// so that a replay costs no write. What a process counted last is lost when it dies.
#pragma once

#include "store/pg_pool.hpp"

#include <einmal/types.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

namespace einmal::store {

class PgReplays {
 public:
    PgReplays(boost::asio::any_io_executor executor, std::shared_ptr<PgPool> pool)
        : executor_(std::move(executor)), pool_(std::move(pool)) {}

    void count(AccountId account, const KeyDigest& key, Timestamp expires_at);
    [[nodiscard]] bool has_counted(AccountId account, const KeyDigest& key) const;

    /// Writes down what was counted before; what cannot be written stays counted.
    boost::asio::awaitable<void> flush();

 private:
    /// An expired record's successor under its key has another expiry, and a count of its own.
    using Counted = std::tuple<AccountId, KeyDigest, Timestamp>;
    using Counts = std::map<Counted, std::int64_t>;

    boost::asio::awaitable<void> wait_for_others();
    boost::asio::awaitable<void> write();

    const boost::asio::any_io_executor executor_;
    const std::shared_ptr<PgPool> pool_;
    Counts counts_;
    Counts being_written_;
};

}  // namespace einmal::store
