#include "engine/schema_number.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace einmal::engine {
namespace {

json::Value number(std::string_view text) { return *json::read(text); }

bool multiple(std::string_view value, std::string_view divisor) {
    return is_multiple(number(value), to_decimal(number(divisor)));
}

// proves: P7
TEST(SchemaNumber, OrderIsExactAcrossAllKinds) {
    const std::vector<json::Value> ascending{
        number("-1e300"),
        number("-1e19"),
        number("-9223372036854775808"),
        number("-9007199254740993"),
        number("-9007199254740992"),
        number("-1.5"),
        number("-1"),
        number("-1e-300"),
        number("0"),
        number("1e-300"),
        number("0.5"),
        number("1"),
        number("4503599627370495.5"),
        number("4503599627370496"),
        number("9007199254740992"),
        number("9007199254740993"),
        number("9223372036854775807"),
        number("9223372036854775808"),
        number("18446744073709551615"),
        number("1.8446744073709552e19"),
        number("1e300"),
    };
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        for (std::size_t k = 0; k < ascending.size(); ++k) {
            EXPECT_EQ(compare_numbers(ascending[i], ascending[k]), i <=> k)
                << json::to_text(ascending[i]) << " and " << json::to_text(ascending[k]);
        }
    }
}

// proves: P7
TEST(SchemaNumber, MultiplesAreExactInDecimal) {
    EXPECT_TRUE(multiple("0.07", "0.01"));
    EXPECT_TRUE(multiple("1234567.89", "0.01"));
    EXPECT_FALSE(multiple("1234567.891", "0.01"));
    EXPECT_TRUE(multiple("-4.5", "1.5"));
    EXPECT_FALSE(multiple("4.5", "2"));
    EXPECT_TRUE(multiple("0", "0.3"));
    EXPECT_TRUE(multiple("100", "25"));
    EXPECT_FALSE(multiple("110", "25"));
    EXPECT_TRUE(multiple("9007199254740993", "3"));
    EXPECT_FALSE(multiple("9007199254740992", "3"));
    EXPECT_TRUE(multiple("18446744073709551615", "5"));
    EXPECT_FALSE(multiple("18446744073709551614", "5"));
    EXPECT_TRUE(multiple("-9223372036854775808", "2"));
    EXPECT_FALSE(multiple("7", "10"));
    EXPECT_FALSE(multiple("0.5", "1"));
    EXPECT_FALSE(multiple("1e300", "7e-9"));
    EXPECT_TRUE(multiple("1e300", "1e-300"));
}

TEST(SchemaNumber, IntegersAreWhatHasNoFraction) {
    for (const char* text : {"0", "-5", "4990.0", "4.99e3", "9223372036854775808", "18446744073709551615", "1e300"}) {
        EXPECT_TRUE(is_integer(number(text))) << text;
    }
    for (const char* text : {"0.5", "-1e-300", "4503599627370495.5", "\"5\"", "null", "[]", "true"}) {
        EXPECT_FALSE(is_integer(number(text))) << text;
    }
}

TEST(SchemaNumber, DecimalsHaveNoTrailingZeros) {
    const auto expect = [](std::string_view text, std::uint64_t digits, int exponent) {
        const Decimal decimal = to_decimal(number(text));
        EXPECT_EQ(decimal.digits, digits) << text;
        EXPECT_EQ(decimal.exponent, exponent) << text;
    };
    expect("0", 0, 0);
    expect("-4990", 499, 1);
    expect("0.25", 25, -2);
    expect("1e-300", 1, -300);
    expect("-9223372036854775808", 9223372036854775808U, 0);
    expect("1.7976931348623157e308", 17976931348623157, 292);
}

}  // namespace
}  // namespace einmal::engine
