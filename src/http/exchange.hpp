// What the connection side (listener, session) and the answering side (router, routes) of the HTTP server share: one
// request on its way through. Neither side includes the other.
#pragma once

#include <einmal/engine.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace einmal::http {

using Request = boost::beast::http::request<boost::beast::http::string_body>;
using Response = boost::beast::http::response<boost::beast::http::string_body>;

/// One request and what is learned about it. Owned by the session, which outlives every coroutine that gets a
/// reference.
struct Exchange {
    Request request;                       ///< the head at `admit`, with the whole body at `handle`
    std::string request_id;                ///< set by `admit`; in the answer, the problem and the log
    std::string trace_parent;              ///< the client's valid W3C traceparent, or empty; set by `admit`
    std::shared_ptr<const Caller> caller;  ///< set by `admit`, null on routes that need no token
    std::chrono::steady_clock::time_point started;
};

/// Refusals that the connection itself has to make, before or instead of a whole request.
enum class Refusal {
    malformed,             ///< 400, ambiguous or broken framing (contract H2)
    timeout,               ///< 408 (contract H3)
    body_too_large,        ///< 413
    target_too_long,       ///< 414
    expectation_failed,    ///< 417, an Expect other than 100-continue
    head_too_large,        ///< 431
    coding_unsupported,    ///< 501, a transfer coding other than chunked
    too_many_connections,  ///< 503
    version_unsupported,   ///< 505
};

/// The answering side as the connection side sees it. Used on the engine's executor.
class Handler {
 public:
    virtual ~Handler() = default;

    /// Called when the head of a request is there, before its body is read: request id, authentication, rate limit,
    /// overload (contract R9, S3). A response refuses the request; its body is never read.
    virtual boost::asio::awaitable<std::optional<Response>> admit(Exchange& exchange) = 0;

    /// Called with the whole request. Never throws; the response is complete but for Connection, Date and framing.
    virtual boost::asio::awaitable<Response> handle(Exchange& exchange) = 0;

    /// The problem for a refusal; `detail` is a sentence for the client, `exchange` null when no head could be read.
    virtual Response refuse(Refusal refusal, std::string detail, const Exchange* exchange) = 0;
};

}  // namespace einmal::http
