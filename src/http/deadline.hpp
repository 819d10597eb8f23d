// Deadlines of all connections under one coarse timer: a timer per operation cost 15–20 % of the throughput, and nobody
// needs a timeout of many seconds to the millisecond.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/list.hpp>
#include <chrono>

namespace einmal::http {

/// Something that must be done by a certain time. Belongs to one `Deadlines`, leaves it when destroyed.
class Deadline : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
 public:
    using Clock = std::chrono::steady_clock;

    virtual ~Deadline() = default;
    Deadline() = default;
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;

    void expire_after(Clock::duration timeout) {
        at_ = Clock::now() + timeout;
        expired_ = false;
    }
    void never_expire() {
        at_ = Clock::time_point::max();
        expired_ = false;
    }
    [[nodiscard]] bool expired() const { return expired_; }

 protected:
    /// Called once per tick from the deadline on, until it is set anew: an operation that was just being replaced by
    /// the next one when the first call came is reached by the second. Must not destroy any `Deadline`.
    virtual void on_expiry() = 0;

 private:
    friend class Deadlines;
    Clock::time_point at_ = Clock::time_point::max();
    bool expired_ = false;
};

/// Used on one executor only. Outlives its entries.
class Deadlines {
 public:
    /// Never early, and late by at most about one such interval.
    static constexpr std::chrono::milliseconds interval{100};

    explicit Deadlines(const boost::asio::any_io_executor& executor) : timer_(executor) {}

    void add(Deadline& deadline) { entries_.push_back(deadline); }
    /// Watches until `stop`. The caller keeps this object alive meanwhile.
    boost::asio::awaitable<void> run();
    void stop();

 private:
    void tick();

    boost::asio::steady_timer timer_;
    boost::intrusive::list<Deadline, boost::intrusive::constant_time_size<false>> entries_;
    bool stopped_ = false;
};

}  // namespace einmal::http
