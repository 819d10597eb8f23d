// The key and its four outcomes, through the whole server.
#include "wire/api_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace einmal::wire {
namespace {

using namespace std::chrono_literals;

class ApiKey : public ApiTest {
 protected:
    ApiServer server{GetParam()};
    ApiClient client{server, server.token("first")};
};
INSTANTIATE_TEST_SUITE_P(Stores, ApiKey, testing::ValuesIn(test::all_store_kinds()), kind_name);

std::size_t count_of(ApiClient& client, const std::string& type) {
    const auto page = test::parsed(client.get("/v1/" + type + "?limit=200").body);
    return page.if_object()->find("data")->if_array()->size();
}

// proves: K5, K6, B01
TEST_P(ApiKey, RepetitionOfARichCreateIsAReplayWithoutEffect) {
    const auto body =
        R"({"name":"Erika","email":"e@example.org","tags":["a","b"],"address":{"city":"Ulm"},"custom":{"n":[1,{"m":null}]}})";
    const auto first = client.post("/v1/contacts", "k1", body);
    ASSERT_EQ(first.status, 201) << first.body;
    EXPECT_EQ(field(first, "idempotent-replayed"), "absent");
    EXPECT_EQ(field(first, "etag"), "\"r1\"");
    for (int i = 0; i < 3; ++i) {
        const auto again = client.post("/v1/contacts", "k1", body);
        expect_replay(again, first);
        EXPECT_EQ(again.body, first.body);
        EXPECT_EQ(field(again, "etag"), "\"r1\"");
    }
    EXPECT_EQ(count_of(client, "contacts"), 1U);
    EXPECT_EQ(server.events().size(), 1U);
}

// proves: K1, B02, B06
TEST_P(ApiKey, EveryCreateAndDeleteNeedsAKeyAndTakesEffectOnce) {
    for (const auto& type : built_in_types()) {
        SCOPED_TRACE(type);
        const auto path = "/v1/" + type;
        expect_problem(client.post(path, "", valid_body(type)), 400, "IDEMPOTENCY_KEY_REQUIRED");
        for (const char* blank : {"", " ", "\t"})
            expect_problem(client.post(path, "", valid_body(type), {{"Idempotency-Key", blank}}), 400,
                           "IDEMPOTENCY_KEY_REQUIRED");
        EXPECT_EQ(count_of(client, type), 0U);
        const auto first = client.post(path, "k", valid_body(type));
        ASSERT_EQ(first.status, 201) << first.body;
        expect_replay(client.post(path, "k", valid_body(type)), first);
        EXPECT_EQ(count_of(client, type), 1U);
        const auto resource = field(first, "location");
        expect_problem(client.remove(resource, ""), 400, "IDEMPOTENCY_KEY_REQUIRED");
        const auto removed = client.remove(resource, "d");
        EXPECT_EQ(removed.status, 204);
        expect_replay(client.remove(resource, "d"), removed);
        EXPECT_EQ(count_of(client, type), 0U);
    }
    EXPECT_EQ(server.events().size(), 2 * built_in_types().size());
}

// proves: K5, K12, K13, B04
TEST_P(ApiKey, ReplayHasTheShapeOfTheFirstAnswer) {
    for (const char* type : {"contacts", "charges"}) {
        const auto path = std::string("/v1/") + type;
        const auto first = client.post(path, "k", valid_body(type));
        const auto again = client.post(path, "k", valid_body(type));
        expect_replay(again, first);
        EXPECT_EQ(again.body, first.body);
        auto fields = again.fields;
        EXPECT_EQ(fields.erase("idempotent-replayed"), 1U);
        for (const char* varying : {"date", "x-request-id"}) fields[varying] = first.fields.at(varying);
        EXPECT_EQ(fields, first.fields);
        const auto removed = client.remove(field(first, "location"), "d");
        EXPECT_EQ(removed.status, 204);
        for (const auto& answer : {removed, client.remove(field(first, "location"), "d")}) {
            EXPECT_EQ(answer.status, 204);
            EXPECT_EQ(answer.body, "");
            EXPECT_EQ(field(answer, "content-type"), "absent");
            EXPECT_EQ(field(answer, "content-length"), "absent");
            EXPECT_EQ(field(answer, "einmal-result-revision"), "\"r2\"");
        }
    }
}

// proves: K3, B07
TEST_P(ApiKey, OneKeyOnOtherRoutesAndMethodsIsAnotherOperation) {
    const auto contact = client.post("/v1/contacts", "k", R"({"name":"X"})");
    const auto company = client.post("/v1/companies", "k", R"({"name":"X"})");
    const auto removed = client.remove(field(contact, "location"), "k");
    EXPECT_EQ(contact.status, 201);
    EXPECT_EQ(company.status, 201);
    EXPECT_EQ(removed.status, 204);
    for (const auto& answer : {contact, company, removed}) EXPECT_EQ(field(answer, "idempotent-replayed"), "absent");
}

// proves: K3, S2, B09
TEST_P(ApiKey, KeysOfAnotherAccountAreInvisible) {
    ApiClient other(server, server.token("second"));
    const auto first = client.post("/v1/contacts", "k1", R"({"name":"A"})");
    const auto same_body = other.post("/v1/contacts", "k1", R"({"name":"A"})");
    const auto other_body = other.post("/v1/contacts", "k2", R"({"name":"B"})");
    ASSERT_EQ(client.post("/v1/contacts", "k2", R"({"name":"C"})").status, 201);
    for (const auto& answer : {same_body, other_body}) {
        EXPECT_EQ(answer.status, 201) << answer.body;
        EXPECT_EQ(field(answer, "idempotent-replayed"), "absent");
        EXPECT_NE(field(answer, "location"), field(first, "location"));
    }
    server.gate.hold_next(test::GateStore::Where::before_effect);
    client.begin("POST", "/v1/contacts", {{"Content-Type", "application/json"}, {"Idempotency-Key", "k3"}},
                 R"({"name":"A"})");
    ASSERT_TRUE(server.gate.wait_until_held(1, 10s));
    EXPECT_EQ(other.post("/v1/contacts", "k3", R"({"name":"A"})").status, 201);
    server.gate.release();
    EXPECT_EQ(client.finish().status, 201);
}

// proves: K5, K13, K12, B11
TEST_P(ApiKey, ReplayShowsTheResourceAsItIsNow) {
    const auto first = client.post("/v1/contacts", "k", R"({"name":"Before"})");
    const auto path = field(first, "location");
    ASSERT_EQ(client.patch(path, R"({"name":"After"})").status, 200);
    const auto changed = client.post("/v1/contacts", "k", R"({"name":"Before"})");
    expect_replay(changed, first);
    EXPECT_EQ(text_member(changed, "name"), "After");
    EXPECT_EQ(field(changed, "etag"), "\"r2\"");
    EXPECT_EQ(field(changed, "einmal-result-revision"), "\"r1\"");
    ASSERT_EQ(client.remove(path, "d").status, 204);
    const auto deleted = client.post("/v1/contacts", "k", R"({"name":"Before"})");
    expect_replay(deleted, first);
    EXPECT_EQ(deleted.body, R"({"deleted":true,"id":")" + text_member(first, "id") + R"(","revision":3})");
    EXPECT_EQ(field(deleted, "etag"), "absent");
    EXPECT_EQ(count_of(client, "contacts"), 0U);
}

// proves: K12, S1
TEST_P(ApiKey, ReplayUnderNarrowerScopesShowsOnlyTheId) {
    const auto body = R"({"name":"A","email":"a@example.org"})";
    const auto first = client.post("/v1/contacts", "k", body);
    ApiClient writer(server, server.token("first", "contacts:write"));
    const auto blind = writer.post("/v1/contacts", "k", body);
    expect_replay(blind, first);
    EXPECT_EQ(blind.body, R"({"id":")" + text_member(first, "id") + "\"}");
    ApiClient reader(server, server.token("first", "contacts:read contacts:write"));
    const auto without_email = reader.post("/v1/contacts", "k", body);
    expect_replay(without_email, first);
    EXPECT_EQ(text_member(without_email, "name"), "A");
    EXPECT_EQ(member(without_email, "email"), "absent");
    ApiClient neither(server, server.token("first", "companies:write"));
    expect_problem(neither.post("/v1/contacts", "k", body), 403, "FORBIDDEN");
}

// proves: K11, R10, B12
TEST_P(ApiKey, RepeatedDeleteKeepsItsSuccessUntilItExpires) {
    const auto path = client.created("/v1/contacts", "k", R"({"name":"X"})");
    const auto first = client.remove(path, "d");
    EXPECT_EQ(first.status, 204);
    EXPECT_EQ(field(first, "idempotency-expires"), "Fri, 02 Jan 2026 00:00:00 GMT");
    expect_replay(client.remove(path, "d"), first);
    expect_problem(client.remove(path, "d2"), 404, "NOT_FOUND");
    server.clock.advance(24h - 1ms);
    expect_replay(client.remove(path, "d"), first);
    server.clock.advance(1ms);
    expect_problem(client.remove(path, "d"), 404, "NOT_FOUND");
}

// proves: K8, K9, B13
TEST_P(ApiKey, AFailureOfTheStoreLeavesTheKeyFree) {
    server.fail_next(test::Fault::unavailable);
    const auto refused = client.post("/v1/contacts", "k", R"({"name":"X"})");
    expect_problem(refused, 503, "UNAVAILABLE");
    EXPECT_EQ(field(refused, "retry-after"), "1");
    EXPECT_EQ(member(refused, "retryable"), "true");
    const auto again = client.post("/v1/contacts", "k", R"({"name":"X"})");
    EXPECT_EQ(again.status, 201);
    EXPECT_EQ(field(again, "idempotent-replayed"), "absent");
    EXPECT_EQ(count_of(client, "contacts"), 1U);
}

// proves: K5, B14
TEST_P(ApiKey, RunningAndMismatchAreToldApart) {
    const Fields fields{{"Content-Type", "application/json"}, {"Idempotency-Key", "k"}};
    server.gate.hold_next(test::GateStore::Where::after_effect);
    client.begin("POST", "/v1/charges", fields, valid_body("charges"));
    ASSERT_TRUE(server.gate.wait_until_held(1, 10s));
    ApiClient second(server, server.token("first"));
    const auto running = second.post("/v1/charges", "k", valid_body("charges"));
    expect_problem(running, 409, "IDEMPOTENCY_IN_PROGRESS");
    EXPECT_EQ(field(running, "retry-after"), "1");
    EXPECT_EQ(member(running, "retryable"), "true");
    const auto other = second.post("/v1/charges", "k", R"({"reference":"B-1042","amount":1,"currency":"EUR"})");
    expect_problem(other, 422, "IDEMPOTENCY_PAYLOAD_MISMATCH");
    EXPECT_EQ(text_member(other, "next"), "new_key");
    EXPECT_EQ(second.post("/v1/contacts", "k", R"({"name":"X"})").status, 201);
    server.gate.release();
    const auto first = client.finish();
    EXPECT_EQ(first.status, 201);
    expect_replay(second.post("/v1/charges", "k", valid_body("charges")), first);
}

// proves: K5
TEST_P(ApiKey, WhoPrefersToWaitGetsTheReplay) {
    server.gate.hold_next(test::GateStore::Where::before_effect);
    client.begin("POST", "/v1/contacts", {{"Content-Type", "application/json"}, {"Idempotency-Key", "k"}},
                 R"({"name":"X"})");
    ASSERT_TRUE(server.gate.wait_until_held(1, 10s));
    ApiClient second(server, server.token("first"));
    const Fields waiting{
        {"Content-Type", "application/json"}, {"Idempotency-Key", "\"k\""}, {"Prefer", "respond-async, wait=20"}};
    second.begin("POST", "/v1/contacts", waiting, R"({ "name" : "X" })");
    std::this_thread::sleep_for(50ms);
    server.gate.release();
    const auto first = client.finish();
    const auto waited = second.finish();
    expect_replay(waited, first);
    EXPECT_EQ(field(waited, "preference-applied"), "wait=20");
    server.gate.hold_next(test::GateStore::Where::before_effect);
    client.begin("POST", "/v1/contacts", {{"Content-Type", "application/json"}, {"Idempotency-Key", "k2"}},
                 R"({"name":"X"})");
    ASSERT_TRUE(server.gate.wait_until_held(1, 10s));
    const auto in_vain = second.post("/v1/contacts", "k2", R"({"name":"X"})", {{"Prefer", "wait=1"}});
    expect_problem(in_vain, 409, "IDEMPOTENCY_IN_PROGRESS");
    EXPECT_EQ(field(in_vain, "preference-applied"), "wait=1");
    server.gate.release();
    EXPECT_EQ(client.finish().status, 201);
}

// proves: K8, T4, B15
TEST_P(ApiKey, ARefusedRequestLeavesItsKeyForTheCorrectedOne) {
    expect_problem(client.post("/v1/contacts", "k", R"({"name":""})"), 422, "VALIDATION_FAILED");
    const auto corrected = client.post("/v1/contacts", "k", R"({"name":"X"})");
    EXPECT_EQ(corrected.status, 201);
    EXPECT_EQ(field(corrected, "idempotent-replayed"), "absent");
    const auto charge = [](const std::string& contact) {
        return R"({"reference":"B-1","amount":1,"currency":"EUR","contact_id":")" + contact + "\"}";
    };
    const auto missing = client.post("/v1/charges", "k", charge("con_0000000000000000000000"));
    expect_problem(missing, 422, "VALIDATION_FAILED");
    EXPECT_NE(missing.body.find("/contact_id"), std::string::npos);
    EXPECT_EQ(client.post("/v1/charges", "k", charge(text_member(corrected, "id"))).status, 201);
}

// proves: K2, B18
TEST_P(ApiKey, KeysAreTakenWholeOrNotAtAll) {
    const auto body = R"({"name":"X"})";
    for (const std::size_t size : {1U, 255U})
        EXPECT_EQ(client.post("/v1/contacts", std::string(size, 'k'), body).status, 201) << size;
    for (const std::size_t size : {256U, 1024U, 3000U, 7000U})
        expect_problem(client.post("/v1/contacts", std::string(size, 'k'), body), 400, "IDEMPOTENCY_KEY_INVALID");
    for (const std::string key : {"a\"b", "\"a", "a b", "a,b", "a\\b", "caf\xe9", "\xf0\x9f\x98\x80", "\"a\"b", "\"\""})
        expect_problem(client.post("/v1/contacts", key, body), 400, "IDEMPOTENCY_KEY_INVALID");
    const auto first = client.post("/v1/contacts", "../pay-B-1042", body);
    EXPECT_EQ(first.status, 201);
    expect_replay(client.post("/v1/contacts", "\"../pay-B-1042\";v=1", body), first);
    EXPECT_EQ(field(client.post("/v1/contacts", "../PAY-B-1042", body), "idempotent-replayed"), "absent");
}

// proves: K2
TEST_P(ApiKey, TwoFieldLinesAreNoKey) {
    const Fields two{{"Idempotency-Key", "k"}, {"Idempotency-Key", "k"}};
    expect_problem(client.post("/v1/contacts", "", R"({"name":"X"})", two), 400, "IDEMPOTENCY_KEY_INVALID");
    const auto path = client.created("/v1/contacts", "k", R"({"name":"X"})");
    expect_problem(client.patch(path, R"({"name":"Y"})", two), 400, "IDEMPOTENCY_KEY_INVALID");
    EXPECT_EQ(client.get(path, two).status, 200);
}

// proves: K1, K8, R7
TEST_P(ApiKey, PatchWithAKeyIsRememberedEvenWhenItChangesNothing) {
    const auto path = client.created("/v1/contacts", "k", R"({"name":"X"})");
    const auto first = client.patch(path, R"({"name":"X"})", {{"Idempotency-Key", "p"}});
    EXPECT_EQ(first.status, 200);
    EXPECT_EQ(field(first, "etag"), "\"r1\"");
    EXPECT_EQ(field(first, "idempotency-expires"), "Fri, 02 Jan 2026 00:00:00 GMT");
    expect_replay(client.patch(path, R"({"name":"X"})", {{"Idempotency-Key", "p"}}), first);
    EXPECT_EQ(field(client.patch(path, R"({"name":"X"})"), "idempotency-expires"), "absent");
    EXPECT_EQ(server.events().size(), 1U);
}

// proves: K4
TEST_P(ApiKey, PreconditionsAndTracingAreNotPartOfTheFingerprint) {
    const auto path = client.created("/v1/contacts", "k", R"({"name":"X"})");
    const auto first = client.patch(path, R"({"name":"Y"})", {{"Idempotency-Key", "p"}, {"If-Match", "\"r1\""}});
    const Fields changed{{"Idempotency-Key", "p"},
                         {"traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"},
                         {"Accept-Language", "de"}};
    expect_replay(client.patch(path, R"({"name":"Y"})", changed), first);
    expect_problem(client.patch(path, R"({"name":"Z"})", changed), 422, "IDEMPOTENCY_PAYLOAD_MISMATCH");
}

// proves: K4
TEST_P(ApiKey, DeleteOfTwoResourcesUnderOneKeyIsAMismatch) {
    const auto one = client.created("/v1/contacts", "k1", R"({"name":"X"})");
    const auto other = client.created("/v1/contacts", "k2", R"({"name":"X"})");
    EXPECT_EQ(client.remove(one, "d").status, 204);
    expect_problem(client.remove(other, "d"), 422, "IDEMPOTENCY_PAYLOAD_MISMATCH");
    EXPECT_EQ(client.get(other).status, 200);
}

}  // namespace
}  // namespace einmal::wire
