// Races of two servers on one database (contract K5, K9, K11, R4, R6, T4).
#include "unit/store/pg_servers.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace einmal::test {
namespace {

constexpr std::string_view anna = R"({"name":"Anna"})";

std::size_t ended(const std::vector<Result<Answer>>& answers) {
    return count(answers, Outcome::executed) + count(answers, Outcome::replayed) + count(answers, Outcome::in_progress);
}

// proves: K5, K9
TEST(PgRace, OneKeyOnTwoServersHasOneEffect) {
    PgServers servers;
    constexpr int rounds = 30;
    for (int round = 0; round < rounds; ++round) {
        const Command command = servers.here.create("contacts", "k" + std::to_string(round), anna);
        std::vector<Pending<Result<Answer>>> pending;
        for (int i = 0; i < 5; ++i) {
            pending.push_back(servers.here.start(command));
            pending.push_back(servers.start_there(command));
        }
        const auto answers = get_all(pending);
        EXPECT_EQ(count(answers, Outcome::executed), 1U);
        EXPECT_EQ(ended(answers), answers.size());
    }
    EXPECT_EQ(servers.number("SELECT count(*) FROM resources"), rounds);
    EXPECT_EQ(servers.number("SELECT count(*) FROM records"), rounds);
    EXPECT_EQ(servers.number("SELECT count(*) FROM events"), rounds);
    EXPECT_TRUE(servers.here.opened->admin().verify()->empty());
}

// proves: K5
TEST(PgRace, OneKeyWithTwoContentsIsAMismatchForWhoeverIsSecond) {
    PgServers servers;
    for (int round = 0; round < 20; ++round) {
        const std::string key = "k" + std::to_string(round);
        const auto first = servers.here.start(servers.here.create("contacts", key, anna));
        const auto second = servers.start_there(servers.here.create("contacts", key, R"({"name":"Bert"})"));
        const std::vector<Result<Answer>> answers{first.get(), second.get()};
        EXPECT_EQ(count(answers, Outcome::executed), 1U);
        EXPECT_EQ(count(answers, Outcome::payload_mismatch), 1U);
    }
}

// proves: T4
TEST(PgRace, OneUniqueValueOnTwoServersIsAConflictForWhoeverIsSecond) {
    PgServers servers;
    for (int round = 0; round < 20; ++round) {
        const std::string number = std::to_string(round);
        const std::string body = R"({"name":"A","vat_id":"DE)" + number + R"("})";
        const auto first = servers.here.start(servers.here.create("companies", "a" + number, body));
        const auto second = servers.start_there(servers.here.create("companies", "b" + number, body));
        const std::vector<Result<Answer>> answers{first.get(), second.get()};
        EXPECT_EQ(count(answers, Outcome::executed), 1U);
        EXPECT_EQ(count(answers, Outcome::conflict), 1U);
    }
}

// proves: R6
TEST(PgRace, FortyPatchesOnTwoServersAllSucceed) {
    PgServers servers;
    const ResourceId id = servers.here.created("contacts", anna).id;
    std::vector<Pending<Result<Answer>>> pending;
    for (int i = 0; i < 40; ++i) {
        const std::string body = R"({"custom":{"m)" + std::to_string(i) + R"(":1}})";
        const Command patch = servers.here.patch(id, i % 4 == 0 ? "" : "k" + std::to_string(i), body);
        pending.push_back(i % 2 == 0 ? servers.here.start(patch) : servers.start_there(patch));
    }
    const auto answers = get_all(pending);
    EXPECT_EQ(count(answers, Outcome::executed), 40U);
    EXPECT_EQ(servers.here.get(id)->revision, Revision{41});
    EXPECT_EQ(servers.here.body(id).if_object()->find("custom")->if_object()->size(), 40U);
    EXPECT_TRUE(servers.here.opened->admin().verify()->empty());
}

// proves: R4
TEST(PgRace, OfManyWritersOnOneRevisionOneSucceeds) {
    PgServers servers;
    const ResourceId id = servers.here.created("contacts", anna).id;
    std::vector<Pending<Result<Answer>>> pending;
    for (int i = 0; i < 20; ++i) {
        Command patch = servers.here.patch(id, "", R"({"notes":")" + std::to_string(i) + R"("})");
        patch.if_match = if_match(R"("r1")");
        pending.push_back(i % 2 == 0 ? servers.here.start(patch) : servers.start_there(patch));
    }
    const auto answers = get_all(pending);
    EXPECT_EQ(count(answers, Outcome::executed), 1U);
    EXPECT_EQ(count(answers, Outcome::precondition_failed), 19U);
}

// proves: K5, K9
TEST(PgRace, OneKeyedPatchOnTwoServersChangesOnce) {
    PgServers servers;
    const ResourceId id = servers.here.created("contacts", anna).id;
    for (int round = 0; round < 20; ++round) {
        const std::string number = std::to_string(round);
        const Command patch = servers.here.patch(id, "k" + number, R"({"notes":")" + number + R"("})");
        const auto first = servers.here.start(patch);
        const auto second = servers.start_there(patch);
        const std::vector<Result<Answer>> answers{first.get(), second.get()};
        EXPECT_EQ(count(answers, Outcome::executed), 1U);
        EXPECT_EQ(count(answers, Outcome::replayed), 1U);
    }
    EXPECT_EQ(servers.here.get(id)->revision, Revision{21});
}

// proves: K11
TEST(PgRace, AfterExpiryOneOfTwoServersExecutes) {
    StoreOptions options;
    options.cleaner_interval = std::chrono::milliseconds{0};
    PgServers servers(options);
    for (int round = 0; round < 15; ++round) {
        std::vector<Pending<Result<Answer>>> pending;
        for (const char* key : {"a", "b", "c"}) {
            const Command command = servers.here.create("contacts", key, anna);
            pending.push_back(servers.here.start(command));
            pending.push_back(servers.start_there(command));
        }
        const auto answers = get_all(pending);
        EXPECT_EQ(count(answers, Outcome::executed), 3U);
        EXPECT_EQ(ended(answers), answers.size());
        servers.probe.run("UPDATE test_clock SET now = now + 86400000");
    }
    EXPECT_EQ(servers.number("SELECT count(*) FROM resources"), 45);
}

// proves: K9
TEST(PgRace, ServersThatTakeTheSameKeysInOppositeOrdersDoNotBlockEachOther) {
    PgServers servers;
    constexpr int keys = 100;
    std::vector<Pending<Result<Answer>>> pending;
    for (int i = 0; i < keys; ++i) {
        pending.push_back(servers.here.start(servers.here.create("contacts", "k" + std::to_string(i), anna)));
        pending.push_back(
            servers.start_there(servers.here.create("contacts", "k" + std::to_string(keys - 1 - i), anna)));
    }
    const auto answers = get_all(pending);
    EXPECT_EQ(count(answers, Outcome::executed), std::size_t{keys});
    EXPECT_EQ(count(answers, Outcome::replayed), std::size_t{keys});
    EXPECT_EQ(servers.number("SELECT count(*) FROM resources"), keys);
}

// proves: K5
TEST(PgRace, WhoeverWaitsTooLongForAnotherServersKeyIsToldThatItIsInProgress) {
    StoreOptions options;
    options.lock_wait = std::chrono::milliseconds{200};
    PgServers servers(options);
    const Command command = servers.here.create("contacts", "k1", anna);
    ASSERT_EQ(verdict_of(servers.here.execute(command)), Outcome::executed);
    servers.hold_key();
    EXPECT_EQ(verdict_of(servers.here.execute(command)), Outcome::in_progress);
    EXPECT_EQ(verdict_of(servers.here.execute(servers.here.create("contacts", "k2", anna))), Outcome::executed)
        << "whoever has another key is not held up";
    servers.probe.run("COMMIT");
    EXPECT_EQ(verdict_of(servers.here.execute(command)), Outcome::replayed);
    EXPECT_EQ(servers.number("SELECT count(*) FROM resources"), 2);
}

// proves: K5
TEST(PgRace, WhoeverWaitsForAnotherServersKeyGetsItsReplay) {
    StoreOptions options;
    options.lock_wait = std::chrono::seconds{20};
    options.busy_timeout = std::chrono::seconds{30};
    PgServers servers(options);
    const Command command = servers.here.create("contacts", "k1", anna);
    ASSERT_EQ(verdict_of(servers.here.execute(command)), Outcome::executed);
    servers.hold_key();
    const auto waiting = servers.here.start(command);
    servers.run_until_waiting(1);
    servers.probe.run("COMMIT");
    EXPECT_EQ(verdict_of(waiting.get()), Outcome::replayed);
}

// proves: K8, A6
TEST(PgRace, ResourceThatSomebodyHoldsTooLongIsUnavailable) {
    StoreOptions options;
    options.busy_timeout = std::chrono::milliseconds{300};
    PgServers servers(options);
    const ResourceId id = servers.here.created("contacts", anna).id;
    servers.probe.run("BEGIN");
    servers.probe.run("SELECT 1 FROM resources FOR UPDATE");
    EXPECT_EQ(verdict_of(servers.here.execute(servers.here.patch(id, "k1", R"({"notes":"n"})"))), Errc::unavailable);
    servers.probe.run("COMMIT");
    EXPECT_EQ(verdict_of(servers.here.execute(servers.here.patch(id, "k1", R"({"notes":"n"})"))), Outcome::executed);
}

}  // namespace
}  // namespace einmal::test
