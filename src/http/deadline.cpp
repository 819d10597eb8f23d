#include "http/deadline.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace einmal::http {

boost::asio::awaitable<void> Deadlines::run() {
    while (!stopped_) {
        timer_.expires_after(interval);
        co_await timer_.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
        tick();
    }
}

void Deadlines::stop() {
    stopped_ = true;
    timer_.cancel();
}

void Deadlines::tick() {
    const auto now = Deadline::Clock::now();
    for (Deadline& deadline : entries_) {
        if (deadline.at_ > now) continue;
        deadline.expired_ = true;
        deadline.on_expiry();
    }
}

}  // namespace einmal::http
