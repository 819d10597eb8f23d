#include <einmal/scopes.hpp>

#include <gtest/gtest.h>

namespace einmal {
namespace {

Scopes scopes(std::string_view text) { return *Scopes::parse(text); }

// proves: S1
TEST(Scopes, AllowExactlyWhatIsNamed) {
    const Scopes some = scopes("contacts:read contacts.private:read tasks:write");
    EXPECT_TRUE(some.allow("contacts:read"));
    EXPECT_TRUE(some.allow("contacts.private:read"));
    EXPECT_TRUE(some.allow("tasks:write"));
    EXPECT_FALSE(some.allow("contacts:write"));
    EXPECT_FALSE(some.allow("tasks:read"));
    EXPECT_FALSE(some.allow("contact:read"));
    EXPECT_FALSE(some.allow("*"));
    EXPECT_FALSE(some.allow(""));
}

// proves: S1
TEST(Scopes, ReadOfATypeDoesNotShowItsPrivateMembers) {
    EXPECT_FALSE(scopes("contacts:read").allow("contacts.private:read"));
    EXPECT_FALSE(scopes("contacts.private:read").allow("contacts:read"));
}

// proves: S1
TEST(Scopes, AStarAllowsEverything) {
    EXPECT_TRUE(scopes("*").allow("contacts.private:read"));
    EXPECT_TRUE(scopes("tasks:read *").allow("charges:write"));
}

TEST(Scopes, WithoutAnyNothingIsAllowed) { EXPECT_FALSE(Scopes().allow("contacts:read")); }

TEST(Scopes, BlanksMayBeAroundWords) { EXPECT_TRUE(scopes("  a:read   b_2:write ").allow("b_2:write")); }

TEST(Scopes, AWordThatIsNoScopeIsNamed) {
    for (const char* word : {"contacts", "contacts:", "contacts:reed", "contacts:READ", ":read", "Contacts:read",
                             "contacts.:read", ".private:read", "a.b.c:read", "contacts:read:write", "2a:read", "**",
                             "contacts:read,tasks:read", "c-d:read", "kontakté:read", "a:read\tb:read"}) {
        const auto refused = Scopes::parse("tasks:read " + std::string(word));
        ASSERT_TRUE(refused.has_error()) << word;
        EXPECT_NE(refused.error().find(word), std::string::npos) << refused.error();
    }
}

TEST(Scopes, AnEmptyListIsRefused) {
    EXPECT_TRUE(Scopes::parse("").has_error());
    EXPECT_TRUE(Scopes::parse("   ").has_error());
}

}  // namespace
}  // namespace einmal
