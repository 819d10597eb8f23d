#include "engine/formats.hpp"

#include "base/time.hpp"

#include <algorithm>
#include <array>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <cstddef>

namespace einmal::engine {
namespace {

/// ISO 4217, the codes in force at some time of 2025, sorted; without XTS (for tests) and XXX (no currency), in which
/// nothing can be paid.
constexpr std::array<std::string_view, 178> currencies{
    "AED", "AFN", "ALL", "AMD", "ANG", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BGN", "BHD",
    "BIF", "BMD", "BND", "BOB", "BOV", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD", "CDF", "CHE", "CHF",
    "CHW", "CLF", "CLP", "CNY", "COP", "COU", "CRC", "CUP", "CVE", "CZK", "DJF", "DKK", "DOP", "DZD", "EGP",
    "ERN", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL", "GHS", "GIP", "GMD", "GNF", "GTQ", "GYD", "HKD", "HNL",
    "HTG", "HUF", "IDR", "ILS", "INR", "IQD", "IRR", "ISK", "JMD", "JOD", "JPY", "KES", "KGS", "KHR", "KMF",
    "KPW", "KRW", "KWD", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "LYD", "MAD", "MDL", "MGA", "MKD",
    "MMK", "MNT", "MOP", "MRU", "MUR", "MVR", "MWK", "MXN", "MXV", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK",
    "NPR", "NZD", "OMR", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD", "RUB", "RWF",
    "SAR", "SBD", "SCR", "SDG", "SEK", "SGD", "SHP", "SLE", "SOS", "SRD", "SSP", "STN", "SVC", "SYP", "SZL",
    "THB", "TJS", "TMT", "TND", "TOP", "TRY", "TTD", "TWD", "TZS", "UAH", "UGX", "USD", "USN", "UYI", "UYU",
    "UYW", "UZS", "VED", "VES", "VND", "VUV", "WST", "XAD", "XAF", "XAG", "XAU", "XBA", "XBB", "XBC", "XBD",
    "XCD", "XCG", "XDR", "XOF", "XPD", "XPF", "XPT", "XSU", "XUA", "YER", "ZAR", "ZMW", "ZWG"};
static_assert(std::is_sorted(currencies.begin(), currencies.end()));

bool is_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

/// RFC 5322 §3.2.3: words of these characters, joined by single dots.
bool is_dot_atom(std::string_view text) {
    bool at_word = false;
    for (const char c : text) {
        if (c == '.' && !at_word) {
            return false;
        }
        if (c != '.' && !is_alphanumeric(c) &&
            std::string_view{"!#$%&'*+-/=?^_`{|}~"}.find(c) == std::string_view::npos) {
            return false;
        }
        at_word = c != '.';
    }
    return at_word;
}

/// RFC 5321 §4.1.2 `Quoted-string`, given with its quotes.
bool is_quoted_string(std::string_view text) {
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') {
        return false;
    }
    bool escaped = false;
    for (const char c : text.substr(1, text.size() - 2)) {
        if (c < ' ' || c > '~' || (c == '"' && !escaped)) {
            return false;
        }
        escaped = c == '\\' && !escaped;
    }
    return !escaped;
}

/// RFC 1035 §2.3.1 with the digits that RFC 1123 §2.1 allows.
bool is_domain_label(std::string_view label) {
    return !label.empty() && label.size() <= 63 && label.front() != '-' && label.back() != '-' &&
           std::all_of(label.begin(), label.end(), [](char c) { return c == '-' || is_alphanumeric(c); });
}

bool is_domain(std::string_view text) {
    if (text.size() > 253) {
        return false;
    }
    for (;;) {
        const std::size_t dot = text.find('.');
        if (!is_domain_label(text.substr(0, dot))) {
            return false;
        }
        if (dot == std::string_view::npos) {
            return true;
        }
        text.remove_prefix(dot + 1);
    }
}

bool is_email(std::string_view text) {
    const std::size_t at = text.rfind('@');
    if (at > 64) {  // RFC 5321 §4.5.3.1.1; also when there is no `@`
        return false;
    }
    const std::string_view local = text.substr(0, at);
    return (is_dot_atom(local) || is_quoted_string(local)) && is_domain(text.substr(at + 1));
}

bool is_uri(std::string_view text) {
    const auto uri = boost::urls::parse_uri(text);
    if (!uri) {
        return false;
    }
    // RFC 3986 §3.3, which Boost 1.81 does not enforce: it takes `http://example.org:abc` for a host and the path
    // `abc`.
    const auto path = uri->encoded_path();
    return !uri->has_authority() || path.empty() || path.front() == '/';
}

}  // namespace

std::optional<Format> parse_format(std::string_view word) {
    if (word == "email") {
        return Format::email;
    }
    if (word == "uri") {
        return Format::uri;
    }
    if (word == "date") {
        return Format::date;
    }
    if (word == "date-time") {
        return Format::date_time;
    }
    if (word == "iso4217") {
        return Format::iso4217;
    }
    return std::nullopt;
}

std::string_view known_formats() { return "date, date-time, email, iso4217, uri"; }

bool has_format(Format format, std::string_view text) {
    switch (format) {
        case Format::email:
            return is_email(text);
        case Format::uri:
            return is_uri(text);
        case Format::date:
            return base::parse_rfc3339_date(text).has_value();
        case Format::date_time:
            return base::parse_rfc3339(text).has_value();
        case Format::iso4217:
            return std::binary_search(currencies.begin(), currencies.end(), text);
    }
    return false;
}

std::string_view describe(Format format) {
    switch (format) {
        case Format::email:
            return "an e-mail address";
        case Format::uri:
            return "a URI with a scheme, such as https://example.org/";
        case Format::date:
            return "a day of the calendar, such as 2026-01-31";
        case Format::date_time:
            return "a time with an offset, such as 2026-01-31T12:00:00Z";
        case Format::iso4217:
            return "a currency code of ISO 4217, such as EUR";
    }
    return {};
}

}  // namespace einmal::engine
