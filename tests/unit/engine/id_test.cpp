#include "engine/id.hpp"

#include "support/seeded_entropy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace einmal::engine {
namespace {

Timestamp at(std::int64_t milliseconds) { return Timestamp{std::chrono::milliseconds{milliseconds}}; }

// proves: R10
TEST(Id, HasPrefixAndTwentyTwoCharacters) {
    const auto id = new_id("con_", at(1'800'000'000'000), system_entropy());
    EXPECT_EQ(id.size(), 26U);
    EXPECT_TRUE(id.starts_with("con_"));
    EXPECT_TRUE(std::all_of(id.begin() + 4, id.end(), [](unsigned char c) { return std::isalnum(c) != 0; }));
}

// proves: T3
TEST(Id, SortsByTime) {
    std::string last;
    for (const std::int64_t time :
         {0LL, 1LL, 61LL, 62LL, 1'799'999'999'999LL, 1'800'000'000'000LL, 100'000'000'000'000LL}) {
        const auto id = new_id("con_", at(time), system_entropy());
        EXPECT_LT(last, id);
        last = id;
    }
}

// proves: R10
TEST(Id, IsNeverTheSameTwice) {
    std::set<std::string> seen;
    for (int i = 0; i < 10'000; ++i) seen.insert(new_id("con_", at(1), system_entropy()));
    EXPECT_EQ(seen.size(), 10'000U);
}

}  // namespace
}  // namespace einmal::engine
