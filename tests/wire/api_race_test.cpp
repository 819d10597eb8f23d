// Many clients at once on real connections: each key has one effect, each revision one successor, and no change is
// lost.
#include "wire/api_server.hpp"

#include <gtest/gtest.h>

#include <map>

namespace einmal::wire {
namespace {

class ApiRace : public ApiTest {};

std::vector<ApiClient> clients(const ApiServer& server, const std::string& token, std::size_t count) {
    std::vector<ApiClient> made;
    for (std::size_t i = 0; i < count; ++i) made.emplace_back(server, token);
    return made;
}

/// How many answers had which status; 201s from a record count apart, as 0.
std::map<int, int> finish_all(std::vector<ApiClient>& callers) {
    std::map<int, int> counts;
    for (auto& caller : callers) {
        const auto answer = caller.finish();
        const bool replayed = field(answer, "idempotent-replayed") == "true";
        ++counts[replayed ? 0 : answer.status];
        if (answer.status == 409) {
            EXPECT_EQ(text_member(answer, "code"), "IDEMPOTENCY_IN_PROGRESS");
        }
    }
    return counts;
}

// proves: K5, B03
TEST_P(ApiRace, FiftyClientsWithOneKeyHaveOneEffect) {
    ApiServer server(GetParam());
    const auto token = server.token("acme");
    auto callers = clients(server, token, 50);
    constexpr int rounds = 100;
    for (int round = 0; round < rounds; ++round) {
        const auto key = "k" + std::to_string(round);
        for (auto& caller : callers)
            caller.begin("POST", "/v1/contacts", {{"Idempotency-Key", key}, {"Content-Type", "application/json"}},
                         R"({"name":"Ada"})");
        const auto counts = finish_all(callers);
        ASSERT_EQ(counts.at(201), 1) << "round " << round;
        const auto of = [&](int status) { return counts.contains(status) ? counts.at(status) : 0; };
        ASSERT_EQ(of(0) + of(409), 49) << "round " << round;
    }
    EXPECT_EQ(server.events().size(), static_cast<std::size_t>(rounds));
}

// proves: R4, B19
TEST_P(ApiRace, OfManyWritersOnOneRevisionOneWins) {
    ApiServer server(GetParam());
    const auto token = server.token("acme");
    ApiClient owner(server, token);
    auto callers = clients(server, token, 32);
    for (int round = 0; round < 200; ++round) {
        const auto path = owner.created("/v1/contacts", "k" + std::to_string(round), R"({"name":"Ada"})");
        for (const auto* notes : {"1", "2"}) owner.patch(path, R"({"notes":")" + std::string(notes) + R"("})");
        int number = 0;
        for (auto& caller : callers)
            caller.begin("PATCH", path, {{"If-Match", "\"r3\""}, {"Content-Type", "application/merge-patch+json"}},
                         R"({"name":"writer )" + std::to_string(++number) + R"("})");
        const auto counts = finish_all(callers);
        ASSERT_EQ(counts, (std::map<int, int>{{200, 1}, {412, 31}})) << "round " << round;
        ASSERT_EQ(field(owner.get(path), "etag"), "\"r4\"");
    }
}

// proves: R6
TEST_P(ApiRace, PatchesWithoutPreconditionAllSucceed) {
    ApiServer server(GetParam());
    const auto token = server.token("acme");
    ApiClient owner(server, token);
    const auto path = owner.created("/v1/contacts", "k", R"({"name":"Ada","custom":{}})");
    auto callers = clients(server, token, 40);
    int number = 0;
    for (auto& caller : callers)
        caller.begin("PATCH", path, {{"Content-Type", "application/merge-patch+json"}},
                     R"({"custom":{"m)" + std::to_string(++number) + R"(":true}})");
    EXPECT_EQ(finish_all(callers), (std::map<int, int>{{200, 40}}));
    const auto now = owner.get(path);
    EXPECT_EQ(field(now, "etag"), "\"r41\"");
    const auto custom = json::read(member(now, "custom"));
    EXPECT_EQ(custom->if_object()->size(), 40U);
}

INSTANTIATE_TEST_SUITE_P(Stores, ApiRace, testing::ValuesIn(test::all_store_kinds()), kind_name);

}  // namespace
}  // namespace einmal::wire
