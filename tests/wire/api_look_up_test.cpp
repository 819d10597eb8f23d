// What became of a key, asked by key.
#include "wire/api_server.hpp"

#include <gtest/gtest.h>

namespace einmal::wire {
namespace {

using namespace std::chrono_literals;

class ApiLookUp : public ApiTest {
 protected:
    ApiServer server{GetParam()};
    ApiClient client{server, server.token("first")};
};
INSTANTIATE_TEST_SUITE_P(Stores, ApiLookUp, testing::ValuesIn(test::all_store_kinds()), kind_name);

constexpr const char* place = "?method=POST&route=/v1/charges";

// proves: K14
TEST_P(ApiLookUp, TellsWhatAKeyProduced) {
    const auto asked = std::string("/v1/idempotency/pay-B-1042") + place;
    expect_problem(client.get(asked), 404, "IDEMPOTENCY_KEY_UNKNOWN");
    const auto charge = client.post("/v1/charges", "pay-B-1042", valid_body("charges"));
    expect_replay(client.post("/v1/charges", "pay-B-1042", valid_body("charges")), charge);
    const auto found = client.get(asked);
    EXPECT_EQ(found.status, 200);
    EXPECT_EQ(found.body,
              R"({"key":"pay-B-1042","method":"POST","route":"/v1/charges","state":"completed","status":201,)"
              R"("resources":[{"type":"charges","id":")" +
                  text_member(charge, "id") +
                  R"(","revision":1}],"replays":1,"created_at":"2026-01-01T00:00:00.000Z",)"
                  R"("completed_at":"2026-01-01T00:00:00.000Z","expires_at":"2026-01-02T00:00:00.000Z"})");
    EXPECT_EQ(client.get(asked).body, found.body);
    server.clock.advance(24h);
    expect_problem(client.get(asked), 404, "IDEMPOTENCY_KEY_UNKNOWN");
}

// proves: K14
TEST_P(ApiLookUp, TellsThatAnOperationIsRunning) {
    server.gate.hold_next(test::GateStore::Where::before_effect);
    client.begin("POST", "/v1/charges", {{"Content-Type", "application/json"}, {"Idempotency-Key", "k"}},
                 valid_body("charges"));
    ASSERT_TRUE(server.gate.wait_until_held(1, 10s));
    ApiClient second(server, server.token("first"));
    const auto running = second.get(std::string("/v1/idempotency/k") + place);
    EXPECT_EQ(running.body, R"({"key":"k","method":"POST","route":"/v1/charges","state":"in_progress","resources":[],)"
                            R"("replays":0})");
    server.gate.release();
    EXPECT_EQ(client.finish().status, 201);
}

// proves: K14, S2
TEST_P(ApiLookUp, AnswersOnlyTheSameAccountAndWhoMayUseTheRoute) {
    ASSERT_EQ(client.post("/v1/charges", "k", valid_body("charges")).status, 201);
    const auto asked = std::string("/v1/idempotency/k") + place;
    ApiClient stranger(server, server.token("second"));
    expect_problem(stranger.get(asked), 404, "IDEMPOTENCY_KEY_UNKNOWN");
    ApiClient writer(server, server.token("first", "charges:write"));
    EXPECT_EQ(writer.get(asked).status, 200);
    ApiClient reader(server, server.token("first", "charges:read"));
    EXPECT_EQ(reader.get(asked).status, 200);
    ApiClient neither(server, server.token("first", "contacts:read contacts:write"));
    expect_problem(neither.get(asked), 403, "FORBIDDEN");
}

// proves: K14, K2
TEST_P(ApiLookUp, ReadsKeysOutOfPathsAndRoutesOfEverySpelling) {
    const auto path = client.created("/v1/contacts", "\"a b/\\\"c,\"", R"({"name":"X"})");
    EXPECT_EQ(client.get("/v1/idempotency/a%20b%2F%22c%2C?method=POST&route=%2Fv1%2Fcontacts").status, 200);
    expect_problem(client.get("/v1/idempotency/a%20b%2F%22c?method=POST&route=/v1/contacts"), 404,
                   "IDEMPOTENCY_KEY_UNKNOWN");
    ASSERT_EQ(client.patch(path, R"({"name":"Y"})", {{"Idempotency-Key", "p"}}).status, 200);
    for (const auto& route : {std::string("/v1/contacts/{id}"), std::string("/v1/contacts/%7Bid%7D"), path}) {
        const auto found = client.get("/v1/idempotency/p?route=" + route + "&method=PATCH");
        EXPECT_EQ(found.status, 200) << route;
        EXPECT_EQ(text_member(found, "route"), "/v1/contacts/{id}");
    }
}

// proves: K14
TEST_P(ApiLookUp, RefusesWhatItCannotMean) {
    for (const char* query :
         {"", "?method=POST", "?route=/v1/charges", "?method=GET&route=/v1/charges", "?method=POST&route=/v1/nothing",
          "?method=POST&route=/v1/charges/{id}", "?method=PUT&route=/v1/charges", "?method=POST&route=v1/charges",
          "?method=POST&method=POST&route=/v1/charges"})
        expect_problem(client.get(std::string("/v1/idempotency/k") + query), 400, "PARAMETER_INVALID");
    expect_problem(client.get("/v1/idempotency/k?method=POST&route=/v1/charges&x=1"), 400, "UNKNOWN_PARAMETER");
    for (const auto& key : {std::string("%C3%A9"), std::string("%0A"), std::string(256, 'k'), std::string()})
        expect_problem(client.get("/v1/idempotency/" + key + place), 400, "IDEMPOTENCY_KEY_INVALID");
}

}  // namespace
}  // namespace einmal::wire
