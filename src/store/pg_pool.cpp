#include "store/pg_pool.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <utility>

namespace einmal::store {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

// A server that is away is asked again after so long, and then less and less often; callers in between are told at
// once.
constexpr milliseconds first_pause{50};
constexpr milliseconds longest_pause{2000};

}  // namespace

PgLease::PgLease(std::shared_ptr<PgPool> pool, std::shared_ptr<PgConnection> connection, bool rested)
    : pool_(std::move(pool)), connection_(std::move(connection)), rested_(rested) {}

PgLease::~PgLease() {
    if (connection_ == nullptr) return;
    connection_->settle();
    if (wrong_server_ || !connection_->usable()) {
        pool_->drop_one();
    } else {
        pool_->give_back(std::move(connection_));
    }
}

asio::awaitable<PgAnswers> PgLease::exchange(std::vector<PgCall> calls) {
    PgAnswers answers = co_await connection_->exchange(std::move(calls));
    if (rested_ && answers.failure && answers.failure->lost) pool_->drop_idle();
    rested_ = false;
    wrong_server_ = answers.failure && is_wrong_server(*answers.failure);
    co_return answers;
}

PgPool::PgPool(asio::any_io_executor executor, PgTarget target, const StoreOptions& options)
    : executor_(std::move(executor)),
      most_(std::max<std::size_t>(1, options.pool_max)),
      line_max_(options.queue_max),
      patience_(options.busy_timeout),
      target_(std::move(target)) {}

asio::awaitable<Result<PgLease>> PgPool::acquire() {
    if (line_.empty()) {
        if (Connection connection = take_idle()) co_return PgLease(shared_from_this(), std::move(connection), true);
    }
    if (count_ < most_ && may_open()) {
        if (line_.empty()) {
            Place place = reserve();
            auto opened = co_await open(std::move(place));
            // As long as there are others, one of them will come free.
            if (opened || count_ == 0) co_return opened;
        } else {
            ++count_;
            call_next(Waiter::Call::open, nullptr);
        }
    } else if (count_ == 0) {
        co_return Error{Errc::unavailable, last_failure_};
    }
    if (line_.size() >= line_max_) co_return Error{Errc::unavailable, "too many wait for a database connection"};
    co_return co_await wait_in_line();
}

/// The most recently used one, so that few are kept warm. Those that the server has closed meanwhile are dropped.
PgPool::Connection PgPool::take_idle() {
    while (!idle_.empty()) {
        Connection connection = std::move(idle_.back());
        idle_.pop_back();
        if (connection->usable() && !connection->deserted()) return connection;
        --count_;
    }
    return nullptr;
}

bool PgPool::may_open() const { return std::chrono::steady_clock::now() >= not_before_; }

PgPool::Place PgPool::reserve() {
    ++count_;
    return Place(shared_from_this());
}

asio::awaitable<Result<PgLease>> PgPool::open(Place place) {
    const auto self = shared_from_this();
    auto opened = co_await PgConnection::open(executor_, target_);
    if (!opened) {
        remember_failure(opened.error());
        co_return opened.error();
    }
    health_.succeeded();
    pause_ = milliseconds{0};
    not_before_ = {};
    place.keep();
    co_return PgLease(self, *std::move(opened), false);
}

void PgPool::remember_failure(const Error& error) {
    health_.failed(error.reason);
    last_failure_ = error.reason;
    pause_ = std::clamp(pause_ * 2, first_pause, longest_pause);
    not_before_ = std::chrono::steady_clock::now() + pause_;
}

asio::awaitable<Result<PgLease>> PgPool::wait_in_line() {
    const auto self = shared_from_this();
    const auto waiter = std::make_shared<Waiter>(executor_);
    line_.push_back(waiter);
    waiter->timer.expires_after(patience_);
    co_await waiter->timer.async_wait(asio::as_tuple(asio::use_awaitable));
    switch (waiter->call) {
        case Waiter::Call::take:
            co_return PgLease(self, std::move(waiter->connection), true);
        case Waiter::Call::open: {
            Place place(self);
            co_return co_await open(std::move(place));
        }
        case Waiter::Call::give_up:
            co_return Error{Errc::unavailable, last_failure_};
        case Waiter::Call::none:
            break;
    }
    std::erase(line_, waiter);
    co_return Error{Errc::unavailable, "no database connection came free in time"};
}

void PgPool::give_back(Connection connection) {
    if (line_.empty()) {
        idle_.push_back(std::move(connection));
    } else {
        call_next(Waiter::Call::take, std::move(connection));
    }
}

/// A connection is gone. Who waits may open another one, waits for one of the others, or is told that there is none.
void PgPool::drop_one() {
    --count_;
    if (line_.empty()) return;
    if (may_open()) {
        ++count_;
        call_next(Waiter::Call::open, nullptr);
        return;
    }
    while (count_ == 0 && !line_.empty()) call_next(Waiter::Call::give_up, nullptr);
}

/// One that rested is dead, so the others may be too; a server that restarts closes them one after the other.
void PgPool::drop_idle() {
    count_ -= idle_.size();
    idle_.clear();
}

void PgPool::call_next(Waiter::Call call, Connection connection) {
    const auto waiter = std::move(line_.front());
    line_.pop_front();
    waiter->call = call;
    waiter->connection = std::move(connection);
    waiter->timer.cancel();
}

}  // namespace einmal::store
