// The program on a PostgreSQL server: start, first token, commands, end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include "support/pg_cluster.hpp"
#include "support/process.hpp"

namespace einmal::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class CliPostgresTest : public testing::Test {
 protected:
    Launch command(std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--store", database_.address()});
        return {.arguments = std::move(arguments), .directory = {}, .variables = {}, .wrapper = {}, .output = -1};
    }

    PgDatabase database_{PgDatabase::Content::none};
};

/// The token in what a first start printed.
std::string token_in(const std::string& text) {
    const auto begin = text.find("ein_");
    return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

HttpRequest create(const std::string& token) {
    return {.method = "POST",
            .target = "/v1/contacts",
            .headers = {{"Authorization", "Bearer " + token},
                        {"Content-Type", "application/json"},
                        {"Idempotency-Key", "k1"}},
            .body = R"({"name":"Anna"})"};
}

// proves: A1, A2, H4, K9
TEST_F(CliPostgresTest, TwoServersShareAStoreAndOnlyTheFirstPrintsAToken) {
    Process first(command({"serve", "--listen", "127.0.0.1:0"}));
    const auto port = first.port();
    ASSERT_TRUE(port.has_value()) << first.errors();
    const std::string token = token_in(first.errors());
    ASSERT_EQ(token.size(), 47U) << first.errors();
    Process second(command({"serve", "--listen", "127.0.0.1:0"}));
    const auto other_port = second.port();
    ASSERT_TRUE(other_port.has_value()) << second.errors();
    EXPECT_THAT(second.errors(), Not(HasSubstr("ein_")));

    const auto made = http(*port, create(token));
    ASSERT_TRUE(made.has_value());
    EXPECT_EQ(made->status, 201);
    const auto repeated = http(*other_port, create(token));
    ASSERT_TRUE(repeated.has_value());
    EXPECT_EQ(repeated->status, 201);
    EXPECT_EQ(repeated->header("idempotent-replayed"), "true");
    EXPECT_EQ(repeated->header("location"), made->header("location"));

    for (Process* server : {&first, &second}) {
        server->signal(SIGTERM);
        EXPECT_EQ(server->wait(), (Ending{0, 0}));
        EXPECT_THAT(server->errors(), Not(HasSubstr("left behind")));
    }
    PgProbe probe(database_.address());
    EXPECT_EQ(probe.run("SELECT replays FROM records").at(0).at(0), "1") << "counted replays are written at the end";
}

// proves: A3, A4, A7
TEST_F(CliPostgresTest, CommandsWorkOnTheStore) {
    EXPECT_EQ(run(command({"token", "list"})).ending, (Ending{2, 0})) << "there is no store yet";
    const Finished made = run(command({"token", "create", "--account", "shop", "--scopes", "contacts:read"}));
    EXPECT_EQ(made.ending, (Ending{0, 0})) << made.errors;
    EXPECT_THAT(run(command({"token", "list"})).output, HasSubstr("1\tshop\tcontacts:read\t"));
    EXPECT_EQ(run(command({"token", "revoke", "1"})).ending, (Ending{0, 0}));
    EXPECT_EQ(run(command({"token", "revoke", "1"})).ending, (Ending{1, 0}));
    EXPECT_EQ(run(command({"verify"})).output, "sound\n");
    const Finished backup = run(command({"backup", "file"}));
    EXPECT_EQ(backup.ending, (Ending{2, 0}));
    EXPECT_THAT(backup.errors, HasSubstr("pg_dump"));
}

}  // namespace
}  // namespace einmal::test
