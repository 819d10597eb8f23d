// The exactness of numbers (contract P7). A number is taken apart into its significant digits and a power of ten, and
// two numbers are the same when both agree; no step depends on how large the exponent is.
#include "base/json_number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <system_error>

#include "base/assert.hpp"

namespace einmal::json {
namespace {

/// digits × 10^exponent, without leading and trailing zeros. No digits: zero.
struct Decimal {
    /// A 64-bit integer has at most 20 digits, the shortest form of a double at most 17: more are never exact.
    static constexpr std::size_t max_digits = 20;

    bool negative = false;
    std::array<char, max_digits> digits{};
    std::size_t count = 0;
    std::int64_t exponent = 0;

    [[nodiscard]] std::string_view significant() const { return {digits.data(), count}; }
    /// Where the decimal point stands, counted from before the first digit: 0.digits × 10^point.
    [[nodiscard]] std::int64_t point() const { return exponent + static_cast<std::int64_t>(count); }

    bool operator==(const Decimal& other) const {
        return negative == other.negative && exponent == other.exponent && significant() == other.significant();
    }
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Appends one digit behind `zeros` zeros that turned out not to be the last ones. False: too many digits.
bool append_digit(Decimal& number, std::size_t& zeros, char digit) {
    if (number.count + zeros >= Decimal::max_digits) return false;
    for (; zeros > 0; --zeros) number.digits[number.count++] = '0';
    number.digits[number.count++] = digit;
    return true;
}

/// `text` is what follows the `e`. Bounded far beyond what digits before or behind the point can make up for.
std::int64_t parse_exponent(std::string_view text) {
    constexpr std::int64_t bound = 1'000'000'000'000'000;
    const bool negative = text.front() == '-';
    std::int64_t exponent = 0;
    for (const char c : text) {
        if (is_digit(c) && exponent < bound) exponent = exponent * 10 + (c - '0');
    }
    return negative ? -exponent : exponent;
}

/// Nothing when the number has more significant digits than can be exact.
std::optional<Decimal> parse_decimal(std::string_view text) {
    Decimal number;
    number.negative = text.starts_with('-');
    std::size_t zeros = 0;  // held back: they count only when another digit follows
    bool fraction = false;
    for (std::size_t i = number.negative ? 1 : 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '.') {
            fraction = true;
        } else if (!is_digit(c)) {
            number.exponent += parse_exponent(text.substr(i + 1));
            break;
        } else {
            if (fraction) --number.exponent;
            if (c != '0') {
                if (!append_digit(number, zeros, c)) return std::nullopt;
            } else if (number.count > 0) {
                ++zeros;
            }
        }
    }
    number.exponent += static_cast<std::int64_t>(zeros);
    return number;
}

/// Nothing when the number has a fraction or does not fit 64 bits.
std::optional<Number> as_integer(const Decimal& number) {
    if (number.exponent < 0 || number.point() > static_cast<std::int64_t>(Decimal::max_digits)) return std::nullopt;
    std::uint64_t magnitude = 0;
    const char* const end = number.digits.data() + number.count;
    if (std::from_chars(number.digits.data(), end, magnitude).ec != std::errc{}) return std::nullopt;
    for (std::int64_t i = 0; i < number.exponent; ++i) {
        if (__builtin_mul_overflow(magnitude, std::uint64_t{10}, &magnitude)) return std::nullopt;
    }
    if (number.negative) {
        if (magnitude > std::uint64_t{1} << 63) return std::nullopt;
        return static_cast<std::int64_t>(-magnitude);
    }
    if (magnitude > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return magnitude;
    return static_cast<std::int64_t>(magnitude);
}

Decimal shortest_decimal(double value) {
    std::array<char, 32> text{};
    const auto [end, error] =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific);
    EINMAL_ASSERT(error == std::errc{});
    const auto number = parse_decimal({text.data(), static_cast<std::size_t>(end - text.data())});
    EINMAL_ASSERT(number.has_value());
    return *number;
}

/// The double whose shortest decimal is `number`, if there is one.
std::optional<Number> as_double(const Decimal& number) {
    // The largest double is 1.8e308, the smallest 5e-324.
    if (number.point() > 309 || number.point() < -323) return std::nullopt;
    std::array<char, 32> text{};
    char* to = text.data();
    if (number.negative) *to++ = '-';
    to = std::copy_n(number.digits.data(), number.count, to);
    *to++ = 'e';
    to = std::to_chars(to, text.data() + text.size(), number.exponent).ptr;
    double value = 0;
    if (std::from_chars(text.data(), to, value).ec != std::errc{}) return std::nullopt;
    // So few digits survive any normal double (DBL_DIG); the smallest of these is 2.2e-308.
    const bool survives = number.count <= std::numeric_limits<double>::digits10 && number.point() > -307;
    if (!survives && !(shortest_decimal(value) == number)) return std::nullopt;
    return value;
}

void append_scientific(const Decimal& number, std::string& out) {
    const std::string_view digits = number.significant();
    out += digits.front();
    if (digits.size() > 1) {
        out += '.';
        out += digits.substr(1);
    }
    const std::int64_t exponent = number.point() - 1;
    out += exponent < 0 ? "e-" : "e+";
    std::array<char, 8> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), exponent < 0 ? -exponent : exponent).ptr;
    out.append(text.data(), end);
}

}  // namespace

std::optional<Number> exact_number(std::string_view text) {
    const std::optional<Decimal> number = parse_decimal(text);
    if (!number) return std::nullopt;
    if (number->count == 0) return std::int64_t{0};
    if (auto integer = as_integer(*number)) return integer;
    if (text.find_first_of(".eE") == std::string_view::npos) return std::nullopt;
    return as_double(*number);
}

void append_double(double value, std::string& out) {
    const Decimal number = shortest_decimal(value);
    const std::string_view digits = number.significant();
    const std::int64_t point = number.point();
    if (number.negative) out += '-';
    if (number.exponent >= 0 || point <= -6) {
        append_scientific(number, out);
    } else if (point > 0) {
        out += digits.substr(0, static_cast<std::size_t>(point));
        out += '.';
        out += digits.substr(static_cast<std::size_t>(point));
    } else {
        out += "0.";
        out.append(static_cast<std::size_t>(-point), '0');
        out += digits;
    }
}

}  // namespace einmal::json
