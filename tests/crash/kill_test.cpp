// The real program, killed at any instant: what was answered stands, and what was not answered can be asked for again
// under its key.
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>

#include "support/machine.hpp"
#include "support/served.hpp"
#include "support/temporary_directory.hpp"

namespace einmal::test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;

/// As many as public bug B41 asks for, or, for `./dev test --long`, ten times as many.
int rounds() { return is_long_run() ? 3000 : 300; }

/// Repeats the request until it is answered 2xx, as a client with a key may. Nothing when that does not happen soon: a
/// 409 that stays is a lost key.
std::optional<HttpAnswer> retry(const Served& server, const std::string& key) {
    const Clock::time_point deadline = Clock::now() + std::chrono::seconds(10);
    while (Clock::now() < deadline) {
        std::optional<HttpAnswer> answer = server.post_contact(key, key);
        if (answer && answer->status / 100 == 2) return answer;
        std::this_thread::sleep_for(milliseconds(5));
    }
    return std::nullopt;
}

// proves: B41, K9, K10, H4
TEST(Kill, AtAnyInstantLeavesOneEffectPerKeyAndNoLostKey) {
    const TemporaryDirectory directory;
    std::mt19937 random(std::random_device{}());  // NOLINT(cert-msc50-cpp): the instants need no secrecy
    // 0 to 20 ms, most of them short, because the commit comes within the first two.
    std::uniform_real_distribution<double> chance(0, 1);
    const auto instant_to_kill = [&] { return microseconds(static_cast<int>(20'000 * std::pow(chance(random), 4))); };
    auto server = std::make_unique<Served>(directory.path());
    const std::string token = server->token();
    int answered_before = 0;
    int executed_after = 0;

    for (int round = 0; round < rounds(); ++round) {
        const std::string key = "round-" + std::to_string(round);
        const microseconds instant = instant_to_kill();
        std::optional<HttpAnswer> first;
        std::thread client([&] { first = server->post_contact(key, key); });
        std::this_thread::sleep_for(instant);
        server->process().signal(SIGKILL);
        client.join();
        ASSERT_EQ(server->process().wait(), (Ending{-1, SIGKILL}));

        server = std::make_unique<Served>(directory.path());
        const std::optional<HttpAnswer> second = retry(*server, key);
        ASSERT_TRUE(second.has_value()) << key << " was never answered, killed after " << instant.count() << " us";
        EXPECT_EQ(second->status, 201);
        const bool replayed = second->header("idempotent-replayed") == "true";
        if (!replayed) ++executed_after;
        if (first) {
            ++answered_before;
            ASSERT_EQ(first->status, 201) << first->body;
            EXPECT_TRUE(replayed) << key << " was answered, and then forgotten";
            EXPECT_EQ(member(first->body, "id"), member(second->body, "id")) << key;
        }
    }

    const auto contacts = contacts_by_name([&](HttpRequest request) { return server->ask(std::move(request)); });
    EXPECT_EQ(contacts.size(), static_cast<std::size_t>(rounds()));
    for (const auto& [name, ids] : contacts) EXPECT_EQ(ids.size(), 1U) << name << " was made more than once";
    EXPECT_EQ(server->stop(), (Ending{0, 0}));
    const Finished verified =
        run({.arguments = {"verify"}, .directory = directory.path(), .variables = {}, .wrapper = {}, .output = -1});
    EXPECT_EQ(verified.ending, (Ending{0, 0})) << verified.output << verified.errors;

    // The instants must have fallen on both sides of the commit, or nothing was shown.
    RecordProperty("answered_before_the_kill", answered_before);
    RecordProperty("executed_after_the_kill", executed_after);
    EXPECT_GT(answered_before, 0);
    EXPECT_GT(executed_after, 0);
}

}  // namespace
}  // namespace einmal::test
