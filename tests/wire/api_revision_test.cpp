// Revisions and preconditions, through the whole server.
#include "wire/api_server.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "support/temporary_directory.hpp"

namespace einmal::wire {
namespace {

class ApiRevision : public ApiTest {
 protected:
    /// A contact at revision 3.
    std::string third_revision() {
        auto path = client.created("/v1/contacts", "k", R"({"name":"1"})");
        EXPECT_EQ(client.patch(path, R"({"name":"2"})").status, 200);
        EXPECT_EQ(field(client.patch(path, R"({"name":"3"})"), "etag"), "\"r3\"");
        return path;
    }
    void expect_still_third(const std::string& path) {
        const auto now = client.get(path);
        EXPECT_EQ(now.status, 200);
        EXPECT_EQ(field(now, "etag"), "\"r3\"");
        EXPECT_EQ(text_member(now, "name"), "3");
    }

    ApiServer server{GetParam()};
    ApiClient client{server, server.token("first")};
};
INSTANTIATE_TEST_SUITE_P(Stores, ApiRevision, testing::ValuesIn(test::all_store_kinds()), kind_name);

// proves: R1, T2
TEST_P(ApiRevision, EveryAnswerOfAResourceCarriesItsRevision) {
    const auto first = client.post("/v1/contacts", "k", R"({"name":"1"})");
    const auto path = field(first, "location");
    EXPECT_EQ(path, "/v1/contacts/" + text_member(first, "id"));
    const auto patched = client.patch(path, R"({"name":"2"})");
    const auto put = client.put(path, R"({"name":"3"})");
    const auto read = client.get(path);
    int revision = 1;
    for (const auto& answer : {first, patched, put}) {
        EXPECT_EQ(field(answer, "etag"), "\"r" + std::to_string(revision) + "\"");
        EXPECT_EQ(field(answer, "einmal-result-revision"), "\"r" + std::to_string(revision) + "\"");
        EXPECT_EQ(member(answer, "revision"), std::to_string(revision++));
    }
    EXPECT_EQ(read.body, put.body);
    for (const auto& answer : {first, patched, put, read}) {
        EXPECT_EQ(field(answer, "cache-control"), "private, no-cache");
        EXPECT_EQ(field(answer, "vary"), "Authorization");
        EXPECT_EQ(field(answer, "content-type"), "application/json");
    }
    const auto head = client.send("HEAD", path);
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(field(head, "etag"), "\"r3\"");
    EXPECT_EQ(field(head, "content-length"), std::to_string(read.body.size()));
}

// proves: R2, R8, B20
TEST_P(ApiRevision, WeakTagsNeverMatchIfMatchButMatchIfNoneMatch) {
    const auto path = third_revision();
    const Fields weak{{"If-Match", "W/\"r3\""}};
    expect_problem(client.patch(path, R"({"name":"4"})", weak), 412, "PRECONDITION_FAILED");
    expect_problem(client.remove(path, "d", weak), 412, "PRECONDITION_FAILED");
    expect_problem(client.get(path, weak), 412, "PRECONDITION_FAILED");
    for (const char* known : {"W/\"r3\"", "\"r3\"", "\"r1\", W/\"r3\"", "*"}) {
        const auto unchanged = client.get(path, {{"If-None-Match", known}});
        EXPECT_EQ(unchanged.status, 304) << known;
        EXPECT_EQ(unchanged.body, "");
        EXPECT_EQ(field(unchanged, "etag"), "\"r3\"");
        EXPECT_EQ(field(unchanged, "cache-control"), "private, no-cache");
        EXPECT_EQ(field(unchanged, "vary"), "Authorization");
        EXPECT_EQ(client.send("HEAD", path, {{"If-None-Match", known}}).status, 304);
    }
    EXPECT_EQ(client.get(path, {{"If-None-Match", "\"r2\""}}).status, 200);
    EXPECT_EQ(client.get(path, {{"If-Match", "\"r3\""}}).status, 200);
    expect_still_third(path);
}

// proves: R1, R3, B21
TEST_P(ApiRevision, CompressionNeverTouchesTheTag) {
    const auto path = third_revision();
    const auto read = client.get(path, {{"Accept-Encoding", "gzip"}});
    EXPECT_EQ(field(read, "etag"), "\"r3\"");
    EXPECT_EQ(field(read, "content-encoding"), "absent");
    EXPECT_EQ(client.get(path, {{"If-None-Match", "\"r3-gzip\""}}).status, 200);
    expect_problem(client.patch(path, R"({"name":"4"})", {{"If-Match", "\"r3-gzip\""}}), 412, "PRECONDITION_FAILED");
    expect_still_third(path);
}

// proves: R2, B22
TEST_P(ApiRevision, OneOfManyTagsIsEnough) {
    for (const Fields& matching :
         {Fields{{"If-Match", "\"r1\", \"r3\""}}, Fields{{"If-Match", "\"r1\",\"r3\""}},
          Fields{{"If-Match", "\"r1\"\t,\t\"r3\""}}, Fields{{"If-Match", ",\"r1\",, \"r3\","}},
          Fields{{"If-Match", "\"r1\""}, {"If-Match", "\"r3\""}}, Fields{{"If-Match", "\"a,b\", \"*\", \"r3\""}}}) {
        ApiServer fresh(GetParam());
        ApiClient caller(fresh, fresh.token("first"));
        const auto path = caller.created("/v1/contacts", "k", R"({"name":"1"})");
        caller.patch(path, R"({"name":"2"})");
        caller.patch(path, R"({"name":"3"})");
        EXPECT_EQ(caller.patch(path, R"({"name":"4"})", matching).status, 200) << matching[0].second;
    }
    const auto path = third_revision();
    expect_problem(client.patch(path, R"({"name":"4"})", {{"If-Match", "\"r1\", \"r2\""}}), 412, "PRECONDITION_FAILED");
    expect_still_third(path);
}

// proves: R2, R9, B24
TEST_P(ApiRevision, StarMatchesWhateverThereIs) {
    const auto path = third_revision();
    EXPECT_EQ(client.patch(path, R"({"name":"4"})", {{"If-Match", "*"}}).status, 200);
    EXPECT_EQ(client.remove(path, "d", {{"If-Match", "*"}}).status, 204);
    for (const auto& gone : {path, std::string("/v1/contacts/con_0000000000000000000000")}) {
        for (const char* tag : {"*", "\"r1\""}) {
            expect_problem(client.patch(gone, R"({"name":"4"})", {{"If-Match", tag}}), 404, "NOT_FOUND");
            expect_problem(client.remove(gone, "d2", {{"If-Match", tag}}), 404, "NOT_FOUND");
            expect_problem(client.get(gone, {{"If-Match", tag}}), 404, "NOT_FOUND");
        }
    }
}

// proves: R3
TEST_P(ApiRevision, UnreadablePreconditionsAreRefused) {
    const auto path = third_revision();
    for (const char* broken : {"r3", "\"r3", "r3\"", "", " ", ",", "*, \"r3\"", "\"r3\", *", "\"r3\" \"r4\"",
                               "w/\"r3\"", "W/r3", "\"r\x01\""}) {
        for (const char* name : {"If-Match", "If-None-Match"}) {
            SCOPED_TRACE(std::string(name) + ": " + broken);
            const Fields fields{{name, broken}};
            const auto refused = client.patch(path, R"({"name":"4"})", fields);
            // A control character does not get past the connection.
            if (std::string_view(broken).find('\x01') != std::string_view::npos) {
                EXPECT_EQ(refused.status, 400);
                continue;
            }
            expect_problem(refused, 400, "PRECONDITION_INVALID");
            expect_problem(client.get(path, fields), 400, "PRECONDITION_INVALID");
            expect_problem(client.get("/v1/contacts", fields), 400, "PRECONDITION_INVALID");
        }
    }
    for (const char* other : {"\"r05\"", "\"R3\"", "\"r3 \"", "\"r03\"", "\"3\"", "\"\"", "\"r33\""})
        expect_problem(client.patch(path, R"({"name":"4"})", {{"If-Match", other}}), 412, "PRECONDITION_FAILED");
    expect_still_third(path);
}

// proves: R5, S1
TEST_P(ApiRevision, AFailedPreconditionSaysWhatChanged) {
    const auto path = client.created("/v1/contacts", "k", R"({"name":"1","notes":"a"})");
    client.patch(path, R"({"email":"a@example.org","notes":null,"tags":["x"]})");
    const auto failed = client.patch(path, R"({"name":"2"})", {{"If-Match", "\"r1\""}});
    expect_problem(failed, 412, "PRECONDITION_FAILED");
    EXPECT_EQ(field(failed, "etag"), "\"r2\"");
    EXPECT_EQ(member(failed, "current_revision"), "2");
    EXPECT_EQ(member(failed, "changed"), R"(["email","notes","tags"])");
    EXPECT_EQ(text_member(failed, "next"), "reread_and_merge");
    ApiClient narrow(server, server.token("first", "contacts:read contacts:write"));
    EXPECT_EQ(member(narrow.patch(path, "{}", {{"If-Match", "\"r1\""}}), "changed"), R"(["notes","tags"])");
    ApiClient blind(server, server.token("first", "contacts:write"));
    EXPECT_EQ(member(blind.patch(path, "{}", {{"If-Match", "\"r1\""}}), "changed"), "absent");
}

// proves: R9
TEST_P(ApiRevision, ARepeatedPatchWithItsOldTagIsAReplay) {
    const auto path = third_revision();
    const Fields fields{{"If-Match", "\"r3\""}, {"Idempotency-Key", "p"}};
    const auto first = client.patch(path, R"({"name":"4"})", fields);
    EXPECT_EQ(first.status, 200);
    expect_replay(client.patch(path, R"({"name":"4"})", fields), first);
    expect_problem(client.patch(path, R"({"name":"5"})", {{"If-Match", "\"r3\""}}), 412, "PRECONDITION_FAILED");
}

// proves: R8, T2
TEST_P(ApiRevision, PutReplacesAndNeverCreates) {
    const auto path = third_revision();
    expect_problem(client.put(path, R"({"name":"4"})", {{"If-None-Match", "*"}}), 412, "PRECONDITION_FAILED");
    expect_problem(client.put(path, R"({"name":"4"})", {{"If-None-Match", "\"r1\""}}), 400, "PRECONDITION_INVALID");
    expect_still_third(path);
    const auto put = client.put(path, R"({"name":"4","tags":["a"]})", {{"If-Match", "\"r3\""}});
    EXPECT_EQ(put.status, 200);
    EXPECT_EQ(field(put, "location"), "absent");
    const auto nowhere = "/v1/contacts/con_0000000000000000000000";
    expect_problem(client.put(nowhere, R"({"name":"4"})"), 404, "NOT_FOUND");
    expect_problem(client.put(nowhere, R"({"name":"4"})", {{"If-None-Match", "*"}}), 404, "NOT_FOUND");
}

// proves: R2
TEST_P(ApiRevision, NothingMatchesAResourceThatIsStillToBeMade) {
    for (const char* tag : {"*", "\"r1\""})
        expect_problem(client.post("/v1/contacts", "k", R"({"name":"X"})", {{"If-Match", tag}}), 412,
                       "PRECONDITION_FAILED");
    EXPECT_EQ(client.post("/v1/contacts", "k", R"({"name":"X"})", {{"If-None-Match", "*"}}).status, 201);
}

// proves: R7
TEST_P(ApiRevision, AChangeThatChangesNothingLeavesNoTrace) {
    const auto path = third_revision();
    const auto events = server.events().size();
    const auto whole = client.get(path).body;
    for (const auto& answer :
         {client.patch(path, "{}"), client.patch(path, R"({"name":"3"})"), client.put(path, whole)}) {
        EXPECT_EQ(answer.status, 200) << answer.body;
        EXPECT_EQ(answer.body, whole);
        EXPECT_EQ(field(answer, "etag"), "\"r3\"");
    }
    EXPECT_EQ(server.events().size(), events);
}

// proves: R10
TEST_P(ApiRevision, WhatWasDeletedIsGone) {
    const auto path = third_revision();
    ASSERT_EQ(client.remove(path, "d").status, 204);
    for (const auto* suffix : {"", "/revisions", "/revisions/1", "/revisions/4"})
        expect_problem(client.get(path + suffix), 404, "NOT_FOUND");
    expect_problem(client.patch(path, "{}"), 404, "NOT_FOUND");
    expect_problem(client.put(path, R"({"name":"X"})"), 404, "NOT_FOUND");
}

// proves: R11
TEST_P(ApiRevision, ATypeMayDemandPreconditions) {
    const test::TemporaryDirectory directory;
    std::ofstream(directory.file("notes.json")) << R"({"type":"object","properties":{"text":{"type":"string"}},
        "additionalProperties":false,"x-einmal":{"id_prefix":"not_","require_if_match":true}})";
    ApiServer strict(GetParam(), {.http = {}, .engine = {}, .store = {}, .types = directory.path()});
    ApiClient caller(strict, strict.token("first"));
    const auto path = caller.created("/v1/notes", "k", R"({"text":"a"})");
    const auto refused = caller.patch(path, R"({"text":"b"})");
    expect_problem(refused, 428, "PRECONDITION_REQUIRED");
    expect_problem(caller.remove(path, "d"), 428, "PRECONDITION_REQUIRED");
    expect_problem(caller.put(path, R"({"text":"b"})"), 428, "PRECONDITION_REQUIRED");
    EXPECT_EQ(caller.patch(path, R"({"text":"b"})", {{"If-Match", "\"r1\""}}).status, 200);
}

// proves: R12, S1
TEST_P(ApiRevision, EarlierStatesCanBeReadNewestFirst) {
    const auto path = client.created("/v1/contacts", "k", R"({"name":"1","email":"a@example.org"})");
    client.patch(path, R"({"name":"2"})");
    client.patch(path, R"({"name":"3"})");
    const auto page = client.get(path + "/revisions?limit=2");
    EXPECT_EQ(page.status, 200);
    const auto first = test::parsed(page.body);
    const auto& data = *first.if_object()->find("data")->if_array();
    ASSERT_EQ(data.size(), 2U);
    EXPECT_EQ(*data[0].if_object()->find("name"), json::Value("3"));
    EXPECT_EQ(*data[1].if_object()->find("revision"), json::Value(2));
    const auto rest = client.get(path + "/revisions?limit=2&cursor=" + text_member(page, "next_cursor"));
    EXPECT_EQ(member(rest, "next_cursor"), "null");
    EXPECT_EQ(test::parsed(rest.body).if_object()->find("data")->if_array()->size(), 1U);
    const auto second = client.get(path + "/revisions/2");
    EXPECT_EQ(text_member(second, "name"), "2");
    EXPECT_EQ(field(second, "etag"), "\"r2\"");
    EXPECT_EQ(client.get(path + "/revisions/2", {{"If-None-Match", "\"r2\""}}).status, 304);
    for (const char* number : {"0", "4", "02", "-1", "x", "99999999999999999999"})
        expect_problem(client.get(path + "/revisions/" + number), 404, "NOT_FOUND");
    ApiClient narrow(server, server.token("first", "contacts:read"));
    EXPECT_EQ(member(narrow.get(path + "/revisions/1"), "email"), "absent");
    EXPECT_EQ(narrow.get(path + "/revisions").body.find("example.org"), std::string::npos);
    ApiClient stranger(server, server.token("second"));
    expect_problem(stranger.get(path + "/revisions"), 404, "NOT_FOUND");
    expect_problem(stranger.get(path + "/revisions/1"), 404, "NOT_FOUND");
}

}  // namespace
}  // namespace einmal::wire
