#include <einmal/precondition.hpp>

#include <gtest/gtest.h>

namespace einmal {
namespace {

using Lines = std::vector<std::string_view>;

bool matches(const Lines& lines, std::uint64_t revision) {
    return Precondition::parse(lines)->matches_strongly(Revision{revision});
}

bool unreadable(const Lines& lines) { return Precondition::parse(lines).has_error(); }

// proves: R2, B22
TEST(Precondition, AnyTagOfAListMatches) {
    EXPECT_TRUE(matches({R"("r3")"}, 3));
    EXPECT_TRUE(matches({R"("r1", "r3")"}, 3));
    EXPECT_TRUE(matches({R"("r1","r3")"}, 3));
    EXPECT_TRUE(matches({"\"r1\"\t,\t\"r3\""}, 3));
    EXPECT_TRUE(matches({R"(, "r1",, "r3",)"}, 3));
    EXPECT_TRUE(matches({R"("r1")", R"("r3")"}, 3));
    EXPECT_FALSE(matches({R"("r1", "r2")"}, 3));
}

// proves: R2, B24
TEST(Precondition, StarMatchesEveryRevision) {
    EXPECT_TRUE(matches({"*"}, 1));
    EXPECT_TRUE(matches({" * "}, 999));
}

// proves: R2, B20
TEST(Precondition, WeakTagsNeverMatchStronglyButDoWeakly) {
    const auto weak = *Precondition::parse({R"(W/"r3")"});
    EXPECT_FALSE(weak.matches_strongly(Revision{3}));
    EXPECT_TRUE(weak.matches_weakly(Revision{3}));
    EXPECT_FALSE(weak.matches_weakly(Revision{4}));
}

// proves: R2
TEST(Precondition, CommasAndStarsInsideQuotesArePartOfTheTag) {
    const auto tags = Precondition::parse({R"("a,b", "*")"})->tags;
    ASSERT_EQ(tags.size(), 2U);
    EXPECT_EQ(tags[0].opaque, "a,b");
    EXPECT_EQ(tags[1].opaque, "*");
    EXPECT_FALSE(matches({R"("*")"}, 3));
}

// proves: R3
TEST(Precondition, WhatCannotBeReadIsRefusedNotIgnored) {
    for (const auto* line :
         {"r3", "\"r3", "r3\"", "", " ", ",", "*, \"r3\"", "\"r3\", *", "**", "\"r3\"\"r4\"", "\"r3\" \"r4\"",
          "w/\"r3\"", "W/ \"r3\"", "W/", "\"r\x01\"", "\"r\x7f\"", "'r3'", "\"r3\";a=1"})
        EXPECT_TRUE(unreadable({line})) << line;
    EXPECT_TRUE(unreadable({R"("r3")", "*"}));
    EXPECT_TRUE(unreadable({"*", "*"}));
    EXPECT_TRUE(unreadable({}));
}

// proves: R3, B21
TEST(Precondition, WellFormedButOtherTagsDoNotMatch) {
    for (const auto* line : {R"("r05")", R"("R5")", R"("r5 ")", R"("r5-gzip")", R"("")", R"("5")", "\"r5\xc3\xa9\""})
        EXPECT_FALSE(matches({line}, 5)) << line;
}

// proves: R5
TEST(Precondition, NamesTheOneRevisionOfTheClient) {
    const auto single = [](const Lines& lines) { return Precondition::parse(lines)->single_revision(); };
    EXPECT_EQ(single({R"("r3")"}), Revision{3});
    EXPECT_EQ(single({R"(W/"r3")"}), Revision{3});
    for (const auto* line :
         {"*", R"("r3", "r4")", R"("r03")", R"("x")", R"("r")", R"("r99999999999999999999999")", R"("r3x")"})
        EXPECT_EQ(single({line}), std::nullopt) << line;
}

// proves: R1
TEST(Precondition, TagNamesTheRevision) { EXPECT_EQ(entity_tag(Revision{3}), R"("r3")"); }

}  // namespace
}  // namespace einmal
