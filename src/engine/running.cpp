#include "engine/running.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace einmal::engine {

namespace asio = boost::asio;

Running::Begun Running::begin(const KeyDigest& key, const Fingerprint& fingerprint) {
    const auto [entry, is_new] = entries_.try_emplace(key, Entry{fingerprint, {}});
    if (is_new) return Begun::started;
    return entry->second.fingerprint == fingerprint ? Begun::same : Begun::mismatch;
}

asio::awaitable<void> Running::wait(KeyDigest key, std::chrono::steady_clock::time_point deadline) {
    const auto entry = entries_.find(key);
    if (entry == entries_.end()) co_return;
    auto waiter = std::make_shared<asio::steady_timer>(co_await asio::this_coro::executor, deadline);
    entry->second.waiters.push_back(waiter);
    boost::system::error_code cancelled_at_the_end;
    co_await waiter->async_wait(asio::redirect_error(asio::use_awaitable, cancelled_at_the_end));
}

void Running::end(const KeyDigest& key) {
    const auto entry = entries_.find(key);
    for (const auto& waiter : entry->second.waiters) waiter->cancel();
    entries_.erase(entry);
}

}  // namespace einmal::engine
