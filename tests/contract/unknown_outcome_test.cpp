// "We do not know whether it committed", clarified by the key (contract K9, second decision of ARCHITECTURE.md).
#include "contract/contract_test.hpp"

#include <string>
#include <vector>

namespace einmal::test {
namespace {

constexpr std::string_view anna = R"({"name":"Anna"})";

bool succeeded(const Result<Answer>& answer) {
    return verdict_of(answer) == Outcome::executed || verdict_of(answer) == Outcome::replayed;
}

// proves: K9
TEST_P(Contract, DoubtAboutACommitThatHappenedIsClarified) {
    World world(GetParam(), {});
    world.faults.fail(Fault::unknown_but_done);
    const auto answer = world.execute(world.create("contacts", "k1", anna));
    ASSERT_FALSE(world.faults.armed());
    ASSERT_TRUE(succeeded(answer));
    EXPECT_EQ(answer->decision.status, 201);
    const auto contacts = world.all("contacts");
    ASSERT_EQ(contacts.size(), 1U);
    EXPECT_EQ(answer->decision.resource->id, contacts.front().id);
    EXPECT_EQ(world.opened->events().size(), 1U);
    EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::replayed);
}

// proves: K9
TEST_P(Contract, DoubtAboutACommitThatDidNotHappenIsClarified) {
    World world(GetParam(), {});
    world.faults.fail(Fault::unknown_not_done);
    const auto answer = world.execute(world.create("contacts", "k1", anna));
    ASSERT_FALSE(world.faults.armed());
    EXPECT_EQ(verdict_of(answer), Outcome::executed);
    ASSERT_EQ(world.all("contacts").size(), 1U);
    EXPECT_EQ(answer->decision.resource->id, world.all("contacts").front().id);
    EXPECT_EQ(world.opened->events().size(), 1U);
    EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::replayed);
}

// proves: K9, R1
TEST_P(Contract, DoubtAboutAPatchOrDeleteIsClarifiedWithoutASecondEffect) {
    for (const Fault fault : {Fault::unknown_but_done, Fault::unknown_not_done}) {
        World world(GetParam(), {});
        const ResourceId id = world.created("contacts", anna).id;
        world.faults.fail(fault);
        Command patch = world.patch(id, "k1", R"({"notes":"n"})");
        patch.if_match = if_match(R"("r1")");
        const auto patched = world.execute(patch);
        ASSERT_TRUE(succeeded(patched));
        EXPECT_EQ(patched->decision.resource->revision, Revision{2});

        world.faults.fail(fault);
        const auto removed = world.execute(world.remove(id, "k2"));
        ASSERT_TRUE(succeeded(removed));
        EXPECT_EQ(removed->decision.status, 204);
        EXPECT_EQ(removed->decision.resource->revision, Revision{3});
        EXPECT_EQ(world.opened->events().size(), 3U);
    }
}

// proves: K9
TEST_P(Contract, DoubtThatCannotBeClarifiedIsSaidAndTheKeyStillKnows) {
    for (const Fault fault : {Fault::unknown_but_done, Fault::unknown_not_done}) {
        World world(GetParam(), {});
        world.faults.fail(fault, 0, 1'000);
        EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Errc::outcome_unknown);
        world.faults.heal();
        const auto later = world.execute(world.create("contacts", "k1", anna));
        EXPECT_EQ(verdict_of(later), fault == Fault::unknown_but_done ? Outcome::replayed : Outcome::executed);
        EXPECT_EQ(world.all("contacts").size(), 1U);
        EXPECT_EQ(world.opened->events().size(), 1U);
    }
}

// proves: K9
TEST_P(Contract, DoubtWithoutAKeyIsSaidAndNothingIsDoneTwice) {
    World world(GetParam(), {});
    const ResourceId id = world.created("contacts", anna).id;
    world.faults.fail(Fault::unknown_but_done);
    EXPECT_EQ(verdict_of(world.execute(world.patch(id, "", R"({"notes":"n"})"))), Errc::outcome_unknown);
    EXPECT_EQ(world.get(id)->revision, Revision{2});
    world.faults.fail(Fault::unknown_not_done);
    EXPECT_EQ(verdict_of(world.execute(world.patch(id, "", R"({"notes":"m"})"))), Errc::outcome_unknown);
    EXPECT_EQ(world.get(id)->revision, Revision{2});
}

// proves: K5, K9
TEST_P(Contract, KeyIsTakenWhileDoubtIsClarifiedAndFreeAfterwards) {
    World world(GetParam(), {});
    world.faults.fail(Fault::unknown_but_done);
    world.gate.hold_next(GateStore::Where::after_effect);
    const auto doubtful = world.start(world.create("contacts", "k1", anna));
    world.runner.run_until([&] { return world.gate.held() == 1; });
    EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::in_progress);
    EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "k1", R"({"name":"B"})"))), Outcome::payload_mismatch);
    world.gate.release();
    EXPECT_TRUE(succeeded(doubtful.get()));
    EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::replayed);
    EXPECT_EQ(world.all("contacts").size(), 1U);
}

}  // namespace
}  // namespace einmal::test
