#include "engine/key.hpp"

#include "base/digest.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace einmal::engine {
namespace {

std::string accepted(std::string_view field) {
    const auto key = parse_key(field);
    return key ? key->text : "refused: " + key.error();
}

bool refused(std::string_view field) { return parse_key(field).has_error(); }

// proves: K2
TEST(Key, QuotedAndBareFormsNameTheSameKey) {
    EXPECT_EQ(accepted("pay-B-1042"), "pay-B-1042");
    EXPECT_EQ(accepted(R"("pay-B-1042")"), "pay-B-1042");
    EXPECT_EQ(accepted("  pay-B-1042\t"), "pay-B-1042");
    EXPECT_NE(accepted("Pay-B-1042"), accepted("pay-B-1042"));
}

// proves: K2
TEST(Key, QuotedFormUnescapesAndIgnoresParameters) {
    EXPECT_EQ(accepted(R"("a\"b\\c")"), R"(a"b\c)");
    EXPECT_EQ(accepted(R"("a b, c")"), "a b, c");
    EXPECT_EQ(accepted(R"("k";a=1; b="x;y";c;d=?1;e=:aGk=:)"), "k");
}

// proves: K2
TEST(Key, BrokenQuotingIsRefused) {
    for (const auto* field : {R"("open)", R"("a\x")", R"("a\)", R"("a"b)", R"("a" "b")", R"("a";)", R"("a";=1)",
                              R"("a";b=)", R"("a",)", R"("a";A=1)", "\"a\x7f\"", "\"a\xc3\xa9\"", "\"a\tb\""})
        EXPECT_TRUE(refused(field)) << field;
}

// proves: K2, B18
TEST(Key, LengthCountsFromOneTo255AndIsNeverCut) {
    EXPECT_EQ(accepted("x"), "x");
    EXPECT_EQ(accepted(std::string(255, 'x')), std::string(255, 'x'));
    EXPECT_EQ(accepted('"' + std::string(255, 'x') + '"'), std::string(255, 'x'));
    for (const std::size_t length : {256U, 300U, 1024U, 7000U})
        EXPECT_TRUE(refused(std::string(length, 'x'))) << length;
    EXPECT_TRUE(refused(""));
    EXPECT_TRUE(refused(R"("")"));
    EXPECT_TRUE(refused(R"("   ")"));
}

// proves: K2, B18
TEST(Key, BareFormTakesVisibleAsciiOnly) {
    EXPECT_EQ(accepted("../a;b=c"), "../a;b=c");
    for (const auto* field : {"a b", "a,b", "a\"b", "a\\b", "a\x7f", "a\xe9", "\xf0\x9f\x98\x80", "a\x01"})
        EXPECT_TRUE(refused(field)) << field;
}

// proves: K2
RC_GTEST_PROP(Key, EveryPrintableTextSurvivesQuoting, ()) {
    const auto text = *rc::gen::container<std::string>(rc::gen::inRange<char>(0x20, 0x7f));
    std::string field = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') field += '\\';
        field += c;
    }
    field += '"';
    const bool blank = text.find_first_not_of(' ') == std::string::npos;
    const auto key = parse_key(field);
    RC_ASSERT(key.has_value() == (!blank && text.size() <= 255));
    if (key) RC_ASSERT(key->text == text);
}

// proves: K3, B07, B09
TEST(KeyDigest, DiffersByAccountKeyMethodAndRoute) {
    base::Hmac hmac(Secret{});
    const KeyPlace place{AccountId{1}, "k", "POST", "/v1/contacts"};
    const auto digest = key_digest(hmac, place);
    EXPECT_EQ(digest, key_digest(hmac, place));
    EXPECT_NE(digest, key_digest(hmac, {AccountId{2}, "k", "POST", "/v1/contacts"}));
    EXPECT_NE(digest, key_digest(hmac, {AccountId{1}, "K", "POST", "/v1/contacts"}));
    EXPECT_NE(digest, key_digest(hmac, {AccountId{1}, "k", "DELETE", "/v1/contacts"}));
    EXPECT_NE(digest, key_digest(hmac, {AccountId{1}, "k", "POST", "/v1/companies"}));
    EXPECT_NE(key_digest(hmac, {AccountId{1}, "ab", "c", "d"}), key_digest(hmac, {AccountId{1}, "a", "bc", "d"}));
}

// proves: K3, K7
TEST(KeyDigest, DependsOnTheDatabaseSecret) {
    Secret other;
    other.bytes[0] = std::byte{1};
    base::Hmac a(Secret{});
    base::Hmac b(other);
    const KeyPlace place{AccountId{1}, "k", "POST", "/v1/contacts"};
    EXPECT_NE(key_digest(a, place), key_digest(b, place));
}

// proves: T4
TEST(ValueDigest, DiffersByTypeMemberAndValue) {
    base::Hmac hmac(Secret{});
    const auto digest = value_digest(hmac, "contacts", "email", "a@x.de");
    EXPECT_EQ(digest, value_digest(hmac, "contacts", "email", "a@x.de"));
    EXPECT_NE(digest, value_digest(hmac, "companies", "email", "a@x.de"));
    EXPECT_NE(digest, value_digest(hmac, "contacts", "phone", "a@x.de"));
    EXPECT_NE(digest, value_digest(hmac, "contacts", "email", "b@x.de"));
    EXPECT_NE(value_digest(hmac, "t", "m", 1), value_digest(hmac, "t", "m", "1"));
}

}  // namespace
}  // namespace einmal::engine
