// PostgreSQL goes away and comes back: refused in time, alive but not ready meanwhile, well again without a restart.
// And a database that a server cannot or must not use.
#include "cluster/servers.hpp"
#include "support/pg_cluster.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

namespace einmal::test {
namespace {

using Clock = std::chrono::steady_clock;

int status_of(std::uint16_t port, const std::string& target) {
    const auto answer = http(port, {.target = target, .headers = {}, .body = {}});
    return answer ? answer->status : 0;
}

// proves: A5, K8, S3
TEST(Outage, IsRefusedInTimeAndEndsWithoutARestart) {
    PgCluster cluster({});
    Servers servers(cluster.address(), {.count = 1, .flags = {"--busy-timeout", "500ms"}});
    const Caller caller(servers[0].port(), servers.token());
    ASSERT_EQ(caller.ask(post_contact("before", "before"))->status, 201);
    for (int outage = 0; outage < 3; ++outage) {
        cluster.kill();
        const auto key = "during-" + std::to_string(outage);
        for (int i = 0; i < 5; ++i) {
            const auto begun = Clock::now();
            const auto answer = caller.ask(post_contact(key, key));
            ASSERT_TRUE(answer);
            ASSERT_EQ(answer->status, 503) << answer->body;
            EXPECT_NE(answer->body.find("\"next\":\"retry_same_key\""), std::string::npos) << answer->body;
            EXPECT_FALSE(answer->header("retry-after").empty());
            EXPECT_LT(Clock::now() - begun, std::chrono::seconds(2));
        }
        EXPECT_EQ(caller.get("/v1/contacts")->status, 503);
        EXPECT_EQ(status_of(servers[0].port(), "/livez"), 200);
        EXPECT_EQ(status_of(servers[0].port(), "/readyz"), 503);
        cluster.restart();
        const auto after = caller.insist(post_contact(key, key), std::chrono::seconds(5));
        ASSERT_TRUE(after) << "the server did not recover";
        EXPECT_EQ(after->status, 201);
        EXPECT_EQ(status_of(servers[0].port(), "/readyz"), 200);
    }
    EXPECT_EQ(caller.contacts().size(), 4U);
    servers.expect_clean_end();
}

// proves: A4
TEST(Outage, AServerThatCannotReachItsDatabaseSaysSoAndNotItsPassword) {
    const auto store = "postgres://einmal:geheim@127.0.0.1:" + std::to_string(free_port()) + "/einmal";
    const Finished finished = run({.arguments = {"serve", "--listen", "127.0.0.1:0", "--store", store},
                                   .directory = {},
                                   .variables = {},
                                   .wrapper = {},
                                   .output = -1});
    EXPECT_EQ(finished.ending, (Ending{75, 0})) << finished.errors;
    EXPECT_EQ(finished.errors.find("geheim"), std::string::npos) << finished.errors;
    EXPECT_NE(finished.errors.find("PostgreSQL"), std::string::npos) << finished.errors;
}

// proves: A2
TEST(Outage, TwoServersStartingTogetherOnAnEmptyDatabaseMakeOneSchemaAndOneToken) {
    const PgCluster cluster({});
    // All from this thread: a child ends with the thread that made it.
    std::vector<std::unique_ptr<Process>> servers;
    while (servers.size() < 4) {
        servers.push_back(std::make_unique<Process>(
            Launch{.arguments = {"serve", "--listen", "127.0.0.1:0", "--store", cluster.address()},
                   .directory = {},
                   .variables = {},
                   .wrapper = {},
                   .output = -1}));
    }
    for (const auto& server : servers) EXPECT_TRUE(server->port()) << server->errors();
    EXPECT_EQ(PgProbe(cluster.address()).run("SELECT token_id FROM tokens").size(), 1U);
}

// proves: K11
TEST(Outage, AServerWhoseClockIsWrongOrJumpsChangesNothing) {
    const PgCluster cluster({});
    const TemporaryDirectory directory;
    const std::string jumping = directory.file("time");
    std::ofstream(jumping) << "+0";
    const auto wrapper = [&](std::size_t number) -> std::vector<std::string> {
        const std::string library = "LD_PRELOAD=/usr/$LIB/faketime/libfaketimeMT.so.1";
        const std::string steady = "FAKETIME_DONT_FAKE_MONOTONIC=1";
        if (number == 0) return {"/usr/bin/env", library, steady, "FAKETIME=+600"};
        if (number == 1) return {"/usr/bin/env", library, steady, "FAKETIME=-600"};
        return {"/usr/bin/env", library, steady, "FAKETIME_NO_CACHE=1", "FAKETIME_TIMESTAMP_FILE=" + jumping};
    };
    Servers servers(cluster.address(), {.count = 3, .flags = {"--retention", "4s"}, .wrapper = wrapper});
    const auto on = [&](std::size_t number) { return Caller(servers[number].port(), servers.token()); };
    const auto first = on(0).ask(post_contact("k", "Ada"));
    ASSERT_TRUE(first && first->status == 201);
    const auto stored = PgProbe(cluster.address())
                            .run("SELECT abs(extract(epoch FROM now()) * 1000 - created_at) < 60000 FROM resources");
    EXPECT_EQ(stored.at(0).at(0), "t") << "the time is not the database's";
    for (std::size_t number : {0U, 1U, 2U}) {
        const auto again = on(number).ask(post_contact("k", "Ada"));
        ASSERT_TRUE(again);
        EXPECT_EQ(again->header("idempotent-replayed"), "true") << number;
        EXPECT_EQ(again->header("idempotency-expires"), first->header("idempotency-expires")) << number;
    }
    std::ofstream(jumping) << "+3600";
    EXPECT_EQ(on(2).ask(post_contact("k", "Ada"))->header("idempotent-replayed"), "true");
    std::ofstream(jumping) << "-3600";
    EXPECT_EQ(on(2).ask(post_contact("k", "Ada"))->header("idempotent-replayed"), "true");
    std::this_thread::sleep_for(std::chrono::milliseconds(4500));
    EXPECT_EQ(on(1).ask(post_contact("k", "Ada"))->header("idempotent-replayed"), "") << "it was to be forgotten";
    EXPECT_EQ(on(2).ask(post_contact("k", "Ada"))->header("idempotent-replayed"), "true");
    servers.expect_clean_end();
}

}  // namespace
}  // namespace einmal::test
