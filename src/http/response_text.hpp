// Turns a response into bytes. By hand, because a serializer that works in steps costs more than all the rest of a
// small answer, and because framing is the connection's business alone.
#pragma once

#include "http/exchange.hpp"

#include <string>
#include <string_view>

namespace einmal::http {

/// The current time as `Date` shows it, made anew once per second. Not thread-safe.
class DateText {
 public:
    /// IMF-fixdate; valid until the next call. Source: RFC 9110 §5.6.7.
    [[nodiscard]] std::string_view now();

 private:
    Timestamp second_{Timestamp::min()};
    std::string text_;
};

struct ResponseFraming {
    bool keep_alive = true;
    std::string_view date;
};

/// Appends status line and fields to `out`, with the empty line. Date, Server, Connection and Content-Length are set
/// here; what the response says of them, and of Transfer-Encoding, is left out. 204 and 304 get no Content-Length.
/// Source: RFC 9110 §8.6, RFC 9112 §6.
void append_response_head(std::string& out, const Response& response, const ResponseFraming& framing);

/// Whether the body of `response` may follow its head, apart from HEAD.
[[nodiscard]] bool may_have_body(const Response& response);

}  // namespace einmal::http
