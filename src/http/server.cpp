#include "http/server.hpp"

#include "base/log.hpp"
#include "http/connection.hpp"
#include "http/listener.hpp"
#include "http/session.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace einmal::http {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

/// Connections beyond the maximum that are being told so at a time; yet more are closed without a word.
constexpr std::size_t turned_away_max = 64;

}  // namespace

class Server::Impl : public std::enable_shared_from_this<Impl> {
 public:
    Impl(const asio::any_io_executor& executor, Handler& handler, HttpOptions options, std::optional<TlsFiles> tls)
        : state_(std::make_shared<ServerState>(executor, handler, std::move(options))),
          listener_(executor),
          tls_(std::move(tls)) {}

    Result<std::uint16_t> listen(const std::string& address, std::uint16_t port) {
        if (tls_) {
            auto context = load_tls_context(*tls_);
            if (!context) return context.error();
            state_->tls = *context;
        }
        return listener_.open(address, port);
    }

    void start() {
        asio::co_spawn(state_->executor, accept(shared_from_this()), asio::detached);
        asio::co_spawn(state_->executor, watch(state_), asio::detached);
    }

    asio::awaitable<void> shutdown() {
        state_->stopping = true;
        listener_.close();
        for (Connection& connection : state_->connections) connection.stop_if_idle();
        state_->all_closed.expires_after(state_->options.shutdown_timeout);
        while (!state_->connections.empty()) {
            const auto [interrupted] = co_await state_->all_closed.async_wait(asio::as_tuple(asio::use_awaitable));
            if (!interrupted) break;
        }
        const std::size_t left = state_->connection_count;
        for (Connection& connection : state_->connections) connection.abandon();
        state_->deadlines.stop();
        if (left > 0) {
            base::log(base::LogLevel::warning, "shutdown cut connections",
                      {{.name = "connections", .value = static_cast<std::int64_t>(left)}});
        }
    }

    void stop() {
        state_->stopping = true;
        listener_.close();
        state_->deadlines.stop();
    }

    [[nodiscard]] std::size_t connections() const { return state_->connection_count; }

 private:
    static asio::awaitable<void> accept(std::shared_ptr<Impl> self) {
        Listener::OnConnection on_connection = [impl = self.get()](tcp::socket socket) {
            impl->admit(std::move(socket));
        };
        co_await self->listener_.run(std::move(on_connection));
    }

    static asio::awaitable<void> watch(std::shared_ptr<ServerState> state) { co_await state->deadlines.run(); }

    void admit(tcp::socket socket) {
        if (state_->connection_count < state_->options.connections_max) {
            serve(state_, std::move(socket));
        } else if (state_->turned_away_count < turned_away_max) {
            turn_away(state_, std::move(socket));
        }
    }

    const std::shared_ptr<ServerState> state_;
    Listener listener_;
    const std::optional<TlsFiles> tls_;
};

Server::Server(const asio::any_io_executor& executor, Handler& handler, HttpOptions options,
               std::optional<TlsFiles> tls)
    : impl_(std::make_shared<Impl>(executor, handler, std::move(options), std::move(tls))) {}

Server::~Server() { impl_->stop(); }

Result<std::uint16_t> Server::listen(const std::string& address, std::uint16_t port) {
    return impl_->listen(address, port);
}

void Server::start() { impl_->start(); }

asio::awaitable<void> Server::shutdown() { return impl_->shutdown(); }

std::size_t Server::connections() const { return impl_->connections(); }

}  // namespace einmal::http
