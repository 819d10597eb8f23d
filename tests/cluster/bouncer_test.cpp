// pgbouncer between the servers and PostgreSQL: which of its modes works, and what is said in the one that does not.
#include "cluster/servers.hpp"
#include "support/pg_cluster.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

namespace einmal::test {
namespace {

class Bouncer {
 public:
    Bouncer(const PgCluster& cluster, const std::string& mode) {
        const std::string here = directory_.path().string();
        std::ofstream(here + "/users") << "\"einmal\" \"\"\n";
        std::ofstream(here + "/ini") << "[databases]\n* = host=127.0.0.1 port=" << cluster.port()
                                     << "\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = " << port_
                                     << "\nunix_socket_dir =\nauth_type = trust\nauth_file = " << here
                                     << "/users\npool_mode = " << mode << "\ndefault_pool_size = 20\nlogfile = " << here
                                     << "/log\n";
        // It refuses to run as root, and then reads its files as somebody else.
        std::filesystem::permissions(here, std::filesystem::perms::all);
        process_ = std::make_unique<Process>(Launch{.arguments = {"-u", "postgres", here + "/ini"},
                                                    .directory = {},
                                                    .variables = {},
                                                    .wrapper = {},
                                                    .output = -1,
                                                    .program = "/usr/sbin/pgbouncer"});
        wait_for_port(port_);
    }

    [[nodiscard]] std::string store() const {
        return "postgres://einmal@127.0.0.1:" + std::to_string(port_) + "/postgres";
    }

 private:
    TemporaryDirectory directory_;
    std::uint16_t port_ = free_port();
    std::unique_ptr<Process> process_;
};

// proves: K5, R6
TEST(PgBouncer, InSessionModeChangesNothing) {
    const PgCluster cluster({});
    const Bouncer bouncer(cluster, "session");
    Servers servers(bouncer.store(), {.count = 2, .flags = {}});
    for (int round = 0; round < 20; ++round) {
        std::atomic<int> fresh = 0;
        const auto key = "k" + std::to_string(round);
        at_once(16, [&](std::size_t number) {
            const auto answer = Caller(servers[number % 2].port(), servers.token()).insist(post_contact(key, key));
            ASSERT_TRUE(answer);
            ASSERT_EQ(answer->status, 201) << answer->body;
            if (answer->header("idempotent-replayed").empty()) ++fresh;
        });
        ASSERT_EQ(fresh, 1);
    }
    const Caller caller(servers[0].port(), servers.token());
    const auto path = caller.ask(post_contact("p", "p"))->header("location");
    at_once(40, [&](std::size_t number) {
        const auto answer = Caller(servers[number % 2].port(), servers.token())
                                .patch(path, R"({"custom":{"m)" + std::to_string(number) + R"(":1}})");
        ASSERT_TRUE(answer);
        ASSERT_EQ(answer->status, 200) << answer->body;
    });
    EXPECT_EQ(caller.get(path)->header("etag"), "\"r41\"");
    servers.expect_clean_end();
}

/// Connections change between statements there, so prepared statements are missing or there already. That is said, and
/// nothing is done half or twice.
TEST(PgBouncer, InTransactionModeFailuresAreSaidAndNothingIsDoneTwice) {
    const PgCluster cluster({});
    const auto token = make_token(cluster.address());
    const Bouncer bouncer(cluster, "transaction");
    Process server({.arguments = {"serve", "--listen", "127.0.0.1:0", "--store", bouncer.store()},
                    .directory = {},
                    .variables = {},
                    .wrapper = {},
                    .output = -1});
    const auto port = server.port();
    ASSERT_TRUE(port) << server.errors();
    const Caller caller(*port, token);
    std::atomic<int> made = 0;
    at_once(16, [&](std::size_t number) {
        for (int i = 0; i < 5; ++i) {
            const auto key = std::to_string(number) + "-" + std::to_string(i);
            const auto answer = caller.ask(post_contact(key, key));
            ASSERT_TRUE(answer);
            ASSERT_TRUE(answer->status == 201 || answer->status == 503) << answer->body;
            if (answer->status == 201) ++made;
        }
    });
    PgProbe probe(cluster.address());
    EXPECT_GE(std::stoi(probe.run("SELECT count(*) FROM records").at(0).at(0)), made);
    EXPECT_EQ(probe.run("SELECT body FROM resources GROUP BY body HAVING count(*) > 1").size(), 0U);
    EXPECT_NE(server.errors().find("prepared statement"), std::string::npos) << server.errors();
}

}  // namespace
}  // namespace einmal::test
