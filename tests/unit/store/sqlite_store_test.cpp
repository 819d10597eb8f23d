// What only the SQLite store has to withstand: restarts, storage that cannot grow, files that are not its own, and
// operations of one batch that must not harm each other.
#include <einmal/engine.hpp>
#include <einmal/observer.hpp>
#include <einmal/open.hpp>

#include "support/manual_clock.hpp"
#include "support/printers.hpp"
#include "support/runner.hpp"
#include "support/seeded_entropy.hpp"
#include "support/temporary_directory.hpp"
#include "support/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <fstream>

namespace einmal::test {
namespace {

using testing::HasSubstr;

class CountingObserver final : public StoreObserver {
 public:
    void committed(std::size_t operations, std::chrono::nanoseconds) override {
        ++commits;
        carried += operations;
    }
    void queued(std::size_t) override {}

    std::atomic<std::size_t> commits = 0;
    std::atomic<std::size_t> carried = 0;
};

class SqliteStore : public testing::Test {
 protected:
    void open() {
        StoreOptions options;
        options.observer = &observer_;
        opened_ = open_store(address_, runner_.executor(), options, clock_, entropy_).value();
        engine_ =
            std::make_unique<Engine>(runner_.executor(), *opened_.store, catalog_, EngineOptions{}, clock_, entropy_);
    }

    void close() {
        engine_.reset();
        opened_.admin.reset();
        opened_.store.reset();
    }

    void SetUp() override {
        open();
        const auto token = opened_.admin->create_token("first", "*", TokenDigest{}).value();
        caller_ = std::make_shared<const Caller>(Caller{{AccountId{1}, token}, *Scopes::parse("*")});
    }

    void TearDown() override { close(); }

    Command create(const std::string& key, const std::string& body, const char* type = "contacts") {
        const auto route = "/v1/" + std::string(type);
        Command command;
        command.verb = Verb::create;
        command.caller = caller_;
        command.type = catalog_.find(type);
        command.key = Key{key};
        command.identity = {"POST", route, route, {}, "application/json", {}};
        command.body = parsed(body);
        return command;
    }

    Result<Answer> execute(Command command) { return runner_.run(engine_->execute(std::move(command))); }

    /// Runs SQL beside the store, as whoever damages or inspects a file does.
    void damage(const std::string& sql) {
        sqlite3* connection = nullptr;
        ASSERT_EQ(sqlite3_open(file_.c_str(), &connection), SQLITE_OK);
        sqlite3_busy_timeout(connection, 5000);
        ASSERT_EQ(sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(connection);
        sqlite3_close(connection);
    }

    TemporaryDirectory directory_;
    std::string file_ = directory_.file("einmal.db");
    std::string address_ = "sqlite:" + file_;
    ManualClock clock_;
    SeededEntropy entropy_{1};
    Runner runner_;
    CountingObserver observer_;
    Catalog catalog_ = Catalog::load({}).value();
    OpenedStore opened_;
    std::unique_ptr<Engine> engine_;
    std::shared_ptr<const Caller> caller_;
};

// proves: K9, K14
TEST_F(SqliteStore, KnowsKeysAndCountsOfReplaysAfterARestart) {
    ASSERT_EQ(verdict_of(execute(create("k1", R"({"name":"Ada"})"))), Outcome::executed);
    for (int i = 0; i < 3; ++i) ASSERT_EQ(verdict_of(execute(create("k1", R"({"name":"Ada"})"))), Outcome::replayed);
    close();
    open();
    EXPECT_EQ(verdict_of(execute(create("k1", R"({"name":"Ada"})"))), Outcome::replayed);
    const auto status = runner_.run(engine_->look_up(caller_->asker, {Key{"k1"}, "POST", "/v1/contacts"}));
    EXPECT_EQ(status->record->replays, 4U);
}

// proves: K8, K9
TEST_F(SqliteStore, StorageThatCannotGrowRefusesAndNothingIsHalfDone) {
    ASSERT_EQ(verdict_of(execute(create("k1", R"({"name":"Ada"})"))), Outcome::executed);
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit full{.rlim_cur = 4096, .rlim_max = before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &full), 0);
    for (int i = 0; i < 3; ++i) {
        const auto refused = execute(create("k2", R"({"name":"Grace"})"));
        EXPECT_TRUE(refused.has_error());
    }
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_EQ(verdict_of(execute(create("k2", R"({"name":"Grace"})"))), Outcome::executed);
    EXPECT_EQ(verdict_of(execute(create("k1", R"({"name":"Ada"})"))), Outcome::replayed);
    EXPECT_TRUE(opened_.admin->verify()->empty());
}

// proves: K9
TEST_F(SqliteStore, OneFailureInABatchLeavesItsNeighboursAlone) {
    // A trigger stands for any row that SQLite refuses.
    damage(
        "CREATE TRIGGER refuse BEFORE INSERT ON resources WHEN new.body LIKE '%Mallory%' BEGIN "
        "SELECT RAISE(ABORT, 'refused'); END");
    std::vector<Pending<Result<Answer>>> pending;
    for (int i = 0; i < 20; ++i) {
        const std::string name = i % 5 == 2 ? "Mallory" : "Ada";
        pending.push_back(
            runner_.start(engine_->execute(create("k" + std::to_string(i), R"({"name":")" + name + R"("})"))));
    }
    const auto answers = get_all(pending);
    for (std::size_t i = 0; i < answers.size(); ++i) EXPECT_EQ(answers[i].has_value(), i % 5 != 2) << i;
    EXPECT_EQ(observer_.carried, 16U);
    EXPECT_LT(observer_.commits, 16U);
    damage("DROP TRIGGER refuse");
    EXPECT_EQ(verdict_of(execute(create("k2", R"({"name":"Mallory"})"))), Outcome::executed);
}

// proves: A1, A4
TEST_F(SqliteStore, SecondServerOnTheFileIsRefusedWhileItsOperatorIsNot) {
    const auto second = open_store(address_, runner_.executor(), {}, clock_, entropy_);
    ASSERT_TRUE(second.has_error());
    EXPECT_EQ(second.error().code, Errc::unavailable);
    const auto admin = open_admin(address_, false, clock_, entropy_);
    ASSERT_TRUE(admin.has_value());
    EXPECT_EQ((*admin)->list_tokens()->size(), 1U);
}

// proves: A4
TEST_F(SqliteStore, NewerSchemaIsRefusedWithASentence) {
    close();
    damage("PRAGMA user_version = 99");
    const auto refused = open_store(address_, runner_.executor(), {}, clock_, entropy_);
    ASSERT_TRUE(refused.has_error());
    EXPECT_EQ(refused.error().code, Errc::configuration);
    EXPECT_THAT(refused.error().reason, HasSubstr("newer"));
}

// proves: A4
TEST_F(SqliteStore, FileThatIsNoDatabaseIsRefusedAndLeftAsItIs) {
    const auto other = directory_.file("notes.txt");
    const std::string text = "These are my notes, which nobody may overwrite.\n" + std::string(8192, '.');
    std::ofstream(other) << text;
    for (const bool create : {false, true})
        EXPECT_EQ(open_admin("sqlite:" + other, create, clock_, entropy_).error().code, Errc::configuration);
    std::ifstream in(other);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), text);
}

// proves: A4
TEST_F(SqliteStore, OperatorDoesNotMakeADatabaseByMistake) {
    const auto absent = directory_.file("absent.db");
    EXPECT_EQ(open_admin("sqlite:" + absent, false, clock_, entropy_).error().code, Errc::configuration);
    EXPECT_FALSE(std::filesystem::exists(absent));
}

// proves: A7
TEST_F(SqliteStore, BackupIsWholeAndOverwritesNothing) {
    for (int i = 0; i < 50; ++i) {
        const auto answer = execute(create("k" + std::to_string(i), R"({"name":"Ada"})"));
        ASSERT_TRUE(answer.has_value());
    }
    const auto copy = directory_.file("copy.db");
    ASSERT_TRUE(opened_.admin->backup(copy).has_value());
    EXPECT_TRUE(opened_.admin->backup(copy).has_error());
    const auto admin = open_admin("sqlite:" + copy, false, clock_, entropy_);
    EXPECT_TRUE((*admin)->verify()->empty());
}

// proves: A7
TEST_F(SqliteStore, VerifyFindsWhatSomebodyDamaged) {
    ASSERT_TRUE(execute(create("k1", R"({"name":"Acme","vat_id":"DE1"})", "companies")).has_value());
    ASSERT_TRUE(opened_.admin->verify()->empty());
    for (const auto* sql :
         {"UPDATE records SET id = 'com_gone'", "INSERT INTO unique_values VALUES (1, x'00', 'com_gone')",
          "UPDATE events SET id = 'com_gone'", "UPDATE records SET revision = 7"}) {
        const auto whole = directory_.file("whole.db");
        std::filesystem::remove(whole);
        ASSERT_TRUE(opened_.admin->backup(whole).has_value());
        sqlite3* connection = nullptr;
        ASSERT_EQ(sqlite3_open(whole.c_str(), &connection), SQLITE_OK);
        ASSERT_EQ(sqlite3_exec(connection, sql, nullptr, nullptr, nullptr), SQLITE_OK);
        sqlite3_close(connection);
        const auto admin = open_admin("sqlite:" + whole, false, clock_, entropy_);
        EXPECT_FALSE((*admin)->verify()->empty()) << sql;
    }
}

}  // namespace
}  // namespace einmal::test
