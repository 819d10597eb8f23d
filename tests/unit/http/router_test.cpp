#include "http/router.hpp"

#include <gtest/gtest.h>

#include <set>

namespace einmal::http {
namespace {

using boost::beast::http::verb;

class RouterTest : public testing::Test {
 protected:
    RouteMatch match(std::string_view target) {
        const auto read = Target::parse(target);
        EXPECT_TRUE(read) << target;
        return router.match(read ? *read : Target{});
    }
    std::string pattern(std::string_view target) { return match(target).route->pattern; }

    const Catalog catalog = Catalog::load({}).value();
    const Router router{catalog};
};

// proves: T2
TEST_F(RouterTest, FindsEveryRoute) {
    EXPECT_EQ(pattern("/v1/contacts"), "/v1/contacts");
    EXPECT_EQ(pattern("/v1/contacts/con_1"), "/v1/contacts/{id}");
    EXPECT_EQ(match("/v1/contacts/con_1").first, "con_1");
    EXPECT_EQ(match("/v1/contacts/con_1").route->type, catalog.find("contacts"));
    EXPECT_EQ(pattern("/v1/tasks/a/revisions"), "/v1/tasks/{id}/revisions");
    const auto revision = match("/v1/tasks/a/revisions/7");
    EXPECT_EQ(revision.route->pattern, "/v1/tasks/{id}/revisions/{revision}");
    EXPECT_EQ(revision.first + ' ' + revision.second, "a 7");
    EXPECT_EQ(match("/v1/idempotency/a%2Fb").first, "a/b");
    EXPECT_EQ(pattern("/problems"), "/problems/");
    EXPECT_EQ(pattern("/problems/CONFLICT"), "/problems/{code}/");
    EXPECT_EQ(match("/problems/CONFLICT/").first, "CONFLICT");
    for (const char* path : {"/livez", "/readyz", "/metrics", "/problems/", "/v1/openapi.json", "*"})
        EXPECT_EQ(pattern(path), path);
}

TEST_F(RouterTest, EverythingElseIsUnknown) {
    for (const char* path :
         {"/", "/v1", "/v1/", "/v1/nothing", "/v1/contacts/", "/v1/contacts//revisions/", "/V1/contacts",
          "/v1/Contacts", "/v1/contacts/a/history", "/v1/contacts/a/revisions/1/", "/livez/", "/v1/livez",
          "/v1%2Fcontacts", "/v1/idempotency", "/v1/idempotency/a/b", "/problems/A/b"})
        EXPECT_EQ(match(path).route->kind, RouteKind::unknown) << path;
}

// proves: S1, A5, E2, T5
TEST_F(RouterTest, OnlyWhatShowsNoDataIsPublic) {
    std::set<std::string> open;
    for (const auto& route : router.routes())
        if (!route.needs_token) open.insert(route.pattern);
    EXPECT_EQ(open, (std::set<std::string>{"/livez", "/readyz", "/metrics", "/problems/", "/problems/{code}/",
                                           "/v1/openapi.json", "*"}));
}

TEST_F(RouterTest, AllowNamesTheMethods) {
    EXPECT_EQ(match("/v1/contacts").route->allow, "GET, HEAD, POST, OPTIONS");
    EXPECT_EQ(match("/v1/contacts/a").route->allow, "GET, HEAD, PATCH, PUT, DELETE, OPTIONS");
    EXPECT_TRUE(match("/v1/contacts/a").route->allows(verb::patch));
    EXPECT_FALSE(match("/v1/contacts/a").route->allows(verb::post));
    EXPECT_FALSE(match("/v1/nothing").route->allows(verb::get));
    for (std::size_t i = 0; i < router.routes().size(); ++i) EXPECT_EQ(router.routes()[i].index, i);
}

}  // namespace
}  // namespace einmal::http
