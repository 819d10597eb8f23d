#include "http/target.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace einmal::http {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

Target parsed(std::string_view text) {
    auto target = Target::parse(text);
    EXPECT_TRUE(target) << text;
    return target ? std::move(*target) : Target{};
}

// proves: K4, B40
TEST(Target, PathAndQueryAreDecodedOnce) {
    const auto target = parsed("/v1/con%74acts/a%2Fb%2520?x=%7E&y=a+b%2B&empty=&flag&&z=1=2");
    EXPECT_EQ(target.raw_path, "/v1/con%74acts/a%2Fb%2520");
    EXPECT_THAT(target.segments, ElementsAre("v1", "contacts", "a/b%20"));
    EXPECT_THAT(target.parameters,
                ElementsAre(Pair("x", "~"), Pair("y", "a b+"), Pair("empty", ""), Pair("flag", ""), Pair("z", "1=2")));
}

TEST(Target, EmptySegmentsStay) {
    EXPECT_THAT(parsed("/").segments, ElementsAre(""));
    EXPECT_THAT(parsed("/v1/contacts/").segments, ElementsAre("v1", "contacts", ""));
    EXPECT_THAT(parsed("//v1").segments, ElementsAre("", "v1"));
    EXPECT_THAT(parsed("/a?").parameters, IsEmpty());
}

TEST(Target, TakesEveryFormOfATarget) {
    EXPECT_THAT(parsed("http://example.org:80/v1/x?a=/b").segments, ElementsAre("v1", "x"));
    EXPECT_EQ(parsed("http://example.org?a=1").raw_path, "/");
    EXPECT_THAT(parsed("https://example.org").segments, ElementsAre(""));
    EXPECT_THAT(parsed("*").segments, IsEmpty());
    EXPECT_EQ(parsed("*").raw_path, "*");
    EXPECT_THAT(parsed("/v1/idempotency/k?route=/v1/contacts/{id}|").parameters,
                ElementsAre(Pair("route", "/v1/contacts/{id}|")));
}

TEST(Target, RefusesWhatItCannotRead) {
    for (const char* broken : {"", "v1/contacts", "ftp://example.org/", "/a%", "/a%4", "/a%zz", "/a?b=%g0", "/a?%=1",
                               "/a b", "/a#b", "/caf\xc3\xa9", "/a\x7f", "**"})
        EXPECT_FALSE(Target::parse(broken)) << broken;
}

}  // namespace
}  // namespace einmal::http
