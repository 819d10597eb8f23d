// Decides from a number's text whether it can be kept exactly, and prints doubles so that this decision comes out the
// same again (contract P7). Private to the JSON reader and writer.
#pragma once

#include <einmal/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace einmal::json {

/// The value of a number that follows the grammar of RFC 8259 §6, or nothing when neither a 64-bit integer nor a double
/// holds it exactly. Takes time linear in the text, whatever its exponent.
///
/// Integral and within 64 bits: an integer, however it is spelled. A plain integer literal beyond 64 bits: nothing. Any
/// other decimal: the nearest double, if that double's shortest decimal is the number that was written.
[[nodiscard]] std::optional<Value> exact_number(std::string_view text);

/// Appends a double's shortest decimal in the form of RFC 8785 §3.2.2.3, except that one without a fraction is always
/// in scientific form: as a plain integer it would read as an integer beyond 64 bits, which is refused.
void append_double(double value, std::string& out);

}  // namespace einmal::json
