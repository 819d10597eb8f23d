// Header fields → typed values, or the problem that answers the ones that cannot be read (contract K1, K2, K4, R3, P1;
// RFC 7240). Nothing is guessed: what cannot be read is refused, never ignored.
#pragma once

#include "http/exchange.hpp"
#include "http/problem.hpp"

#include <einmal/precondition.hpp>
#include <einmal/types.hpp>

#include <boost/beast/http/field.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace einmal::http {

/// All lines of one field, in the order sent; views into the request.
[[nodiscard]] std::vector<std::string_view> field_lines(const Request& request, boost::beast::http::field name);
[[nodiscard]] std::vector<std::string_view> field_lines(const Request& request, std::string_view name);

/// The key of a request (contract K1, K2): exactly one field line. `required` on POST and DELETE.
[[nodiscard]] OrProblem<std::optional<Key>> read_key(const Request& request, bool required);

/// `If-Match` or `If-None-Match` (contract R2, R3), over all its lines.
[[nodiscard]] OrProblem<std::optional<Precondition>> read_precondition(const Request& request,
                                                                       boost::beast::http::field name);

/// `Prefer: wait=N` (RFC 7240 §4.3). Other preferences are ignored as §2 demands, a field that cannot be read is not.
[[nodiscard]] OrProblem<std::optional<std::chrono::seconds>> read_wait(const Request& request);

/// `type/subtype` in lower case without parameters, empty when there is no Content-Type.
/// Refuses a broken one, and a charset other than UTF-8.
[[nodiscard]] OrProblem<std::string> read_media_type(const Request& request);

/// Refuses content codings other than identity: the server does not decode (415, RFC 9110 §15.5.16).
[[nodiscard]] std::optional<Problem> refuse_content_coding(const Request& request);

/// The token of `Authorization: Bearer …` (RFC 6750 §2.1), or nothing: also for two fields, another scheme, a token
/// with other characters than b64token, or one that is longer than any token can be. A view into the request.
[[nodiscard]] std::optional<std::string_view> read_bearer_token(const Request& request);

/// The client's X-Request-Id, when it is one that can stand in a log: 1–64 letters, digits, `.`, `_`, `-`.
[[nodiscard]] std::optional<std::string_view> read_request_id(const Request& request);

/// The client's traceparent when it is valid (W3C Trace Context §3.2), otherwise nothing.
[[nodiscard]] std::optional<std::string_view> read_trace_parent(const Request& request);

/// The trace id of a valid traceparent; empty for an empty one.
[[nodiscard]] std::string_view trace_id_of(std::string_view trace_parent);

}  // namespace einmal::http
