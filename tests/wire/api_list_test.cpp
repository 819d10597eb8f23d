// Lists: pages, cursors, filters; through the whole server.
#include "wire/api_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace einmal::wire {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class ApiList : public ApiTest {
 protected:
    std::vector<std::string> names(const RawResponse& page) {
        std::vector<std::string> result;
        const auto value = test::parsed(page.body);
        const auto* data = value.if_object()->find("data");
        if (data == nullptr) {
            ADD_FAILURE() << page.body;
            return result;
        }
        for (const auto& item : *data->if_array()) result.push_back(*item.if_object()->find("name")->if_string());
        return result;
    }
    void create(const std::string& name, const std::string& more = {}) {
        server.clock.advance(1ms);
        client.created("/v1/contacts", "make-" + name, "{\"name\":\"" + name + '"' + more + "}");
    }

    ApiServer server{GetParam()};
    ApiClient client{server, server.token("first")};
};
INSTANTIATE_TEST_SUITE_P(Stores, ApiList, testing::ValuesIn(test::all_store_kinds()), kind_name);

// proves: T2, T3
TEST_P(ApiList, PagesAreStableWhileOthersInsert) {
    for (const char* name : {"a", "b", "c", "d", "e"}) create(name);
    auto page = client.get("/v1/contacts?limit=2");
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(field(page, "cache-control"), "private, no-cache");
    EXPECT_THAT(names(page), ElementsAre("a", "b"));
    create("f");
    std::vector<std::string> rest;
    while (member(page, "next_cursor") != "null") {
        page = client.get("/v1/contacts?cursor=" + text_member(page, "next_cursor") + "&limit=2");
        for (auto& name : names(page)) rest.push_back(std::move(name));
    }
    EXPECT_THAT(rest, ElementsAre("c", "d", "e", "f"));
    const auto head = client.send("HEAD", "/v1/contacts?limit=2");
    EXPECT_EQ(head.status, 200);
}

// proves: T3
TEST_P(ApiList, LimitIsFromOneToTwoHundred) {
    for (int i = 0; i < 60; ++i) create("n" + std::to_string(i));
    EXPECT_EQ(names(client.get("/v1/contacts")).size(), 50U);
    EXPECT_EQ(names(client.get("/v1/contacts?limit=200")).size(), 60U);
    EXPECT_EQ(names(client.get("/v1/contacts?limit=1")).size(), 1U);
    for (const char* limit : {"0", "201", "-1", "+1", "01", "1.0", "", "x", "99999999999999999999"})
        expect_problem(client.get(std::string("/v1/contacts?limit=") + limit), 400, "PARAMETER_INVALID");
}

// proves: T3, S2
TEST_P(ApiList, CursorsOfOtherListsAndAlteredOnesAreRefused) {
    for (const char* name : {"a", "b", "c"}) create(name, R"(,"email":"x@example.org")");
    const auto cursor = text_member(client.get("/v1/contacts?limit=1"), "next_cursor");
    EXPECT_EQ(client.get("/v1/contacts?cursor=" + cursor).status, 200);
    auto altered = cursor;
    altered[altered.size() / 2] = altered[altered.size() / 2] == 'A' ? 'B' : 'A';
    for (const auto& refused :
         {"/v1/contacts?cursor=" + altered, "/v1/contacts?cursor=" + cursor.substr(1),
          std::string("/v1/contacts?cursor="), "/v1/contacts?cursor=" + cursor + "A",
          "/v1/contacts?email=x@example.org&cursor=" + cursor,
          "/v1/contacts?updated_since=2026-01-01T00:00:00Z&cursor=" + cursor, "/v1/companies?cursor=" + cursor,
          std::string("/v1/contacts?cursor=con_0000000000000000000000")})
        expect_problem(client.get(refused), 400, "PARAMETER_INVALID");
    ApiClient stranger(server, server.token("second"));
    expect_problem(stranger.get("/v1/contacts?cursor=" + cursor), 400, "PARAMETER_INVALID");
    ApiClient colleague(server, server.token("first"));
    EXPECT_EQ(colleague.get("/v1/contacts?cursor=" + cursor).status, 200);
}

// proves: T2
TEST_P(ApiList, FiltersFindByIndexedMembers) {
    create("a", R"(,"email":"x+y@example.org")");
    create("b", R"(,"email":"z@example.org")");
    create("c", R"(,"email":"x+y@example.org")");
    EXPECT_THAT(names(client.get("/v1/contacts?email=x%2By%40example.org")), ElementsAre("a", "c"));
    EXPECT_THAT(names(client.get("/v1/contacts?email=nobody@example.org")), ElementsAre());
    const auto page = client.get("/v1/contacts?limit=1&email=x%2By%40example.org");
    const auto next = client.get("/v1/contacts?email=x%2by@example.org&cursor=" + text_member(page, "next_cursor"));
    EXPECT_THAT(names(next), ElementsAre("c"));
    for (const char* query : {"?name=a", "?Email=z@example.org", "?nonsense", "?limit=1&offset=2"})
        expect_problem(client.get(std::string("/v1/contacts") + query), 400, "UNKNOWN_PARAMETER");
    for (const char* query : {"?limit=1&limit=1", "?email=z@example.org&email=z@example.org"})
        expect_problem(client.get(std::string("/v1/contacts") + query), 400, "PARAMETER_INVALID");
}

// proves: S1
TEST_P(ApiList, WhatIsHiddenCannotBeSearched) {
    create("a", R"(,"email":"x@example.org")");
    ApiClient narrow(server, server.token("first", "contacts:read"));
    const auto refused = narrow.get("/v1/contacts?email=x@example.org");
    expect_problem(refused, 403, "FORBIDDEN");
    EXPECT_NE(refused.body.find("contacts.private:read"), std::string::npos);
    EXPECT_EQ(narrow.get("/v1/contacts").body.find("example.org"), std::string::npos);
    ApiClient wide(server, server.token("first", "contacts:read contacts.private:read"));
    EXPECT_THAT(names(wide.get("/v1/contacts?email=x@example.org")), ElementsAre("a"));
}

// proves: T2, T3
TEST_P(ApiList, UpdatedSinceListsInOrderOfChange) {
    for (const char* name : {"a", "b", "c"}) create(name);
    server.clock.advance(1s);
    const auto id = *test::parsed(client.get("/v1/contacts?limit=1").body)
                         .if_object()
                         ->find("data")
                         ->if_array()
                         ->front()
                         .if_object()
                         ->find("id")
                         ->if_string();
    ASSERT_EQ(client.patch("/v1/contacts/" + id, R"({"name":"a2"})").status, 200);
    EXPECT_THAT(names(client.get("/v1/contacts?updated_since=2026-01-01T00:00:00Z")), ElementsAre("b", "c", "a2"));
    EXPECT_THAT(names(client.get("/v1/contacts?updated_since=2026-01-01T01:00:01%2B01:00")), ElementsAre("a2"));
    auto page = client.get("/v1/contacts?updated_since=2026-01-01T00:00:00.000Z&limit=1");
    EXPECT_THAT(names(page), ElementsAre("b"));
    page = client.get("/v1/contacts?updated_since=2026-01-01T00:00:00.000Z&limit=1&cursor=" +
                      text_member(page, "next_cursor"));
    EXPECT_THAT(names(page), ElementsAre("c"));
    for (const char* time : {"yesterday", "2026-01-01", "2026-02-30T00:00:00Z", "2026-01-01T00:00:00", "", "0",
                             "2026-01-01T00:00:00+01:00"})
        expect_problem(client.get(std::string("/v1/contacts?updated_since=") + time), 400, "PARAMETER_INVALID");
}

}  // namespace
}  // namespace einmal::wire
