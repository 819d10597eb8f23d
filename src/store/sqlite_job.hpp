// The way of a call from a coroutine through a thread with a database connection, and back: a Job waits in a JobQueue,
// the thread runs it against its session, and the executor resumes the coroutine.
#pragma once

#include <einmal/decision.hpp>
#include <einmal/result.hpp>

#include <algorithm>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace einmal::store {

using SteadyTime = std::chrono::steady_clock::time_point;

/// One call that waits for its result.
template <class Session>
class Job {
 public:
    virtual ~Job() = default;
    /// In the session's thread, within its open transaction. May be called again after a rollback. What SQLite refuses
    /// is thrown; everything else is the job's result.
    virtual void run(Session& session) = 0;
    virtual void fail(const Error& error) = 0;
    /// On the executor: resumes the coroutine with the result. Once.
    virtual void deliver() = 0;

    /// When it was handed in; a wait for a lock counts from here.
    SteadyTime since = std::chrono::steady_clock::now();
};

/// Jobs in the order in which they came. Thread-safe.
template <class Session>
class JobQueue {
 public:
    using Item = std::unique_ptr<Job<Session>>;

    explicit JobQueue(std::size_t most) : most_(most) {}

    /// False when the queue is full or closed; the job stays with the caller.
    [[nodiscard]] bool push(Item& job) {
        const std::lock_guard lock(mutex_);
        if (closed_ || jobs_.size() >= most_) return false;
        jobs_.push_back(std::move(job));
        if (sleeping_ > 0) wake_.notify_one();
        return true;
    }

    /// Takes up to `most` jobs; waits for the first one until `until` or until the queue is closed.
    [[nodiscard]] std::vector<Item> take(std::size_t most, SteadyTime until) {
        std::unique_lock lock(mutex_);
        ++sleeping_;
        wake_.wait_until(lock, until, [this] { return closed_ || !jobs_.empty(); });
        --sleeping_;
        const auto end = jobs_.begin() + static_cast<std::ptrdiff_t>(std::min(most, jobs_.size()));
        std::vector<Item> taken(std::make_move_iterator(jobs_.begin()), std::make_move_iterator(end));
        jobs_.erase(jobs_.begin(), end);
        return taken;
    }

    /// Waits, but not past the closing of the queue.
    void pause(std::chrono::milliseconds time) {
        std::unique_lock lock(mutex_);
        wake_.wait_for(lock, time, [this] { return closed_; });
    }

    /// Nothing more comes in; what waits can still be taken.
    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        wake_.notify_all();
    }
    [[nodiscard]] std::size_t size() const {
        const std::lock_guard lock(mutex_);
        return jobs_.size();
    }
    [[nodiscard]] bool closed() const {
        const std::lock_guard lock(mutex_);
        return closed_;
    }

 private:
    const std::size_t most_;
    mutable std::mutex mutex_;
    // Guarded by mutex_.
    std::condition_variable wake_;
    std::deque<Item> jobs_;
    std::size_t sleeping_ = 0;
    bool closed_ = false;
};

/// Resumes all of them on the executor, with one hand-over between the threads.
template <class Session>
void deliver_all(const boost::asio::any_io_executor& executor, std::vector<std::unique_ptr<Job<Session>>> jobs) {
    if (jobs.empty()) return;
    boost::asio::post(executor, [jobs = std::move(jobs)] {
        for (const auto& job : jobs) job->deliver();
    });
}

/// A Job whose work is a function of the session and whose waiting side is a completion handler. Keeps the executor at
/// work while it exists.
template <class Session, class T, class Work, class Handler>
class CallJob final : public Job<Session> {
 public:
    CallJob(boost::asio::any_io_executor executor, Work work, Handler handler)
        : executor_(std::move(executor)), work_(std::move(work)), handler_(std::move(handler)) {}

    void run(Session& session) override { result_ = work_(session); }
    void fail(const Error& error) override {
        Error told = error;
        // Only who wanted to change something can be in doubt whether it happened.
        if (!std::same_as<T, Decision> && told.code == Errc::outcome_unknown) told.code = Errc::unavailable;
        result_ = std::move(told);
    }
    void deliver() override {
        const auto own = boost::asio::get_associated_executor(handler_, executor_.get_executor());
        auto resume = [handler = std::move(handler_), result = std::move(result_)]() mutable {
            std::move(handler)(std::move(result));
        };
        if (own == executor_.get_executor()) {
            resume();
        } else {
            boost::asio::dispatch(own, std::move(resume));
        }
    }

 private:
    boost::asio::executor_work_guard<boost::asio::any_io_executor> executor_;
    Work work_;
    Handler handler_;
    Result<T> result_ = Error{Errc::unavailable, "the call was never run"};
};

/// Hands `work` (Session& → Result<T>) to the queue's thread and waits for its result. Queue and executor outlive the
/// call.
template <class T, class Session, class Work>
boost::asio::awaitable<Result<T>> submit(JobQueue<Session>& queue, boost::asio::any_io_executor executor, Work work) {
    auto hand_in = [&queue](auto handler, boost::asio::any_io_executor where, Work what) {
        using Call = CallJob<Session, T, Work, decltype(handler)>;
        std::unique_ptr<Job<Session>> job = std::make_unique<Call>(where, std::move(what), std::move(handler));
        if (queue.push(job)) return;
        job->fail({Errc::unavailable, "the store is overloaded or closing"});
        std::vector<std::unique_ptr<Job<Session>>> refused;
        refused.push_back(std::move(job));
        deliver_all(where, std::move(refused));
    };
    return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>&, void(Result<T>)>(
        hand_in, boost::asio::use_awaitable, std::move(executor), std::move(work));
}

}  // namespace einmal::store
