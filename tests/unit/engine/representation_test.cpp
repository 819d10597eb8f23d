#include <einmal/engine.hpp>

#include <gtest/gtest.h>
#include <string>

namespace einmal {
namespace {

/// `contacts`, cut down to what a representation needs.
ResourceType contacts() {
    ResourceType type;
    type.name.text = "contacts";
    type.scopes = {{"email", "contacts.private:read"}, {"phone", "contacts.private:read"}};
    return type;
}

Resource resource(std::string body) {
    Resource resource;
    resource.id.text = "con_0123456789abcdefghijkl";
    resource.type.text = "contacts";
    resource.revision = {3};
    resource.created_at = Timestamp{std::chrono::milliseconds{1'767'225'600'000}};
    resource.updated_at = Timestamp{std::chrono::milliseconds{1'767'225'601'005}};
    resource.body = std::move(body);
    return resource;
}

Scopes scopes(std::string_view text) { return *Scopes::parse(text); }

std::string shown(std::string body, std::string_view granted) {
    return represent(contacts(), resource(std::move(body)), scopes(granted));
}

constexpr std::string_view head =
    R"({"id":"con_0123456789abcdefghijkl","revision":3,"created_at":"2026-01-01T00:00:00.000Z",)"
    R"("updated_at":"2026-01-01T00:00:01.005Z")";

// proves: T6, S1
TEST(Representation, WithAllScopesEverythingIsShown) {
    const std::string body = R"({"email":"ada@example.org","name":"Ada","phone":"1"})";
    const std::string whole = std::string(head) + "," + body.substr(1);
    EXPECT_EQ(shown(body, "*"), whole);
    EXPECT_EQ(shown(body, "contacts:read contacts.private:read"), whole);
    EXPECT_EQ(shown("{}", "*"), std::string(head) + "}");
}

// proves: S1
TEST(Representation, MembersUnderAScopeOfTheirOwnAreLeftOut) {
    EXPECT_EQ(shown(R"({"address":{"city":"B"},"email":"ada@example.org","name":"Ada","phone":"1"})", "contacts:read"),
              std::string(head) + R"(,"address":{"city":"B"},"name":"Ada"})");
    EXPECT_EQ(shown(R"({"email":"ada@example.org"})", "contacts:read"), std::string(head) + "}");
    EXPECT_EQ(shown(R"({"name":"Ada"})", "contacts:read"), std::string(head) + R"(,"name":"Ada"})");
    EXPECT_EQ(shown("{}", "contacts:read"), std::string(head) + "}");
}

// proves: S1
TEST(Representation, OnlyTheNameOfATopLevelMemberCounts) {
    const std::string kept =
        R"("custom":{"email":"x","list":["email",{"phone":"}"}]},"name":"a \"email\":\\","z":null)";
    EXPECT_EQ(shown("{" + kept + "}", "contacts:read"), std::string(head) + "," + kept + "}");
    EXPECT_EQ(shown(R"({"email":{"a":[1,"]",{"}":"\\"}]},"emails":[],"phone":["\"",{}]})", "contacts:read"),
              std::string(head) + R"(,"emails":[]})");
}

// proves: S1
TEST(Representation, NamesAreComparedAsTheyAreWritten) {
    ResourceType type = contacts();
    type.scopes = {{"a\"b\\\n", "contacts.private:read"}};
    json::Object body;
    body.set("a\"b\\\n", "secret");
    body.set("name", "Ada");
    EXPECT_EQ(represent(type, resource(json::to_text(json::Value(body))), scopes("contacts:read")),
              std::string(head) + R"(,"name":"Ada"})");
}

// proves: S1, K12
TEST(Representation, WithoutReadScopeOnlyTheIdRemains) {
    EXPECT_EQ(shown(R"({"name":"Ada"})", "contacts:write contacts.private:read tasks:read"),
              R"({"id":"con_0123456789abcdefghijkl"})");
}

// proves: K12, R10
TEST(Representation, ATombstoneSaysThatItIsOne) {
    Resource deleted = resource("{}");
    deleted.deleted = true;
    deleted.revision = {18'446'744'073'709'551'615U};
    EXPECT_EQ(represent(contacts(), deleted, scopes("contacts:read")),
              R"({"deleted":true,"id":"con_0123456789abcdefghijkl","revision":18446744073709551615})");
    EXPECT_EQ(represent(contacts(), deleted, scopes("contacts:write")), R"({"id":"con_0123456789abcdefghijkl"})");
}

// proves: S1, P7
TEST(Representation, IsTheSameJsonWhetherOrNotSomethingIsHidden) {
    const std::string body =
        R"({"amount":9007199254740993,"custom":{"n":[null,0.1,1e-7],"t":"\u0001ü😀"},"email":"e","name":"N"})";
    auto all = *json::read(shown(body, "*"));
    const auto some = json::read(shown(body, "contacts:read"));
    ASSERT_TRUE(some.has_value());
    EXPECT_TRUE(all.if_object()->erase("email"));
    EXPECT_EQ(all, *some);
}

}  // namespace
}  // namespace einmal
