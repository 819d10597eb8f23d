// The one text form of instants in representations and parameters: RFC 3339.
#pragma once

#include <einmal/types.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace einmal::base {

/// `2026-01-31T12:00:00.000Z`, always UTC with three decimals (contract T6). Instants outside the years 0000–9999,
/// which the form cannot show, become the nearest one it can.
[[nodiscard]] std::string to_rfc3339(Timestamp time);

/// Reads any `date-time` of RFC 3339 §5.6; what is finer than a millisecond is cut off. Nothing when it is none: no
/// offset, a day that the calendar does not have, a leap second that is not the last of a UTC day.
[[nodiscard]] std::optional<Timestamp> parse_rfc3339(std::string_view text);

/// A `full-date` of RFC 3339 §5.6 that the calendar has: `2024-02-29`.
[[nodiscard]] std::optional<std::chrono::sys_days> parse_rfc3339_date(std::string_view text);

}  // namespace einmal::base
