#include "http/head_parse.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <limits>

namespace einmal::http {

bool parse_head(std::string_view head, const CheckedHead& checked, Request& request) {
    boost::beast::http::request_parser<boost::beast::http::string_body> parser;
    parser.eager(false);  // the body is never Beast's business
    parser.header_limit(std::numeric_limits<std::uint32_t>::max());
    parser.body_limit(boost::none);
    boost::system::error_code failure;
    const std::size_t used = parser.put(boost::asio::buffer(head.data(), head.size()), failure);
    if (failure || used != head.size() || !parser.is_header_done()) return false;

    const auto length = parser.content_length();
    const Framing& framing = checked.framing;
    // Beast would keep a connection of HTTP/1.0 that asks for it.
    const bool keep_alive = parser.keep_alive() && parser.get().version() == 11;
    if (parser.chunked() != framing.chunked || keep_alive != framing.keep_alive ||
        length.has_value() != framing.content_length.has_value() || (length && *length != *framing.content_length)) {
        return false;
    }
    request = parser.release();
    if (request.method_string() != checked.method || request.target() != checked.raw_target) return false;
    if (checked.target != checked.raw_target) request.target(checked.target);
    return true;
}

}  // namespace einmal::http
