// How an operator writes values, and what is refused.
#include <gtest/gtest.h>

#include "cli/values.hpp"

namespace einmal::cli {
namespace {

using std::chrono::milliseconds;
using namespace std::chrono_literals;

constexpr Range<milliseconds> any_duration{0ms, 24h * 365, 5s};
constexpr Range<std::size_t> any_size{0, std::size_t{1} << 40U, 16384};

// proves: A6
TEST(ValuesTest, DurationsAreAWholeNumberWithAUnit) {
    const std::pair<const char*, milliseconds> good[] = {{"500ms", 500ms}, {"2s", 2s}, {"5m", 5min}, {"24h", 24h},
                                                         {"7d", 168h},     {"0s", 0s}, {"007s", 7s}};
    for (const auto& [text, value] : good) {
        const auto parsed = parse_duration(text, any_duration);
        ASSERT_TRUE(parsed.has_value()) << text;
        EXPECT_EQ(*parsed, value) << text;
    }
    for (const char* text : {"", "5", "5x", "s", "-5s", "+5s", "5 s", " 5s", "5s ", "1.5s", "5S", "5sec", "5ms5",
                             "99999999999999999999s", "9223372036854775807d", "1h30m"}) {
        EXPECT_FALSE(parse_duration(text, any_duration).has_value()) << text;
    }
}

// proves: A6
TEST(ValuesTest, SizesAreAWholeNumberWithAUnit) {
    const std::pair<const char*, std::size_t> good[] = {
        {"1MiB", 1U << 20U}, {"16KiB", 16384}, {"2GiB", std::size_t{2} << 30U}, {"512B", 512}, {"0B", 0}};
    for (const auto& [text, value] : good) {
        const auto parsed = parse_size(text, any_size);
        ASSERT_TRUE(parsed.has_value()) << text;
        EXPECT_EQ(*parsed, value) << text;
    }
    for (const char* text : {"", "1", "1MB", "1mib", "1 MiB", "-1B", "1.5MiB", "18446744073709551616B", "KiB"}) {
        EXPECT_FALSE(parse_size(text, any_size).has_value()) << text;
    }
}

TEST(ValuesTest, WhatIsWrittenReadsBackTheSame) {
    for (const milliseconds value : {0ms, 1ms, 999ms, 1000ms, 1500ms, 60'000ms, 90'000ms, 86'400'000ms}) {
        EXPECT_EQ(*parse_duration(duration_text(value), any_duration), value);
    }
    EXPECT_EQ(duration_text(48h), "48h");
    EXPECT_EQ(duration_text(90s), "90s");
    for (const std::size_t value : {0UL, 1UL, 1023UL, 1024UL, 1536UL, 1UL << 20U, 1UL << 31U}) {
        EXPECT_EQ(*parse_size(size_text(value), any_size), value);
    }
    EXPECT_EQ(size_text(16384), "16KiB");
    for (const double value : {0.0, 0.5, 50.0, 1e6, 0.1}) {
        EXPECT_EQ(*parse_rate(rate_text(value), {0, 1e6, 50}), value);
    }
}

TEST(ValuesTest, ARefusalNamesTheProblemAndShowsARightValue) {
    EXPECT_EQ(parse_duration("5x", any_duration).error(),
              "\"5x\" is no duration: write a whole number and one of ms, s, m, h, d, for example 5s");
    EXPECT_EQ(parse_duration("2s", {1ms, 1s, 500ms}).error(),
              "\"2s\" is out of range: from 1ms to 1s, for example 500ms");
    EXPECT_EQ(parse_size("9", any_size).error(),
              "\"9\" is no size: write a whole number and one of B, KiB, MiB, GiB, for example 16KiB");
    EXPECT_EQ(parse_count("0", {1, 64, 2}).error(), "\"0\" is out of range: from 1 to 64, for example 2");
    EXPECT_EQ(parse_count("two", {1, 64, 2}).error(), "\"two\" is no whole number, for example 2");
    EXPECT_EQ(parse_rate("-1", {0, 100, 50}).error(), "\"-1\" is out of range: from 0 to 100, for example 50");
    EXPECT_FALSE(parse_rate("nan", {0, 100, 50}).has_value());
    EXPECT_FALSE(parse_rate("", {0, 100, 50}).has_value());
    EXPECT_FALSE(parse_switch("yes").has_value());
}

// proves: A1
TEST(ValuesTest, ListenAddressesAreNumericWithAPort) {
    EXPECT_EQ(*parse_listen("127.0.0.1:8080"), (ListenAddress{"127.0.0.1", 8080}));
    EXPECT_EQ(*parse_listen("[::1]:0"), (ListenAddress{"::1", 0}));
    EXPECT_EQ(*parse_listen("localhost:80"), (ListenAddress{"127.0.0.1", 80}));
    EXPECT_EQ(listen_text({"::1", 443}), "[::1]:443");
    EXPECT_EQ(listen_text({"0.0.0.0", 1}), "0.0.0.0:1");
    for (const char* text : {"", "8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:x", "::1:80",
                             "[127.0.0.1]:80", "example.org:80", "[]:80", "127.0.0.1:-1", "127.0.0.1:80 "}) {
        EXPECT_FALSE(parse_listen(text).has_value()) << text;
    }
}

// proves: A1
TEST(ValuesTest, PasswordsInStoreAddressesAreMasked) {
    EXPECT_EQ(masked_store("postgres://me:secret@db/einmal"), "postgres://me:***@db/einmal");
    EXPECT_EQ(masked_store("postgres://me:a/b?c@d@db/einmal"), "postgres://me:***@db/einmal");
    EXPECT_EQ(masked_store("postgres://db/einmal?user=me&password=secret&x=1"),
              "postgres://db/einmal?user=me&password=***&x=1");
    EXPECT_EQ(masked_store("postgres://me@db:5432/einmal"), "postgres://me@db:5432/einmal");
    EXPECT_EQ(masked_store("postgres://me:secret@db/e?password=other"), "postgres://me:***@db/e?password=***");
    EXPECT_EQ(masked_store("sqlite:a:b@c.db"), "sqlite:a:b@c.db");
}

TEST(ValuesTest, TomlStringsEscapeWhatTomlForbids) {
    EXPECT_EQ(toml_string("a\"b\\c\nd\x7F"), R"("a\"b\\c\u000Ad\u007F")");
    EXPECT_EQ(toml_string("ü"), "\"ü\"");
}

}  // namespace
}  // namespace einmal::cli
