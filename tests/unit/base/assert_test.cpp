// A programmer's error ends the process and says where it was.
#include "base/assert.hpp"

#include <gtest/gtest.h>

namespace einmal::base {
namespace {

TEST(AssertDeathTest, SaysWhatAndWhere) {
    const int two = 2;
    EXPECT_DEATH(EINMAL_ASSERT(two == 3), "assertion failed condition=\"two == 3\" file=.*assert_test.cpp line=1[0-9]");
}

TEST(Assert, LetsTheTruthPassAndEvaluatesItOnce) {
    int calls = 0;
    EINMAL_ASSERT(++calls == 1);
    EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace einmal::base
