// How an operator writes values: durations (`5s`), sizes (`1MiB`), counts, words and addresses. Reading refuses with
// one sentence that says what is wrong and shows a right value; writing gives the shortest text that reads back the
// same.
#pragma once

#include <boost/system/result.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace einmal::cli {

/// A value, or one sentence on why the text is none. The sentence quotes the text, so do not use it for secrets.
template <class T>
using Parsed = boost::system::result<T, std::string>;

/// What a setting accepts, both ends included, and a value to show in help and refusals.
template <class T>
struct Range {
    T least;
    T most;
    T example;
};

/// A whole number with one unit: `500ms`, `5s`, `2m`, `24h`, `7d`.
[[nodiscard]] Parsed<std::chrono::milliseconds> parse_duration(std::string_view text,
                                                               const Range<std::chrono::milliseconds>& range);
[[nodiscard]] std::string duration_text(std::chrono::milliseconds value);

/// A whole number with one unit: `512B`, `16KiB`, `1MiB`, `1GiB`.
[[nodiscard]] Parsed<std::size_t> parse_size(std::string_view text, const Range<std::size_t>& range);
[[nodiscard]] std::string size_text(std::size_t value);

/// A whole number without a unit.
[[nodiscard]] Parsed<std::size_t> parse_count(std::string_view text, const Range<std::size_t>& range);

/// A number that may have a fraction.
[[nodiscard]] Parsed<double> parse_rate(std::string_view text, const Range<double>& range);
[[nodiscard]] std::string rate_text(double value);

/// `true` or `false`.
[[nodiscard]] Parsed<bool> parse_switch(std::string_view text);

/// Where to listen: a numeric address and a port.
struct ListenAddress {
    std::string host = "127.0.0.1";  ///< without brackets
    std::uint16_t port = 8080;
    bool operator==(const ListenAddress&) const = default;
};

/// `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`; port 0 lets the system pick one (contract A1).
[[nodiscard]] Parsed<ListenAddress> parse_listen(std::string_view text);
/// IPv6 in brackets.
[[nodiscard]] std::string listen_text(const ListenAddress& address);

/// A store's address with the password of its URL replaced by `***`, fit to be shown.
[[nodiscard]] std::string masked_store(std::string_view address);

/// The text as a TOML string.
[[nodiscard]] std::string toml_string(std::string_view text);

}  // namespace einmal::cli
