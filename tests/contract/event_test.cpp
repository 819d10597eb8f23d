// One event per effective change, and none for anything else (contract O1, K6).
#include "contract/contract_test.hpp"

#include <set>
#include <string>
#include <vector>

namespace einmal::test {
namespace {

constexpr std::string_view anna = R"({"name":"Anna"})";

// proves: O1, K9
TEST_P(Contract, EachEffectiveChangeHasItsEvent) {
    World world(GetParam(), {});
    const Timestamp created_at = world.clock.now();
    const auto made = world.execute(world.create("contacts", "k1", anna));
    ASSERT_EQ(verdict_of(made), Outcome::executed);
    const ResourceId id = made->decision.resource->id;
    world.clock.advance(std::chrono::seconds{1});
    ASSERT_EQ(verdict_of(world.execute(world.patch(id, "", R"({"name":"B"})"))), Outcome::executed);
    ASSERT_EQ(verdict_of(world.execute(world.replace(id, "k2", R"({"name":"C"})"))), Outcome::executed);
    ASSERT_EQ(verdict_of(world.execute(world.remove(id, "k3"))), Outcome::executed);

    const std::vector<Event> events = world.opened->events();
    ASSERT_EQ(events.size(), 4U);
    const std::vector<std::string> types{"contacts.created", "contacts.updated", "contacts.updated",
                                         "contacts.deleted"};
    std::set<std::string> ids;
    for (std::size_t i = 0; i < events.size(); ++i) {
        EXPECT_EQ(events[i].type, types[i]);
        EXPECT_EQ(events[i].resource, id);
        EXPECT_EQ(events[i].revision, Revision{i + 1});
        EXPECT_EQ(events[i].time, i == 0 ? created_at : world.clock.now());
        EXPECT_FALSE(events[i].id.empty());
        ids.insert(events[i].id);
    }
    EXPECT_EQ(ids.size(), 4U);
}

// proves: O1, K6, K8, B50
TEST_P(Contract, ReplaysAndRefusalsHaveNoEvent) {
    World world(GetParam(), {});
    const auto made = world.execute(world.create("contacts", "k1", anna));
    ASSERT_EQ(verdict_of(made), Outcome::executed);
    const ResourceId id = made->decision.resource->id;
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::replayed);
    }
    EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "k1", R"({"name":"B"})"))), Outcome::payload_mismatch);
    Command stale = world.patch(id, "", R"({"name":"B"})");
    stale.if_match = if_match(R"("r9")");
    EXPECT_EQ(verdict_of(world.execute(stale)), Outcome::precondition_failed);
    EXPECT_EQ(verdict_of(world.execute(world.patch(id, "", R"({"name":7})"))), Outcome::invalid);
    EXPECT_EQ(verdict_of(world.execute(world.patch(id, "", R"({"id":"con_x"})"))), Outcome::read_only_member);
    EXPECT_EQ(verdict_of(world.execute(world.patch(id, "k2", R"({})"))), Outcome::executed);

    world.gate.hold_next(GateStore::Where::before_effect);
    const auto running = world.start(world.patch(id, "k3", R"({"name":"C"})"));
    world.runner.run_until([&] { return world.gate.held() == 1; });
    EXPECT_EQ(verdict_of(world.execute(world.patch(id, "k3", R"({"name":"C"})"))), Outcome::in_progress);
    EXPECT_EQ(world.opened->events().size(), 1U);
    world.gate.release();
    EXPECT_EQ(verdict_of(running.get()), Outcome::executed);
    EXPECT_EQ(world.opened->events().size(), 2U);
}

}  // namespace
}  // namespace einmal::test
