// A server whose connection to PostgreSQL is cut, stalled, delayed and sliced around the commit, while it writes: every
// key has one effect in the end, what was acknowledged stands, and the server is well afterwards.
#include "cluster/servers.hpp"
#include "support/pg_cluster.hpp"
#include "support/pg_gate.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace einmal::test {
namespace {

using std::chrono::milliseconds;

// Short, because a stalled answer is waited for so long.
constexpr const char* busy_timeout = "150ms";
constexpr int rounds = 200;

std::string through(const PgGate& gate, const std::string& address) {
    const auto host = address.find("127.0.0.1:");
    const auto end = address.find('/', host);
    return address.substr(0, host) + "127.0.0.1:" + std::to_string(gate.port()) + address.substr(end) +
           "?sslmode=disable&gssencmode=disable";
}

class Gate : public testing::Test {
 protected:
    std::int64_t number(const std::string& sql) {
        return std::stoll(PgProbe(database_.address()).run(sql).at(0).at(0));
    }

    /// Many at once, without a single failure.
    void expect_well() {
        at_once(16, [&](std::size_t thread) {
            for (int i = 0; i < 10; ++i) {
                const auto key = "well-" + std::to_string(thread) + "-" + std::to_string(i);
                const auto answer = caller_.ask(post_contact(key, key));
                ASSERT_TRUE(answer);
                ASSERT_EQ(answer->status, 201) << answer->body;
            }
        });
        EXPECT_EQ(number("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE "
                         "'idle in transaction%'"),
                  0);
    }

    PgDatabase database_{PgDatabase::Content::store};
    PgGate gate_{static_cast<std::uint16_t>(std::stoi(database_.address().substr(database_.address().rfind(':') + 1)))};
    Servers servers_{through(gate_, database_.address()), {.count = 1, .flags = {"--busy-timeout", busy_timeout}}};
    Caller caller_{servers_[0].port(), servers_.token()};
};

/// One change of each kind under a trap: create, patch and delete in turn.
class GateAtCommit : public Gate, public testing::WithParamInterface<Trap> {
 protected:
    struct Life {
        std::string path;
        int revision = 1;
    };

    HttpRequest change(int round, const Life& life) {
        const auto key = "change-" + std::to_string(round);
        if (round % 3 == 0) return post_contact(key, key);
        HttpRequest request{.method = "PATCH",
                            .target = life.path,
                            .headers = {{"Idempotency-Key", key}, {"Content-Type", "application/merge-patch+json"}},
                            .body = R"({"notes":")" + key + R"("})"};
        if (round % 3 == 2) {
            request.method = "DELETE";
            request.headers.pop_back();
            request.body.clear();
        }
        return request;
    }
};

// proves: K9, B41
TEST_P(GateAtCommit, EveryKeyHasOneEffectAndNothingAcknowledgedIsLost) {
    int refused = 0;
    Life life;
    for (int round = 0; round < rounds; ++round) {
        const auto request = change(round, life);
        gate_.set(GetParam());
        const auto first = caller_.ask(request);
        ASSERT_FALSE(gate_.take_back()) << "nobody went into the trap in round " << round;
        ASSERT_TRUE(first) << "the server broke off in round " << round;
        if (first->status == 503) {
            ++refused;
            ASSERT_NE(first->body.find("\"next\":\"retry_same_key\""), std::string::npos) << first->body;
        }
        const auto second = caller_.insist(request);
        ASSERT_TRUE(second) << "round " << round << " was never answered";
        ASSERT_EQ(second->status / 100, 2) << "round " << round << ": " << second->body;
        if (first->status / 100 == 2) {
            ASSERT_EQ(second->header("idempotent-replayed"), "true") << "round " << round << " was forgotten";
            ASSERT_EQ(first->header("location"), second->header("location"));
        } else {
            ASSERT_EQ(first->status, 503) << first->body;
        }
        ASSERT_EQ(second->header("einmal-result-revision"), "\"r" + std::to_string(round % 3 + 1) + "\"");
        if (round % 3 == 0) life.path = second->header("location");
    }
    RecordProperty("refused_first", refused);
    expect_well();
    // One resource per create, one event per change, one record per key: no more, no less.
    EXPECT_EQ(number("SELECT count(*) FROM resources WHERE body LIKE '%well%'"), 160);
    EXPECT_EQ(number("SELECT count(*) FROM resources"), (rounds + 2) / 3 + 160);
    EXPECT_EQ(number("SELECT count(*) FROM events"), rounds + 160);
    EXPECT_EQ(number("SELECT count(*) FROM records"), rounds + 160);
    servers_.expect_clean_end();
}

INSTANTIATE_TEST_SUITE_P(Traps, GateAtCommit,
                         testing::Values(Trap::cut_before_commit, Trap::cut_behind_commit, Trap::cut_answer,
                                         Trap::stall_answer, Trap::late_commit, Trap::delay_answer),
                         [](const auto& trap) { return name_of(trap.param); });

// proves: K9
TEST_F(Gate, SlicedMessagesChangeNothing) {
    gate_.slice(true);
    for (int round = 0; round < rounds; ++round) {
        const auto key = "sliced-" + std::to_string(round);
        const auto first = caller_.ask(post_contact(key, key));
        ASSERT_TRUE(first);
        ASSERT_EQ(first->status, 201) << first->body;
        const auto changed = caller_.patch(first->header("location"), R"({"notes":"x"})");
        ASSERT_TRUE(changed);
        ASSERT_EQ(changed->status, 200) << changed->body;
    }
    gate_.slice(false);
    expect_well();
    servers_.expect_clean_end();
}

// proves: K9
TEST_F(Gate, CutAtAnyInstantUnderLoadLosesNothing) {
    std::atomic<bool> over = false;
    std::thread cutter([&] {
        for (int cut = 0; cut < rounds; ++cut) {
            std::this_thread::sleep_for(milliseconds(7 + cut % 11));
            gate_.cut_all();
        }
        over = true;
    });
    std::mutex mutex;
    std::set<std::string> acknowledged;
    at_once(8, [&](std::size_t thread) {
        for (int i = 0; !over; ++i) {
            const auto key = std::to_string(thread) + "-" + std::to_string(i);
            const auto answer = caller_.insist(post_contact(key, key));
            ASSERT_TRUE(answer) << key;
            ASSERT_EQ(answer->status, 201) << answer->body;
            const std::lock_guard lock(mutex);
            acknowledged.insert(key);
        }
    });
    cutter.join();
    const auto contacts = caller_.contacts();
    EXPECT_EQ(contacts.size(), acknowledged.size());
    for (const auto& [name, ids] : contacts) EXPECT_EQ(ids.size(), 1U) << name << " was made more than once";
    RecordProperty("acknowledged", static_cast<int>(acknowledged.size()));
    expect_well();
    servers_.expect_clean_end();
}

// proves: K9, A5
TEST_F(Gate, AFrozenNetworkIsRefusedInTimeAndRecoversByItself) {
    gate_.freeze(true);
    for (int round = 0; round < 5; ++round) {
        const auto begun = std::chrono::steady_clock::now();
        const auto answer = caller_.ask(post_contact("frozen", "frozen"));
        ASSERT_TRUE(answer);
        ASSERT_EQ(answer->status, 503) << answer->body;
        ASSERT_FALSE(answer->header("retry-after").empty());
        ASSERT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(3));
    }
    EXPECT_EQ(http(servers_[0].port(), {.target = "/livez", .headers = {}, .body = {}})->status, 200);
    EXPECT_EQ(http(servers_[0].port(), {.target = "/readyz", .headers = {}, .body = {}})->status, 503);
    gate_.freeze(false);
    ASSERT_TRUE(caller_.insist(post_contact("frozen", "frozen")));
    EXPECT_EQ(caller_.contacts().at("frozen").size(), 1U);
    expect_well();
    EXPECT_EQ(http(servers_[0].port(), {.target = "/readyz", .headers = {}, .body = {}})->status, 200);
    servers_.expect_clean_end();
}

/// A machine that vanishes sends no reset: its host stays silent.
// proves: A5
TEST(SilentHost, DoesNotHideTheNextOne) {
    const PgDatabase database(PgDatabase::Content::store);
    const auto port = database.address().substr(database.address().rfind(':') + 1);
    PgGate gate(static_cast<std::uint16_t>(std::stoi(port)));
    auto store = through(gate, database.address());
    store.insert(store.find('/', store.rfind(':')), ",127.0.0.1:" + port.substr(0, port.find('/')));
    Servers servers(store, {.count = 1, .flags = {"--busy-timeout", "1s"}});
    const Caller caller(servers[0].port(), servers.token());
    ASSERT_EQ(caller.ask(post_contact("before", "before"))->status, 201);
    gate.freeze(true);
    for (int i = 0; i < 20; ++i) {
        const auto key = "after-" + std::to_string(i);
        ASSERT_TRUE(caller.insist(post_contact(key, key), std::chrono::seconds(10))) << key;
    }
    EXPECT_EQ(caller.contacts().size(), 21U);
    gate.freeze(false);
    servers.expect_clean_end();
}

}  // namespace
}  // namespace einmal::test
