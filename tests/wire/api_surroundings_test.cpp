// What is around the resources: problems, their pages, CORS, health, metrics, the OpenAPI description.
#include "http/problem_catalog.hpp"
#include "wire/api_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace einmal::wire {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

ApiServer::Options with_cors(const std::string& origin) {
    ApiServer::Options options;
    options.http.cors_origin = origin;
    return options;
}

// proves: E1
TEST(ApiSurroundings, AProblemNamesItsRequest) {
    ApiServer server(test::memory_store_kind());
    ApiClient client(server, server.token("first"));
    const auto problem = client.get("/v1/contacts?secret=value", {{"X-Request-Id", "trace-me.1"}});
    expect_problem(problem, 400, "UNKNOWN_PARAMETER");
    EXPECT_EQ(text_member(problem, "instance"), "/v1/contacts");
    EXPECT_EQ(text_member(problem, "request_id"), "trace-me.1");
    EXPECT_THAT(problem.body, Not(HasSubstr("secret")));
    EXPECT_THAT(problem.body, Not(HasSubstr("value")));
    for (const auto& odd : {std::string("a b"), std::string(65, 'x'), std::string("<script>")}) {
        const auto answer = client.get("/livez", {{"X-Request-Id", odd}});
        EXPECT_EQ(field(answer, "x-request-id").size(), 12U) << odd;
    }
    EXPECT_NE(field(client.get("/livez"), "x-request-id"), field(client.get("/livez"), "x-request-id"));
}

// proves: E1
TEST(ApiSurroundings, AFailureInsideSaysNothingOfTheInside) {
    ApiServer server(test::memory_store_kind());
    ApiClient client(server, server.token("first"));
    server.fail_next(test::Fault::unavailable);
    const auto problem = client.post("/v1/contacts", "k", R"({"name":"X"})");
    expect_problem(problem, 503, "UNAVAILABLE");
    EXPECT_EQ(text_member(problem, "detail"), "Nothing was done. Send the same request again, with the same key.");
}

// proves: E2, E3
TEST(ApiSurroundings, EveryProblemHasAPageInTwoLanguages) {
    ApiServer server(test::memory_store_kind());
    ApiClient reader(server, "");
    const auto index = reader.get("/problems/");
    EXPECT_EQ(index.status, 200);
    for (const auto& entry : http::problem_catalog()) {
        const auto path = "/problems/" + std::string(entry.name) + "/";
        EXPECT_THAT(index.body, HasSubstr(path));
        const auto english = reader.get(path);
        const auto german = reader.get(path, {{"Accept-Language", "de-AT, en;q=0.8"}});
        EXPECT_EQ(english.status, 200);
        EXPECT_THAT(english.body, HasSubstr("<html lang=\"en\">"));
        EXPECT_THAT(german.body, HasSubstr("<html lang=\"de\">"));
        EXPECT_EQ(field(german, "content-language"), "de");
        for (const auto& page : {english, german}) {
            EXPECT_EQ(field(page, "content-type"), "text/html; charset=utf-8");
            EXPECT_EQ(field(page, "vary"), "Accept-Language");
            EXPECT_EQ(field(page, "content-security-policy"), "default-src 'none'; style-src 'unsafe-inline'");
            EXPECT_THAT(page.body, HasSubstr(std::string(entry.name)));
            EXPECT_THAT(page.body, Not(HasSubstr("<script")));
        }
    }
    EXPECT_EQ(reader.get("/problems").status, 200);
    EXPECT_EQ(reader.get("/problems/CONFLICT").status, 200);
    for (const char* unknown : {"/problems/NOTHING/", "/problems/conflict/", "/problems/%3Cb%3E/"}) {
        const auto page = reader.get(unknown);
        EXPECT_EQ(page.status, 404);
        EXPECT_EQ(field(page, "content-type"), "text/html; charset=utf-8");
        EXPECT_THAT(page.body, Not(HasSubstr("<b>")));
    }
}

// proves: H5, B27
TEST(ApiSurroundings, WithCorsEveryAnswerCanBeReadAcrossOrigins) {
    auto options = with_cors("https://app.example");
    options.http.rate_limit = 5;
    ApiServer server(test::memory_store_kind(), options);
    ApiClient client(server, server.token("first"));
    ApiClient nobody(server, "");
    const auto first = client.post("/v1/contacts", "k", R"({"name":"X"})");
    const auto replay = client.post("/v1/contacts", "k", R"({"name":"X"})");
    const auto failed = client.patch(field(first, "location"), "{}", {{"If-Match", "\"r9\""}});
    RawResponse limited;
    for (int i = 0; i < 20 && limited.status != 429; ++i) limited = client.get("/v1/contacts");
    EXPECT_EQ(failed.status, 412);
    EXPECT_EQ(limited.status, 429);
    const auto too_long = client.get("/" + std::string(9000, 'x'));
    EXPECT_EQ(too_long.status, 414);
    for (const auto& answer :
         {first, replay, failed, limited, too_long, nobody.get("/v1/contacts"), nobody.get("/livez")}) {
        EXPECT_EQ(field(answer, "access-control-allow-origin"), "https://app.example");
        for (const char* name : {"ETag", "Location", "Retry-After", "Idempotent-Replayed", "Idempotency-Expires",
                                 "Einmal-Result-Revision", "Preference-Applied", "X-Request-Id"})
            EXPECT_THAT(field(answer, "access-control-expose-headers"), HasSubstr(name));
        EXPECT_THAT(field(answer, "vary"), HasSubstr("Origin"));
    }
    EXPECT_EQ(field(first, "vary"), "Authorization, Origin");
    const auto preflight = nobody.send("OPTIONS", field(first, "location"),
                                       {{"Origin", "https://app.example"},
                                        {"Access-Control-Request-Method", "PATCH"},
                                        {"Access-Control-Request-Headers", "idempotency-key, if-match, content-type"}});
    EXPECT_EQ(preflight.status, 204);
    EXPECT_EQ(field(preflight, "access-control-allow-origin"), "https://app.example");
    EXPECT_THAT(field(preflight, "access-control-allow-methods"), HasSubstr("PATCH"));
    for (const char* name : {"Idempotency-Key", "If-Match", "If-None-Match", "Content-Type", "Authorization", "Prefer"})
        EXPECT_THAT(field(preflight, "access-control-allow-headers"), HasSubstr(name));
    EXPECT_EQ(field(preflight, "access-control-max-age"), "7200");
}

// proves: H5, B27
TEST(ApiSurroundings, WithoutCorsNoHeaderOfItIsSent) {
    ApiServer server(test::memory_store_kind());
    ApiClient client(server, server.token("first"));
    const Fields origin{{"Origin", "https://app.example"}, {"Access-Control-Request-Method", "POST"}};
    for (const auto& answer : {client.get("/v1/contacts", origin), client.send("OPTIONS", "/v1/contacts", origin),
                               client.get("/x", origin)}) {
        for (const auto& [name, value] : answer.fields) EXPECT_FALSE(name.starts_with("access-control-")) << name;
    }
    ApiServer open(test::memory_store_kind(), with_cors("*"));
    const auto answer = ApiClient(open, "").get("/livez");
    EXPECT_EQ(field(answer, "access-control-allow-origin"), "*");
    EXPECT_EQ(field(answer, "vary"), "absent");
}

// proves: A5
TEST(ApiSurroundings, HealthNeedsNoToken) {
    ApiServer server(test::sqlite_store_kind());
    ApiClient nobody(server, "");
    for (const char* path : {"/livez", "/readyz"}) {
        EXPECT_EQ(nobody.get(path).status, 200);
        EXPECT_EQ(nobody.get(path).body, R"({"status":"ok"})");
        EXPECT_EQ(nobody.send("HEAD", path).status, 200);
        EXPECT_EQ(field(nobody.get(path), "cache-control"), "no-store");
    }
}

// proves: A5, S2, K5
TEST(ApiSurroundings, MetricsCountOutcomesAndNameNobody) {
    ApiServer server(test::sqlite_store_kind());
    ApiClient client(server, server.token("account-name"));
    const auto first = client.post("/v1/contacts", "secret-key", R"({"name":"X"})");
    client.post("/v1/contacts", "secret-key", R"({"name":"X"})");
    client.post("/v1/contacts", "secret-key", R"({"name":"Y"})");
    client.get(field(first, "location"));
    client.get("/v1/idempotency/secret-key?method=POST&route=/v1/contacts");
    client.send("BREW", "/v1/contacts");
    ApiClient(server, "").send("GET", "/v1/contacts", {{"Content-Length", "1, 2"}});
    const auto metrics = ApiClient(server, "").get("/metrics");
    EXPECT_EQ(field(metrics, "content-type"), "text/plain; version=0.0.4; charset=utf-8");
    for (const char* line :
         {"einmal_outcomes_total{outcome=\"executed\"} 1", "einmal_outcomes_total{outcome=\"replayed\"} 1",
          "einmal_outcomes_total{outcome=\"payload_mismatch\"} 1", "einmal_outcomes_total{outcome=\"in_progress\"} 0",
          R"(einmal_http_requests_total{method="POST",route="/v1/contacts",status="2xx"} 2)",
          R"(einmal_http_requests_total{method="POST",route="/v1/contacts",status="4xx"} 1)",
          R"(einmal_http_requests_total{method="GET",route="/v1/contacts/{id}",status="2xx"} 1)",
          R"(einmal_http_requests_total{method="other",route="/v1/contacts",status="4xx"} 1)",
          R"(einmal_http_refusals_total{code="REQUEST_MALFORMED"} 1)",
          R"(einmal_http_request_duration_seconds_count{method="POST",route="/v1/contacts"} 3)",
          "einmal_operations_running 0", "einmal_store_queue_operations 0"})
        EXPECT_THAT(metrics.body, HasSubstr(std::string(line) + "\n"));
    for (const auto& secret :
         {std::string("secret-key"), std::string("account-name"), std::string("con_"), std::string("BREW")})
        EXPECT_THAT(metrics.body, Not(HasSubstr(secret)));
}

// proves: T5
TEST(ApiSurroundings, TheDescriptionIsServed) {
    ApiServer server(test::memory_store_kind());
    const auto description = ApiClient(server, "").get("/v1/openapi.json");
    EXPECT_EQ(description.status, 200);
    EXPECT_EQ(text_member(description, "openapi"), "3.1.0");
}

// proves: S3
TEST(ApiSurroundings, RefusalsOfTheConnectionAreProblemsToo) {
    ApiServer::Options options;
    options.http.body_max = 100;
    ApiServer server(test::memory_store_kind(), options);
    ApiClient client(server, server.token("first"));
    const auto large = client.post("/v1/contacts", "k", std::string(200, ' '));
    expect_problem(large, 413, "BODY_TOO_LARGE");
    EXPECT_EQ(text_member(large, "instance"), "/v1/contacts");
    expect_problem(client.get("/v1/contacts", {{"X", std::string(20'000, 'x')}}), 431, "HEADER_TOO_LARGE");
    expect_problem(client.get("/v1/contacts", {{"Expect", "200-ok"}}), 417, "EXPECTATION_FAILED");
}

}  // namespace
}  // namespace einmal::wire
