// A coroutine that waits until somebody else has a value for it.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <utility>

namespace einmal::store {

/// The handle of the waiting side. Once it is gone without `resume`, so is the coroutine.
template <class T>
class Parked {
 public:
    template <class Handler>
    Parked(boost::asio::any_io_executor executor, Handler handler)
        : executor_(std::move(executor)), handler_(std::make_unique<Holding<Handler>>(std::move(handler))) {}

    /// Once. The coroutine goes on later, from the executor.
    void resume(T value) {
        auto go_on = [handler = std::move(handler_), value = std::move(value)]() mutable {
            handler->go_on(std::move(value));
        };
        boost::asio::post(executor_, std::move(go_on));
    }

 private:
    struct Holder {
        virtual ~Holder() = default;
        virtual void go_on(T value) = 0;
    };
    template <class Handler>
    struct Holding final : Holder {
        explicit Holding(Handler given) : handler(std::move(given)) {}
        void go_on(T value) override { std::move(handler)(std::move(value)); }
        Handler handler;
    };

    boost::asio::any_io_executor executor_;
    std::unique_ptr<Holder> handler_;
};

/// Suspends the calling coroutine and gives its handle to `keep`, a function that takes a Parked<T>.
template <class T, class Keep>
boost::asio::awaitable<T> park(boost::asio::any_io_executor executor, Keep keep) {
    auto suspended = [executor = std::move(executor)](auto handler, Keep what) {
        what(Parked<T>(executor, std::move(handler)));
    };
    return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>&, void(T)>(
        std::move(suspended), boost::asio::use_awaitable, std::move(keep));
}

}  // namespace einmal::store
