// The values of the JSON Schema keyword `format` that Einmal checks. A closed list: a name that is not on it is refused
// when a type is loaded, because a format that nobody checks promises something that does not hold.
#pragma once

#include <optional>
#include <string_view>

namespace einmal::engine {

enum class Format {
    email,      ///< a mailbox of RFC 5321 §4.1.2 with a domain name behind the `@`
    uri,        ///< RFC 3986, with a scheme
    date,       ///< a day of the calendar, RFC 3339 `full-date`
    date_time,  ///< RFC 3339 `date-time`
    iso4217,    ///< a currency code
};

/// Nothing when the schema's word is no known format.
[[nodiscard]] std::optional<Format> parse_format(std::string_view word);

/// All words that parse_format knows, for messages.
[[nodiscard]] std::string_view known_formats();

/// In time linear in the text. Thread-safe.
[[nodiscard]] bool has_format(Format format, std::string_view text);

/// What the value has to be, to complete "The value must be …".
[[nodiscard]] std::string_view describe(Format format);

}  // namespace einmal::engine
