#include "engine/patch.hpp"

#include <gtest/gtest.h>

namespace einmal::engine {
namespace {

json::Value value(std::string_view text) { return json::read(text).value(); }

std::string merged(std::string_view target, std::string_view patch) {
    return json::to_text(merge_patch(value(target), value(patch)));
}

struct Vector {
    const char* target;
    const char* patch;
    const char* result;
};

class AppendixA : public testing::TestWithParam<Vector> {};

// proves: P2, B28, B29, B31
TEST_P(AppendixA, MergesAsTheRfcSays) { EXPECT_EQ(merged(GetParam().target, GetParam().patch), GetParam().result); }

INSTANTIATE_TEST_SUITE_P(
    Rfc7396, AppendixA,
    testing::Values(Vector{R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
                    Vector{R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
                    Vector{R"({"a":"b"})", R"({"a":null})", R"({})"},
                    Vector{R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
                    Vector{R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
                    Vector{R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
                    Vector{R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
                    Vector{R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
                    Vector{R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"},
                    Vector{R"({"a":"b"})", R"(["c"])", R"(["c"])"}, Vector{R"({"a":"foo"})", R"(null)", R"(null)"},
                    Vector{R"({"a":"foo"})", R"("bar")", R"("bar")"},
                    Vector{R"({"e":null})", R"({"a":1})", R"({"a":1,"e":null})"},
                    Vector{R"([1,2])", R"({"a":"b","c":null})", R"({"a":"b"})"},
                    Vector{R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"}));

// proves: P2, B28
TEST(MergePatch, NullRemovesAtEveryLevel) {
    EXPECT_EQ(merged(R"({"address":{"city":"A","zip":"1"}})", R"({"address":{"zip":null}})"),
              R"({"address":{"city":"A"}})");
    EXPECT_EQ(merged("{}", R"({"address":{"zip":null,"city":"B"}})"), R"({"address":{"city":"B"}})");
    EXPECT_EQ(merged("{}", R"({"custom":{"x":{"y":null}}})"), R"({"custom":{"x":{}}})");
}

// proves: P2, P5, B29
TEST(MergePatch, NullsInArraysStay) {
    EXPECT_EQ(merged(R"({"custom":{"list":[1]}})", R"({"custom":{"list":["a",null],"objs":[{"k":null}]}})"),
              R"({"custom":{"list":["a",null],"objs":[{"k":null}]}})");
    EXPECT_EQ(json::to_text(without_nulls(value(R"({"a":null,"b":[null,{"c":null}],"d":{"e":null}})"))),
              R"({"b":[null,{"c":null}],"d":{}})");
}

// proves: P7, B30
TEST(MergePatch, NumbersItDoesNotTouchKeepTheirValue) {
    EXPECT_EQ(merged(R"({"d":0.1,"e":1e2,"m":12345678901234567890,"n":9007199254740993})", R"({"name":"x"})"),
              R"({"d":0.1,"e":100,"m":12345678901234567890,"n":9007199254740993,"name":"x"})");
}

// proves: P8
TEST(MergePatch, CountsWhatItAddsUp) {
    EXPECT_EQ(count_values(value("1")), 1U);
    EXPECT_EQ(count_values(value(R"({"a":[1,2,{"b":3}],"c":null})")), 7U);
}

// proves: P8
TEST(MergePatch, DepthIsThatOfTheDeeperOne) {
    std::string deep = "1";
    for (int i = 0; i < 63; ++i) deep = R"({"a":)" + deep + "}";
    std::string patch = "2";
    for (int i = 0; i < 63; ++i) patch = R"({"a":)" + patch + "}";
    EXPECT_EQ(merged(deep, patch), patch);
    EXPECT_TRUE(json::read(merged(patch, R"({"b":{"c":1}})")).has_value());
}

}  // namespace
}  // namespace einmal::engine
