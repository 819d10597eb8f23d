#include "http/listener.hpp"

#include "base/log.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace einmal::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr asio::as_tuple_t<asio::use_awaitable_t<>> as_tuple{};
/// Long enough for connections to end and give their descriptors back, short enough for nobody to notice.
constexpr std::chrono::milliseconds shortage_pause{100};
/// A shortage lasts, and each of its many failures says the same.
constexpr std::chrono::seconds report_interval{10};

Error cannot_listen(const tcp::endpoint& endpoint, const boost::system::error_code& failure) {
    const bool taken = failure == asio::error::address_in_use;
    const bool shortage = failure == asio::error::no_descriptors || failure == asio::error::no_memory;
    std::string where = endpoint.address().to_string();
    if (endpoint.address().is_v6()) where = "[" + where + "]";
    return {taken || shortage ? Errc::unavailable : Errc::configuration,
            "cannot listen on " + where + ":" + std::to_string(endpoint.port()) + ": " +
                (taken ? "another program listens there" : failure.message())};
}

/// Failures of this machine, which retrying at once would only make worse.
bool is_shortage(const boost::system::error_code& failure) {
    return failure == asio::error::no_descriptors || failure == boost::system::errc::too_many_files_open_in_system ||
           failure == asio::error::no_buffer_space || failure == asio::error::no_memory;
}

}  // namespace

Result<std::uint16_t> Listener::open(const std::string& address, std::uint16_t port) {
    boost::system::error_code failure;
    const auto ip = asio::ip::make_address(address, failure);
    if (failure) return Error{Errc::configuration, "cannot listen on \"" + address + "\": not an IP address"};

    const tcp::endpoint endpoint(ip, port);
    acceptor_.open(endpoint.protocol(), failure);
    if (!failure) acceptor_.set_option(tcp::acceptor::reuse_address(true), failure);
    if (!failure) acceptor_.bind(endpoint, failure);
    if (!failure) acceptor_.listen(tcp::acceptor::max_listen_connections, failure);
    if (failure) {
        close();
        return cannot_listen(endpoint, failure);
    }
    return acceptor_.local_endpoint().port();
}

asio::awaitable<void> Listener::run(OnConnection on_connection) {
    while (acceptor_.is_open()) {
        auto [failure, socket] = co_await acceptor_.async_accept(as_tuple);
        if (failure) {
            co_await wait_out(failure);
            continue;
        }
        boost::system::error_code ignored;
        socket.set_option(tcp::no_delay(true), ignored);
        socket.non_blocking(true, failure);
        if (!failure) on_connection(std::move(socket));
    }
}

/// A connection that was given up before it was accepted needs no pause.
asio::awaitable<void> Listener::wait_out(boost::system::error_code failure) {
    if (!is_shortage(failure)) co_return;
    if (const auto now = std::chrono::steady_clock::now(); now >= next_report_) {
        next_report_ = now + report_interval;
        base::log(base::LogLevel::error, "cannot accept connections for the moment",
                  {{.name = "reason", .value = std::string_view(failure.message())}});
    }
    pause_.expires_after(shortage_pause);
    co_await pause_.async_wait(as_tuple);
}

void Listener::close() {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
}

}  // namespace einmal::http
