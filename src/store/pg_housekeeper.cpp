#include "store/pg_housekeeper.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <utility>
#include <vector>

namespace einmal::store {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

// A count of replays may be lost when the process dies within so long (contract K14).
constexpr milliseconds flush_interval{1000};
// Removed in one transaction at most, and the pause between two while there is a backlog: ten thousand a second, more
// than a server makes, in pieces of a few milliseconds.
constexpr std::size_t piece = 128;
constexpr milliseconds breath{10};
// How often cleaning gives way to those who wait for a connection.
constexpr int patience = 10;

constexpr auto no_throw = asio::as_tuple(asio::use_awaitable);

}  // namespace

PgHousekeeper::PgHousekeeper(asio::any_io_executor executor, std::shared_ptr<PgPool> pool,
                             std::shared_ptr<PgReplays> replays, const StoreOptions& options)
    : executor_(std::move(executor)),
      pool_(std::move(pool)),
      replays_(std::move(replays)),
      options_(options),
      clean_timer_(executor_),
      replays_timer_(executor_) {}

void PgHousekeeper::start() {
    asio::co_spawn(executor_, write_replays(), asio::detached);
    if (options_.cleaner_interval > milliseconds{0}) asio::co_spawn(executor_, clean(), asio::detached);
}

void PgHousekeeper::stop() {
    stopped_ = true;
    clean_timer_.cancel();
    replays_timer_.cancel();
}

asio::awaitable<void> PgHousekeeper::clean() {
    const auto self = shared_from_this();
    bool backlog = false;
    int given_way = 0;
    while (!stopped_) {
        clean_timer_.expires_after(backlog ? std::min(breath, options_.cleaner_interval) : options_.cleaner_interval);
        co_await clean_timer_.async_wait(no_throw);
        // Who waits for a connection comes first, but not for ever: what has expired would pile up on a busy server.
        const bool others_wait = pool_->waiting() > 0;
        if (stopped_ || (others_wait && ++given_way < patience)) continue;
        given_way = 0;
        backlog = co_await clean_some();
    }
}

/// True when there may be more.
asio::awaitable<bool> PgHousekeeper::clean_some() {
    auto lease = co_await pool_->acquire();
    if (!lease) co_return false;
    const auto most = static_cast<std::int64_t>(std::min(options_.cleaner_batch, piece));
    PgParams params;
    params.integer(most);
    std::vector<PgCall> calls;
    calls.push_back({Sql::clean, std::move(params)});
    const PgAnswers answers = co_await lease->exchange(std::move(calls));
    if (answers.failure) {
        if (!is_lost_race(*answers.failure)) health_.failed(error_of(*answers.failure).reason);
        co_return false;
    }
    health_.succeeded();
    co_return answers.rows.front().changed() >= most;
}

asio::awaitable<void> PgHousekeeper::write_replays() {
    const auto self = shared_from_this();
    while (!stopped_) {
        replays_timer_.expires_after(flush_interval);
        co_await replays_timer_.async_wait(no_throw);
        if (!stopped_) co_await replays_->flush();
    }
}

}  // namespace einmal::store
