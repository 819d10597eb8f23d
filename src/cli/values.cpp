#include "cli/values.hpp"

#include <array>
#include <boost/asio/ip/address.hpp>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

namespace einmal::cli {

namespace {

using std::chrono::milliseconds;

struct Unit {
    std::string_view name;
    std::uint64_t factor;
};

/// Largest first, but days are only read: 24h is what people write.
constexpr std::array<Unit, 5> duration_units{
    {{"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}, {"d", 86'400'000}}};
constexpr std::array<Unit, 4> size_units{{{"GiB", 1U << 30U}, {"MiB", 1U << 20U}, {"KiB", 1U << 10U}, {"B", 1}}};

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

/// The whole text as a number of base 10 without sign or blanks; nothing when it is none or does not fit.
std::optional<std::uint64_t> whole_number(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// Number times unit, saturated, so that the range check refuses what is too large; nothing when the text has no such
/// form.
template <std::size_t N>
std::optional<std::uint64_t> with_unit(std::string_view text, const std::array<Unit, N>& units) {
    const std::size_t digits = text.find_first_not_of("0123456789");
    if (digits == 0 || digits == std::string_view::npos) return std::nullopt;
    for (const Unit& unit : units) {
        if (text.substr(digits) != unit.name) continue;
        const std::optional<std::uint64_t> number = whole_number(text.substr(0, digits));
        constexpr std::uint64_t limit = std::numeric_limits<std::int64_t>::max();
        if (!number || *number > limit / unit.factor) return limit;
        return *number * unit.factor;
    }
    return std::nullopt;
}

/// The number in the largest unit that divides it; zero takes the unit `zero`.
template <std::size_t N>
std::string in_largest_unit(std::uint64_t value, const std::array<Unit, N>& units, std::string_view zero) {
    if (value == 0) return "0" + std::string(zero);
    for (const Unit& unit : units) {
        if (value % unit.factor == 0) return std::to_string(value / unit.factor) + std::string(unit.name);
    }
    return std::to_string(value);
}

std::string out_of_range(std::string_view text, std::string_view least, std::string_view most,
                         std::string_view example) {
    return quoted(text) + " is out of range: from " + std::string(least) + " to " + std::string(most) +
           ", for example " + std::string(example);
}

}  // namespace

Parsed<milliseconds> parse_duration(std::string_view text, const Range<milliseconds>& range) {
    const std::optional<std::uint64_t> count = with_unit(text, duration_units);
    const std::string example = duration_text(range.example);
    if (!count) {
        return quoted(text) + " is no duration: write a whole number and one of ms, s, m, h, d, for example " + example;
    }
    const milliseconds value{static_cast<std::int64_t>(*count)};
    if (value < range.least || value > range.most) {
        return out_of_range(text, duration_text(range.least), duration_text(range.most), example);
    }
    return value;
}

std::string duration_text(milliseconds value) {
    return in_largest_unit(static_cast<std::uint64_t>(value.count()), duration_units, "s");
}

Parsed<std::size_t> parse_size(std::string_view text, const Range<std::size_t>& range) {
    const std::optional<std::uint64_t> value = with_unit(text, size_units);
    const std::string example = size_text(range.example);
    if (!value) {
        return quoted(text) + " is no size: write a whole number and one of B, KiB, MiB, GiB, for example " + example;
    }
    if (*value < range.least || *value > range.most) {
        return out_of_range(text, size_text(range.least), size_text(range.most), example);
    }
    return static_cast<std::size_t>(*value);
}

std::string size_text(std::size_t value) { return in_largest_unit(value, size_units, "B"); }

Parsed<std::size_t> parse_count(std::string_view text, const Range<std::size_t>& range) {
    const std::string example = std::to_string(range.example);
    if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) {
        return quoted(text) + " is no whole number, for example " + example;
    }
    const std::optional<std::uint64_t> value = whole_number(text);
    if (!value || *value < range.least || *value > range.most) {
        return out_of_range(text, std::to_string(range.least), std::to_string(range.most), example);
    }
    return static_cast<std::size_t>(*value);
}

Parsed<double> parse_rate(std::string_view text, const Range<double>& range) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    const std::string example = rate_text(range.example);
    if (error != std::errc{} || end != text.data() + text.size()) {
        return quoted(text) + " is no number, for example " + example;
    }
    if (!(value >= range.least && value <= range.most)) {
        return out_of_range(text, rate_text(range.least), rate_text(range.most), example);
    }
    return value;
}

std::string rate_text(double value) {
    std::array<char, 400> buffer{};
    const auto [end, error] =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
    return {buffer.data(), end};
}

Parsed<bool> parse_switch(std::string_view text) {
    if (text == "true") return true;
    if (text == "false") return false;
    return quoted(text) + " is neither true nor false, for example true";
}

Parsed<ListenAddress> parse_listen(std::string_view text) {
    const auto refused = [&]() -> Parsed<ListenAddress> {
        return {
            boost::system::in_place_error,
            quoted(text) + " is no address to listen on: write ADDRESS:PORT, for example 127.0.0.1:8080 or [::1]:8080"};
    };
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return refused();
    std::string_view host = text.substr(0, colon);
    const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
    if (bracketed) host = host.substr(1, host.size() - 2);
    if (host == "localhost") host = "127.0.0.1";
    boost::system::error_code error;
    const auto address = boost::asio::ip::make_address(std::string(host), error);
    const std::optional<std::uint64_t> port = whole_number(text.substr(colon + 1));
    if (error || address.is_v6() != bracketed || !port || *port > std::numeric_limits<std::uint16_t>::max()) {
        return refused();
    }
    return ListenAddress{std::string(host), static_cast<std::uint16_t>(*port)};
}

std::string listen_text(const ListenAddress& address) {
    const bool v6 = address.host.find(':') != std::string::npos;
    return (v6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

std::string masked_store(std::string_view address) {
    std::string shown(address);
    const std::size_t scheme = shown.find("://");
    if (scheme == std::string::npos) return shown;
    // The last `@` ends the password even where a `/` or `?` inside it was not encoded: rather too much hidden than too
    // little.
    const std::size_t start = scheme + 3;
    const std::size_t at = shown.rfind('@');
    const std::size_t colon = shown.find(':', start);
    if (at != std::string::npos && colon < at) shown.replace(colon + 1, at - colon - 1, "***");
    constexpr std::string_view parameter = "password=";
    for (std::size_t found = shown.find(parameter); found != std::string::npos;
         found = shown.find(parameter, found + parameter.size())) {
        const std::size_t value = found + parameter.size();
        const std::size_t stop = shown.find_first_of("&# ", value);
        shown.replace(value, (stop == std::string::npos ? shown.size() : stop) - value, "***");
    }
    return shown;
}

std::string toml_string(std::string_view text) {
    constexpr std::string_view hex = "0123456789ABCDEF";
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20 || byte == 0x7F) {
            out += "\\u00";
            out += hex[byte >> 4U];
            out += hex[byte & 0xFU];
        } else {
            out += c;
        }
    }
    return out + "\"";
}

}  // namespace einmal::cli
