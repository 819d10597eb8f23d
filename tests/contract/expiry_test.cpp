// Retention (contract K11), with a clock that the test moves. The cleaner is off unless a test says otherwise, because
// expiry must never depend on it.
#include "contract/contract_test.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace einmal::test {
namespace {

constexpr std::string_view anna = R"({"name":"Anna"})";

World::Options without_cleaner() {
    World::Options options;
    options.store.cleaner_interval = std::chrono::milliseconds{0};
    return options;
}

// proves: K11, B43
TEST_P(Contract, RecordAnswersUntilTheInstantOfItsExpiry) {
    World world(GetParam(), without_cleaner());
    const auto first = world.execute(world.create("contacts", "k1", anna));
    ASSERT_EQ(verdict_of(first), Outcome::executed);
    const Timestamp expires_at = first->decision.record->expires_at;
    EXPECT_EQ(expires_at, world.clock.now() + std::chrono::hours{24});

    world.clock.set(expires_at - std::chrono::milliseconds{1});
    const auto before = world.execute(world.create("contacts", "k1", anna));
    ASSERT_EQ(verdict_of(before), Outcome::replayed);
    EXPECT_EQ(before->decision.record->expires_at, expires_at);

    world.clock.set(expires_at);
    EXPECT_FALSE(world.look_up("k1", "POST", "/v1/contacts").record.has_value());
    const auto at = world.execute(world.create("contacts", "k1", anna));
    ASSERT_EQ(verdict_of(at), Outcome::executed);
    EXPECT_NE(at->decision.resource->id, first->decision.resource->id);
    EXPECT_EQ(at->decision.record->expires_at, expires_at + std::chrono::hours{24});
    EXPECT_EQ(world.all("contacts").size(), 2U);

    const auto again = world.execute(world.create("contacts", "k1", anna));
    ASSERT_EQ(verdict_of(again), Outcome::replayed);
    EXPECT_EQ(again->decision.resource->id, at->decision.resource->id);
    EXPECT_EQ(world.record("k1", "POST", "/v1/contacts").replays, 1U);
}

// proves: K11, B43
TEST_P(Contract, AfterExpiryTheKeyIsFreeForAnotherRequest) {
    World world(GetParam(), without_cleaner());
    ASSERT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::executed);
    world.clock.advance(std::chrono::hours{24} + std::chrono::milliseconds{1});
    EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "k1", R"({"name":"Bert"})"))), Outcome::executed);
    EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::payload_mismatch);
}

// proves: K11, B43
TEST_P(Contract, ManyAtOnceRightAfterExpiryHaveOneEffect) {
    World world(GetParam(), without_cleaner());
    constexpr std::size_t rounds = 10;
    for (std::size_t round = 0; round < rounds; ++round) {
        const auto answers = world.execute_all({20, world.create("contacts", "k1", anna)});
        EXPECT_EQ(count(answers, Outcome::executed), 1U);
        EXPECT_EQ(world.all("contacts").size(), round + 1);
        world.clock.advance(std::chrono::hours{24});
    }
}

// proves: K11
TEST_P(Contract, RetentionIsWhatTheOptionsSay) {
    World::Options options = without_cleaner();
    options.engine.retention = std::chrono::milliseconds{5};
    World world(GetParam(), options);
    ASSERT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::executed);
    world.clock.advance(std::chrono::milliseconds{4});
    ASSERT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::replayed);
    world.clock.advance(std::chrono::milliseconds{1});
    EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::executed);
}

// proves: K11
TEST_P(Contract, CleanerRemovesNothingThatIsStillInForce) {
    World::Options options;
    options.store.cleaner_interval = std::chrono::milliseconds{1};
    options.store.cleaner_batch = 3;
    World world(GetParam(), options);
    for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(verdict_of(world.execute(world.create("contacts", "old" + std::to_string(i), anna))),
                  Outcome::executed);
    }
    world.clock.advance(std::chrono::hours{23});
    for (int i = 0; i < 5; ++i) {
        ASSERT_EQ(verdict_of(world.execute(world.create("contacts", "new" + std::to_string(i), anna))),
                  Outcome::executed);
    }
    world.clock.advance(std::chrono::hours{1});
    // Expired ones run anew while the cleaner is at them; those in force are replayed.
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "old" + std::to_string(i), anna))),
                  Outcome::executed);
    }
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "new" + std::to_string(i), anna))),
                  Outcome::replayed);
    }
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "old" + std::to_string(i), anna))),
                  Outcome::replayed);
    }
    EXPECT_TRUE(world.opened->admin().verify()->empty());
}

}  // namespace
}  // namespace einmal::test
