#include "support/fault_store.hpp"

#include <utility>

namespace einmal::test {

namespace asio = boost::asio;

asio::awaitable<Result<Decision>> FaultStore::transact(Reads reads, Decide decide) {
    const std::optional<Fault> fault = next_step();
    if (fault == Fault::unavailable) co_return Error{Errc::unavailable, "a fault was ordered"};
    if (fault == Fault::unknown_not_done) co_return Error{Errc::outcome_unknown, "a fault was ordered"};
    Result<Decision> result = co_await inner().transact(std::move(reads), std::move(decide));
    if (fault == Fault::unknown_but_done) co_return Error{Errc::outcome_unknown, "a fault was ordered"};
    co_return result;
}

asio::awaitable<Result<std::optional<Record>>> FaultStore::find_record(Asker asker, KeyDigest key) {
    if (next_step()) co_return Error{Errc::unavailable, "a fault was ordered"};
    co_return co_await inner().find_record(asker, key);
}

void FaultStore::fail(Fault fault, std::size_t skip, std::size_t times) {
    fault_ = fault;
    skip_ = skip;
    times_ = times;
}

std::optional<Fault> FaultStore::next_step() {
    ++steps_;
    if (!fault_) return std::nullopt;
    if (skip_ > 0) {
        --skip_;
        return std::nullopt;
    }
    const std::optional<Fault> fault = fault_;
    if (--times_ == 0) fault_.reset();
    return fault;
}

}  // namespace einmal::test
