// The four outcomes of a key (contract K3–K8, K12, K13).
#include "contract/contract_test.hpp"

#include <string>

namespace einmal::test {
namespace {

constexpr std::string_view anna = R"({"name":"Anna"})";

// proves: K5, B04
TEST_P(Contract, SameRequestUnderItsKeyIsAReplay) {
    World world(GetParam(), {});
    const auto first = world.execute(world.create("contacts", "k1", anna));
    ASSERT_EQ(verdict_of(first), Outcome::executed);
    EXPECT_EQ(first->decision.status, 201);
    EXPECT_EQ(first->decision.resource->revision, Revision{1});

    const auto second = world.execute(world.create("contacts", "k1", anna));
    ASSERT_EQ(verdict_of(second), Outcome::replayed);
    EXPECT_EQ(second->decision.status, first->decision.status);
    EXPECT_EQ(second->decision.resource->id, first->decision.resource->id);
    EXPECT_EQ(second->decision.resource->revision, first->decision.resource->revision);
    EXPECT_EQ(second->decision.resource->body, first->decision.resource->body);
    EXPECT_EQ(second->decision.resource->created_at, first->decision.resource->created_at);
    EXPECT_EQ(world.all("contacts").size(), 1U);
}

// proves: K5, B01
TEST_P(Contract, ReplayOfARequestThatUsesEveryOptionalPart) {
    World world(GetParam(), {});
    const Resource company = world.created("companies", R"({"name":"Acme"})");
    const std::string body =
        R"({"name":"Anna","email":"a@example.org","phone":"1","tags":["x","y"],"address":{"street":"S","zip":"1",)"
        R"("city":"C","country":"DE"},"company_id":")" +
        company.id.text + R"(","notes":"n","custom":{"a":{"b":[1,null]}}})";
    const auto first = world.execute(world.create("contacts", "k1", body));
    ASSERT_EQ(verdict_of(first), Outcome::executed);
    for (int repetition = 0; repetition < 3; ++repetition) {
        const auto again = world.execute(world.create("contacts", "k1", body));
        ASSERT_EQ(verdict_of(again), Outcome::replayed);
        EXPECT_EQ(again->decision.resource->id, first->decision.resource->id);
        EXPECT_EQ(again->decision.resource->body, first->decision.resource->body);
    }
    EXPECT_EQ(world.all("contacts").size(), 1U);
}

// proves: K4, K5
TEST_P(Contract, OtherBodyUnderTheSameKeyIsAMismatchAndDoesNothing) {
    World world(GetParam(), {});
    ASSERT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::executed);
    const auto other = world.execute(world.create("contacts", "k1", R"({"name":"Bert"})"));
    EXPECT_EQ(verdict_of(other), Outcome::payload_mismatch);
    EXPECT_EQ(world.all("contacts").size(), 1U);
    EXPECT_EQ(world.opened->events().size(), 1U);
    EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::replayed);
}

// proves: K4
TEST_P(Contract, OtherTargetUnderTheSameKeyIsAMismatch) {
    World world(GetParam(), {});
    const Resource a = world.created("contacts", anna);
    const Resource b = world.created("contacts", anna);
    ASSERT_EQ(verdict_of(world.execute(world.remove(a.id, "k1"))), Outcome::executed);
    EXPECT_EQ(verdict_of(world.execute(world.remove(b.id, "k1"))), Outcome::payload_mismatch);
    EXPECT_TRUE(world.get(b.id).has_value());
}

// proves: K4, B40
TEST_P(Contract, ParametersThatChangeTheEffectBelongToTheFingerprint) {
    World world(GetParam(), {});
    Command with_parameter = world.create("contacts", "k1", anna);
    with_parameter.identity.effect_parameters = {{"a", "1"}, {"b", "2"}};
    ASSERT_EQ(verdict_of(world.execute(with_parameter)), Outcome::executed);

    Command other_order = world.create("contacts", "k1", anna);
    other_order.identity.effect_parameters = {{"b", "2"}, {"a", "1"}};
    EXPECT_EQ(verdict_of(world.execute(other_order)), Outcome::replayed);

    EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::payload_mismatch);
}

// proves: K4, B35
TEST_P(Contract, EqualValuesAreOneRequestHoweverTheyAreSpelled) {
    World world(GetParam(), {});
    const auto first = world.execute(world.create("contacts", "k1", R"({"name":"A","custom":{"c":2,"d":[1,2]}})"));
    ASSERT_EQ(verdict_of(first), Outcome::executed);
    const auto spelled_anew =
        world.execute(world.create("contacts", "k1", R"( {"custom":{"d":[1.0,2e0],"c":2}, "name":"\u0041"} )"));
    EXPECT_EQ(verdict_of(spelled_anew), Outcome::replayed);
    const auto other_array =
        world.execute(world.create("contacts", "k1", R"({"name":"A","custom":{"c":2,"d":[2,1]}})"));
    EXPECT_EQ(verdict_of(other_array), Outcome::payload_mismatch);
}

// proves: K3, B07
TEST_P(Contract, OneKeyOnDifferentRoutesIsDifferentOperations) {
    World world(GetParam(), {});
    const auto contact = world.execute(world.create("contacts", "k1", R"({"name":"X"})"));
    ASSERT_EQ(verdict_of(contact), Outcome::executed);
    EXPECT_EQ(verdict_of(world.execute(world.create("companies", "k1", R"({"name":"X"})"))), Outcome::executed);
    EXPECT_EQ(verdict_of(world.execute(world.patch(contact->decision.resource->id, "k1", R"({"name":"Y"})"))),
              Outcome::executed);
    EXPECT_EQ(verdict_of(world.execute(world.remove(contact->decision.resource->id, "k1"))), Outcome::executed);
}

// proves: K3, S2, B09
TEST_P(Contract, AnotherAccountsKeyIsInvisible) {
    World world(GetParam(), {});
    const auto mine = world.execute(world.create("contacts", "k1", anna));
    ASSERT_EQ(verdict_of(mine), Outcome::executed);
    ASSERT_EQ(verdict_of(world.execute(world.create("contacts", "k2", anna))), Outcome::executed);

    Command same_body = world.create("contacts", "k1", anna);
    same_body.caller = world.second;
    const auto theirs = world.execute(same_body);
    ASSERT_EQ(verdict_of(theirs), Outcome::executed);
    EXPECT_NE(theirs->decision.resource->id, mine->decision.resource->id);

    Command other_body = world.create("contacts", "k2", R"({"name":"Bert"})");
    other_body.caller = world.second;
    EXPECT_EQ(verdict_of(world.execute(other_body)), Outcome::executed);

    world.gate.hold_next(GateStore::Where::before_effect);
    const auto running = world.start(world.create("contacts", "k3", anna));
    world.runner.run_until([&] { return world.gate.held() == 1; });
    Command while_running = world.create("contacts", "k3", anna);
    while_running.caller = world.second;
    EXPECT_EQ(verdict_of(world.execute(while_running)), Outcome::executed);
    world.gate.release();
    EXPECT_EQ(verdict_of(running.get()), Outcome::executed);
}

// proves: K3
TEST_P(Contract, AnotherTokenOfTheSameAccountGetsTheReplay) {
    World world(GetParam(), {});
    const auto first = world.execute(world.create("contacts", "k1", anna));
    ASSERT_EQ(verdict_of(first), Outcome::executed);
    Command again = world.create("contacts", "k1", anna);
    again.caller = world.caller("first");
    const auto second = world.execute(again);
    ASSERT_EQ(verdict_of(second), Outcome::replayed);
    EXPECT_EQ(second->decision.resource->id, first->decision.resource->id);
}

// proves: K6
TEST_P(Contract, ReplayHasNoEffectOfAnyKind) {
    World world(GetParam(), {});
    const Resource contact = world.created("contacts", anna);
    ASSERT_EQ(verdict_of(world.execute(world.patch(contact.id, "k1", R"({"name":"Bert"})"))), Outcome::executed);
    const auto before = world.look_up("k1", "PATCH", "/v1/contacts/{id}").record;
    ASSERT_TRUE(before.has_value());
    const auto events = world.opened->events().size();

    world.clock.advance(std::chrono::hours{1});
    for (int repetition = 0; repetition < 5; ++repetition) {
        const auto again = world.execute(world.patch(contact.id, "k1", R"({"name":"Bert"})"));
        ASSERT_EQ(verdict_of(again), Outcome::replayed);
    }
    EXPECT_EQ(world.opened->events().size(), events);
    EXPECT_EQ(world.get(contact.id)->revision, Revision{2});
    const auto after = world.look_up("k1", "PATCH", "/v1/contacts/{id}").record;
    ASSERT_TRUE(after.has_value());
    EXPECT_EQ(after->expires_at, before->expires_at);
    EXPECT_EQ(after->completed_at, before->completed_at);
    EXPECT_EQ(after->revision, before->revision);
}

// proves: K8, B15
TEST_P(Contract, RefusalByValidationLeavesTheKeyFree) {
    World world(GetParam(), {});
    EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "k1", R"({"name":7})"))), Outcome::invalid);
    EXPECT_FALSE(world.look_up("k1", "POST", "/v1/contacts").record.has_value());
    EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::executed);
}

// proves: K8, B15
TEST_P(Contract, RefusalByStateLeavesTheKeyFreeForTheSameRequest) {
    World world(GetParam(), {});
    const Resource owner = world.created("companies", R"({"name":"A","vat_id":"DE1"})");
    EXPECT_EQ(verdict_of(world.execute(world.create("companies", "k1", R"({"name":"B","vat_id":"DE1"})"))),
              Outcome::conflict);
    ASSERT_EQ(verdict_of(world.execute(world.remove(owner.id, "k2"))), Outcome::executed);
    EXPECT_EQ(verdict_of(world.execute(world.create("companies", "k1", R"({"name":"B","vat_id":"DE1"})"))),
              Outcome::executed);
}

// proves: K8, R9
TEST_P(Contract, FailedPreconditionLeavesTheKeyFree) {
    World world(GetParam(), {});
    const Resource contact = world.created("contacts", anna);
    Command stale = world.patch(contact.id, "k1", R"({"name":"Bert"})");
    stale.if_match = if_match("\"r7\"");
    EXPECT_EQ(verdict_of(world.execute(stale)), Outcome::precondition_failed);
    EXPECT_EQ(world.get(contact.id)->revision, Revision{1});

    Command corrected = world.patch(contact.id, "k1", R"({"name":"Bert"})");
    corrected.if_match = if_match("\"r1\"");
    EXPECT_EQ(verdict_of(world.execute(corrected)), Outcome::executed);
}

// proves: K8, B13
TEST_P(Contract, FailingStorageLeavesTheKeyFree) {
    World world(GetParam(), {});
    world.faults.fail(Fault::unavailable);
    EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Errc::unavailable);
    EXPECT_EQ(verdict_of(world.execute(world.create("contacts", "k1", anna))), Outcome::executed);
    EXPECT_EQ(world.all("contacts").size(), 1U);
}

// proves: K12, K13, B11
TEST_P(Contract, ReplayShowsTheResourceAsItIsNow) {
    World world(GetParam(), {});
    const auto first = world.execute(world.create("contacts", "k1", anna));
    ASSERT_EQ(verdict_of(first), Outcome::executed);
    const ResourceId id = first->decision.resource->id;
    ASSERT_EQ(verdict_of(world.execute(world.patch(id, "", R"({"name":"Bert"})"))), Outcome::executed);

    const auto after_patch = world.execute(world.create("contacts", "k1", anna));
    ASSERT_EQ(verdict_of(after_patch), Outcome::replayed);
    EXPECT_EQ(after_patch->decision.status, 201);
    EXPECT_EQ(after_patch->decision.resource->revision, Revision{2});
    EXPECT_EQ(after_patch->decision.record->revision, Revision{1});
    EXPECT_EQ(parsed(after_patch->decision.resource->body), parsed(R"({"name":"Bert"})"));

    ASSERT_EQ(verdict_of(world.execute(world.remove(id, "k2"))), Outcome::executed);
    const auto after_delete = world.execute(world.create("contacts", "k1", anna));
    ASSERT_EQ(verdict_of(after_delete), Outcome::replayed);
    EXPECT_EQ(after_delete->decision.status, 201);
    EXPECT_TRUE(after_delete->decision.resource->deleted);
    EXPECT_EQ(represent(world.type("contacts"), *after_delete->decision.resource, world.first->scopes),
              R"({"deleted":true,"id":")" + id.text + R"(","revision":3})");
    EXPECT_TRUE(world.all("contacts").empty());
}

// proves: K5, B12
TEST_P(Contract, RepeatedDeleteIsASuccessUntilItsKeyExpires) {
    World world(GetParam(), {});
    const Resource contact = world.created("contacts", anna);
    const auto first = world.execute(world.remove(contact.id, "k1"));
    ASSERT_EQ(verdict_of(first), Outcome::executed);
    EXPECT_EQ(first->decision.status, 204);
    const auto again = world.execute(world.remove(contact.id, "k1"));
    ASSERT_EQ(verdict_of(again), Outcome::replayed);
    EXPECT_EQ(again->decision.status, 204);
    EXPECT_EQ(verdict_of(world.execute(world.remove(contact.id, "k2"))), Outcome::not_found);
    world.clock.advance(std::chrono::hours{24});
    EXPECT_EQ(verdict_of(world.execute(world.remove(contact.id, "k1"))), Outcome::not_found);
}

// proves: K1
TEST_P(Contract, PatchWithoutAKeyIsExecutedEachTime) {
    World world(GetParam(), {});
    const Resource contact = world.created("contacts", anna);
    EXPECT_EQ(verdict_of(world.execute(world.patch(contact.id, "", R"({"name":"B"})"))), Outcome::executed);
    const auto second = world.execute(world.patch(contact.id, "", R"({"name":"C"})"));
    ASSERT_EQ(verdict_of(second), Outcome::executed);
    EXPECT_FALSE(second->decision.record.has_value());
    EXPECT_EQ(world.get(contact.id)->revision, Revision{3});
}

// proves: K2
TEST_P(Contract, KeysThatDifferOnlyAtTheEndOrInCaseAreDifferent) {
    World world(GetParam(), {});
    const std::string stem(254, 'k');
    for (const std::string& key : {stem + "a", stem + "b", stem + "A", stem}) {
        EXPECT_EQ(verdict_of(world.execute(world.create("contacts", key, anna))), Outcome::executed);
    }
    EXPECT_EQ(verdict_of(world.execute(world.create("contacts", stem + "a", anna))), Outcome::replayed);
    EXPECT_EQ(world.all("contacts").size(), 4U);
}

}  // namespace
}  // namespace einmal::test
