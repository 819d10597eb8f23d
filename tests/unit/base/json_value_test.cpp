// The value tree: one form per value, members in order (contract K4, P7).
#include <einmal/json.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace einmal::json {
namespace {

std::vector<std::string> names_of(const Object& object) {
    std::vector<std::string> names;
    for (const Member& member : object) names.push_back(member.name);
    return names;
}

// proves: P7
TEST(JsonValue, ANumberHasOneForm) {
    EXPECT_EQ(Value(4990), Value(std::int64_t{4990}));
    EXPECT_EQ(Value(4990), Value(std::uint64_t{4990}));
    EXPECT_EQ(Value(4990), Value(4990.0));
    EXPECT_EQ(Value(0), Value(-0.0));
    EXPECT_EQ(Value(std::numeric_limits<std::int64_t>::min()), Value(-0x1p63));
    EXPECT_EQ(Value(std::uint64_t{1} << 63), Value(0x1p63));
    EXPECT_TRUE(std::holds_alternative<std::int64_t>(Value(std::uint64_t{9223372036854775807}).storage()));
    EXPECT_TRUE(std::holds_alternative<std::uint64_t>(Value(std::uint64_t{9223372036854775808U}).storage()));
    EXPECT_TRUE(std::holds_alternative<double>(Value(0x1p64).storage()));
    EXPECT_TRUE(std::holds_alternative<double>(Value(-0x1.0000000000001p63).storage()));
    EXPECT_TRUE(std::holds_alternative<double>(Value(0.5).storage()));
    EXPECT_NE(Value(std::int64_t{9007199254740993}), Value(9007199254740992.0));
}

// proves: P7
TEST(JsonValueDeathTest, OnlyFiniteNumbersAreValues) {
    EXPECT_DEATH(Value(std::numeric_limits<double>::infinity()), "isfinite");
    EXPECT_DEATH(Value(std::numeric_limits<double>::quiet_NaN()), "isfinite");
}

TEST(JsonValue, KnowsItsKind) {
    EXPECT_TRUE(Value().is_null());
    EXPECT_TRUE(Value(nullptr).is_null());
    EXPECT_TRUE(Value("a").is_string());
    EXPECT_TRUE(Value(Array{}).is_array());
    EXPECT_TRUE(Value(Object{}).is_object());
    EXPECT_TRUE(*Value(true).if_bool());
    EXPECT_EQ(*Value(7).if_int64(), 7);
    EXPECT_EQ(*Value(std::string_view("a")).if_string(), "a");
    EXPECT_EQ(Value(7).if_bool(), nullptr);
    EXPECT_EQ(Value(0.5).if_int64(), nullptr);
    EXPECT_EQ(Value("a").if_object(), nullptr);
    EXPECT_EQ(Value(Object{}).if_array(), nullptr);
    EXPECT_NE(Value(), Value(false));
    EXPECT_NE(Value("1"), Value(1));
}

// proves: K4
TEST(JsonObject, KeepsItsMembersInOrderOfTheirBytes) {
    Object object;
    for (const char* name : {"b", "", "\xF0\x9F\x98\x80", "a", "\xEF\xBF\xBF", "B", "ab", "\x7F"}) object.set(name, 1);
    EXPECT_EQ(names_of(object),
              (std::vector<std::string>{"", "B", "a", "ab", "b", "\x7F", "\xEF\xBF\xBF", "\xF0\x9F\x98\x80"}));
}

TEST(JsonObject, SetsReplacesFindsAndErases) {
    Object object;
    EXPECT_EQ(object.set("b", 1), Value(1));
    object.set("a", 2);
    object.set("c", 3);
    object.set("b", "new") = Value("newer");
    EXPECT_EQ(object.size(), 3U);
    EXPECT_EQ(*object.find("b"), Value("newer"));
    EXPECT_EQ(std::as_const(object).find("bb"), nullptr);
    EXPECT_EQ(object.find(""), nullptr);
    EXPECT_EQ(object.find("d"), nullptr);
    EXPECT_FALSE(object.erase("bb"));
    EXPECT_TRUE(object.erase("b"));
    EXPECT_FALSE(object.erase("b"));
    EXPECT_EQ(names_of(object), (std::vector<std::string>{"a", "c"}));
    EXPECT_FALSE(object.empty());
}

TEST(JsonObject, EqualityIsIndependentOfTheOrderOfSetting) {
    Object one;
    one.set("a", 1);
    one.set("b", Array{1, 2});
    Object other;
    other.set("b", Array{1, 2});
    EXPECT_NE(one, other);
    other.set("a", 1);
    EXPECT_EQ(one, other);
    other.set("b", Array{2, 1});
    EXPECT_NE(one, other);
}

TEST(JsonObject, TakesMembersInAnyOrder) {
    Object object;
    EXPECT_EQ(object.assign_unsorted({{"b", 1}, {"c", 2}, {"a", 3}}), std::nullopt);
    EXPECT_EQ(names_of(object), (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ(*object.find("a"), Value(3));
    EXPECT_EQ(object.assign_unsorted({{"x", 1}, {"y", 2}}), std::nullopt);
    EXPECT_EQ(names_of(object), (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(object.assign_unsorted({}), std::nullopt);
    EXPECT_TRUE(object.empty());
}

// proves: P6
TEST(JsonObject, NamesTheMemberThatOccursTwice) {
    Object object;
    object.set("kept", 1);
    EXPECT_EQ(object.assign_unsorted({{"a", 1}, {"a", 1}}), "a");
    EXPECT_EQ(object.assign_unsorted({{"b", 1}, {"a", 1}, {"c", 1}, {"b", 2}}), "b");
    EXPECT_EQ(names_of(object), std::vector<std::string>{"kept"}) << "a refused assignment changes nothing";
}

TEST(JsonPointer, EscapesTildeAndSlash) {
    std::string pointer;
    append_pointer(pointer, "a/b");
    append_pointer(pointer, "m~n");
    append_pointer(pointer, "");
    append_pointer(pointer, "~1");
    EXPECT_EQ(pointer, "/a~1b/m~0n//~01");
}

}  // namespace
}  // namespace einmal::json
