#include "engine/fingerprint.hpp"

#include "base/digest.hpp"

#include <gtest/gtest.h>

namespace einmal::engine {
namespace {

RequestIdentity identity() {
    return {.method = "POST",
            .route = "/v1/charges",
            .path = "/v1/charges",
            .effect_parameters = {},
            .media_type = "application/json",
            .opaque_body = {}};
}

Fingerprint of(const RequestIdentity& request, std::string_view text) {
    base::Hmac hmac(Secret{});
    const auto body = json::read(text);
    return fingerprint(hmac, request, &body.value());
}

// proves: K4, B35
TEST(Fingerprint, IsOfTheValueNotOfTheText) {
    const auto reference = of(identity(), R"({"a":1,"b":{"c":2,"d":3},"t":"A"})");
    EXPECT_EQ(reference, of(identity(), R"({"b":{"d":3,"c":2},"t":"A","a":1})"));
    EXPECT_EQ(reference, of(identity(), " {\n\"a\" : 1, \"t\":\"\\u0041\", \"b\":{ \"c\":2,\"d\":3}}\t"));
    EXPECT_EQ(reference, of(identity(), R"({"a":1.0,"b":{"c":2e0,"d":30e-1},"t":"A"})"));
}

// proves: K4, B35
TEST(Fingerprint, AstralNamesMayComeInAnyOrder) {
    EXPECT_EQ(of(identity(), "{\"\xf0\x9f\x98\x80\":1,\"\xef\xbf\xbd\":2}"),
              of(identity(), "{\"\xef\xbf\xbd\":2,\"\\ud83d\\ude00\":1}"));
}

// proves: K4, P7, B35
TEST(Fingerprint, OtherValuesAreOtherIntents) {
    const auto reference = of(identity(), R"({"amount":4990,"tags":["a","b"]})");
    EXPECT_NE(reference, of(identity(), R"({"amount":4991,"tags":["a","b"]})"));
    EXPECT_NE(reference, of(identity(), R"({"amount":4990,"tags":["b","a"]})"));
    EXPECT_NE(reference, of(identity(), R"({"amount":"4990","tags":["a","b"]})"));
    EXPECT_NE(of(identity(), "9007199254740993"), of(identity(), "9007199254740992"));
    EXPECT_NE(of(identity(), "null"), of(identity(), R"("")"));
}

// proves: K4, B40
TEST(Fingerprint, CoversMethodPathParametersAndMediaType) {
    const auto reference = of(identity(), "{}");
    auto other = identity();
    other.method = "PUT";
    EXPECT_NE(reference, of(other, "{}"));
    other = identity();
    other.path = "/v1/charges/chg_1";
    EXPECT_NE(reference, of(other, "{}"));
    other = identity();
    other.media_type = "application/merge-patch+json";
    EXPECT_NE(reference, of(other, "{}"));
    other = identity();
    other.effect_parameters = {{"dry_run", "1"}};
    EXPECT_NE(reference, of(other, "{}"));
}

// proves: K4, B40
TEST(Fingerprint, OrderOfParametersDoesNotMatter) {
    auto one = identity();
    one.effect_parameters = {{"a", "1"}, {"b", "2"}};
    auto two = identity();
    two.effect_parameters = {{"b", "2"}, {"a", "1"}};
    EXPECT_EQ(of(one, "{}"), of(two, "{}"));
    two.effect_parameters = {{"a", "1b2"}};
    EXPECT_NE(of(one, "{}"), of(two, "{}"));
}

// proves: K4
TEST(Fingerprint, RouteIsPartOfThePlaceNotOfTheFingerprint) {
    auto other = identity();
    other.route = "/v1/elsewhere";
    EXPECT_EQ(of(identity(), "{}"), of(other, "{}"));
}

// proves: K4
TEST(Fingerprint, BodiesThatAreNoJsonCountByteByByte) {
    base::Hmac hmac(Secret{});
    auto request = identity();
    request.opaque_body = "{}";
    const auto opaque = fingerprint(hmac, request, nullptr);
    EXPECT_NE(opaque, of(identity(), "{}"));
    request.opaque_body = "{ }";
    EXPECT_NE(opaque, fingerprint(hmac, request, nullptr));
}

}  // namespace
}  // namespace einmal::engine
