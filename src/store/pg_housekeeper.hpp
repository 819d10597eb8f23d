// What the store does by itself between calls: removes expired records a few at a time, and has the counted replays
// written down. Needs one connection at most, and gives it back after each step.
#pragma once

#include "store/health.hpp"
#include "store/pg_pool.hpp"
#include "store/pg_replays.hpp"

#include <einmal/options.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>

namespace einmal::store {

/// Held by its own coroutines, so that it lives as long as they do.
class PgHousekeeper : public std::enable_shared_from_this<PgHousekeeper> {
 public:
    PgHousekeeper(boost::asio::any_io_executor executor, std::shared_ptr<PgPool> pool,
                  std::shared_ptr<PgReplays> replays, const StoreOptions& options);

    void start();
    /// Nothing new is begun.
    void stop();

 private:
    boost::asio::awaitable<void> clean();
    boost::asio::awaitable<bool> clean_some();
    boost::asio::awaitable<void> write_replays();

    // Constant after construction.
    const boost::asio::any_io_executor executor_;
    const std::shared_ptr<PgPool> pool_;
    const std::shared_ptr<PgReplays> replays_;
    const StoreOptions options_;

    boost::asio::steady_timer clean_timer_;
    boost::asio::steady_timer replays_timer_;
    Health health_{"cleaning"};
    bool stopped_ = false;
};

}  // namespace einmal::store
