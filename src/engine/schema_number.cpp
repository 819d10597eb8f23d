#include "engine/schema_number.hpp"

#include "base/assert.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <variant>

namespace einmal::engine {
namespace {

std::strong_ordering reverse(std::strong_ordering order) { return 0 <=> order; }

/// A double is never integral within 64 bits (json::Value sees to that). So it either has a fraction, and then it is so
/// small that rounding an integer to a double cannot carry that past it, or it lies beyond all 64-bit integers, and
/// then rounding carries the largest of them at most up to it.
template <std::integral Integer>
std::strong_ordering compare(Integer a, double b) {
    return static_cast<double>(a) <= b ? std::strong_ordering::less : std::strong_ordering::greater;
}

std::strong_ordering compare(double a, double b) {
    return a < b ? std::strong_ordering::less : b < a ? std::strong_ordering::greater : std::strong_ordering::equal;
}

/// `uint64_t` is used only beyond the range of `int64_t`.
std::strong_ordering compare(std::int64_t, std::uint64_t) { return std::strong_ordering::less; }
std::strong_ordering compare(std::int64_t a, std::int64_t b) { return a <=> b; }
std::strong_ordering compare(std::uint64_t a, std::uint64_t b) { return a <=> b; }
std::strong_ordering compare(std::uint64_t a, std::int64_t b) { return reverse(compare(b, a)); }
std::strong_ordering compare(double a, std::int64_t b) { return reverse(compare(b, a)); }
std::strong_ordering compare(double a, std::uint64_t b) { return reverse(compare(b, a)); }

template <class T>
constexpr bool is_number_kind =
    std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint64_t> || std::is_same_v<T, double>;

Decimal without_trailing_zeros(Decimal decimal) {
    if (decimal.digits == 0) {
        return {};
    }
    for (; decimal.digits % 10 == 0; decimal.digits /= 10) {
        ++decimal.exponent;
    }
    return decimal;
}

Decimal to_decimal(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    return without_trailing_zeros({value < 0 ? 0 - bits : bits, 0});
}

Decimal to_decimal(std::uint64_t value) { return without_trailing_zeros({value, 0}); }

/// Reads the shortest form back, `1.25e-07`: at most 17 digits, so `digits` cannot overflow.
Decimal to_decimal(double value) {
    std::array<char, 32> text{};
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), std::fabs(value), std::chars_format::scientific);
    Decimal decimal;
    bool behind_point = false;
    const char* at = text.data();
    for (; *at != 'e'; ++at) {
        if (*at == '.') {
            behind_point = true;
            continue;
        }
        decimal.digits = decimal.digits * 10 + static_cast<std::uint64_t>(*at - '0');
        decimal.exponent -= behind_point ? 1 : 0;
    }
    at += at[1] == '+' ? 2 : 1;
    int exponent = 0;
    std::from_chars(at, written.ptr, exponent);
    decimal.exponent += exponent;
    return without_trailing_zeros(decimal);
}

}  // namespace

bool is_number(const json::Value& value) {
    return std::visit([]<class T>(const T&) { return is_number_kind<T>; }, value.storage());
}

bool is_integer(const json::Value& value) {
    if (const double* number = std::get_if<double>(&value.storage())) {
        return std::floor(*number) == *number;
    }
    return is_number(value);
}

std::strong_ordering compare_numbers(const json::Value& a, const json::Value& b) {
    return std::visit(
        []<class A, class B>(const A& left, const B& right) -> std::strong_ordering {
            if constexpr (is_number_kind<A> && is_number_kind<B>) {
                return compare(left, right);
            } else {
                EINMAL_ASSERT(!"compare_numbers is for numbers");
            }
        },
        a.storage(), b.storage());
}

Decimal to_decimal(const json::Value& value) {
    return std::visit(
        []<class T>(const T& number) -> Decimal {
            if constexpr (is_number_kind<T>) {
                return to_decimal(number);
            } else {
                EINMAL_ASSERT(!"to_decimal is for numbers");
            }
        },
        value.storage());
}

bool is_multiple(const json::Value& value, Decimal divisor) {
    EINMAL_ASSERT(divisor.digits > 0 && divisor.digits <= max_divisor_digits);
    const Decimal number = to_decimal(value);
    if (number.digits == 0) {
        return true;
    }
    // With a smaller exponent, `number.digits` would have to end in a zero, which it does not.
    if (number.exponent < divisor.exponent) {
        return false;
    }
    std::uint64_t rest = number.digits % divisor.digits;
    for (int i = number.exponent - divisor.exponent; i > 0 && rest != 0; --i) {
        rest = rest * 10 % divisor.digits;
    }
    return rest == 0;
}

}  // namespace einmal::engine
