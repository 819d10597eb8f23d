#include "store/pg_replays.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace einmal::store {
namespace {

namespace asio = boost::asio;

PgParams params_of(const auto& counts) {
    std::vector<std::int64_t> accounts;
    std::vector<std::span<const std::byte>> keys;
    std::vector<std::int64_t> expiries;
    std::vector<std::int64_t> replays;
    for (const auto& [counted, count] : counts) {
        const auto& [account, key, expires_at] = counted;
        accounts.push_back(account.value);
        keys.emplace_back(key.bytes);
        expiries.push_back(expires_at.time_since_epoch().count());
        replays.push_back(count);
    }
    PgParams params;
    params.integers(accounts).byte_strings(keys).integers(expiries).integers(replays);
    return params;
}

}  // namespace

void PgReplays::count(AccountId account, const KeyDigest& key, Timestamp expires_at) {
    ++counts_[{account, key, expires_at}];
}

bool PgReplays::has_counted(AccountId account, const KeyDigest& key) const {
    const auto is_in = [&](const Counts& counts) {
        const auto found = counts.lower_bound({account, key, Timestamp::min()});
        return found != counts.end() && std::get<0>(found->first) == account && std::get<1>(found->first) == key;
    };
    return is_in(counts_) || is_in(being_written_);
}

asio::awaitable<void> PgReplays::flush() {
    co_await wait_for_others();
    if (!counts_.empty()) co_await write();
}

asio::awaitable<void> PgReplays::wait_for_others() {
    asio::steady_timer timer(executor_);
    while (!being_written_.empty()) {
        timer.expires_after(std::chrono::milliseconds{1});
        co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
    }
}

asio::awaitable<void> PgReplays::write() {
    being_written_ = std::exchange(counts_, {});
    bool open = true;
    if (auto lease = co_await pool_->acquire()) {
        std::vector<PgCall> calls;
        calls.push_back({Sql::count_replays, params_of(being_written_)});
        const PgAnswers answers = co_await lease->exchange(std::move(calls));
        // After a lost connection they may be written already, and a count that is too high would speak of a
        // repetition that never was.
        open = answers.failure && !answers.failure->lost;
    }
    const Counts written = std::exchange(being_written_, {});
    if (!open) co_return;
    for (const auto& [counted, count] : written) counts_[counted] += count;
}

}  // namespace einmal::store
