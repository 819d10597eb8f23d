// The connection side of the HTTP server as a whole: listens, serves, and stops in good order (contract H1–H4).
#pragma once

#include "http/exchange.hpp"
#include "http/http_options.hpp"
#include "http/tls_context.hpp"

#include <einmal/result.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace einmal::http {

/// Used on `executor` only, which runs one handler at a time; `listen` may also be called before it runs. `handler`
/// outlives every request: until `connections` is 0 after `shutdown`, or the executor has stopped for good.
class Server {
 public:
    Server(const boost::asio::any_io_executor& executor, Handler& handler, HttpOptions options,
           std::optional<TlsFiles> tls = std::nullopt);
    /// Stops listening at once. Call `shutdown` first to let requests finish.
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// Binds and listens; nothing is accepted before `start`. Returns the port, which the system chose if `port` is 0.
    /// Errc::configuration: a TLS file or the address is wrong; Errc::unavailable: somebody else listens there.
    [[nodiscard]] Result<std::uint16_t> listen(const std::string& address, std::uint16_t port);

    /// Begins to accept. Call once, after `listen` has succeeded.
    void start();

    /// Stops accepting, closes idle connections, lets requests that have begun finish and be answered, and returns when
    /// no connection is left or `shutdown_timeout` is over; what is left then is cut (contract H4).
    boost::asio::awaitable<void> shutdown();

    /// Connections being served at this moment (contract A5).
    [[nodiscard]] std::size_t connections() const;

 private:
    class Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace einmal::http
