#include "http/cursor.hpp"

#include <gtest/gtest.h>

namespace einmal::http {
namespace {

Secret secret_of(unsigned char byte) {
    Secret secret;
    secret.bytes.fill(std::byte{byte});
    return secret;
}

// proves: T3
TEST(Cursor, LeadsBackToItsPosition) {
    const CursorScope scope{AccountId{1}, "/v1/contacts", {"email=\"x\""}};
    for (const std::string position : {"con_1", "1700000000000 con_1", "3"}) {
        const auto cursor = make_cursor(secret_of(1), scope, position);
        EXPECT_EQ(read_cursor(secret_of(1), scope, cursor), position);
        EXPECT_EQ(cursor.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
                  std::string::npos);
    }
}

// proves: T3, S2
TEST(Cursor, BelongsToOneList) {
    const CursorScope scope{AccountId{1}, "/v1/contacts", {"a=1", "b=2"}};
    const auto cursor = make_cursor(secret_of(1), scope, "con_1");
    EXPECT_EQ(read_cursor(secret_of(2), scope, cursor), std::nullopt);
    for (const CursorScope& other :
         {CursorScope{AccountId{2}, "/v1/contacts", {"a=1", "b=2"}},
          CursorScope{AccountId{1}, "/v1/tasks", {"a=1", "b=2"}}, CursorScope{AccountId{1}, "/v1/contacts", {"a=1"}},
          CursorScope{AccountId{1}, "/v1/contacts", {"b=2", "a=1"}},
          CursorScope{AccountId{1}, "/v1/contacts", {"a=1b=2"}}, CursorScope{AccountId{1}, "/v1/contacts", {}}})
        EXPECT_EQ(read_cursor(secret_of(1), other, cursor), std::nullopt);
}

// proves: T3
TEST(Cursor, NoAlterationPasses) {
    const CursorScope scope{AccountId{1}, "/v1/contacts", {}};
    const auto cursor = make_cursor(secret_of(1), scope, "con_1");
    for (std::size_t i = 0; i < cursor.size(); ++i) {
        auto altered = cursor;
        altered[i] = altered[i] == 'A' ? 'B' : 'A';
        EXPECT_EQ(read_cursor(secret_of(1), scope, altered), std::nullopt) << i;
        EXPECT_EQ(read_cursor(secret_of(1), scope, cursor.substr(0, i)), std::nullopt) << i;
    }
    for (const char* odd : {"", "!", "con_1", "====", "AAAA"})
        EXPECT_EQ(read_cursor(secret_of(1), scope, odd), std::nullopt);
}

}  // namespace
}  // namespace einmal::http
