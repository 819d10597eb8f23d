// A story of writes in which the storage fails at one step, the next run at the next step, and so on until a run goes
// through without reaching the fault. The client does what it is told to do: it repeats with the same key until it has
// its answer. However the storage failed, each operation must have had exactly one effect.
#include "support/world.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace einmal::test {
namespace {

/// How the storage fails: once, or often enough that the engine cannot clear up the doubt by itself.
struct Failing {
    Fault fault;
    std::size_t times;
};

std::string name_of(const Failing& failing) {
    const std::string times = failing.times == 1 ? "Once" : "Often";
    switch (failing.fault) {
        case Fault::unavailable:
            return "Unavailable" + times;
        case Fault::unknown_not_done:
            return "UnknownNotDone" + times;
        case Fault::unknown_but_done:
            return "UnknownButDone" + times;
    }
    return {};
}

void PrintTo(const Failing& failing, std::ostream* out) { *out << name_of(failing); }

class FaultSteps : public ::testing::TestWithParam<std::tuple<StoreKind, Failing>> {};

/// Repeats with the same key until the answer is there, as a client does; a refusal is an answer.
Answer insisted(World& world, const Command& command) {
    for (int attempt = 0; attempt < 50; ++attempt) {
        const auto answer = world.execute(command);
        if (answer) return *answer;
        EXPECT_TRUE(answer.error().code == Errc::unavailable || answer.error().code == Errc::outcome_unknown);
    }
    ADD_FAILURE() << "never got an answer";
    return {};
}

/// What a success was about; the story cannot go on without it.
ResourceId resource_of(const Answer& answer) {
    if (!answer.decision.resource) throw std::runtime_error("the story got stuck at a refusal");
    return answer.decision.resource->id;
}

void expect_success(const Answer& answer, int status) {
    EXPECT_TRUE(answer.decision.outcome == Outcome::executed || answer.decision.outcome == Outcome::replayed)
        << einmal::name_of(answer.decision.outcome);
    EXPECT_EQ(answer.decision.status, status);
}

/// A company and its contact are made, the contact is changed and a change of nothing is sent; then the company's
/// unique value moves to a new one, and the contact is deleted. Every write carries a key.
void tell_story(World& world) {
    const Answer company = insisted(world, world.create("companies", "a", R"({"name":"Acme","vat_id":"DE1"})"));
    expect_success(company, 201);
    const ResourceId acme = resource_of(company);

    const Answer contact =
        insisted(world, world.create("contacts", "b", R"({"name":"Anna","company_id":")" + acme.text + R"("})"));
    expect_success(contact, 201);
    const ResourceId anna = resource_of(contact);

    Command conditional = world.patch(anna, "c", R"({"notes":"n"})");
    conditional.if_match = if_match(R"("r1")");
    expect_success(insisted(world, conditional), 200);
    expect_success(insisted(world, world.patch(anna, "d", R"({"notes":"n"})")), 200);
    expect_success(insisted(world, world.replace(anna, "e", R"({"name":"Bert"})")), 200);

    const Command taken = world.create("companies", "f", R"({"name":"Other","vat_id":"DE1"})");
    EXPECT_EQ(insisted(world, taken).decision.outcome, Outcome::conflict);
    expect_success(insisted(world, world.remove(acme, "g")), 204);
    expect_success(insisted(world, taken), 201);
    expect_success(insisted(world, world.remove(anna, "h")), 204);
}

/// What the story comes to, whatever happened on the way.
void check_outcome(World& world) {
    const std::vector<Resource> companies = world.all("companies");
    ASSERT_EQ(companies.size(), 1U);
    EXPECT_EQ(companies.front().revision, Revision{1});
    EXPECT_EQ(parsed(companies.front().body), parsed(R"({"name":"Other","vat_id":"DE1"})"));
    EXPECT_TRUE(world.all("contacts").empty());

    std::vector<std::string> events;
    for (const Event& event : world.opened->events()) {
        events.push_back(event.type + " r" + std::to_string(event.revision.value));
    }
    EXPECT_EQ(events, (std::vector<std::string>{"companies.created r1", "contacts.created r1", "contacts.updated r2",
                                                "contacts.updated r3", "companies.deleted r2", "companies.created r1",
                                                "contacts.deleted r4"}));
    const auto wrong = world.opened->admin().verify();
    ASSERT_TRUE(wrong.has_value());
    EXPECT_TRUE(wrong->empty()) << wrong->front();
}

// proves: K5, K8, K9, B13, B41
TEST_P(FaultSteps, EachOperationHasOneEffectWhereverTheStorageFails) {
    const auto& [kind, failing] = GetParam();
    bool reached = true;
    std::size_t step = 0;
    for (; reached; ++step) {
        SCOPED_TRACE("the storage fails at step " + std::to_string(step));
        World world(kind, {});
        world.faults.fail(failing.fault, step, failing.times);
        tell_story(world);
        reached = !world.faults.armed();
        world.faults.heal();
        check_outcome(world);
        if (HasFailure()) return;
    }
    EXPECT_GT(step, 9U) << "the story has fewer steps than writes";
}

INSTANTIATE_TEST_SUITE_P(
    Stores, FaultSteps,
    ::testing::Combine(::testing::ValuesIn(all_store_kinds()),
                       ::testing::Values(Failing{Fault::unavailable, 1}, Failing{Fault::unavailable, 5},
                                         Failing{Fault::unknown_not_done, 1}, Failing{Fault::unknown_not_done, 5},
                                         Failing{Fault::unknown_but_done, 1}, Failing{Fault::unknown_but_done, 5})),
    [](const auto& each) { return std::get<0>(each.param).name + name_of(std::get<1>(each.param)); });

}  // namespace
}  // namespace einmal::test
