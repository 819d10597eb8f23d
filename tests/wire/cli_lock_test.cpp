// A server whose database another program has locked: short locks are waited for, long ones are refused without effect
// (public bug B44).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "support/served.hpp"
#include "support/temporary_directory.hpp"

namespace einmal::test {
namespace {

using std::chrono::milliseconds;

/// Another program's write transaction on the database.
class ForeignLock {
 public:
    explicit ForeignLock(const std::string& file) {
        EXPECT_EQ(sqlite3_open(file.c_str(), &database_), SQLITE_OK);
        sqlite3_busy_timeout(database_, 5000);
        EXPECT_EQ(sqlite3_exec(database_, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
    }
    ~ForeignLock() {
        sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
        sqlite3_close(database_);
    }
    ForeignLock(const ForeignLock&) = delete;
    ForeignLock& operator=(const ForeignLock&) = delete;

 private:
    sqlite3* database_ = nullptr;
};

/// Clients that create, change and delete until told to stop, and count the answers by status.
class Clients {
 public:
    Clients(const Served& server, int count) {
        for (int number = 0; number < count; ++number)
            threads_.emplace_back([this, &server, number] { work(server, number); });
    }
    ~Clients() { stop(); }
    Clients(const Clients&) = delete;
    Clients& operator=(const Clients&) = delete;

    /// Status → how often; 0 stands for no answer.
    std::map<int, int> stop() {
        stopping_ = true;
        for (std::thread& thread : threads_) thread.join();
        threads_.clear();
        return answers_;
    }

 private:
    void work(const Served& server, int number) {
        for (int i = 0; !stopping_; ++i) {
            const std::string key = std::to_string(number) + "-" + std::to_string(i);
            const auto created = server.post_contact(key, key);
            count(created);
            if (!created || created->status != 201) continue;
            const std::string target = "/v1/contacts/" + member(created->body, "id");
            count(server.ask({.method = "PATCH",
                              .target = target,
                              .headers = {{"Content-Type", "application/merge-patch+json"}, {"If-Match", "\"r1\""}},
                              .body = R"({"phone":"1"})"}));
            count(
                server.ask({.method = "DELETE", .target = target, .headers = {{"Idempotency-Key", key}}, .body = ""}));
        }
    }

    void count(const std::optional<HttpAnswer>& answer) {
        const std::lock_guard guard(mutex_);
        ++answers_[answer ? answer->status : 0];
    }

    std::mutex mutex_;
    std::map<int, int> answers_;
    std::atomic<bool> stopping_ = false;
    std::vector<std::thread> threads_;
};

// proves: B44, A6
TEST(CliLock, AShortForeignLockIsWaitedFor) {
    const TemporaryDirectory directory;
    const Served server(directory.path(), {"--busy-timeout", "10s"});
    Clients clients(server, 8);
    std::this_thread::sleep_for(milliseconds(300));
    for (int i = 0; i < 2; ++i) {
        const ForeignLock lock(directory.file("einmal.db"));
        std::this_thread::sleep_for(milliseconds(1000));
    }
    std::this_thread::sleep_for(milliseconds(300));
    const std::map<int, int> answers = clients.stop();
    for (const auto& [status, count] : answers) {
        EXPECT_TRUE(status == 200 || status == 201 || status == 204) << count << " answers " << status;
    }
    EXPECT_GT(answers.at(204), 0);
}

// proves: B44, B13, A6, K8
TEST(CliLock, ALongForeignLockIs503AndTheSameKeySucceedsOnceAfterwards) {
    const TemporaryDirectory directory;
    const Served server(directory.path(), {"--busy-timeout", "500ms"});
    {
        const ForeignLock lock(directory.file("einmal.db"));
        for (int i = 0; i < 2; ++i) {
            const auto refused = server.post_contact("k", "Ada");
            ASSERT_TRUE(refused.has_value());
            EXPECT_EQ(refused->status, 503) << refused->body;
            EXPECT_NE(refused->header("retry-after"), "");
        }
        const auto read = server.ask({.method = "GET", .target = "/v1/contacts", .headers = {}, .body = ""});
        ASSERT_TRUE(read.has_value());
        EXPECT_EQ(read->status, 200) << "reading needs no lock";
    }
    const auto created = server.post_contact("k", "Ada");
    ASSERT_TRUE(created.has_value());
    EXPECT_EQ(created->status, 201) << created->body;
    EXPECT_EQ(created->header("idempotent-replayed"), "");
    const auto replayed = server.post_contact("k", "Ada");
    ASSERT_TRUE(replayed.has_value());
    EXPECT_EQ(replayed->header("idempotent-replayed"), "true");
    EXPECT_EQ(member(replayed->body, "id"), member(created->body, "id"));
}

}  // namespace
}  // namespace einmal::test
