// Exact comparison of JSON numbers, whatever kind holds them (contract P7): through doubles, 9007199254740993 would
// pass for 9007199254740992 and 0.07 would be no multiple of 0.01.
#pragma once

#include <einmal/json.hpp>

#include <compare>
#include <cstdint>
#include <optional>

namespace einmal::engine {

[[nodiscard]] bool is_number(const json::Value& value);

/// Whether the number has no fractional part; false for what is no number.
[[nodiscard]] bool is_integer(const json::Value& value);

/// Both must be numbers.
[[nodiscard]] std::strong_ordering compare_numbers(const json::Value& a, const json::Value& b);

/// |value| = digits · 10^exponent, `digits` without trailing zeros.
struct Decimal {
    std::uint64_t digits = 0;
    int exponent = 0;
};

/// The number's shortest exact decimal form, without its sign. `value` must be a number.
[[nodiscard]] Decimal to_decimal(const json::Value& value);

/// Divisors may have digits up to this (17 digits, all that a double can carry), so that no step overflows.
inline constexpr std::uint64_t max_divisor_digits = 100'000'000'000'000'000;

/// `value` must be a number, `divisor.digits` between 1 and max_divisor_digits.
[[nodiscard]] bool is_multiple(const json::Value& value, Decimal divisor);

}  // namespace einmal::engine
