#include "http/rate_limit.hpp"

#include <gtest/gtest.h>

namespace einmal::http {
namespace {

using namespace std::chrono_literals;

constexpr TokenId one{1};
constexpr TokenId other{2};

// proves: S3
TEST(RateLimit, ZeroIsOff) {
    RateLimit limit(0);
    for (int i = 0; i < 10'000; ++i) EXPECT_FALSE(limit.refuse(one, RateLimit::Time{}));
}

// proves: S3
TEST(RateLimit, EachTokenHasABucketOfOneSecond) {
    RateLimit limit(10);
    RateLimit::Time now{};
    for (int i = 0; i < 10; ++i) EXPECT_FALSE(limit.refuse(one, now)) << i;
    EXPECT_EQ(limit.refuse(one, now), 1s);
    EXPECT_FALSE(limit.refuse(other, now));
    EXPECT_FALSE(limit.refuse(one, now + 100ms));
    EXPECT_TRUE(limit.refuse(one, now + 100ms));
    now += 1h;
    for (int i = 0; i < 10; ++i) EXPECT_FALSE(limit.refuse(one, now)) << "a long rest fills the bucket, and no more";
    EXPECT_TRUE(limit.refuse(one, now));
}

// proves: S3
TEST(RateLimit, TellsWhenToComeAgain) {
    RateLimit limit(0.1);
    const RateLimit::Time now{};
    EXPECT_FALSE(limit.refuse(one, now));
    const auto wait = limit.refuse(one, now);
    EXPECT_EQ(wait, 10s);
    EXPECT_TRUE(limit.refuse(one, now + *wait - 1s));
    EXPECT_FALSE(limit.refuse(one, now + *wait));
}

TEST(RateLimit, AClockThatStepsBackGivesNothing) {
    RateLimit limit(1);
    const RateLimit::Time now{1h};
    EXPECT_FALSE(limit.refuse(one, now));
    EXPECT_TRUE(limit.refuse(one, now - 1min));
    EXPECT_FALSE(limit.refuse(one, now + 1s));
}

TEST(RateLimit, ForgettingFullBucketsChangesNothing) {
    RateLimit limit(1);
    RateLimit::Time now{};
    EXPECT_FALSE(limit.refuse(TokenId{0}, now));
    for (int i = 1; i < 5000; ++i) EXPECT_FALSE(limit.refuse(TokenId{i}, now));
    EXPECT_TRUE(limit.refuse(TokenId{0}, now));
    now += 10s;
    for (int i = 5000; i < 20'000; ++i) EXPECT_FALSE(limit.refuse(TokenId{i}, now));
    EXPECT_FALSE(limit.refuse(TokenId{0}, now));
    EXPECT_TRUE(limit.refuse(TokenId{0}, now));
}

}  // namespace
}  // namespace einmal::http
