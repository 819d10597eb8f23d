// Revisions and preconditions (contract R1–R12).
#include "contract/contract_test.hpp"

#include <string>
#include <vector>

namespace einmal::test {
namespace {

constexpr std::string_view anna = R"({"name":"Anna"})";

Revision revision_of(const Result<Answer>& answer) { return answer->decision.resource->revision; }

/// A contact that has been changed until it is at `revision`.
ResourceId contact_at(World& world, std::uint64_t revision) {
    const ResourceId id = world.created("contacts", anna).id;
    for (std::uint64_t next = 2; next <= revision; ++next) {
        const std::string body = R"({"name":"Anna )" + std::to_string(next) + R"("})";
        EXPECT_EQ(verdict_of(world.execute(world.patch(id, "", body))), Outcome::executed);
    }
    return id;
}

// proves: R1, R10
TEST_P(Contract, RevisionCountsEffectiveChangesFromOne) {
    World world(GetParam(), {});
    const auto made = world.execute(world.create("contacts", "k1", anna));
    ASSERT_EQ(verdict_of(made), Outcome::executed);
    EXPECT_EQ(revision_of(made), Revision{1});
    const ResourceId id = made->decision.resource->id;
    EXPECT_EQ(revision_of(world.execute(world.patch(id, "", R"({"notes":"n"})"))), Revision{2});
    EXPECT_EQ(revision_of(world.execute(world.replace(id, "", R"({"name":"Bert"})"))), Revision{3});
    EXPECT_EQ(revision_of(world.execute(world.remove(id, "k2"))), Revision{4});
}

// proves: R2, B20, B22, B24
TEST_P(Contract, IfMatchTakesOneTagAListOrAStarAndComparesStrongly) {
    World world(GetParam(), {});
    const ResourceId id = contact_at(world, 3);
    const auto patched_under = [&](std::string_view field, std::string_view name) {
        Command command = world.patch(id, "", R"({"name":")" + std::string(name) + R"("})");
        command.if_match = if_match(field);
        return verdict_of(world.execute(command));
    };
    EXPECT_EQ(patched_under(R"("r3")", "one"), Outcome::executed);
    EXPECT_EQ(patched_under(R"("r1", "r4")", "two"), Outcome::executed);
    EXPECT_EQ(patched_under("*", "three"), Outcome::executed);
    EXPECT_EQ(patched_under(R"(W/"r6")", "four"), Outcome::precondition_failed);
    EXPECT_EQ(patched_under(R"("r5", "r7")", "five"), Outcome::precondition_failed);
    EXPECT_EQ(patched_under(R"("r06")", "six"), Outcome::precondition_failed);
    EXPECT_EQ(patched_under(R"("R6")", "seven"), Outcome::precondition_failed);
    EXPECT_EQ(world.get(id)->revision, Revision{6});
}

// proves: R2, B20
TEST_P(Contract, DeleteHonoursIfMatch) {
    World world(GetParam(), {});
    const ResourceId id = contact_at(world, 2);
    Command remove = world.remove(id, "k1");
    remove.if_match = if_match(R"(W/"r2")");
    EXPECT_EQ(verdict_of(world.execute(remove)), Outcome::precondition_failed);
    remove.if_match = if_match(R"("r2")");
    EXPECT_EQ(verdict_of(world.execute(remove)), Outcome::executed);
}

// proves: R4, B19
TEST_P(Contract, OfManyWritersOnOneRevisionOneIsExecuted) {
    World world(GetParam(), {});
    constexpr std::size_t writers = 32;
    for (int round = 0; round < 5; ++round) {
        const ResourceId id = contact_at(world, 3);
        std::vector<Command> commands;
        for (std::size_t i = 0; i < writers; ++i) {
            commands.push_back(world.patch(id, "", R"({"notes":"writer )" + std::to_string(i) + R"("})"));
            commands.back().if_match = if_match(R"("r3")");
        }
        const auto answers = world.execute_all(commands);
        EXPECT_EQ(count(answers, Outcome::executed), 1U);
        EXPECT_EQ(count(answers, Outcome::precondition_failed), writers - 1);
        EXPECT_EQ(world.get(id)->revision, Revision{4});
        for (std::size_t i = 0; i < writers; ++i) {
            if (verdict_of(answers[i]) != Outcome::executed) continue;
            const json::Value body = world.body(id);
            EXPECT_EQ(*body.if_object()->find("notes"), json::Value("writer " + std::to_string(i)));
        }
    }
}

// proves: R5
TEST_P(Contract, FailedPreconditionSaysWhatIsNowAndWhatChanged) {
    World world(GetParam(), {});
    const ResourceId id = world.created("contacts", R"({"name":"Anna","notes":"n","phone":"1"})").id;
    ASSERT_EQ(verdict_of(world.execute(world.patch(id, "", R"({"name":"Bert","notes":null,"tags":["t"]})"))),
              Outcome::executed);
    Command stale = world.patch(id, "", R"({"phone":"2"})");
    stale.if_match = if_match(R"("r1")");
    const auto answer = world.execute(stale);
    ASSERT_EQ(verdict_of(answer), Outcome::precondition_failed);
    EXPECT_EQ(revision_of(answer), Revision{2});
    EXPECT_EQ(answer->changed, (std::vector<std::string>{"name", "notes", "tags"}));
    EXPECT_EQ(world.get(id)->revision, Revision{2});
}

// proves: R5, S1
TEST_P(Contract, WhatChangedNamesOnlyWhatTheCallerMaySee) {
    World world(GetParam(), {});
    const ResourceId id = world.created("contacts", anna).id;
    ASSERT_EQ(verdict_of(world.execute(world.patch(id, "", R"({"name":"Bert","email":"b@example.org"})"))),
              Outcome::executed);
    Command stale = world.patch(id, "", R"({"notes":"n"})");
    stale.if_match = if_match(R"("r1")");
    stale.caller = world.caller("first", "contacts:read contacts:write");
    EXPECT_EQ(world.execute(stale)->changed, std::vector<std::string>{"name"});
    stale.caller = world.caller("first", "contacts:write");
    EXPECT_TRUE(world.execute(stale)->changed.empty());
}

// proves: R6
TEST_P(Contract, ParallelPatchesAllSucceedAndEachCounts) {
    World world(GetParam(), {});
    constexpr std::size_t patches = 40;
    const ResourceId id = world.created("contacts", anna).id;
    std::vector<Command> commands;
    for (std::size_t i = 0; i < patches; ++i) {
        const std::string member = "m" + std::to_string(i);
        commands.push_back(world.patch(id, i % 2 == 0 ? "" : member, R"({"custom":{")" + member + R"(":1}})"));
    }
    EXPECT_EQ(count(world.execute_all(commands), Outcome::executed), patches);
    EXPECT_EQ(world.get(id)->revision, Revision{1 + patches});
    EXPECT_EQ(world.body(id).if_object()->find("custom")->if_object()->size(), patches);
    EXPECT_EQ(world.opened->events().size(), 1 + patches);
}

// proves: R7, K8, O1
TEST_P(Contract, ChangeOfNothingLeavesNoTraceButItsKey) {
    World world(GetParam(), {});
    const Resource before = world.created("contacts", R"({"name":"Anna","tags":["a"]})");
    world.clock.advance(std::chrono::seconds{1});
    for (const std::string_view body : {R"({})", R"({"name":"Anna"})", R"({"notes":null})", R"({"tags":["a"]})"}) {
        const auto answer = world.execute(world.patch(before.id, "", body));
        ASSERT_EQ(verdict_of(answer), Outcome::executed) << body;
        EXPECT_EQ(answer->decision.status, 200);
        EXPECT_EQ(revision_of(answer), Revision{1});
    }
    const auto put = world.execute(world.replace(before.id, "", R"({"tags":["a"],"name":"Anna"})"));
    ASSERT_EQ(verdict_of(put), Outcome::executed);
    EXPECT_EQ(revision_of(put), Revision{1});

    ASSERT_EQ(verdict_of(world.execute(world.patch(before.id, "k1", R"({"name":"Anna"})"))), Outcome::executed);
    EXPECT_EQ(verdict_of(world.execute(world.patch(before.id, "k1", R"({"name":"Anna"})"))), Outcome::replayed);
    EXPECT_EQ(verdict_of(world.execute(world.patch(before.id, "k1", R"({"name":"Bert"})"))), Outcome::payload_mismatch);

    const auto now = world.get(before.id);
    EXPECT_EQ(now->revision, Revision{1});
    EXPECT_EQ(now->updated_at, before.updated_at);
    EXPECT_EQ(world.opened->events().size(), 1U);
}

// proves: R8
TEST_P(Contract, PutNeverCreates) {
    World world(GetParam(), {});
    const ResourceId id = world.created("contacts", anna).id;
    Command only_if_absent = world.replace(id, "", R"({"name":"Bert"})");
    only_if_absent.if_none_match_any = true;
    EXPECT_EQ(verdict_of(world.execute(only_if_absent)), Outcome::precondition_failed);
    EXPECT_EQ(verdict_of(world.execute(world.replace({"con_0000000000000000000000"}, "", anna))), Outcome::not_found);
    EXPECT_EQ(world.all("contacts").size(), 1U);
}

// proves: R9
TEST_P(Contract, ReplayComesBeforeThePreconditionItHadItself) {
    World world(GetParam(), {});
    const ResourceId id = contact_at(world, 3);
    Command command = world.patch(id, "k1", R"({"name":"Bert"})");
    command.if_match = if_match(R"("r3")");
    ASSERT_EQ(verdict_of(world.execute(command)), Outcome::executed);
    const auto again = world.execute(command);
    ASSERT_EQ(verdict_of(again), Outcome::replayed);
    EXPECT_EQ(again->decision.status, 200);
    EXPECT_EQ(revision_of(again), Revision{4});
}

// proves: R9
TEST_P(Contract, KeyThenExistenceThenPreconditionThenValidation) {
    World world(GetParam(), {});
    const ResourceId gone = world.created("contacts", anna).id;
    ASSERT_EQ(verdict_of(world.execute(world.remove(gone, "k1"))), Outcome::executed);
    Command absent = world.patch(gone, "", R"({"name":7})");
    absent.if_match = if_match(R"("r1")");
    EXPECT_EQ(verdict_of(world.execute(absent)), Outcome::not_found);

    const ResourceId id = contact_at(world, 2);
    Command stale_and_invalid = world.patch(id, "", R"({"name":7})");
    stale_and_invalid.if_match = if_match(R"("r1")");
    EXPECT_EQ(verdict_of(world.execute(stale_and_invalid)), Outcome::precondition_failed);

    ASSERT_EQ(verdict_of(world.execute(world.patch(id, "k2", R"({"name":"B"})"))), Outcome::executed);
    Command mismatch_and_stale = world.patch(id, "k2", R"({"name":"C"})");
    mismatch_and_stale.if_match = if_match(R"("r1")");
    EXPECT_EQ(verdict_of(world.execute(mismatch_and_stale)), Outcome::payload_mismatch);
}

// proves: R10, B24
TEST_P(Contract, DeletedResourceIsGoneForEveryNewRequest) {
    World world(GetParam(), {});
    const ResourceId id = contact_at(world, 2);
    ASSERT_EQ(verdict_of(world.execute(world.remove(id, "k1"))), Outcome::executed);
    EXPECT_FALSE(world.get(id).has_value());
    EXPECT_TRUE(world.all("contacts").empty());
    EXPECT_EQ(verdict_of(world.execute(world.remove(id, "k2"))), Outcome::not_found);
    EXPECT_EQ(verdict_of(world.execute(world.patch(id, "", anna))), Outcome::not_found);
    EXPECT_EQ(verdict_of(world.execute(world.replace(id, "", anna))), Outcome::not_found);
    Command any = world.patch(id, "", anna);
    any.if_match = if_match("*");
    EXPECT_EQ(verdict_of(world.execute(any)), Outcome::not_found);

    const auto tombstone = world.runner.run(world.opened->store().read(world.first->asker, id));
    ASSERT_TRUE(tombstone.has_value() && tombstone->has_value());
    EXPECT_TRUE((*tombstone)->deleted);
    EXPECT_EQ((*tombstone)->revision, Revision{3});
    EXPECT_EQ((*tombstone)->body, "{}");
}

// proves: R11
TEST_P(Contract, TypeMayDemandAPrecondition) {
    World world(GetParam(), {});
    ResourceType demanding = world.type("contacts");
    demanding.require_if_match = true;
    const ResourceId id = world.created("contacts", anna).id;
    Command patch = world.patch(id, "", R"({"name":"Bert"})");
    patch.type = &demanding;
    EXPECT_EQ(verdict_of(world.execute(patch)), Outcome::precondition_required);
    Command remove = world.remove(id, "k1");
    remove.type = &demanding;
    EXPECT_EQ(verdict_of(world.execute(remove)), Outcome::precondition_required);
    EXPECT_EQ(world.get(id)->revision, Revision{1});
    patch.if_match = if_match(R"("r1")");
    EXPECT_EQ(verdict_of(world.execute(patch)), Outcome::executed);
}

std::vector<Revision> revisions_in(const Page& page) {
    std::vector<Revision> revisions;
    for (const Resource& state : page.items) revisions.push_back(state.revision);
    return revisions;
}

Page page_of_revisions(World& world, const ResourceId& id, std::optional<Revision> before, std::size_t limit) {
    return world.runner.run(world.engine->list_revisions({world.first->asker, id, before, limit})).value();
}

// proves: R12
TEST_P(Contract, EarlierStatesAreListedNewestFirst) {
    World world(GetParam(), {});
    const ResourceId id = contact_at(world, 5);
    const Page first = page_of_revisions(world, id, std::nullopt, 2);
    EXPECT_EQ(revisions_in(first), (std::vector<Revision>{{5}, {4}}));
    EXPECT_TRUE(first.more);
    const Page second = page_of_revisions(world, id, Revision{4}, 3);
    EXPECT_EQ(revisions_in(second), (std::vector<Revision>{{3}, {2}, {1}}));
    EXPECT_FALSE(second.more);
    EXPECT_EQ(parsed(second.items.front().body), parsed(R"({"name":"Anna 3"})"));
    EXPECT_TRUE(page_of_revisions(world, id, Revision{1}, 3).items.empty());
}

// proves: R12
TEST_P(Contract, EarlierStateIsReadAsItWas) {
    World world(GetParam(), {});
    const Resource original = world.created("contacts", anna);
    world.clock.advance(std::chrono::seconds{1});
    ASSERT_EQ(verdict_of(world.execute(world.patch(original.id, "", R"({"name":"Bert"})"))), Outcome::executed);
    const ResourceType& contacts = world.type("contacts");
    const auto read = [&](std::uint64_t revision) {
        return world.runner.run(world.engine->get_revision(world.first->asker, contacts, original.id, {revision}))
            .value();
    };
    ASSERT_TRUE(read(1).has_value());
    EXPECT_EQ(read(1)->body, original.body);
    EXPECT_EQ(read(1)->updated_at, original.updated_at);
    EXPECT_EQ(parsed(read(2)->body), parsed(R"({"name":"Bert"})"));
    EXPECT_EQ(read(2)->updated_at, world.clock.now());
    EXPECT_EQ(read(2)->created_at, original.created_at);
    EXPECT_FALSE(read(0).has_value());
    EXPECT_FALSE(read(3).has_value());
}

// proves: R12
TEST_P(Contract, OnlySoManyEarlierStatesAreKeptAsTheTypeSays) {
    World world(GetParam(), {});
    ResourceType frugal = world.type("contacts");
    frugal.keep_revisions = 2;
    const ResourceId id = world.created("contacts", anna).id;
    for (int i = 0; i < 6; ++i) {
        Command command = world.patch(id, "", R"({"notes":")" + std::to_string(i) + R"("})");
        command.type = &frugal;
        ASSERT_EQ(verdict_of(world.execute(command)), Outcome::executed);
    }
    EXPECT_EQ(revisions_in(page_of_revisions(world, id, std::nullopt, 100)), (std::vector<Revision>{{7}, {6}, {5}}));
    EXPECT_FALSE(
        world.runner.run(world.engine->get_revision(world.first->asker, frugal, id, Revision{4})).value().has_value());
    EXPECT_TRUE(world.opened->admin().verify()->empty());
}

// proves: R10, R12
TEST_P(Contract, DeletedResourceShowsNoEarlierState) {
    World world(GetParam(), {});
    const ResourceId id = contact_at(world, 3);
    ASSERT_EQ(verdict_of(world.execute(world.remove(id, "k1"))), Outcome::executed);
    EXPECT_TRUE(page_of_revisions(world, id, std::nullopt, 100).items.empty());
    for (const std::uint64_t revision : {1U, 2U, 3U}) {
        const auto kept = world.runner.run(world.opened->store().read_revision(world.first->asker, id, {revision}));
        ASSERT_TRUE(kept.has_value());
        EXPECT_FALSE(kept->has_value()) << "what was deleted is still there at r" << revision;
    }
}

}  // namespace
}  // namespace einmal::test
