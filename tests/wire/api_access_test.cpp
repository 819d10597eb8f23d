// Who may do what, and in which order a request is checked; through the whole server.
#include "wire/api_server.hpp"

#include <gtest/gtest.h>

namespace einmal::wire {
namespace {

using namespace std::chrono_literals;

class ApiAccess : public ApiTest {
 protected:
    ApiServer server{GetParam()};
    ApiClient client{server, server.token("first")};
};
INSTANTIATE_TEST_SUITE_P(Stores, ApiAccess, testing::ValuesIn(test::all_store_kinds()), kind_name);

// proves: S1, R9
TEST_P(ApiAccess, WithoutAValidTokenEverythingIsUnauthorized) {
    ApiClient nobody(server, "");
    for (const Fields& fields :
         {Fields{}, Fields{{"Authorization", "Bearer unknown"}}, Fields{{"Authorization", "Basic dGVzdDp0ZXN0"}},
          Fields{{"Authorization", "Bearer"}}, Fields{{"Authorization", "Bearer a b"}},
          Fields{{"Authorization", "Bearer " + std::string(2000, 'x')}}, Fields{{"Authorization", "test-token-1"}},
          Fields{{"Authorization", "Bearer test-token-1"}, {"Authorization", "Bearer test-token-1"}}}) {
        for (const char* target :
             {"/v1/contacts", "/v1/contacts?x=1", "/v1/nothing", "/", "/v1/idempotency/k", "/%zz"}) {
            const auto refused = nobody.get(target, fields);
            expect_problem(refused, 401, "UNAUTHORIZED");
            EXPECT_EQ(field(refused, "www-authenticate"), "Bearer");
        }
    }
    expect_problem(nobody.post("/v1/contacts", "", "{"), 401, "UNAUTHORIZED");
    EXPECT_EQ(nobody.get("/v1/contacts", {{"Authorization", "bearer  test-token-1"}}).status, 200);
}

// proves: S1, K12
TEST_P(ApiAccess, ARevokedTokenIsRefusedAtOnce) {
    const auto token = server.token("first");
    ApiClient revoked(server, token);
    const auto path = revoked.created("/v1/contacts", "k", R"({"name":"X"})");
    EXPECT_EQ(revoked.get(path).status, 200);
    server.revoke(token);
    expect_problem(revoked.post("/v1/contacts", "k", R"({"name":"X"})"), 401, "UNAUTHORIZED");
    for (const auto& target : {path, std::string("/v1/contacts"), path + "/revisions",
                               std::string("/v1/idempotency/k?method=POST&route=/v1/contacts")}) {
        const auto refused = revoked.get(target);
        expect_problem(refused, 401, "UNAUTHORIZED");
        EXPECT_EQ(field(refused, "www-authenticate"), "Bearer");
    }
    EXPECT_EQ(client.get(path).status, 200);
}

// proves: S1
TEST_P(ApiAccess, ScopesDecideWhatMayBeDoneAndSeen) {
    const auto body = R"({"name":"X","email":"a@example.org","phone":"1"})";
    ApiClient writer(server, server.token("first", "contacts:write"));
    const auto written = writer.post("/v1/contacts", "k", body);
    EXPECT_EQ(written.status, 201);
    EXPECT_EQ(written.body, R"({"id":")" + text_member(written, "id") + "\"}");
    const auto path = field(written, "location");
    const auto forbidden = writer.get(path);
    expect_problem(forbidden, 403, "FORBIDDEN");
    EXPECT_NE(forbidden.body.find("contacts:read"), std::string::npos);
    ApiClient reader(server, server.token("first", "contacts:read"));
    EXPECT_EQ(member(reader.get(path), "email"), "absent");
    EXPECT_EQ(member(reader.get(path), "phone"), "absent");
    EXPECT_EQ(text_member(reader.get(path), "name"), "X");
    expect_problem(reader.patch(path, "{}"), 403, "FORBIDDEN");
    expect_problem(reader.remove(path, "d"), 403, "FORBIDDEN");
    expect_problem(reader.put(path, body), 403, "FORBIDDEN");
    expect_problem(reader.get("/v1/companies"), 403, "FORBIDDEN");
    ApiClient all(server, server.token("first", "contacts:read contacts.private:read"));
    EXPECT_EQ(text_member(all.get(path), "email"), "a@example.org");
}

// proves: S2
TEST_P(ApiAccess, AccountsDoNotSeeEachOther) {
    ApiClient other(server, server.token("second"));
    const auto path = client.created("/v1/contacts", "k", R"({"name":"X"})");
    expect_problem(other.get(path), 404, "NOT_FOUND");
    expect_problem(other.patch(path, "{}"), 404, "NOT_FOUND");
    expect_problem(other.put(path, R"({"name":"Y"})"), 404, "NOT_FOUND");
    expect_problem(other.remove(path, "d"), 404, "NOT_FOUND");
    EXPECT_EQ(other.get("/v1/contacts").body, R"({"data":[],"next_cursor":null})");
    EXPECT_EQ(field(client.get(path), "etag"), "\"r1\"");
}

// proves: T4, K8
TEST_P(ApiAccess, ATakenUniqueValueNamesItsOwnerToWhoMayRead) {
    const auto body = R"({"name":"X","vat_id":"DE123456789"})";
    const auto first = client.post("/v1/companies", "k", body);
    ASSERT_EQ(first.status, 201);
    const auto taken = client.post("/v1/companies", "k2", body);
    expect_problem(taken, 409, "CONFLICT");
    EXPECT_EQ(text_member(taken, "member"), "vat_id");
    EXPECT_EQ(text_member(taken, "other_id"), text_member(first, "id"));
    EXPECT_EQ(field(taken, "retry-after"), "absent");
    ApiClient writer(server, server.token("first", "companies:write"));
    const auto blind = writer.post("/v1/companies", "k2", body);
    expect_problem(blind, 409, "CONFLICT");
    EXPECT_EQ(member(blind, "other_id"), "absent");
    ApiClient stranger(server, server.token("second"));
    EXPECT_EQ(stranger.post("/v1/companies", "k", body).status, 201);
    ASSERT_EQ(client.remove(field(first, "location"), "d").status, 204);
    EXPECT_EQ(client.post("/v1/companies", "k2", body).status, 201);
}

// proves: R9
TEST_P(ApiAccess, ChecksComeInTheirOrder) {
    ApiClient weak(server, server.token("first", "contacts:read"));
    const auto path = client.created("/v1/contacts", "k", R"({"name":"X"})");
    // Syntax before scope.
    expect_problem(weak.post("/v1/contacts", "", R"({"name":"X"})"), 400, "IDEMPOTENCY_KEY_REQUIRED");
    expect_problem(weak.patch(path, "{"), 400, "JSON_INVALID");
    expect_problem(weak.patch(path, "{}", {{"If-Match", "r1"}}), 400, "PRECONDITION_INVALID");
    expect_problem(weak.patch(path, "{}", {{"Prefer", "wait=soon"}}), 400, "REQUEST_MALFORMED");
    expect_problem(weak.send("PATCH", path, {{"Content-Type", "text/plain"}}, "{}"), 415, "UNSUPPORTED_MEDIA_TYPE");
    // Scope before key.
    ASSERT_EQ(client.patch(path, "{}", {{"Idempotency-Key", "p"}}).status, 200);
    expect_problem(weak.patch(path, R"({"name":"Y"})", {{"Idempotency-Key", "p"}}), 403, "FORBIDDEN");
    // Key before existence and If-Match.
    const auto gone = client.created("/v1/contacts", "k2", R"({"name":"X"})");
    ASSERT_EQ(client.remove(gone, "d").status, 204);
    expect_problem(client.remove(path, "d"), 422, "IDEMPOTENCY_PAYLOAD_MISMATCH");
    // Existence before If-Match, If-Match before validation.
    expect_problem(client.patch(gone, "{}", {{"If-Match", "\"r9\""}}), 404, "NOT_FOUND");
    expect_problem(client.patch(path, R"({"name":null})", {{"If-Match", "\"r9\""}}), 412, "PRECONDITION_FAILED");
}

// proves: T2
TEST_P(ApiAccess, UnknownPathsAndMethodsAreNamed) {
    for (const char* target :
         {"/", "/v1", "/v1/nothing", "/v1/contacts/", "/v1/contacts/a/b", "/v1/contacts/a/revisions/1/2",
          "/v2/contacts", "//v1/contacts", "/v1/contacts/..", "/livez/x"})
        expect_problem(client.get(target), 404, "NOT_FOUND");
    const auto path = client.created("/v1/contacts", "k", R"({"name":"X"})");
    expect_problem(client.get(path + "%2Frevisions"), 404, "NOT_FOUND");
    EXPECT_EQ(client.get("/v1/%63ontacts/" + path.substr(13, 1) + path.substr(14)).status, 200);
    const auto allow_of = [&](const char* method, const std::string& target) {
        const auto refused = client.send(method, target, {{"Idempotency-Key", "x"}});
        expect_problem(refused, 405, "METHOD_NOT_ALLOWED");
        return field(refused, "allow");
    };
    EXPECT_EQ(allow_of("PUT", "/v1/contacts"), "GET, HEAD, POST, OPTIONS");
    EXPECT_EQ(allow_of("DELETE", "/v1/contacts"), "GET, HEAD, POST, OPTIONS");
    EXPECT_EQ(allow_of("POST", path), "GET, HEAD, PATCH, PUT, DELETE, OPTIONS");
    EXPECT_EQ(allow_of("PATCH", path + "/revisions"), "GET, HEAD, OPTIONS");
    EXPECT_EQ(allow_of("POST", "/livez"), "GET, HEAD, OPTIONS");
    EXPECT_EQ(allow_of("BREW", "/v1/contacts"), "GET, HEAD, POST, OPTIONS");
    const auto options = ApiClient(server, "").send("OPTIONS", path);
    EXPECT_EQ(options.status, 204);
    EXPECT_EQ(field(options, "allow"), "GET, HEAD, PATCH, PUT, DELETE, OPTIONS");
    expect_problem(client.send("OPTIONS", "/v1/nothing"), 404, "NOT_FOUND");
    EXPECT_EQ(client.send("OPTIONS", "*").status, 204);
    EXPECT_EQ(client.get("http://einmal.test/v1/contacts?limit=1").status, 200);
}

// proves: S3, K8, B13
TEST_P(ApiAccess, TheRateLimitIsPerTokenAndLeavesTheKeyFree) {
    ApiServer::Options options;
    options.http.rate_limit = 2;
    ApiServer limited(GetParam(), options);
    ApiClient caller(limited, limited.token("first"));
    ApiClient other(limited, limited.token("first"));
    RawResponse answer;
    for (int i = 0; i < 10 && answer.status != 429; ++i)
        answer = caller.post("/v1/contacts", "k" + std::to_string(i), R"({"name":"X"})");
    expect_problem(answer, 429, "RATE_LIMITED");
    EXPECT_EQ(field(answer, "retry-after"), "1");
    EXPECT_EQ(member(answer, "retryable"), "true");
    EXPECT_EQ(other.get("/v1/contacts").status, 200);
    EXPECT_EQ(caller.get("/livez").status, 200);
    expect_problem(ApiClient(limited, "").get("/v1/contacts"), 401, "UNAUTHORIZED");
    // Even what is wrong is refused for its rate first.
    RawResponse refused = caller.post("/v1/contacts", "", "{");
    for (int i = 0; i < 10 && refused.status != 429; ++i) refused = caller.post("/v1/contacts", "", "{");
    expect_problem(refused, 429, "RATE_LIMITED");
    std::this_thread::sleep_for(1100ms);
    const auto again = caller.post("/v1/contacts", "late", R"({"name":"X"})");
    EXPECT_EQ(again.status, 201);
    EXPECT_EQ(field(again, "idempotent-replayed"), "absent");
}

}  // namespace
}  // namespace einmal::wire
