#include "engine/formats.hpp"

#include "base/time.hpp"

#include <gtest/gtest.h>
#include <chrono>
#include <string>

namespace einmal::engine {
namespace {

using namespace std::chrono_literals;

void expect(Format format, bool right, std::initializer_list<std::string> texts) {
    for (const std::string& text : texts) {
        EXPECT_EQ(has_format(format, text), right) << text.substr(0, 100);
    }
}

// proves: T6
TEST(Formats, EmailIsAMailboxWithADomain) {
    expect(Format::email, true,
           {"ada@example.org", "a.b+tag@sub.example.org", "o'hara@example.org", "x@localhost", "_@1e100.net",
            R"("a b"@example.org)", R"("a\"b@c"@example.org)", std::string(64, 'a') + "@example.org",
            "a@" + std::string(63, 'b') + ".org"});
    expect(Format::email, false,
           {"",
            "@",
            "ada",
            "ada@",
            "@example.org",
            ".ada@example.org",
            "ada.@example.org",
            "a..b@example.org",
            "a b@example.org",
            "ada@example..org",
            "ada@.org",
            "ada@example.org.",
            "ada@-example.org",
            "ada@example-.org",
            "ada@exa_mple.org",
            "Ada <ada@example.org>",
            "ada@example.org\n",
            "a@b@example.org",
            R"("a"b"@example.org)",
            R"("a\"@example.org)",
            "\"\n\"@example.org",
            "ada@[127.0.0.1]",
            "ädä@example.org",
            std::string(65, 'a') + "@example.org",
            "a@" + std::string(64, 'b') + ".org"});
}

// proves: T6
TEST(Formats, UriHasAScheme) {
    expect(Format::uri, true,
           {"https://example.org", "https://example.org/a?b=c#d", "mailto:ada@example.org", "urn:isbn:0451450523",
            "http://[::1]:8080/", "http://example.org/%C3%A4"});
    expect(Format::uri, false,
           {"", "example.org", "//example.org", "/path", "https://exa mple.org", "https://example.org/ä", "http://[::1",
            "1http://example.org", "http://example.org/%zz", "http://example.org:abc/", "http://example.org:80x",
            "http://example.org\n"});
}

// proves: T6
TEST(Formats, DateIsADayOfTheCalendar) {
    expect(Format::date, true, {"2026-01-31", "2024-02-29", "2000-02-29", "0000-01-01", "9999-12-31"});
    expect(Format::date, false,
           {"", "2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-01", "2026-01-00", "26-01-01",
            "2026-1-1", "2026-01-01T00:00:00Z", " 2026-01-01", "2026-01-01 ", "+2026-01-01", "20260101", "2026-01-0a"});
}

TEST(Formats, DateTimeNeedsAnOffset) {
    expect(
        Format::date_time, true,
        {"2026-01-31T12:00:00Z", "2026-01-31t12:00:00z", "2026-01-31T12:00:00.123456789Z", "2026-01-31T12:00:00+02:00",
         "2026-01-31T23:59:59-23:59", "1998-12-31T23:59:60Z", "1998-12-31T15:59:60.123-08:00"});
    expect(Format::date_time, false,
           {"", "2026-01-31", "2026-01-31T12:00:00", "2026-01-31 12:00:00Z", "2026-01-31T24:00:00Z",
            "2026-01-31T12:60:00Z", "2026-01-31T12:00:61Z", "1998-12-31T22:59:60Z", "2026-02-30T12:00:00Z",
            "2026-01-31T12:00:00.Z", "2026-01-31T12:00Z", "2026-01-31T12:00:00+24:00", "2026-01-31T12:00:00+02:60",
            "2026-01-31T12:00:00+0200", "2026-01-31T12:00:00ZZ", "2026-01-31T1a:00:00Z"});
}

// proves: T6
TEST(Formats, CurrencyIsACodeThatMoneyHas) {
    expect(Format::iso4217, true, {"EUR", "USD", "JPY", "AED", "ZWG", "CHF"});
    expect(Format::iso4217, false, {"", "eur", "EU", "EURO", "XXX", "XTS", "ABC", "DEM", "EUR ", "€"});
}

TEST(Formats, OnlyKnownWordsAreFormats) {
    EXPECT_EQ(parse_format("email"), Format::email);
    EXPECT_EQ(parse_format("uri"), Format::uri);
    EXPECT_EQ(parse_format("date"), Format::date);
    EXPECT_EQ(parse_format("date-time"), Format::date_time);
    EXPECT_EQ(parse_format("iso4217"), Format::iso4217);
    for (const char* word : {"", "Email", "idn-email", "hostname", "regex", "uuid", "date_time"}) {
        EXPECT_FALSE(parse_format(word)) << word;
    }
}

// proves: P8
TEST(Formats, AMillionCharactersAreJudgedAtOnce) {
    const std::string long_text(1'000'000, 'a');
    const auto begin = std::chrono::steady_clock::now();
    for (const Format format : {Format::email, Format::uri, Format::date, Format::date_time, Format::iso4217}) {
        EXPECT_FALSE(has_format(format, long_text));
        EXPECT_FALSE(has_format(format, "2026-01-31T12:00:00." + std::string(500'000, '1')));
        EXPECT_FALSE(has_format(format, "a@" + std::string(500'000, '.')));
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
}

Timestamp at(int year, unsigned month, unsigned day, std::chrono::milliseconds time) {
    return std::chrono::sys_days{std::chrono::year{year} / static_cast<int>(month) / static_cast<int>(day)} + time;
}

// proves: T6
TEST(Rfc3339, TimesAreWrittenInUtcWithThreeDecimals) {
    EXPECT_EQ(base::to_rfc3339(Timestamp{}), "1970-01-01T00:00:00.000Z");
    EXPECT_EQ(base::to_rfc3339(at(2026, 1, 31, 12h + 34min + 56s + 7ms)), "2026-01-31T12:34:56.007Z");
    EXPECT_EQ(base::to_rfc3339(at(1969, 12, 31, 23h + 59min + 59s + 999ms)), "1969-12-31T23:59:59.999Z");
    EXPECT_EQ(base::to_rfc3339(at(2024, 2, 29, 0ms)), "2024-02-29T00:00:00.000Z");
}

TEST(Rfc3339, TimesBeyondTheFormAreTheNearestItShows) {
    EXPECT_EQ(base::to_rfc3339(at(10'000, 1, 1, 0ms)), "9999-12-31T23:59:59.999Z");
    EXPECT_EQ(base::to_rfc3339(at(-1, 12, 31, 0ms)), "0000-01-01T00:00:00.000Z");
}

TEST(Rfc3339, WhatWasWrittenIsReadBack) {
    for (std::int64_t i = 0; i < 2'000; ++i) {
        const Timestamp time{std::chrono::milliseconds{(i * 7'919'777'131) - 2'000'000'000'000}};
        EXPECT_EQ(base::parse_rfc3339(base::to_rfc3339(time)), time);
    }
}

TEST(Rfc3339, OffsetsAndFractionsAreUnderstood) {
    EXPECT_EQ(base::parse_rfc3339("2026-01-01T01:30:00+02:00"), at(2025, 12, 31, 23h + 30min));
    EXPECT_EQ(base::parse_rfc3339("2025-12-31T20:00:00.5-04:30"), at(2026, 1, 1, 30min + 500ms));
    EXPECT_EQ(base::parse_rfc3339("2026-01-01T00:00:00.0019999Z"), at(2026, 1, 1, 1ms));
    EXPECT_EQ(base::parse_rfc3339("1998-12-31T23:59:60Z"), at(1999, 1, 1, 0ms));
}

}  // namespace
}  // namespace einmal::engine
