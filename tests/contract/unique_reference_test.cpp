// Unique values and references to other resources (contract T4).
#include "contract/contract_test.hpp"

#include <string>
#include <vector>

namespace einmal::test {
namespace {

std::string company(std::string_view name, std::string_view vat_id) {
    return R"({"name":")" + std::string(name) + R"(","vat_id":")" + std::string(vat_id) + R"("})";
}

// proves: T4
TEST_P(Contract, TakenUniqueValueIsAConflictThatNamesItsOwner) {
    World world(GetParam(), {});
    const ResourceId owner = world.created("companies", company("A", "DE1")).id;
    const auto answer = world.execute(world.create("companies", "k1", company("B", "DE1")));
    ASSERT_EQ(verdict_of(answer), Outcome::conflict);
    ASSERT_TRUE(answer->decision.conflict.has_value());
    EXPECT_EQ(answer->decision.conflict->member, "vat_id");
    EXPECT_EQ(answer->decision.conflict->owner, owner);
    EXPECT_EQ(world.all("companies").size(), 1U);
    EXPECT_EQ(world.opened->events().size(), 1U);
}

// proves: T4
TEST_P(Contract, UniqueValueIsFreeAgainAfterChangeOrDelete) {
    World world(GetParam(), {});
    const ResourceId a = world.created("companies", company("A", "DE1")).id;
    const ResourceId b = world.created("companies", company("B", "DE2")).id;
    EXPECT_EQ(verdict_of(world.execute(world.patch(b, "", R"({"vat_id":"DE1"})"))), Outcome::conflict);
    ASSERT_EQ(verdict_of(world.execute(world.patch(a, "", R"({"vat_id":"DE3"})"))), Outcome::executed);
    EXPECT_EQ(verdict_of(world.execute(world.patch(b, "", R"({"vat_id":"DE1"})"))), Outcome::executed);
    EXPECT_EQ(verdict_of(world.execute(world.create("companies", "k1", company("C", "DE2")))), Outcome::executed);
    EXPECT_EQ(verdict_of(world.execute(world.create("companies", "k2", company("D", "DE3")))), Outcome::conflict);
    ASSERT_EQ(verdict_of(world.execute(world.patch(a, "", R"({"vat_id":null})"))), Outcome::executed);
    EXPECT_EQ(verdict_of(world.execute(world.create("companies", "k2", company("D", "DE3")))), Outcome::executed);
    ASSERT_EQ(verdict_of(world.execute(world.remove(b, "k3"))), Outcome::executed);
    EXPECT_EQ(verdict_of(world.execute(world.create("companies", "k4", company("E", "DE1")))), Outcome::executed);
    EXPECT_TRUE(world.opened->admin().verify()->empty());
}

// proves: T4
TEST_P(Contract, OwnUniqueValueIsNoConflict) {
    World world(GetParam(), {});
    const ResourceId id = world.created("companies", company("A", "DE1")).id;
    EXPECT_EQ(verdict_of(world.execute(world.patch(id, "", R"({"name":"B","vat_id":"DE1"})"))), Outcome::executed);
    EXPECT_EQ(verdict_of(world.execute(world.replace(id, "", company("C", "DE1")))), Outcome::executed);
    EXPECT_EQ(verdict_of(world.execute(world.create("companies", "k1", company("D", "DE1")))), Outcome::conflict);
}

// proves: T4, K8, B45
TEST_P(Contract, OfManyAtOnceWithOneUniqueValueOneIsExecuted) {
    World world(GetParam(), {});
    constexpr std::size_t rounds = 5;
    for (std::size_t round = 0; round < rounds; ++round) {
        const std::string vat_id = "DE" + std::to_string(round);
        std::vector<Command> commands;
        for (std::size_t i = 0; i < 50; ++i) {
            const std::string key = "k" + std::to_string(round) + "-" + std::to_string(i);
            commands.push_back(world.create("companies", key, company("N" + std::to_string(i), vat_id)));
        }
        const auto answers = world.execute_all(commands);
        EXPECT_EQ(count(answers, Outcome::executed), 1U);
        EXPECT_EQ(count(answers, Outcome::conflict), 49U);
        for (std::size_t i = 0; i < commands.size(); ++i) {
            const bool won = verdict_of(answers[i]) == Outcome::executed;
            EXPECT_EQ(world.look_up(commands[i].key->text, "POST", "/v1/companies").record.has_value(), won);
        }
    }
    EXPECT_EQ(world.all("companies").size(), rounds);
    EXPECT_EQ(verdict_of(world.execute(world.create("companies", "last", company("Z", "FR1")))), Outcome::executed);
}

// proves: T4, B15
TEST_P(Contract, ReferenceMustNameALiveResourceOfItsType) {
    World world(GetParam(), {});
    const ResourceId contact = world.created("contacts", R"({"name":"A"})").id;
    const ResourceId gone = world.created("contacts", R"({"name":"B"})").id;
    ASSERT_EQ(verdict_of(world.execute(world.remove(gone, "k1"))), Outcome::executed);
    const ResourceId other_type = world.created("companies", R"({"name":"C"})").id;
    const auto task_for = [&](std::string_view id) {
        return world.execute(
            world.create("tasks", "task", R"({"title":"T","contact_id":")" + std::string(id) + R"("})"));
    };
    for (const std::string& id : {std::string("con_0000000000000000000000"), gone.text, other_type.text}) {
        const auto answer = task_for(id);
        ASSERT_EQ(verdict_of(answer), Outcome::invalid) << id;
        ASSERT_EQ(answer->decision.errors.size(), 1U);
        EXPECT_EQ(answer->decision.errors.front().pointer, "/contact_id");
        EXPECT_EQ(answer->decision.errors.front().code, "reference_missing");
    }
    EXPECT_TRUE(world.all("tasks").empty());
    EXPECT_EQ(verdict_of(task_for(contact.text)), Outcome::executed);
}

// proves: T4
TEST_P(Contract, PatchChecksTheReferenceItSets) {
    World world(GetParam(), {});
    const ResourceId task = world.created("tasks", R"({"title":"T"})").id;
    const ResourceId contact = world.created("contacts", R"({"name":"A"})").id;
    EXPECT_EQ(verdict_of(world.execute(world.patch(task, "", R"({"contact_id":"con_0000000000000000000000"})"))),
              Outcome::invalid);
    EXPECT_EQ(verdict_of(world.execute(world.patch(task, "", R"({"contact_id":")" + contact.text + R"("})"))),
              Outcome::executed);
    EXPECT_EQ(world.get(task)->revision, Revision{2});
}

}  // namespace
}  // namespace einmal::test
