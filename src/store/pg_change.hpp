// The general way of a decision, for everything: one exchange reads what the decision must know, under the locks that
// make it true until the end, and another one writes and commits. A lost race is run again from the start.
#pragma once

#include "store/pg_pool.hpp"
#include "store/pg_replays.hpp"

#include <einmal/options.hpp>
#include <einmal/store.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <random>
#include <vector>

namespace einmal::store {

class PgChanges {
 public:
    PgChanges(boost::asio::any_io_executor executor, std::shared_ptr<PgPool> pool, PgReplays& replays,
              const StoreOptions& options);

    /// Store::transact.
    boost::asio::awaitable<Result<Decision>> run(Reads reads, Decide decide);

 private:
    /// The end of one attempt; nothing when it must be made again.
    using Ended = std::optional<Result<Decision>>;

    struct Known {
        Snapshot snapshot;
        bool expired_record = false;  // there is one under the key, and it must make room
    };

    boost::asio::awaitable<Ended> attempt(const Reads& reads, const Decide& decide);
    boost::asio::awaitable<Ended> write(PgLease& lease, const Reads& reads, const Known& known, Decision decision);
    boost::asio::awaitable<void> pause();
    [[nodiscard]] std::vector<PgCall> questions(const Reads& reads) const;
    [[nodiscard]] std::vector<PgCall> changes(const Reads& reads, const Known& known, const Writes& writes) const;
    [[nodiscard]] static std::optional<Known> known_from(const Reads& reads, const std::vector<PgRows>& rows);

    // Constant after construction.
    const boost::asio::any_io_executor executor_;
    const std::shared_ptr<PgPool> pool_;
    PgReplays& replays_;
    const StoreOptions options_;

    std::minstd_rand jitter_;
};

}  // namespace einmal::store
