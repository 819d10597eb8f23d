// Decides from a number's text whether it can be kept exactly, and prints doubles so that this decision comes out the
// same again (contract P7). Private to the JSON reader and writer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace einmal::json {

/// `uint64_t` only beyond the range of `int64_t`; never an integral double within 64 bits.
using Number = std::variant<std::int64_t, std::uint64_t, double>;

/// The value of a number that follows the grammar of RFC 8259 §6, or nothing when neither a 64-bit integer nor a double
/// holds it exactly. Takes time linear in the text, whatever its exponent.
///
/// Integral and within 64 bits: an integer, however it is spelled. A plain integer literal beyond 64 bits: nothing. Any
/// other decimal: the nearest double, if that double's shortest decimal is the number that was written.
[[nodiscard]] std::optional<Number> exact_number(std::string_view text);

/// Appends a double's shortest decimal in the form of RFC 8785 §3.2.2.3, except that one without a fraction is always
/// in scientific form: as a plain integer it would read as an integer beyond 64 bits, which is refused.
void append_double(double value, std::string& out);

}  // namespace einmal::json
