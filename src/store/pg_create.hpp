// The fast way of a fresh create under a key: no question is asked before it. What was decided on the assumption that
// the key is free goes to the server in one statement, together with all others that wait, and the statement makes of
// them what may be made. One round trip and one flush to the disk for all. What was not made goes the general way.
#pragma once

#include "store/pg_parked.hpp"
#include "store/pg_pool.hpp"

#include <einmal/options.hpp>
#include <einmal/store.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace einmal::store {

/// Held by its workers, so that it lives as long as they do.
class PgCreates : public std::enable_shared_from_this<PgCreates> {
 public:
    PgCreates(boost::asio::any_io_executor executor, std::shared_ptr<PgPool> pool, const StoreOptions& options);

    /// Store::transact for a create under a fresh key. Nothing when this is none after all: then nothing was done, and
    /// the general way finds out what it is.
    boost::asio::awaitable<std::optional<Result<Decision>>> run(Reads reads, Decide decide);

    [[nodiscard]] std::size_t waiting() const { return queue_.size(); }

 private:
    /// What became of one operation.
    struct Settled {
        std::optional<Timestamp> made;  ///< the database's time of it
        std::optional<Error> error;     ///< with neither, it was not made
    };

    struct Create {
        Asker asker;
        KeyDigest key;
        Writes writes;  ///< as of `assumed`
        std::vector<ResourceId> references;
        Timestamp assumed;
        Parked<Settled> parked;
    };
    using Batch = std::vector<Create>;

    void enqueue(Create create);
    void wake_worker();
    boost::asio::awaitable<void> work();
    Batch take_batch();
    boost::asio::awaitable<void> send(PgLease& lease, Batch batch);
    static void settle_all(Batch& batch, const Settled& settled);
    [[nodiscard]] static PgParams params_of(const Batch& batch);

    // Constant after construction.
    const boost::asio::any_io_executor executor_;
    const std::shared_ptr<PgPool> pool_;
    const StoreOptions options_;
    const std::size_t workers_max_;

    std::deque<Create> queue_;
    std::size_t workers_ = 0;
    bool waking_ = false;
    Timestamp estimate_{};  // of the database's time
};

}  // namespace einmal::store
