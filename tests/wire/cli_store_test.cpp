// The commands that work on a store from outside, also while a server runs on it: token, backup, verify.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <sstream>
#include <thread>

#include "support/served.hpp"
#include "support/temporary_directory.hpp"

namespace einmal::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

class CliStoreTest : public testing::Test {
 protected:
    Finished einmal(std::vector<std::string> arguments) {
        return run({.arguments = std::move(arguments),
                    .directory = directory_.path(),
                    .variables = {},
                    .wrapper = {},
                    .output = -1});
    }

    /// Makes a token and returns it.
    std::string make_token(const std::string& account, const std::string& scopes) {
        const Finished made = einmal({"token", "create", "--account", account, "--scopes", scopes});
        EXPECT_EQ(made.ending, (Ending{0, 0})) << made.errors;
        EXPECT_THAT(made.output, MatchesRegex("ein_[A-Za-z0-9_-]+\n"));
        EXPECT_EQ(made.output.size(), 48U);
        return made.output.substr(0, made.output.find('\n'));
    }

    /// The number of the newest token of an account, from `token list`.
    std::string token_id(const std::string& account) {
        std::istringstream lines(einmal({"token", "list"}).output);
        std::string id;
        for (std::string line; std::getline(lines, line);) {
            const std::size_t tab = line.find('\t');
            if (line.substr(tab + 1).starts_with(account + "\t")) id = line.substr(0, tab);
        }
        return id;
    }

    static int status_with(const Served& server, const std::string& token, const std::string& target = "/v1/contacts") {
        const auto answer = server.ask(
            {.method = "GET", .target = target, .headers = {{"Authorization", "Bearer " + token}}, .body = ""});
        return answer ? answer->status : 0;
    }

    /// Changes the database behind the program's back.
    void damage(const std::string& sql) {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open(directory_.file("einmal.db").c_str(), &database), SQLITE_OK);
        char* reason = nullptr;
        EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &reason), SQLITE_OK) << reason;
        sqlite3_free(reason);
        sqlite3_close(database);
    }

    TemporaryDirectory directory_;
};

// proves: A3, S1
TEST_F(CliStoreTest, ATokenIsMadeListedAndRevokedWhileTheServerRuns) {
    const Served server(directory_.path());
    const std::string token = make_token("shop", "contacts:read contacts.private:read");
    EXPECT_EQ(status_with(server, token), 200);
    EXPECT_EQ(status_with(server, token, "/v1/companies"), 403);

    const Finished listed = einmal({"token", "list"});
    EXPECT_EQ(listed.ending, (Ending{0, 0})) << listed.errors;
    EXPECT_THAT(listed.output,
                AllOf(HasSubstr("\tdefault\t*\t"), HasSubstr("\tshop\tcontacts:read contacts.private:read\t")));
    EXPECT_THAT(listed.output, AllOf(Not(HasSubstr(token)), Not(HasSubstr(server.token()))));

    const std::string id = token_id("shop");
    EXPECT_EQ(einmal({"token", "revoke", id}).ending, (Ending{0, 0}));
    EXPECT_EQ(status_with(server, token), 401);
    EXPECT_EQ(status_with(server, server.token()), 200);

    const Finished again = einmal({"token", "revoke", id});
    EXPECT_EQ(again.ending, (Ending{1, 0}));
    EXPECT_THAT(again.errors, HasSubstr("there is no token " + id + " that is still valid"));
}

// proves: A3
TEST_F(CliStoreTest, ATokenMadeBeforeTheFirstStartIsTheOnlyOne) {
    const std::string token = make_token("shop", "*");
    const Served server(directory_.path());
    EXPECT_FALSE(std::filesystem::exists(directory_.path() / "einmal.db.token"));
    EXPECT_EQ(status_with(server, token), 200);
}

// proves: A3
TEST_F(CliStoreTest, ATokenThatCannotBePrintedIsRevoked) {
    const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
    ASSERT_GE(full, 0);
    const Finished made = run({.arguments = {"token", "create", "--account", "shop", "--scopes", "*"},
                               .directory = directory_.path(),
                               .variables = {},
                               .wrapper = {},
                               .output = full});
    ::close(full);
    EXPECT_EQ(made.ending, (Ending{75, 0}));
    EXPECT_THAT(made.errors, HasSubstr("it has been revoked"));
    EXPECT_EQ(einmal({"token", "revoke", token_id("shop")}).ending, (Ending{1, 0}));
}

// proves: A4
TEST_F(CliStoreTest, CommandsOnAStoreThatIsNotThereEndWith2AndMakeNone) {
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"token", "list"}, {"token", "revoke", "1"}, {"verify"}, {"backup", "copy.db"}}) {
        const Finished finished = einmal(arguments);
        EXPECT_EQ(finished.ending, (Ending{2, 0})) << testing::PrintToString(arguments) << finished.errors;
        EXPECT_THAT(finished.errors, HasSubstr("einmal.db"));
    }
    EXPECT_EQ(einmal({"verify", "--store", "memory:"}).ending, (Ending{2, 0}));
    EXPECT_TRUE(std::filesystem::is_empty(directory_.path()));
}

// proves: A7
TEST_F(CliStoreTest, ABackupMadeWhileServingIsWholeAndServesOnItsOwn) {
    Served server(directory_.path());
    std::atomic<bool> done = false;
    std::atomic<int> acknowledged = 0;
    std::thread writer([&] {
        for (int i = 0; !done && i < 100'000; ++i) {
            const auto answer = server.post_contact("key-" + std::to_string(i), "Name " + std::to_string(i));
            if (answer && answer->status == 201) ++acknowledged;
        }
    });
    while (acknowledged < 50) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const int before = acknowledged;
    const Finished copied = einmal({"backup", "copy.db"});
    done = true;
    writer.join();
    EXPECT_EQ(copied.ending, (Ending{0, 0})) << copied.errors;
    EXPECT_EQ(einmal({"verify"}).ending, (Ending{0, 0})) << "of the served store";
    EXPECT_EQ(server.stop(), (Ending{0, 0}));

    const Finished verified = einmal({"verify", "--store", "sqlite:copy.db"});
    EXPECT_EQ(verified.ending, (Ending{0, 0})) << verified.output << verified.errors;
    EXPECT_EQ(verified.output, "sound\n");

    // What had been answered before the backup began is in it: the first and the last key are replayed.
    Served copy(directory_.path(), {"--store", "sqlite:copy.db"});
    for (const int i : {0, before - 1}) {
        const auto replay = copy.post_contact("key-" + std::to_string(i), "Name " + std::to_string(i));
        ASSERT_TRUE(replay.has_value());
        EXPECT_EQ(replay->status, 201);
        EXPECT_EQ(replay->header("idempotent-replayed"), "true") << i;
    }
}

// proves: A7, A4
TEST_F(CliStoreTest, ABackupNeverOverwrites) {
    Served server(directory_.path());
    std::ofstream(directory_.file("copy.db")) << "mine";
    const Finished finished = einmal({"backup", "copy.db"});
    EXPECT_NE(finished.ending, (Ending{0, 0}));
    EXPECT_THAT(finished.errors, HasSubstr("copy.db"));
    EXPECT_EQ(first_line(directory_.path() / "copy.db"), "mine");
}

// proves: A7, A4
TEST_F(CliStoreTest, VerifySaysWhatIsWrongOneLineEachAndEndsWith1) {
    {
        Served server(directory_.path());
        for (int i = 0; i < 20; ++i) {
            ASSERT_TRUE(server.post_contact("k" + std::to_string(i), "Ada").has_value());
        }
        EXPECT_EQ(server.stop(), (Ending{0, 0}));
    }
    ASSERT_EQ(einmal({"verify"}).output, "sound\n");
    // Somebody took a resource away behind the server's back: its record names nothing now.
    damage("DELETE FROM resources WHERE resource_row = (SELECT max(resource_row) FROM resources)");
    const Finished damaged = einmal({"verify"});
    EXPECT_EQ(damaged.ending, (Ending{1, 0})) << damaged.output << damaged.errors;
    EXPECT_GE(std::count(damaged.output.begin(), damaged.output.end(), '\n'), 1);
    EXPECT_EQ(std::count(damaged.errors.begin(), damaged.errors.end(), '\n'), 1);
}

// proves: A4
TEST_F(CliStoreTest, ANewerSchemaIsRefusedByEveryCommand) {
    {
        Served server(directory_.path());
        EXPECT_EQ(server.stop(), (Ending{0, 0}));
    }
    damage("PRAGMA user_version = 9999");
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"serve", "--log-level", "error"}, {"token", "list"}, {"verify"}, {"backup", "copy.db"}}) {
        const Finished finished = einmal(arguments);
        EXPECT_EQ(finished.ending, (Ending{2, 0})) << testing::PrintToString(arguments) << finished.errors;
        EXPECT_EQ(std::count(finished.errors.begin(), finished.errors.end(), '\n'), 1) << finished.errors;
    }
}

}  // namespace
}  // namespace einmal::test
