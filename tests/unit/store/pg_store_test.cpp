// What only the PostgreSQL store has to withstand: connections that die, servers that are not there, many servers that
// start at once, and what it does by itself between calls.
#include "unit/store/pg_servers.hpp"

#include <einmal/observer.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <chrono>
#include <exception>
#include <string>
#include <thread>
#include <vector>

namespace einmal::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view anna = R"({"name":"Anna"})";

// proves: K9
TEST(PgStore, ConnectionsThatDiedAtRestAreNotNoticedAbove) {
    PgServers servers;
    const ResourceId id = servers.here.created("contacts", anna).id;
    for (int round = 0; round < 2; ++round) {
        std::vector<Command> commands;
        for (int i = 0; i < 10; ++i) {
            const std::string key = "k" + std::to_string(round) + "." + std::to_string(i);
            commands.push_back(i % 2 == 0 ? servers.here.create("contacts", key, anna)
                                          : servers.here.patch(id, key, R"({"notes":")" + key + R"("})"));
        }
        servers.cut_connections();
        EXPECT_TRUE(servers.here.get(id).has_value());
        servers.cut_connections();
        EXPECT_EQ(count(servers.here.execute_all(commands), Outcome::executed), commands.size());
        servers.cut_connections();
        EXPECT_EQ(count(servers.here.execute_all(commands), Outcome::replayed), commands.size());
    }
    EXPECT_EQ(servers.here.get(id)->revision, Revision{11});
}

// proves: K9
TEST(PgStore, ConnectionThatDiesBeforeTheCommitIsSentIsReplaced) {
    PgServers servers;
    const ResourceId id = servers.here.created("contacts", anna).id;
    servers.here.get(id);  // so that a connection is at rest
    servers.probe.run("BEGIN");
    servers.probe.run("SELECT 1 FROM resources FOR UPDATE");
    const auto patched = servers.here.start(servers.here.patch(id, "", R"({"notes":"n"})"));
    servers.run_until_waiting(1);
    servers.cut_connections();
    servers.probe.run("COMMIT");
    EXPECT_EQ(verdict_of(patched.get()), Outcome::executed);
    EXPECT_EQ(servers.here.get(id)->revision, Revision{2});
}

// proves: K9
TEST(PgStore, ConnectionThatDiesOverACommitLeavesDoubtThatTheKeyClears) {
    StoreOptions options;
    options.lock_wait = std::chrono::seconds{20};
    options.busy_timeout = std::chrono::seconds{30};
    PgServers servers(options);
    const Command keyed = servers.here.create("contacts", "k1", anna);
    ASSERT_EQ(verdict_of(servers.here.execute(keyed)), Outcome::executed);
    servers.hold_key();
    const auto doubtful = servers.here.start(keyed);
    servers.run_until_waiting(1);
    servers.cut_connections();
    servers.probe.run("ROLLBACK");
    EXPECT_EQ(verdict_of(doubtful.get()), Outcome::executed) << "by asking again";
    EXPECT_EQ(servers.number("SELECT count(*) FROM resources"), 2);
    EXPECT_EQ(servers.number("SELECT count(*) FROM records"), 1);
}

// proves: K9
TEST(PgStore, DoubtWithoutAKeyIsSaid) {
    PgServers servers;
    const ResourceId id = servers.here.created("contacts", R"({"name":"A","email":"a@example.org"})").id;
    // The second exchange of the patch, which commits, comes to wait at the index.
    servers.probe.run("BEGIN");
    servers.probe.run("LOCK TABLE member_index IN EXCLUSIVE MODE");
    const auto patched = servers.here.start(servers.here.patch(id, "", R"({"email":"b@example.org"})"));
    servers.run_until_waiting(1);
    servers.cut_connections();
    servers.probe.run("COMMIT");
    EXPECT_EQ(verdict_of(patched.get()), Errc::outcome_unknown);
    EXPECT_EQ(servers.here.get(id)->revision, Revision{1});
    EXPECT_EQ(verdict_of(servers.here.execute(servers.here.patch(id, "", R"({"email":"b@example.org"})"))),
              Outcome::executed);
}

// proves: A6, S3
TEST(PgStore, WaitsForAConnectionNoLongerThanItMay) {
    StoreOptions options;
    options.pool_max = 1;
    options.busy_timeout = std::chrono::milliseconds{400};
    PgServers servers(options);
    const ResourceId id = servers.here.created("contacts", anna).id;
    servers.probe.run("BEGIN");
    servers.probe.run("SELECT 1 FROM resources FOR UPDATE");
    const auto first = servers.here.start(servers.here.patch(id, "", R"({"notes":"1"})"));
    servers.run_until_waiting(1);
    const auto second = servers.here.start(servers.here.patch(id, "", R"({"notes":"2"})"));
    EXPECT_EQ(verdict_of(first.get()), Errc::unavailable);
    EXPECT_EQ(verdict_of(second.get()), Errc::unavailable);
    servers.probe.run("COMMIT");
    EXPECT_EQ(verdict_of(servers.here.execute(servers.here.patch(id, "", R"({"notes":"3"})"))), Outcome::executed);
}

// proves: A5
TEST(PgStore, ServerThatMayNotBeWrittenToIsNotReady) {
    PgServers servers;
    Store& store = servers.here.opened->store();
    EXPECT_TRUE(servers.here.runner.run(store.ping()).has_value());
    const std::string database = servers.probe.run("SELECT current_database()").at(0).at(0);
    servers.probe.run("ALTER DATABASE " + database + " SET default_transaction_read_only = on");
    servers.cut_connections();
    EXPECT_EQ(servers.here.runner.run(store.ping()).error().code, Errc::unavailable);
    EXPECT_EQ(verdict_of(servers.here.execute(servers.here.create("contacts", "k1", anna))), Errc::unavailable);
    servers.probe.run("ALTER DATABASE " + database + " RESET default_transaction_read_only");
    servers.here.runner.run_until([&] { return servers.here.runner.run(store.ping()).has_value(); });
    EXPECT_EQ(verdict_of(servers.here.execute(servers.here.create("contacts", "k1", anna))), Outcome::executed);
}

TEST(PgStore, ServerThatIsNotThereIsUnavailableAndItsAddressNotRepeated) {
    Runner runner;
    ManualClock clock;
    SeededEntropy entropy(1);
    for (const char* address :
         {"postgres://einmal:secret@127.0.0.1:1/shop", "postgres://einmal:secret@nowhere.invalid/shop"}) {
        const auto opened = open_store(address, runner.executor(), {}, clock, entropy);
        ASSERT_FALSE(opened.has_value());
        EXPECT_EQ(opened.error().code, Errc::unavailable);
        EXPECT_THAT(opened.error().reason, Not(HasSubstr("secret")));
        EXPECT_THAT(opened.error().reason, Not(HasSubstr("127.0.0.1")));
        EXPECT_THAT(opened.error().reason, Not(HasSubstr("nowhere")));
    }
    const auto unreadable = open_store("postgres://einmal:secret@[::1/shop", runner.executor(), {}, clock, entropy);
    EXPECT_EQ(unreadable.error().code, Errc::configuration);
    EXPECT_THAT(unreadable.error().reason, Not(HasSubstr("secret")));
}

// proves: A2
TEST(PgStore, ManyServersThatStartAtOnceMakeOneStoreAndOneFirstToken) {
    const PgDatabase database(PgDatabase::Content::none);
    constexpr unsigned count = 8;
    std::vector<int> made(count, -1);
    std::vector<std::thread> starting;
    for (unsigned i = 0; i < count; ++i) {
        starting.emplace_back([&database, &made, i] {
            const auto admin = open_admin(database.address(), true);
            if (!admin) {
                ADD_FAILURE() << admin.error().reason;
                return;
            }
            TokenDigest digest;
            digest.bytes.fill(static_cast<std::byte>(i + 1));
            const auto token = (*admin)->create_first_token("default", "*", digest);
            if (token) made[i] = token->has_value() ? 1 : 0;
            EXPECT_TRUE(token.has_value()) << token.error().reason;
        });
    }
    for (std::thread& each : starting) each.join();
    EXPECT_EQ(std::ranges::count(made, 1), 1);
    EXPECT_EQ(std::ranges::count(made, 0), count - 1);
    PgProbe probe(database.address());
    EXPECT_EQ(probe.run("SELECT 1 FROM meta WHERE name = 'secret'").size(), 1U);
    EXPECT_EQ(probe.run("SELECT 1 FROM tokens").size(), 1U);
}

TEST(PgStore, DatabaseThatIsNotOursOrNewerIsRefused) {
    const PgDatabase database(PgDatabase::Content::none);
    EXPECT_EQ(open_admin(database.address(), false).error().code, Errc::configuration);
    PgProbe probe(database.address());
    probe.run("CREATE TABLE accounts (name text)");
    EXPECT_EQ(open_admin(database.address(), true).error().code, Errc::configuration);
    probe.run("DROP TABLE accounts");
    ASSERT_TRUE(open_admin(database.address(), true).has_value());
    probe.run("INSERT INTO schema_steps (version) VALUES (99)");
    const auto newer = open_admin(database.address(), true);
    EXPECT_EQ(newer.error().code, Errc::configuration);
    EXPECT_THAT(newer.error().reason, HasSubstr("99"));
}

// proves: A7
TEST(PgStore, VerifyFindsWhatIsWrongAndBackupSaysWhoMakesIt) {
    PgServers servers;
    const ResourceId id = servers.here.created("contacts", R"({"name":"A","email":"a@example.org"})").id;
    ASSERT_EQ(verdict_of(servers.here.execute(servers.here.create("companies", "k1", R"({"name":"B","vat_id":"D1"})"))),
              Outcome::executed);
    StoreAdmin& admin = servers.here.opened->admin();
    EXPECT_TRUE(admin.verify()->empty());
    servers.probe.run("DELETE FROM resources");
    // Two events, a record, an indexed and a unique value are left in the air.
    EXPECT_EQ(admin.verify()->size(), 5U);
    servers.probe.run("DELETE FROM meta");
    EXPECT_EQ(admin.verify()->size(), 6U);
    EXPECT_EQ(admin.backup("file").error().code, Errc::configuration);
    EXPECT_THAT(admin.backup("file").error().reason, HasSubstr("pg_dump"));
}

// proves: K11
TEST(PgStore, CleanerRemovesWhatHasExpiredInSmallBatches) {
    StoreOptions options;
    options.cleaner_interval = std::chrono::milliseconds{5};
    options.cleaner_batch = 7;
    PgServers servers(options);
    std::vector<Command> commands;
    for (int i = 0; i < 60; ++i) commands.push_back(servers.here.create("contacts", "k" + std::to_string(i), anna));
    ASSERT_EQ(count(servers.here.execute_all(commands), Outcome::executed), 60U);
    servers.probe.run("UPDATE test_clock SET now = now + 86400000");
    ASSERT_EQ(verdict_of(servers.here.execute(servers.here.create("contacts", "young", anna))), Outcome::executed);
    servers.here.runner.run_until([&] { return servers.number("SELECT count(*) FROM records") == 1; });
    EXPECT_EQ(verdict_of(servers.here.execute(servers.here.create("contacts", "young", anna))), Outcome::replayed);
}

// proves: K14
TEST(PgStore, CountedReplaysAreWrittenDownWithinTimeAndAtTheEnd) {
    PgServers servers;
    const Command command = servers.here.create("contacts", "k1", anna);
    ASSERT_EQ(verdict_of(servers.here.execute(command)), Outcome::executed);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(verdict_of(servers.here.execute(command)), Outcome::replayed);
    const auto written = [&] { return servers.number("SELECT replays FROM records"); };
    EXPECT_EQ(written(), 0) << "a replay costs no write";
    servers.here.runner.run_until([&] { return written() == 3; });
    EXPECT_EQ(verdict_of(servers.start_there(command).get()), Outcome::replayed);
    bool closed = false;
    boost::asio::co_spawn(servers.here.runner.executor(), servers.stores_there.store->close(),
                          [&closed](const std::exception_ptr&) { closed = true; });
    servers.here.runner.run_until([&] { return closed; });
    EXPECT_EQ(written(), 4);
}

// proves: K9, A5
TEST(PgStore, CreatesThatComeTogetherAreCommittedTogether) {
    class Counting final : public StoreObserver {
     public:
        void committed(std::size_t operations, std::chrono::nanoseconds) override {
            ++commits;
            carried += operations;
        }
        void queued(std::size_t) override {}
        std::size_t commits = 0;
        std::size_t carried = 0;
    };
    Counting observer;
    StoreOptions options;
    options.observer = &observer;
    PgServers servers(options);
    std::vector<Command> commands;
    for (int i = 0; i < 200; ++i) commands.push_back(servers.here.create("contacts", "k" + std::to_string(i), anna));
    EXPECT_EQ(count(servers.here.execute_all(commands), Outcome::executed), 200U);
    EXPECT_EQ(observer.carried, 200U);
    EXPECT_LE(observer.commits, 5U);
}

// proves: K9, T4
TEST(PgStore, CreateThatMustNotBeHarmsNoneThatTravelWithIt) {
    PgServers servers;
    const auto doomed = servers.here.caller("first");
    ASSERT_TRUE(servers.here.opened->admin().revoke_token(doomed->asker.token).value());
    std::vector<Command> commands;
    for (int i = 0; i < 30; ++i) {
        const std::string key = "k" + std::to_string(i);
        Command command = servers.here.create("contacts", key, anna);
        if (i % 3 == 1)
            command = servers.here.create("tasks", key, R"({"title":"T","contact_id":"con_0000000000000000000000"})");
        if (i % 3 == 2) command.caller = doomed;
        commands.push_back(std::move(command));
    }
    const auto answers = servers.here.execute_all(commands);
    EXPECT_EQ(count(answers, Outcome::executed), 10U);
    EXPECT_EQ(count(answers, Outcome::invalid), 10U);
    EXPECT_EQ(count(answers, Errc::token_revoked), 10U);
    EXPECT_EQ(servers.number("SELECT count(*) FROM records"), 10);
    EXPECT_TRUE(servers.here.opened->admin().verify()->empty());
}

}  // namespace
}  // namespace einmal::test
