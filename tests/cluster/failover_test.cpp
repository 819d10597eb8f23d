// A primary with a synchronous standby is killed under load from two servers and the standby takes over: traffic goes
// on by itself, nothing that was acknowledged is missing, and whatever was not can be repeated to exactly one effect.
#include "cluster/servers.hpp"
#include "support/pg_cluster.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace einmal::test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

int rounds() { return is_long_run() ? 20 : 2; }

/// Two database servers; the second holds all that the first has acknowledged.
class Pair {
 public:
    Pair() {
        PgProbe probe(primary_->address());
        probe.run("ALTER SYSTEM SET synchronous_standby_names = '*'");
        probe.run("SELECT pg_reload_conf()");
        for (int i = 0; i < 500 && !synchronous(); ++i) std::this_thread::sleep_for(milliseconds(20));
        EXPECT_TRUE(synchronous());
    }

    /// Both hosts, as an operator writes them.
    [[nodiscard]] std::string store() const {
        return "postgres://einmal@127.0.0.1:" + std::to_string(primary_->port()) +
               ",127.0.0.1:" + std::to_string(standby_->port()) + "/postgres";
    }
    void kill_primary() { primary_->kill(); }
    void promote() { PgProbe(standby_->address()).run("SELECT pg_promote()"); }
    [[nodiscard]] std::string survivor() const { return standby_->address(); }

 private:
    [[nodiscard]] bool synchronous() const {
        return PgProbe(primary_->address()).run("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'").size() ==
               1;
    }

    std::unique_ptr<PgCluster> primary_ = std::make_unique<PgCluster>(PgCluster::Options{.fsync = true});
    std::unique_ptr<PgCluster> standby_ =
        std::make_unique<PgCluster>(PgCluster::Options{.fsync = true, .standby_of = primary_.get()});
};

/// Callers that write without a pause, each key once, and remember what they were told.
class Load {
 public:
    explicit Load(const Caller& caller, std::size_t callers) : caller_(caller) {
        for (std::size_t number = 0; number < callers; ++number)
            threads_.emplace_back([this, number] { write(std::to_string(number)); });
    }
    ~Load() { stop(); }

    void stop() {
        ending_ = true;
        for (auto& thread : threads_) thread.join();
        threads_.clear();
    }
    /// Key → id of what was acknowledged; nothing for a key whose fate the caller does not know. After `stop`.
    [[nodiscard]] const std::map<std::string, std::optional<std::string>>& told() const { return told_; }
    [[nodiscard]] std::size_t acknowledged() const { return acknowledged_; }

 private:
    void write(const std::string& name) {
        for (int i = 0; !ending_; ++i) {
            const auto key = name + "-" + std::to_string(i);
            const auto answer = caller_.ask(post_contact(key, key));
            const bool done = answer && answer->status == 201;
            if (done) ++acknowledged_;
            const std::lock_guard lock(mutex_);
            told_[key] = done ? std::optional(member(answer->body, "id")) : std::nullopt;
        }
    }

    const Caller& caller_;
    std::atomic<bool> ending_ = false;
    std::atomic<std::size_t> acknowledged_ = 0;
    std::mutex mutex_;
    std::map<std::string, std::optional<std::string>> told_;
    std::vector<std::thread> threads_;
};

// proves: K9
TEST(Failover, NothingAcknowledgedIsLostAndTrafficGoesOnByItself) {
    for (int round = 0; round < rounds(); ++round) {
        Pair pair;
        Servers servers(pair.store(), {.count = 2, .flags = {"--busy-timeout", "1s"}});
        const LoadBalancer balancer(servers.ports());
        const Caller caller(balancer.port(), servers.token());
        Load load(caller, 8);
        std::this_thread::sleep_for(milliseconds(500 + 37 * round));
        const auto before = load.acknowledged();
        ASSERT_GT(before, 0U);

        pair.kill_primary();
        const auto killed = Clock::now();
        pair.promote();
        // What was under way when the primary died may still be acknowledged, so wait for more than the callers are.
        const auto reference = load.acknowledged();
        while (load.acknowledged() < reference + 20) {
            ASSERT_LT(Clock::now() - killed, std::chrono::seconds(10)) << "traffic did not go on";
            std::this_thread::sleep_for(milliseconds(10));
        }
        RecordProperty("back_after_ms_" + std::to_string(round),
                       static_cast<int>(std::chrono::duration_cast<milliseconds>(Clock::now() - killed).count()));
        std::this_thread::sleep_for(milliseconds(300));
        load.stop();

        int unknown = 0;
        for (const auto& [key, id] : load.told()) {
            const auto answer = caller.insist(post_contact(key, key));
            ASSERT_TRUE(answer) << key;
            ASSERT_EQ(answer->status, 201) << answer->body;
            if (!id) {
                ++unknown;
                continue;
            }
            ASSERT_EQ(answer->header("idempotent-replayed"), "true") << key << " was acknowledged, and then forgotten";
            ASSERT_EQ(member(answer->body, "id"), *id);
        }
        RecordProperty("unknown_" + std::to_string(round), unknown);
        const auto contacts = caller.contacts();
        EXPECT_EQ(contacts.size(), load.told().size());
        for (const auto& [name, ids] : contacts) EXPECT_EQ(ids.size(), 1U) << name << " was made more than once";
        servers.expect_clean_end();
        const Finished verified = run({.arguments = {"verify", "--store", pair.survivor()},
                                       .directory = {},
                                       .variables = {},
                                       .wrapper = {},
                                       .output = -1});
        EXPECT_EQ(verified.ending, (Ending{0, 0})) << verified.output << verified.errors;
    }
}

}  // namespace
}  // namespace einmal::test
