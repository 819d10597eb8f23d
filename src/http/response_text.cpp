#include "http/response_text.hpp"

#include <array>
#include <boost/beast/http/status.hpp>
#include <charconv>
#include <ctime>

namespace einmal::http {
namespace {

namespace beast_http = boost::beast::http;

void append_number(std::string& out, std::size_t number) {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    out.append(digits.data(), end);
}

bool belongs_to_connection(beast_http::field name) {
    return name == beast_http::field::connection || name == beast_http::field::content_length ||
           name == beast_http::field::transfer_encoding || name == beast_http::field::date ||
           name == beast_http::field::server;
}

}  // namespace

std::string_view DateText::now() {
    const Timestamp time = std::chrono::floor<std::chrono::seconds>(system_clock().now());
    if (time != second_) {
        second_ = time;
        const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
        std::tm utc{};
        gmtime_r(&seconds, &utc);
        // strftime would take the names of days and months from the locale.
        static constexpr std::array days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
        static constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                           "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
        std::array<char, 64> line{};
        std::snprintf(line.data(), line.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                      days[static_cast<std::size_t>(utc.tm_wday)], utc.tm_mday,
                      months[static_cast<std::size_t>(utc.tm_mon)], utc.tm_year + 1900, utc.tm_hour, utc.tm_min,
                      utc.tm_sec);
        text_ = line.data();
    }
    return text_;
}

bool may_have_body(const Response& response) {
    return response.result() != beast_http::status::no_content && response.result() != beast_http::status::not_modified;
}

void append_response_head(std::string& out, const Response& response, const ResponseFraming& framing) {
    out.append("HTTP/1.1 ");
    append_number(out, response.result_int());
    out.push_back(' ');
    out.append(response.reason());
    out.append("\r\nServer: einmal\r\nDate: ");
    out.append(framing.date);
    for (const auto& field : response) {
        if (belongs_to_connection(field.name())) continue;
        out.append("\r\n");
        out.append(field.name_string());
        out.append(": ");
        out.append(field.value());
    }
    if (may_have_body(response)) {
        out.append("\r\nContent-Length: ");
        append_number(out, response.body().size());
    }
    out.append(framing.keep_alive ? "\r\n\r\n" : "\r\nConnection: close\r\n\r\n");
}

}  // namespace einmal::http
