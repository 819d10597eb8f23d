// A store whose transactions can be held before or after they take effect, so that "the first call is still running" is
// a state that a test can be in, at the engine and behind a whole server.
#pragma once

#include "support/store_decorator.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace einmal::test {

/// Its transactions run on any executor; the functions below may be called from any thread.
class GateStore final : public StoreDecorator {
 public:
    enum class Where { before_effect, after_effect };

    using StoreDecorator::StoreDecorator;

    boost::asio::awaitable<Result<Decision>> transact(Reads reads, Decide decide) override;

    /// The next transaction that comes is held; those after it pass. Calls add up.
    void hold_next(Where where);
    /// Lets all that is held go on.
    void release();
    /// How many are held now.
    [[nodiscard]] std::size_t held() const;
    /// Blocks until so many are held; false after `timeout`. Not for the thread that runs the store's executor.
    [[nodiscard]] bool wait_until_held(std::size_t count, std::chrono::milliseconds timeout) const;

 private:
    boost::asio::awaitable<void> hold();

    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    // Guarded by mutex_.
    std::vector<Where> wanted_;
    std::vector<std::shared_ptr<boost::asio::steady_timer>> held_;
};

}  // namespace einmal::test
