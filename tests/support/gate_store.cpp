#include "support/gate_store.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <utility>

namespace einmal::test {

namespace asio = boost::asio;

asio::awaitable<Result<Decision>> GateStore::transact(Reads reads, Decide decide) {
    std::optional<Where> where;
    {
        const std::lock_guard lock(mutex_);
        if (!wanted_.empty()) {
            where = wanted_.front();
            wanted_.erase(wanted_.begin());
        }
    }
    if (where == Where::before_effect) co_await hold();
    Result<Decision> result = co_await inner().transact(std::move(reads), std::move(decide));
    if (where == Where::after_effect) co_await hold();
    co_return result;
}

asio::awaitable<void> GateStore::hold() {
    const auto released = std::make_shared<asio::steady_timer>(co_await asio::this_coro::executor,
                                                               std::chrono::steady_clock::time_point::max());
    {
        const std::lock_guard lock(mutex_);
        held_.push_back(released);
    }
    changed_.notify_all();
    boost::system::error_code cancelled;
    co_await released->async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
}

void GateStore::hold_next(Where where) {
    const std::lock_guard lock(mutex_);
    wanted_.push_back(where);
}

void GateStore::release() {
    std::vector<std::shared_ptr<asio::steady_timer>> released;
    {
        const std::lock_guard lock(mutex_);
        released.swap(held_);
    }
    // A timer belongs to its executor; posting also lets the wait begin before it ends.
    for (const auto& timer : released) asio::post(timer->get_executor(), [timer] { timer->cancel(); });
    changed_.notify_all();
}

std::size_t GateStore::held() const {
    const std::lock_guard lock(mutex_);
    return held_.size();
}

bool GateStore::wait_until_held(std::size_t count, std::chrono::milliseconds timeout) const {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, timeout, [&] { return held_.size() == count; });
}

}  // namespace einmal::test
