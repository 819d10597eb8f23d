// Accepts connections and goes on doing so when the machine is short of file descriptors or memory.
#pragma once

#include <einmal/result.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace einmal::http {

/// Used on one executor only.
class Listener {
 public:
    using OnConnection = std::function<void(boost::asio::ip::tcp::socket)>;

    explicit Listener(const boost::asio::any_io_executor& executor) : acceptor_(executor), pause_(executor) {}

    /// Binds and listens; returns the port, which the system chose if `port` is 0. Errc::configuration: `address` is no
    /// IP address or none of this machine, or the port is reserved. Errc::unavailable: somebody else listens there.
    [[nodiscard]] Result<std::uint16_t> open(const std::string& address, std::uint16_t port);

    /// Gives each new socket, non-blocking and without Nagle's delay, to `on_connection` until `close`. The caller
    /// keeps this object alive meanwhile.
    boost::asio::awaitable<void> run(OnConnection on_connection);

    /// Stops listening. Connections that the system has queued are reset.
    void close();

 private:
    boost::asio::awaitable<void> wait_out(boost::system::error_code failure);

    boost::asio::ip::tcp::acceptor acceptor_;
    boost::asio::steady_timer pause_;
    std::chrono::steady_clock::time_point next_report_{};
};

}  // namespace einmal::http
