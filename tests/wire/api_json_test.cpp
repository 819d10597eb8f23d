// Bodies: JSON, merge patches, media types, and what of them counts as the same request; through the whole server.
#include "wire/api_server.hpp"

#include <gtest/gtest.h>

namespace einmal::wire {
namespace {

class ApiJson : public ApiTest {
 protected:
    ApiServer server{GetParam()};
    ApiClient client{server, server.token("first")};
};
INSTANTIATE_TEST_SUITE_P(Stores, ApiJson, testing::ValuesIn(test::all_store_kinds()), kind_name);

// proves: P2, B28
TEST_P(ApiJson, NullRemovesAtEveryDepth) {
    const auto path = client.created("/v1/contacts", "k", R"({"name":"X","address":{"city":"A","zip":"1"}})");
    EXPECT_EQ(member(client.patch(path, R"({"address":{"zip":null}})"), "address"), R"({"city":"A"})");
    const auto bare = client.created("/v1/contacts", "k2", R"({"name":"X"})");
    EXPECT_EQ(member(client.patch(bare, R"({"address":{"zip":null,"city":"B"}})"), "address"), R"({"city":"B"})");
    EXPECT_EQ(member(client.patch(bare, R"({"custom":{"x":{"y":null}}})"), "custom"), R"({"x":{}})");
    EXPECT_EQ(member(client.patch(bare, R"({"custom":null})"), "custom"), "absent");
}

// proves: P2, B29
TEST_P(ApiJson, ArraysAreReplacedWholeWithTheirNulls) {
    const auto path = client.created("/v1/contacts", "k", R"({"name":"X","tags":["a","b","c"]})");
    const auto patched = client.patch(path, R"({"custom":{"list":["a",null,"b"],"objs":[{"k":null}]}})");
    EXPECT_EQ(member(patched, "custom"), R"({"list":["a",null,"b"],"objs":[{"k":null}]})");
    EXPECT_EQ(member(client.patch(path, R"({"tags":["z"]})"), "tags"), R"(["z"])");
    EXPECT_EQ(member(client.patch(path, R"({"tags":[]})"), "tags"), "[]");
}

// proves: P5
TEST_P(ApiJson, NullMeansAbsentInCreateAndReplaceToo) {
    const auto first = client.post("/v1/contacts", "k", R"({"name":"X","email":null,"custom":{"a":null,"b":1}})");
    EXPECT_EQ(first.status, 201) << first.body;
    EXPECT_EQ(member(first, "email"), "absent");
    EXPECT_EQ(member(first, "custom"), R"({"b":1})");
    EXPECT_EQ(member(client.put(field(first, "location"), R"({"name":"X","notes":null})"), "notes"), "absent");
}

// proves: P7, B30
TEST_P(ApiJson, NumbersKeepEveryDigitOrAreRefused) {
    const auto custom = R"({"d":0.1,"e":100,"m":12345678901234567890,"n":9007199254740993})";
    const auto first = client.post("/v1/contacts", "k", std::string(R"({"name":"X","custom":)") + custom + "}");
    EXPECT_EQ(member(first, "custom"), custom);
    EXPECT_EQ(member(client.patch(field(first, "location"), R"({"name":"Y"})"), "custom"), custom);
    for (const char* number :
         {"123456789012345678901234567890", "0.12345678901234567890123", "1e400", "-9223372036854775809"}) {
        const auto refused =
            client.post("/v1/contacts", "k2", std::string(R"({"name":"X","custom":{"n":)") + number + "}}");
        expect_problem(refused, 422, "NUMBER_NOT_EXACT");
        EXPECT_EQ(member(refused, "errors").find(R"([{"code":"number_not_exact")"), 0U) << refused.body;
        EXPECT_NE(member(refused, "errors").find(R"("pointer":"/custom/n")"), std::string::npos) << refused.body;
        EXPECT_EQ(refused.body.find(number), std::string::npos) << "a problem never quotes a value";
    }
    EXPECT_EQ(client.post("/v1/contacts", "k2", R"({"name":"X"})").status, 201);
}

// proves: P1, P3, B31
TEST_P(ApiJson, OnlyMergePatchesPatch) {
    const auto path = client.created("/v1/contacts", "k", R"({"name":"X"})");
    for (const char* patch : {"null", "\"bar\"", "42", "[]", "true"})
        expect_problem(client.patch(path, patch), 422, "VALIDATION_FAILED");
    expect_problem(client.patch(path, ""), 400, "JSON_INVALID");
    expect_problem(client.patch(path, R"({"name":null})"), 422, "VALIDATION_FAILED");
    EXPECT_EQ(client.patch(path, "{}").status, 200);
    const auto send = [&](const Fields& fields) { return client.send("PATCH", path, fields, R"({"name":"X"})"); };
    for (const Fields& wrong : {Fields{{"Content-Type", "application/json"}}, Fields{},
                                Fields{{"Content-Type", "application/json-patch+json"}}}) {
        const auto refused = send(wrong);
        expect_problem(refused, 415, "UNSUPPORTED_MEDIA_TYPE");
        EXPECT_EQ(field(refused, "accept-patch"), "application/merge-patch+json");
    }
    for (const char* type :
         {"application/merge-patch+json; charset=utf-8", "Application/Merge-Patch+JSON;charset=\"UTF-8\""})
        EXPECT_EQ(send({{"Content-Type", type}}).status, 200) << type;
    EXPECT_EQ(field(client.get(path), "etag"), "\"r1\"");
}

// proves: P1
TEST_P(ApiJson, OtherTypesCharsetsAndCodingsAreRefused) {
    const auto send = [&](Fields fields) {
        fields.emplace_back("Idempotency-Key", "k");
        return client.send("POST", "/v1/contacts", fields, R"({"name":"X"})");
    };
    for (const char* type : {"text/plain", "application/merge-patch+json", "application/json; charset=iso-8859-1",
                             "application", "/json", "application/json; charset", "application/json x"})
        expect_problem(send({{"Content-Type", type}}), 415, "UNSUPPORTED_MEDIA_TYPE");
    expect_problem(send({{"Content-Type", "application/json"}, {"Content-Type", "application/json"}}), 415,
                   "UNSUPPORTED_MEDIA_TYPE");
    expect_problem(send({}), 415, "UNSUPPORTED_MEDIA_TYPE");
    const auto coded = send({{"Content-Type", "application/json"}, {"Content-Encoding", "gzip"}});
    expect_problem(coded, 415, "UNSUPPORTED_MEDIA_TYPE");
    EXPECT_EQ(field(coded, "accept-encoding"), "identity");
    EXPECT_EQ(send({{"Content-Type", "application/json"}, {"Content-Encoding", "identity"}}).status, 201);
}

// proves: P4, B34
TEST_P(ApiJson, ServerOwnedMembersCannotBeChanged) {
    const auto first = client.post("/v1/contacts", "k", R"({"name":"X"})");
    const auto path = field(first, "location");
    for (const char* patch : {R"({"revision":99})", R"({"revision":null})", R"({"id":"con_other"})",
                              R"({"created_at":"1970-01-01T00:00:00Z"})", R"({"updated_at":null})"}) {
        const auto refused = client.patch(path, patch);
        expect_problem(refused, 422, "READ_ONLY_MEMBER");
        EXPECT_NE(member(refused, "errors").find("\"pointer\":\"/"), std::string::npos) << refused.body;
    }
    auto whole = test::parsed(first.body);
    whole.if_object()->set("name", "Y");
    const auto changed = client.patch(path, json::to_text(whole));
    EXPECT_EQ(changed.status, 200) << changed.body;
    EXPECT_EQ(field(changed, "etag"), "\"r2\"");
    const auto charge = client.created("/v1/charges", "c", valid_body("charges"));
    expect_problem(client.patch(charge, R"({"status":"succeeded"})"), 422, "READ_ONLY_MEMBER");
    EXPECT_EQ(client.patch(charge, R"({"status":"pending"})").status, 200);
}

// proves: K4, B35
TEST_P(ApiJson, EqualValuesAreOneRequest) {
    const auto first = client.post(
        "/v1/contacts", "k", R"({"name":"A","custom":{"a":1,"b":{"c":2,"d":[1,2]},"\ud83d\ude00":1,"\uffee":2}})");
    ASSERT_EQ(first.status, 201) << first.body;
    for (
        const char* same :
        {R"({"custom":{"b":{"d":[1,2],"c":2},"a":1,"\uffee":2,"\ud83d\ude00":1},"name":"A"})",
         R"( { "name" : "\u0041" , "custom" : { "a" : 1.0 , "b" : { "c" : 2e0 , "d" : [ 1 , 2 ] } , "😀" : 1 , "￮" : 2 } } )"})
        expect_replay(client.post("/v1/contacts", "k", same), first);
    const auto reordered = R"({"name":"A","custom":{"a":1,"b":{"c":2,"d":[2,1]},"\ud83d\ude00":1,"\uffee":2}})";
    expect_problem(client.post("/v1/contacts", "k", reordered), 422, "IDEMPOTENCY_PAYLOAD_MISMATCH");
}

// proves: P6, B37
TEST_P(ApiJson, BrokenTextIsRefusedAndNeverRepaired) {
    for (const std::string name : {"\\ud800", "\\udead", "\\ude00\\ud83d", "\xed\xa0\x80", "\xff", "\xc0\xaf"})
        expect_problem(client.post("/v1/contacts", "k", R"({"name":")" + name + "\"}"), 400, "JSON_INVALID");
    expect_problem(client.post("/v1/contacts", "k", "\xef\xbb\xbf{\"name\":\"X\"}"), 400, "JSON_INVALID");
    EXPECT_EQ(client.get("/v1/contacts").body, R"({"data":[],"next_cursor":null})");
    const auto escaped = client.post("/v1/contacts", "k", R"({"name":"\ud83d\ude00"})");
    EXPECT_EQ(escaped.status, 201);
    expect_replay(client.post("/v1/contacts", "k", "{\"name\":\"\xf0\x9f\x98\x80\"}"), escaped);
}

// proves: P6, B38
TEST_P(ApiJson, DuplicateNamesAreRefusedWhereverTheyStand) {
    for (const char* body : {R"({"reference":"B","currency":"EUR","amount":1,"amount":4990})",
                             R"({"reference":"B","currency":"EUR","amount":1,"\u0061mount":4990})",
                             R"({"reference":"B","currency":"EUR","amount":1,"custom":{"a":1,"a":1}})"})
        expect_problem(client.post("/v1/charges", "k", body), 400, "JSON_INVALID");
    EXPECT_EQ(client.post("/v1/charges", "k", valid_body("charges")).status, 201);
    const auto path = client.created("/v1/contacts", "k", R"({"name":"X"})");
    expect_problem(client.patch(path, R"({"email":"a@x.de","email":null})"), 400, "JSON_INVALID");
}

// proves: P6
TEST_P(ApiJson, SyntaxErrorsNameTheirPlace) {
    const auto refused = client.post("/v1/contacts", "k", "{\n  \"name\": tru\n}");
    expect_problem(refused, 400, "JSON_INVALID");
    EXPECT_EQ(member(refused, "line"), "2");
    EXPECT_NE(member(refused, "column"), "absent");
    for (const char* body : {"", " ", "{\"name\":\"X\"} x", "{\"name\":\"X\"}{}", "{'name':'X'}"})
        expect_problem(client.post("/v1/contacts", "k", body), 400, "JSON_INVALID");
    for (const char* body : {"[]", "null", "\"x\""})
        expect_problem(client.post("/v1/contacts", "k", body), 422, "VALIDATION_FAILED");
}

// proves: P6
TEST_P(ApiJson, TheNulCharacterIsAValidationError) {
    const auto refused = client.post("/v1/contacts", "k", R"({"name":"X","notes":"a\u0000b"})");
    expect_problem(refused, 422, "VALIDATION_FAILED");
    EXPECT_NE(member(refused, "errors").find(R"("pointer":"/notes")"), std::string::npos) << refused.body;
}

// proves: P8
TEST_P(ApiJson, HostileNestingIsAnError) {
    for (const std::size_t depth : {65U, 1000U, 400'000U}) {
        const auto body = R"({"name":"X","custom":{"a":)" + std::string(depth, '[') + std::string(depth, ']') + "}}";
        expect_problem(client.post("/v1/contacts", "k", body), 400, "JSON_INVALID");
    }
    EXPECT_EQ(client.get("/livez").status, 200);
}

// proves: K4, B40
TEST_P(ApiJson, UnknownParametersOfWritesAreRefusedEveryTime) {
    for (int i = 0; i < 2; ++i) {
        for (const char* query : {"?dry_run=1", "?expand=a", "?a=1&b=2", "?%7E=1", "?=1"})
            expect_problem(client.post(std::string("/v1/charges") + query, "k", valid_body("charges")), 400,
                           "UNKNOWN_PARAMETER");
    }
    const auto first = client.post("/v1/charges?", "k", valid_body("charges"));
    EXPECT_EQ(first.status, 201);
    expect_replay(client.post("/v1/charges", "k", valid_body("charges")), first);
    expect_replay(client.post("/v1/%63harges", "k", valid_body("charges")), first);
    expect_problem(client.get(field(first, "location") + "?x=1"), 400, "UNKNOWN_PARAMETER");
}

// proves: K4
TEST_P(ApiJson, TheBodyOfADeleteIsPartOfWhatWasAsked) {
    const auto path = client.created("/v1/contacts", "k", R"({"name":"X"})");
    const auto send = [&](const char* type, const char* body) {
        return client.send("DELETE", path, {{"Content-Type", type}, {"Idempotency-Key", "d"}}, body);
    };
    const auto first = send("application/json", R"({"a":1,"b":2})");
    EXPECT_EQ(first.status, 204);
    expect_replay(send("application/json; charset=utf-8", R"({"b":2.0, "a":1})"), first);
    expect_problem(send("application/json", R"({"a":2,"b":2})"), 422, "IDEMPOTENCY_PAYLOAD_MISMATCH");
    expect_problem(send("text/plain", R"({"a":1,"b":2})"), 422, "IDEMPOTENCY_PAYLOAD_MISMATCH");
    expect_problem(send("application/json", "{"), 400, "JSON_INVALID");
}

}  // namespace
}  // namespace einmal::wire
