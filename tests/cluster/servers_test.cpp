// Two servers behind nginx on one PostgreSQL: whichever gets a request, one key has one effect, one revision one
// successor, and no change is lost.
#include "cluster/servers.hpp"
#include "support/pg_cluster.hpp"

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <string>

namespace einmal::test {
namespace {

class TwoServers : public testing::Test {
 protected:
    /// Runs `ask(n)` for many callers at once; how many answers had which status. 2xx from a record count apart, as 0;
    /// what broke, as −1.
    std::map<int, int> count_answers(std::size_t callers,
                                     const std::function<std::optional<HttpAnswer>(std::size_t)>& ask) {
        std::mutex mutex;
        std::map<int, int> counts;
        at_once(callers, [&](std::size_t number) {
            const auto answer = ask(number);
            const bool replayed = answer && answer->header("idempotent-replayed") == "true";
            const std::lock_guard lock(mutex);
            ++counts[!answer ? -1 : replayed ? 0 : answer->status];
            if (answer && answer->status >= 500) last_failure_ = answer->body;
        });
        return counts;
    }

    std::int64_t count(const std::string& table) {
        return std::stoll(PgProbe(database_.address()).run("SELECT count(*) FROM " + table).at(0).at(0));
    }

    PgDatabase database_{PgDatabase::Content::store};
    Servers servers_{database_.address(), {.count = 2, .flags = {}}};
    LoadBalancer balancer_{servers_.ports()};
    Caller caller_{balancer_.port(), servers_.token()};
    std::string last_failure_;
};

// proves: B03, K5, K9
TEST_F(TwoServers, FiftyClientsWithOneKeyHaveOneEffect) {
    constexpr int rounds = 100;
    int replayed = 0;
    int refused = 0;
    for (int round = 0; round < rounds; ++round) {
        const auto key = "k" + std::to_string(round);
        auto counts = count_answers(50, [&](std::size_t) { return caller_.ask(post_contact(key, key)); });
        ASSERT_EQ(counts[201], 1) << "round " << round << " " << last_failure_;
        ASSERT_EQ(counts[0] + counts[409], 49) << "round " << round << " " << last_failure_;
        replayed += counts[0];
        refused += counts[409];
        const auto later = caller_.ask(post_contact(key, key));
        ASSERT_TRUE(later && later->status == 201 && later->header("idempotent-replayed") == "true");
    }
    RecordProperty("replayed", replayed);
    RecordProperty("refused_as_running", refused);
    EXPECT_EQ(count("resources"), rounds);
    EXPECT_EQ(count("events"), rounds);
    EXPECT_EQ(count("records"), rounds);
    servers_.expect_clean_end();
}

// proves: B19, R4
TEST_F(TwoServers, OfManyWritersOnOneRevisionOneWins) {
    for (int round = 0; round < 200; ++round) {
        const auto made = caller_.ask(post_contact("k" + std::to_string(round), "Ada"));
        ASSERT_TRUE(made && made->status == 201) << round;
        const auto path = made->header("location");
        for (const char* notes : {"1", "2"}) {
            const auto changed = caller_.patch(path, R"({"notes":")" + std::string(notes) + R"("})");
            ASSERT_TRUE(changed && changed->status == 200);
        }
        const auto counts = count_answers(32, [&](std::size_t number) {
            return caller_.patch(path, R"({"name":"writer )" + std::to_string(number) + R"("})",
                                 {{"If-Match", "\"r3\""}});
        });
        ASSERT_EQ(counts, (std::map<int, int>{{200, 1}, {412, 31}})) << "round " << round << " " << last_failure_;
        ASSERT_EQ(caller_.get(path)->header("etag"), "\"r4\"");
    }
    servers_.expect_clean_end();
}

// proves: R6
TEST_F(TwoServers, PatchesWithoutPreconditionAllSucceed) {
    const auto made = caller_.post("/v1/contacts", "k", R"({"name":"Ada","custom":{}})");
    ASSERT_TRUE(made && made->status == 201);
    const auto path = made->header("location");
    const auto counts = count_answers(40, [&](std::size_t number) {
        return caller_.patch(path, R"({"custom":{"m)" + std::to_string(number) + R"(":true}})");
    });
    EXPECT_EQ(counts, (std::map<int, int>{{200, 40}})) << last_failure_;
    const auto now = caller_.get(path);
    EXPECT_EQ(now->header("etag"), "\"r41\"");
    for (int number = 0; number < 40; ++number)
        EXPECT_NE(now->body.find("\"m" + std::to_string(number) + "\":true"), std::string::npos) << number;
    servers_.expect_clean_end();
}

// proves: B45, T4
TEST_F(TwoServers, OneUniqueValueUnderManyKeysIsOneSuccessAndNoReplay) {
    for (int round = 0; round < 20; ++round) {
        const auto body = R"({"name":"ACME","vat_id":"DE)" + std::to_string(round) + R"("})";
        const auto key = [&](std::size_t number) { return std::to_string(round) + "-" + std::to_string(number); };
        auto counts =
            count_answers(50, [&](std::size_t number) { return caller_.post("/v1/companies", key(number), body); });
        ASSERT_EQ(counts, (std::map<int, int>{{201, 1}, {409, 49}})) << "round " << round << " " << last_failure_;
        // The refused keys are free: none is left in progress, none remembers anything.
        const auto again = caller_.post("/v1/companies", key(0), R"({"name":"Another"})");
        ASSERT_TRUE(again);
        ASSERT_TRUE(again->status == 201 || again->status == 422) << again->body;
        const auto conflict = caller_.post("/v1/companies", key(50), body);
        ASSERT_TRUE(conflict && conflict->status == 409);
        ASSERT_NE(conflict->body.find("\"CONFLICT\""), std::string::npos) << conflict->body;
    }
    servers_.expect_clean_end();
}

}  // namespace
}  // namespace einmal::test
