// A key whose operation is still running (contract K5, K10, K14), and many at the same time (K9).
#include "contract/contract_test.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace einmal::test {
namespace {

constexpr std::string_view anna = R"({"name":"Anna"})";
using Where = GateStore::Where;

/// A create under `k1` that does not end until the gate is released.
Pending<Result<Answer>> start_held(World& world, Where where) {
    world.gate.hold_next(where);
    auto pending = world.start(world.create("contacts", "k1", anna));
    world.runner.run_until([&] { return world.gate.held() == 1; });
    return pending;
}

// proves: K5, B14
TEST_P(Contract, SameRequestWhileTheFirstRunsIsInProgress) {
    for (const Where where : {Where::before_effect, Where::after_effect}) {
        World world(GetParam(), {});
        const auto first = start_held(world, where);
        EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::in_progress);
        EXPECT_FALSE(first.done());
        world.gate.release();
        EXPECT_EQ(verdict_of(first.get()), Outcome::executed);
        EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::replayed);
        EXPECT_EQ(world.all("contacts").size(), 1U);
    }
}

// proves: K5, B14
TEST_P(Contract, OtherRequestWhileTheFirstRunsIsAMismatchAtOnce) {
    for (const Where where : {Where::before_effect, Where::after_effect}) {
        World world(GetParam(), {});
        const auto first = start_held(world, where);
        Command other = world.create("contacts", "k1", R"({"name":"Bert"})");
        EXPECT_EQ(verdict_of(world.execute(other)), Outcome::payload_mismatch);
        other.wait = std::chrono::seconds{25};
        const auto asked_at = std::chrono::steady_clock::now();
        EXPECT_EQ(verdict_of(world.execute(other)), Outcome::payload_mismatch);
        EXPECT_LT(std::chrono::steady_clock::now() - asked_at, std::chrono::seconds{10});
        EXPECT_EQ(verdict_of(world.execute(world.create("companies", "k1", anna))), Outcome::executed);
        EXPECT_FALSE(first.done());
        world.gate.release();
        EXPECT_EQ(verdict_of(first.get()), Outcome::executed);
    }
}

// proves: K5
TEST_P(Contract, WhoeverPrefersToWaitGetsTheReplay) {
    World world(GetParam(), {});
    const auto first = start_held(world, Where::before_effect);
    Command patient = world.create("contacts", "k1", anna);
    patient.wait = std::chrono::seconds{20};
    const auto waiting = world.start(patient);
    world.runner.run_for(std::chrono::milliseconds{50});
    EXPECT_FALSE(waiting.done());

    world.gate.release();
    const auto answer = waiting.get();
    ASSERT_EQ(verdict_of(answer), Outcome::replayed);
    EXPECT_EQ(answer->waited, std::chrono::seconds{20});
    EXPECT_EQ(answer->decision.resource->id, first.get()->decision.resource->id);
    EXPECT_EQ(world.all("contacts").size(), 1U);
}

// proves: K5
TEST_P(Contract, WaitingEndsAfterTheTimeThatTheServerAllows) {
    World::Options options;
    options.engine.wait_max = std::chrono::seconds{1};
    World world(GetParam(), options);
    const auto first = start_held(world, Where::before_effect);
    Command patient = world.create("contacts", "k1", anna);
    patient.wait = std::chrono::seconds{3600};
    const auto asked_at = std::chrono::steady_clock::now();
    EXPECT_EQ(verdict_of(world.execute(patient)), Outcome::in_progress);
    EXPECT_GE(std::chrono::steady_clock::now() - asked_at, std::chrono::milliseconds{900});
    world.gate.release();
    EXPECT_EQ(verdict_of(first.get()), Outcome::executed);
}

// proves: K5, K8
TEST_P(Contract, WhoeverWaitsForAFailureRunsTheOperationItself) {
    World world(GetParam(), {});
    world.gate.hold_next(Where::after_effect);
    world.faults.fail(Fault::unavailable);
    const auto first = world.start(world.create("contacts", "k1", anna));
    world.runner.run_until([&] { return world.gate.held() == 1; });
    std::vector<Pending<Result<Answer>>> waiting;
    for (int i = 0; i < 5; ++i) {
        Command patient = world.create("contacts", "k1", anna);
        patient.wait = std::chrono::seconds{20};
        waiting.push_back(world.start(patient));
    }
    world.gate.release();
    EXPECT_EQ(verdict_of(first.get()), Errc::unavailable);
    const auto answers = get_all(waiting);
    EXPECT_EQ(count(answers, Outcome::executed), 1U);
    EXPECT_EQ(count(answers, Outcome::replayed), 4U);
    EXPECT_EQ(world.all("contacts").size(), 1U);
}

// proves: K10
TEST_P(Contract, OperationNobodyWaitsForStillCompletes) {
    for (const Where where : {Where::before_effect, Where::after_effect}) {
        World world(GetParam(), {});
        const auto first = start_held(world, where);
        first.abandon();
        world.runner.run_for(std::chrono::milliseconds{20});
        EXPECT_EQ(world.engine->running(), 1U);
        EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::in_progress);

        world.gate.release();
        world.runner.run_until([&] { return world.engine->running() == 0; });
        const auto again = world.execute(world.create("contacts", "k1", anna));
        EXPECT_EQ(verdict_of(again), Outcome::replayed);
        EXPECT_EQ(world.all("contacts").size(), 1U);
    }
}

// proves: K14
TEST_P(Contract, LookUpTellsRunningFromCompletedFromUnknown) {
    World world(GetParam(), {});
    const auto nothing = world.look_up("k1", "POST", "/v1/contacts");
    EXPECT_FALSE(nothing.in_progress);
    EXPECT_FALSE(nothing.record.has_value());

    const auto first = start_held(world, Where::before_effect);
    const auto running = world.look_up("k1", "POST", "/v1/contacts");
    EXPECT_TRUE(running.in_progress);
    EXPECT_FALSE(running.record.has_value());
    EXPECT_FALSE(world.look_up("k1", "POST", "/v1/companies").in_progress);

    world.gate.release();
    const auto answer = first.get();
    const auto done = world.look_up("k1", "POST", "/v1/contacts");
    EXPECT_FALSE(done.in_progress);
    ASSERT_TRUE(done.record.has_value());
    EXPECT_EQ(done.record->status, 201);
    EXPECT_EQ(done.record->type, TypeName{"contacts"});
    EXPECT_EQ(done.record->resource, answer->decision.resource->id);
    EXPECT_EQ(done.record->revision, Revision{1});
    EXPECT_EQ(done.record->replays, 0U);
    EXPECT_EQ(done.record->completed_at, world.clock.now());
    EXPECT_EQ(done.record->expires_at, world.clock.now() + std::chrono::hours{24});
}

// proves: K14, K6
TEST_P(Contract, LookUpCountsReplaysAndNothingElse) {
    World world(GetParam(), {});
    ASSERT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::executed);
    for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::replayed);
    }
    ASSERT_EQ(verdict_of(world.execute(world.create("contacts", "k1", R"({"name":"Bert"})"))),
              Outcome::payload_mismatch);
    EXPECT_EQ(world.record("k1", "POST", "/v1/contacts").replays, 3U);
}

// proves: K14, S2
TEST_P(Contract, LookUpShowsNothingOfAnotherAccount) {
    World world(GetParam(), {});
    ASSERT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::executed);
    const Keyed keyed{Key{"k1"}, "POST", "/v1/contacts"};
    const auto status = world.runner.run(world.engine->look_up(world.second->asker, keyed));
    ASSERT_TRUE(status.has_value());
    EXPECT_FALSE(status->in_progress);
    EXPECT_FALSE(status->record.has_value());
}

// proves: K5, K9, B03
TEST_P(Contract, ManyAtOnceUnderOneKeyHaveOneEffect) {
    World world(GetParam(), {});
    constexpr std::size_t rounds = 20;
    for (std::size_t round = 0; round < rounds; ++round) {
        const std::string key = "k" + std::to_string(round);
        const auto answers = world.execute_all({50, world.create("contacts", key, anna)});
        EXPECT_EQ(count(answers, Outcome::executed), 1U);
        EXPECT_EQ(count(answers, Outcome::executed) + count(answers, Outcome::replayed) +
                      count(answers, Outcome::in_progress),
                  50U);
        EXPECT_EQ(verdict_of(world.execute(world.create("contacts", key, anna))), Outcome::replayed);
    }
    EXPECT_EQ(world.all("contacts").size(), rounds);
    EXPECT_EQ(world.opened->events().size(), rounds);
}

// proves: K5, K9, B03
TEST_P(Contract, TwoEnginesOnOneStoreShareItsKeys) {
    World world(GetParam(), {});
    Engine other(world.runner.executor(), world.opened->store(), world.catalog, {}, world.clock, world.entropy);
    constexpr std::size_t rounds = 20;
    for (std::size_t round = 0; round < rounds; ++round) {
        const Command command = world.create("contacts", "k" + std::to_string(round), anna);
        const auto here = world.start(command);
        const auto there = world.runner.start(other.execute(command));
        const std::vector<Result<Answer>> answers{here.get(), there.get()};
        EXPECT_EQ(count(answers, Outcome::executed), 1U);
        EXPECT_EQ(count(answers, Outcome::replayed), 1U);
    }
    EXPECT_EQ(world.all("contacts").size(), rounds);
}

}  // namespace
}  // namespace einmal::test
