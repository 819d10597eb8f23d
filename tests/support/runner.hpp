// Runs coroutines from a test's own thread: `run` one to its end, or `start` several and let them meet each other.
// Nothing waits for ever: after a deadline the test fails by exception.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace einmal::test {

/// The deadline of everything a test waits for; long, because the machine may be busy.
inline constexpr std::chrono::seconds patience{30};

class Runner;

/// The result that a started coroutine will have. Copies share it; the runner outlives it.
template <class T>
class Pending {
 public:
    [[nodiscard]] bool done() const { return state_->value.has_value() || state_->exception; }
    /// Runs the loop until the coroutine has ended, and returns or throws what it ended with.
    T get() const;
    /// Tells the coroutine that nobody waits for it any more, as a server does when a client hangs up.
    void abandon() const { state_->abandoned.emit(boost::asio::cancellation_type::terminal); }

 private:
    friend class Runner;
    struct State {
        std::optional<T> value;
        std::exception_ptr exception;
        boost::asio::cancellation_signal abandoned;
    };
    explicit Pending(Runner& runner) : runner_(&runner), state_(std::make_shared<State>()) {}

    Runner* runner_;
    std::shared_ptr<State> state_;
};

/// One io_context, run by the calling thread only. Used from one thread.
class Runner {
 public:
    [[nodiscard]] boost::asio::io_context::executor_type executor() { return context_.get_executor(); }

    /// The coroutine begins when the loop runs next. All that it refers to outlives it.
    template <class T>
    [[nodiscard]] Pending<T> start(boost::asio::awaitable<T> coroutine) {
        Pending<T> pending(*this);
        auto finish = [state = pending.state_](std::exception_ptr exception, T value) {
            if (exception) {
                state->exception = exception;
            } else {
                state->value.emplace(std::move(value));
            }
        };
        boost::asio::co_spawn(context_, std::move(coroutine),
                              boost::asio::bind_cancellation_slot(pending.state_->abandoned.slot(), std::move(finish)));
        return pending;
    }

    template <class T>
    T run(boost::asio::awaitable<T> coroutine) {
        return start(std::move(coroutine)).get();
    }

    /// Runs the loop until `condition` holds; throws std::runtime_error after `patience`.
    void run_until(const std::function<bool()>& condition) {
        const auto deadline = std::chrono::steady_clock::now() + patience;
        while (!condition()) {
            if (std::chrono::steady_clock::now() > deadline) throw std::runtime_error("waited in vain");
            context_.run_one_for(std::chrono::milliseconds{20});
        }
    }

    /// Runs the loop for a while, for what must not happen in it.
    void run_for(std::chrono::milliseconds time) { context_.run_for(time); }

 private:
    boost::asio::io_context context_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> keep_running_{context_.get_executor()};
};

template <class T>
T Pending<T>::get() const {
    runner_->run_until([this] { return done(); });
    if (state_->exception) std::rethrow_exception(state_->exception);
    return *state_->value;
}

/// What all of them came to, in their order.
template <class T>
std::vector<T> get_all(const std::vector<Pending<T>>& pending) {
    std::vector<T> results;
    results.reserve(pending.size());
    for (const auto& each : pending) results.push_back(each.get());
    return results;
}

}  // namespace einmal::test
