// The strict reading of a request's head, on the raw bytes, before any parser has a chance to be generous: whatever two
// readers could understand differently is refused here (contract H2). Pure functions; the fuzzer drives them directly.
#pragma once

#include "http/exchange.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace einmal::http {

/// Finds the end of the head at the front of what has arrived so far, each byte once however slowly they come.
class HeadScanner {
 public:
    enum class State {
        incomplete,
        complete,   ///< `size()` bytes, the empty line included
        malformed,  ///< a line that does not end in CRLF: waiting for more would not help
    };

    /// `bytes` starts at the first byte of the head, and only ever grows between two calls of `reset`.
    [[nodiscard]] State scan(std::string_view bytes);
    [[nodiscard]] std::size_t size() const { return line_start_; }
    /// Whether the request line has arrived in full.
    [[nodiscard]] bool request_line_complete() const { return line_start_ > 0; }
    void reset() { line_start_ = seen_ = 0; }

 private:
    std::size_t line_start_ = 0;
    std::size_t seen_ = 0;
};

struct HeadLimits {
    std::size_t target_max = std::size_t{8} * 1024;
    /// Field lines: 431 beyond. Browsers and proxies together send some thirty.
    std::size_t lines_max = 100;
};

enum class Expectation { none, to_continue, unknown };

/// How the rest of the request is delimited and what becomes of the connection.
struct Framing {
    std::optional<std::uint64_t> content_length;
    bool chunked = false;
    bool keep_alive = true;
    Expectation expectation = Expectation::none;

    [[nodiscard]] bool has_body() const { return chunked || content_length.value_or(0) > 0; }
};

/// A head that has one meaning only. The views point into the checked bytes.
struct CheckedHead {
    std::string_view method;
    std::string_view raw_target;  ///< as sent
    std::string_view target;      ///< origin form (`/v1/contacts?limit=5`) or `*`
    Framing framing;
};

/// `detail` is a sentence for the client; static text.
struct HeadRefusal {
    Refusal refusal;
    std::string_view detail;
};

/// Checks a whole head, from the request line to the empty line. Refuses as malformed: bytes outside the grammar, bare
/// CR or LF, folded lines, blanks before a colon, no Host or several, any doubtful Content-Length, Content-Length
/// together with Transfer-Encoding, chunked not alone; as other refusals: what their names say.
/// Source: contract H2, H3; RFC 9112 §2.2, §3, §5, §6.
[[nodiscard]] std::variant<CheckedHead, HeadRefusal> check_head(std::string_view head, const HeadLimits& limits);

/// Whether `line`, without its CRLF, is one field line: a token, a colon, a value without control characters.
/// Also the rule for trailers. Source: RFC 9112 §5.
[[nodiscard]] bool is_field_line(std::string_view line);

}  // namespace einmal::http
