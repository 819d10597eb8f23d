// Which numbers are kept, as what, and which are refused instead of rounded (contract P7).
#include "base/json_number.hpp"

#include <gtest/gtest.h>
#include <einmal/json.hpp>

#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>

namespace einmal::json {
namespace {

Value::Storage stored(std::string_view text) {
    const auto value = read(text);
    EXPECT_TRUE(value.has_value()) << text;
    return value ? value->storage() : Value::Storage();
}

bool is_not_exact(std::string_view text) {
    const auto value = read(text);
    return !value && value.error().kind == ReadError::Kind::number_not_exact;
}

// proves: P7, B30
TEST(JsonNumber, AnIntegralNumberWithin64BitsIsAnIntegerHoweverItIsSpelled) {
    for (const std::string_view text :
         {"4990", "4990.0", "4.99e3", "4.990E+03", "499000e-2", "4990.000e0", "0.499e4"}) {
        EXPECT_EQ(stored(text), Value::Storage(std::int64_t{4990})) << text;
    }
    EXPECT_EQ(stored("1e2"), Value::Storage(std::int64_t{100}));
    EXPECT_EQ(stored("-1.5e1"), Value::Storage(std::int64_t{-15}));
    EXPECT_EQ(stored("1e18"), Value::Storage(std::int64_t{1'000'000'000'000'000'000}));
    EXPECT_EQ(stored("1e19"), Value::Storage(std::uint64_t{10'000'000'000'000'000'000U}));
}

// proves: P7
TEST(JsonNumber, ZeroIsOneValue) {
    for (const std::string_view text : {"0", "-0", "0.0", "-0.0", "0e0", "-0e-5", "0e400", "0.000e-400", "0E+9999",
                                        "0e99999999999", "-0.00e-99999999999999999999"}) {
        EXPECT_EQ(stored(text), Value::Storage(std::int64_t{0})) << text;
    }
}

// proves: P7, B30
TEST(JsonNumber, KeepsEveryIntegerOf64Bits) {
    EXPECT_EQ(stored("9007199254740992"), Value::Storage(std::int64_t{9007199254740992}));
    EXPECT_EQ(stored("9007199254740993"), Value::Storage(std::int64_t{9007199254740993}));
    EXPECT_EQ(stored("9007199254740993.0"), Value::Storage(std::int64_t{9007199254740993}));
    EXPECT_EQ(stored("12345678901234567890"), Value::Storage(std::uint64_t{12345678901234567890U}));
    EXPECT_EQ(stored("9223372036854775807"), Value::Storage(std::numeric_limits<std::int64_t>::max()));
    EXPECT_EQ(stored("9223372036854775808"), Value::Storage(std::uint64_t{9223372036854775808U}));
    EXPECT_EQ(stored("-9223372036854775808"), Value::Storage(std::numeric_limits<std::int64_t>::min()));
    EXPECT_EQ(stored("-9223372036854775808.0"), Value::Storage(std::numeric_limits<std::int64_t>::min()));
    EXPECT_EQ(stored("18446744073709551615"), Value::Storage(std::numeric_limits<std::uint64_t>::max()));
    EXPECT_EQ(stored("1.8446744073709551615e19"), Value::Storage(std::numeric_limits<std::uint64_t>::max()));
}

// proves: P7
TEST(JsonNumber, RefusesIntegersBeyond64Bits) {
    for (const std::string_view text :
         {"18446744073709551616", "-9223372036854775809", "36893488147419103232", "100000000000000000000",
          "-18446744073709551615", "1234567890123456789012345678901234567890", "1.8446744073709551616e19",
          "-9223372036854775809.0", "-9.223372036854775809e18"}) {
        EXPECT_TRUE(is_not_exact(text)) << text;
    }
}

// proves: P7
TEST(JsonNumber, KeepsDecimalsThatADoubleBringsBack) {
    EXPECT_EQ(stored("0.1"), Value::Storage(0.1));
    EXPECT_EQ(stored("49.90"), Value::Storage(49.9));
    EXPECT_EQ(stored("-2.50e-1"), Value::Storage(-0.25));
    EXPECT_EQ(stored("3.6893488147419103e19"), Value::Storage(0x1p65));
    EXPECT_EQ(stored("1e22"), Value::Storage(1e22));
    EXPECT_EQ(stored("1e23"), Value::Storage(1e23));
    EXPECT_EQ(stored("1.7976931348623157e308"), Value::Storage(std::numeric_limits<double>::max()));
    EXPECT_EQ(stored("2.2250738585072014e-308"), Value::Storage(std::numeric_limits<double>::min()));
    EXPECT_EQ(stored("5e-324"), Value::Storage(std::numeric_limits<double>::denorm_min()));
    EXPECT_EQ(stored("17.976931348623157e307"), Value::Storage(std::numeric_limits<double>::max()));
}

// proves: P7
TEST(JsonNumber, RefusesDecimalsThatADoubleWouldRound) {
    for (const std::string_view text : {"0.1000000000000000055511151231257827",
                                        "0.12345678901234567890",
                                        "9007199254740992.5",
                                        "1.00000000000000001",
                                        "36893488147419103232.0",
                                        "3.6893488147419103232e19",
                                        "1e400",
                                        "-1e400",
                                        "1e-400",
                                        "1e309",
                                        "1.8e308",
                                        "2e308",
                                        "4e-324",
                                        "3e-324",
                                        "2e-324",
                                        "1e-324",
                                        "123456789.123456789123",
                                        "1e999999999999",
                                        "-1e-999999999999",
                                        "1e99999999999999999999999999",
                                        "0.1e-2147483648",
                                        "1e2147483647",
                                        "1e-2147483647",
                                        "1e2147483648"}) {
        EXPECT_TRUE(is_not_exact(text)) << text;
    }
}

// proves: P7, P8
TEST(JsonNumber, TakesTimeByTheLengthOfTheTextOnly) {
    const std::string zeros(1'000'000, '0');
    const std::string nines(1'000'000, '9');
    EXPECT_EQ(stored("1" + zeros + "e-1000000"), Value::Storage(std::int64_t{1}));
    EXPECT_EQ(stored("0." + zeros + "1e1000001"), Value::Storage(std::int64_t{1}));
    EXPECT_EQ(stored("1." + zeros), Value::Storage(std::int64_t{1}));
    EXPECT_EQ(stored("0." + zeros), Value::Storage(std::int64_t{0}));
    EXPECT_EQ(stored("1e" + zeros), Value::Storage(std::int64_t{1}));
    EXPECT_EQ(stored("1e" + zeros + "3"), Value::Storage(std::int64_t{1000}));
    EXPECT_TRUE(is_not_exact(nines));
    EXPECT_TRUE(is_not_exact("0." + nines));
    EXPECT_TRUE(is_not_exact("1." + zeros + "1"));
    EXPECT_TRUE(is_not_exact("1" + zeros));
    EXPECT_TRUE(is_not_exact("1e" + nines));
    EXPECT_TRUE(is_not_exact("1e-" + nines));
}

/// The digits and exponent of a number's text: an own reading of the grammar, by strings alone.
std::string same_decimal(std::string text) {
    std::string sign;
    if (text.starts_with('-')) {
        sign = "-";
        text.erase(0, 1);
    }
    long exponent = 0;
    if (const auto e = text.find_first_of("eE"); e != std::string::npos) {
        exponent = std::stol(text.substr(e + 1));
        text.erase(e);
    }
    if (const auto point = text.find('.'); point != std::string::npos) {
        exponent -= static_cast<long>(text.size() - point - 1);
        text.erase(point, 1);
    }
    text.erase(0, text.find_first_not_of('0'));
    if (text.empty()) return "0";
    const auto last = text.find_last_not_of('0');
    exponent += static_cast<long>(text.size() - last - 1);
    return sign + text.substr(0, last + 1) + 'e' + std::to_string(exponent);
}

// proves: P7
TEST(JsonNumber, WhatIsReadIsWhatWasWrittenToTheDigit) {
    ASSERT_TRUE(rc::check("a number comes back as the same decimal, or is refused", [] {
        const auto digits = [](int least, int most) {
            std::string text;
            for (int count = *rc::gen::inRange(least, most + 1); count > 0; --count) {
                text += static_cast<char>(*rc::gen::inRange(int{'0'}, '9' + 1));
            }
            return text;
        };
        std::string text = *rc::gen::element(std::string(), std::string("-"));
        text += *rc::gen::arbitrary<bool>() ? "0" : std::to_string(*rc::gen::inRange(1, 10)) + digits(0, 22);
        if (*rc::gen::arbitrary<bool>()) text += "." + digits(1, 22);
        const bool plain = text.find('.') == std::string::npos;
        const bool scientific = *rc::gen::arbitrary<bool>();
        if (scientific) text += "e" + std::to_string(*rc::gen::inRange(-340, 340));

        const auto value = read(text);
        if (value) {
            RC_ASSERT(same_decimal(to_text(*value)) == same_decimal(text));
            return;
        }
        RC_ASSERT(value.error().kind == ReadError::Kind::number_not_exact);
        // 15 digits always survive a double within its range; only a plain integer may be too long for 64 bits.
        const std::string decimal = same_decimal(text);
        const auto e = decimal.find('e');
        const long point = std::stol(decimal.substr(e + 1)) + static_cast<long>(e);
        RC_ASSERT(e > 15 || std::abs(point) > 300 || (plain && !scientific));
    }));
}

// proves: P7
TEST(JsonNumber, EveryDoubleComesBack) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 50'000; ++i) {
        const auto value = std::bit_cast<double>(random());
        if (!std::isfinite(value)) continue;
        const auto again = read(to_text(Value(value)));
        ASSERT_TRUE(again.has_value()) << to_text(Value(value));
        ASSERT_EQ(*again, Value(value)) << to_text(Value(value));
    }
}

std::string written(std::uint64_t bits) { return to_text(Value(std::bit_cast<double>(bits))); }

// proves: K4, P7
TEST(JsonNumber, IsWrittenAsRfc8785Says) {
    EXPECT_EQ(written(0x0000000000000000), "0");
    EXPECT_EQ(written(0x8000000000000000), "0");
    EXPECT_EQ(written(0x0000000000000001), "5e-324");
    EXPECT_EQ(written(0x8000000000000001), "-5e-324");
    EXPECT_EQ(written(0x7fefffffffffffff), "1.7976931348623157e+308");
    EXPECT_EQ(written(0xffefffffffffffff), "-1.7976931348623157e+308");
    EXPECT_EQ(written(0x4340000000000000), "9007199254740992");
    EXPECT_EQ(written(0xc340000000000000), "-9007199254740992");
    EXPECT_EQ(written(0x44b52d02c7e14af5), "9.999999999999997e+22");
    EXPECT_EQ(written(0x44b52d02c7e14af6), "1e+23");
    EXPECT_EQ(written(0x44b52d02c7e14af7), "1.0000000000000001e+23");
    EXPECT_EQ(written(0x444b1ae4d6e2ef50), "1e+21");
    EXPECT_EQ(written(0x3eb0c6f7a0b5ed8c), "9.999999999999997e-7");
    EXPECT_EQ(written(0x3eb0c6f7a0b5ed8d), "0.000001");
    EXPECT_EQ(written(0x41b3de4355555553), "333333333.3333332");
    EXPECT_EQ(written(0x41b3de4355555554), "333333333.33333325");
    EXPECT_EQ(written(0x41b3de4355555555), "333333333.3333333");
    EXPECT_EQ(written(0x41b3de4355555556), "333333333.3333334");
    EXPECT_EQ(written(0x41b3de4355555557), "333333333.33333343");
    EXPECT_EQ(written(0xbecbf647612f3696), "-0.0000033333333333333333");
    EXPECT_EQ(written(0x43143ff3c1cb0959), "1424953923781206.2");
}

// proves: P7
TEST(JsonNumber, ALargeDoubleIsNotWrittenAsAnInteger) {
    // Here RFC 8785 would write 295147905179352830000 and so on, which is an integer beyond 64 bits.
    EXPECT_EQ(written(0x4430000000000000), "2.9514790517935283e+20");
    EXPECT_EQ(written(0x444b1ae4d6e2ef4e), "9.999999999999997e+20");
    EXPECT_EQ(to_text(Value(0x1p64)), "1.8446744073709552e+19");
    EXPECT_EQ(to_text(Value(0x1p65)), "3.6893488147419103e+19");
    EXPECT_EQ(to_text(Value(-0x1p64)), "-1.8446744073709552e+19");
    EXPECT_EQ(to_text(Value(1e300)), "1e+300");
}

}  // namespace
}  // namespace einmal::json
