// The connections to the server that a store shares among its calls. Opened when they are needed, kept afterwards.
// Whoever finds none free waits in line, for a time.
#pragma once

#include "store/health.hpp"
#include "store/pg_connection.hpp"

#include <einmal/options.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace einmal::store {

class PgPool;

/// A connection in one caller's hands. When it ends, what was not committed is rolled back.
class PgLease {
 public:
    PgLease(std::shared_ptr<PgPool> pool, std::shared_ptr<PgConnection> connection, bool rested);
    PgLease(PgLease&&) noexcept = default;
    PgLease& operator=(PgLease&&) = delete;
    ~PgLease();

    /// Sends the calls and waits for their answers (PgConnection::exchange).
    boost::asio::awaitable<PgAnswers> exchange(std::vector<PgCall> calls);
    /// It was idle before, so that it may have died long before anybody noticed.
    [[nodiscard]] bool rested() const { return rested_; }

 private:
    std::shared_ptr<PgPool> pool_;
    std::shared_ptr<PgConnection> connection_;
    bool rested_;
    bool wrong_server_ = false;
};

/// Used from the executor's one thread, or strand. Held by whoever has a lease.
class PgPool : public std::enable_shared_from_this<PgPool> {
 public:
    PgPool(boost::asio::any_io_executor executor, PgTarget target, const StoreOptions& options);

    /// Fails with Errc::unavailable when the server cannot be reached, too many wait, or none came free in time.
    boost::asio::awaitable<Result<PgLease>> acquire();
    /// How many wait in line.
    [[nodiscard]] std::size_t waiting() const { return line_.size(); }

 private:
    friend class PgLease;
    using Connection = std::shared_ptr<PgConnection>;

    /// One who waits in line. Its timer ends when it has been given something, or waited too long.
    struct Waiter {
        explicit Waiter(const boost::asio::any_io_executor& executor) : timer(executor) {}
        enum class Call { none, take, open, give_up };
        boost::asio::steady_timer timer;
        Call call = Call::none;
        Connection connection;  // to take
    };

    /// One of the connections that there may be, reserved; given up unless a lease takes it over.
    class Place {
     public:
        explicit Place(std::shared_ptr<PgPool> pool) : pool_(std::move(pool)) {}
        Place(Place&&) noexcept = default;
        Place& operator=(Place&&) = delete;
        ~Place() {
            if (pool_) pool_->drop_one();
        }
        void keep() { pool_.reset(); }

     private:
        std::shared_ptr<PgPool> pool_;
    };

    boost::asio::awaitable<Result<PgLease>> open(Place place);
    boost::asio::awaitable<Result<PgLease>> wait_in_line();
    Connection take_idle();
    Place reserve();
    void give_back(Connection connection);
    void drop_one();
    void drop_idle();
    void call_next(Waiter::Call call, Connection connection);
    void remember_failure(const Error& error);
    [[nodiscard]] bool may_open() const;

    // Constant after construction.
    const boost::asio::any_io_executor executor_;
    const std::size_t most_;
    const std::size_t line_max_;
    const std::chrono::milliseconds patience_;

    PgTarget target_;  // remembers which host answered
    std::vector<Connection> idle_;
    std::size_t count_ = 0;  // idle, lent, and being opened
    std::deque<std::shared_ptr<Waiter>> line_;
    Health health_{"connecting"};
    std::string last_failure_;
    std::chrono::milliseconds pause_{};                   // after the last failure to open; zero after a success
    std::chrono::steady_clock::time_point not_before_{};  // no connection is opened earlier
};

}  // namespace einmal::store
