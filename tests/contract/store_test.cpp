// The store's own promises (include/einmal/store.hpp), asked directly, with decisions made by hand.
#include "contract/contract_test.hpp"

#include <string>
#include <vector>

namespace einmal::test {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

KeyDigest key(unsigned number) { return {{static_cast<std::byte>(number), std::byte{1}}}; }
ValueDigest value(unsigned number) { return {{static_cast<std::byte>(number), std::byte{2}}}; }
Fingerprint fingerprint(unsigned number) { return {{static_cast<std::byte>(number), std::byte{3}}}; }

/// The first state of a contact, with its event.
Writes new_contact(const std::string& id, Timestamp now) {
    Writes writes;
    writes.resource = Resource{{id}, {"contacts"}, {1}, now, now, false, R"({"name":"A"})"};
    writes.keep_revisions = 20;
    writes.event = Event{"evt_" + id + "_1", "contacts.created", {id}, {1}, now};
    return writes;
}

Writes next_state(const Resource& current, Timestamp now) {
    Writes writes;
    writes.resource = current;
    writes.resource->revision = current.revision.next();
    writes.resource->updated_at = now;
    writes.resource->body = R"({"name":"B"})";
    writes.keep_revisions = 20;
    writes.event = Event{"evt_" + current.id.text + std::to_string(writes.resource->revision.value), "contacts.updated",
                         current.id, writes.resource->revision, now};
    return writes;
}

Record record_of(const Resource& resource, Timestamp now, Timestamp expires_at) {
    return Record{fingerprint(1), 201, resource.type, resource.id, resource.revision, now, now, expires_at, 0};
}

Decision committing(Writes writes) {
    Decision decision;
    decision.outcome = Outcome::executed;
    decision.status = 201;
    decision.resource = writes.resource;
    decision.record = writes.record;
    decision.writes = std::move(writes);
    return decision;
}

Decision refusing() {
    Decision decision;
    decision.outcome = Outcome::invalid;
    return decision;
}

Decision replaying(const Snapshot& known) {
    if (!known.record) return refusing();  // a store may first ask what would be if the key were free
    Decision decision;
    decision.outcome = Outcome::replayed;
    decision.status = known.record->status;
    decision.record = known.record;
    decision.resource = known.resource;
    return decision;
}

/// What a decision is shown for `reads`; nothing is changed.
Snapshot seen(World& world, Reads reads) {
    Snapshot snapshot;
    Decide looking = [&snapshot](const Snapshot& known) {
        snapshot = known;
        return refusing();
    };
    EXPECT_TRUE(world.runner.run(world.opened->store().transact(std::move(reads), looking)).has_value());
    return snapshot;
}

/// Commits one contact under `key(number)`, and returns it.
Resource committed(World& world, const std::string& id, unsigned number, Timestamp expires_at) {
    Reads reads;
    reads.asker = world.first->asker;
    reads.key = key(number);
    Decide creating = [&](const Snapshot& known) {
        Writes writes = new_contact(id, known.now);
        writes.record = record_of(*writes.resource, known.now, expires_at);
        writes.index_add = {value(number)};
        writes.unique_add = {value(number)};
        return committing(std::move(writes));
    };
    return *world.runner.run(world.opened->store().transact(std::move(reads), creating)).value().resource;
}

// proves: K9, K11
TEST_P(Contract, DecisionIsShownWhatTheDatabaseKnows) {
    World world(GetParam(), {});
    const Resource a = committed(world, "con_a", 1, world.clock.now() + hours{1});
    const Resource b = committed(world, "con_b", 2, world.clock.now() + hours{1});
    world.clock.advance(milliseconds{7});

    Reads reads;
    reads.asker = world.first->asker;
    reads.target = b.id;
    reads.references = {a.id, {"con_none"}, b.id};
    reads.uniques = {value(2), value(9), value(1)};
    const Snapshot without_key = seen(world, reads);
    EXPECT_EQ(without_key.now, world.clock.now());
    EXPECT_FALSE(without_key.record.has_value());
    ASSERT_TRUE(without_key.resource.has_value());
    EXPECT_EQ(without_key.resource->id, b.id);
    EXPECT_EQ(without_key.resource->body, b.body);
    EXPECT_EQ(without_key.resource->type, b.type);
    EXPECT_EQ(without_key.resource->created_at, b.created_at);
    EXPECT_EQ(without_key.referenced, (std::vector<bool>{true, false, true}));
    EXPECT_EQ(without_key.unique_owners, (std::vector<std::optional<ResourceId>>{b.id, std::nullopt, a.id}));

    reads.key = key(1);  // a record decides which resource is shown
    const Snapshot with_key = seen(world, reads);
    ASSERT_TRUE(with_key.record.has_value());
    EXPECT_EQ(with_key.record->fingerprint, fingerprint(1));
    EXPECT_EQ(with_key.record->status, 201);
    EXPECT_EQ(with_key.resource->id, a.id);

    reads.key = key(3);
    EXPECT_FALSE(seen(world, reads).record.has_value());
    EXPECT_EQ(seen(world, reads).resource->id, b.id);
}

// proves: K8
TEST_P(Contract, DecisionWithoutWritesLeavesNoTrace) {
    World world(GetParam(), {});
    Reads reads;
    reads.asker = world.first->asker;
    reads.key = key(1);
    reads.target = ResourceId{"con_a"};
    const Snapshot before = seen(world, reads);
    const Snapshot after = seen(world, reads);
    EXPECT_FALSE(before.record.has_value() || before.resource.has_value());
    EXPECT_FALSE(after.record.has_value() || after.resource.has_value());
    EXPECT_TRUE(world.opened->events().empty());
    EXPECT_TRUE(world.opened->admin().verify()->empty());
}

// proves: K11
TEST_P(Contract, ExpiredRecordIsNeverShownAndMakesRoom) {
    World::Options without_cleaner;
    without_cleaner.store.cleaner_interval = milliseconds{0};
    World world(GetParam(), without_cleaner);
    const Timestamp expires_at = world.clock.now() + hours{1};
    committed(world, "con_a", 1, expires_at);
    const auto found = [&] {
        return world.runner.run(world.opened->store().find_record(world.first->asker, key(1))).value();
    };
    world.clock.set(expires_at - milliseconds{1});
    EXPECT_TRUE(found().has_value());
    world.clock.set(expires_at);
    EXPECT_FALSE(found().has_value());
    Reads reads;
    reads.asker = world.first->asker;
    reads.key = key(1);
    EXPECT_FALSE(seen(world, reads).record.has_value());

    Decide again = [&](const Snapshot& known) {
        Writes writes = new_contact("con_b", known.now);
        writes.record = record_of(*writes.resource, known.now, known.now + hours{1});
        return committing(std::move(writes));
    };
    ASSERT_TRUE(world.runner.run(world.opened->store().transact(reads, again)).has_value());
    ASSERT_TRUE(found().has_value());
    EXPECT_EQ(found()->resource, ResourceId{"con_b"});
    EXPECT_EQ(found()->replays, 0U);
    EXPECT_TRUE(world.opened->admin().verify()->empty());
}

// proves: K6, K14
TEST_P(Contract, StoreCountsReplays) {
    World world(GetParam(), {});
    committed(world, "con_a", 1, world.clock.now() + hours{1});
    Reads reads;
    reads.asker = world.first->asker;
    reads.key = key(1);
    for (int i = 0; i < 4; ++i) {
        ASSERT_TRUE(world.runner.run(world.opened->store().transact(reads, replaying)).has_value());
    }
    const auto record = world.runner.run(world.opened->store().find_record(world.first->asker, key(1))).value();
    ASSERT_TRUE(record.has_value());
    EXPECT_EQ(record->replays, 4U);
    EXPECT_EQ(record->expires_at, world.clock.now() + hours{1});
    EXPECT_EQ(world.opened->events().size(), 1U);
}

// proves: T2, T4
TEST_P(Contract, ValuesLeaveTheIndexesWhenAWriteRemovesThem) {
    World world(GetParam(), {});
    const Resource contact = committed(world, "con_a", 1, world.clock.now() + hours{1});
    Reads reads;
    reads.asker = world.first->asker;
    reads.target = contact.id;
    reads.uniques = {value(1), value(2)};
    Decide changing = [](const Snapshot& known) {
        Writes writes = next_state(*known.resource, known.now);
        writes.index_remove = writes.unique_remove = {value(1)};
        writes.index_add = writes.unique_add = {value(2)};
        return committing(std::move(writes));
    };
    ASSERT_TRUE(world.runner.run(world.opened->store().transact(reads, changing)).has_value());
    EXPECT_EQ(seen(world, reads).unique_owners, (std::vector<std::optional<ResourceId>>{std::nullopt, contact.id}));
    const auto with = [&](const ValueDigest& digest) {
        ListQuery query;
        query.asker = world.first->asker;
        query.type = contact.type;
        query.matches = {digest};
        query.limit = 10;
        return world.runner.run(world.opened->store().list(query)).value().items.size();
    };
    EXPECT_EQ(with(value(1)), 0U);
    EXPECT_EQ(with(value(2)), 1U);
    EXPECT_TRUE(world.opened->admin().verify()->empty());
}

// proves: R10
TEST_P(Contract, WriteThatContradictsTheStoreChangesNothing) {
    World world(GetParam(), {});
    const Resource contact = committed(world, "con_a", 1, world.clock.now() + hours{1});
    Reads reads;
    reads.asker = world.first->asker;
    reads.key = key(2);
    reads.target = contact.id;
    Decide id_again = [](const Snapshot& known) {
        Writes writes = new_contact("con_a", known.now);
        writes.record = record_of(*writes.resource, known.now, known.now + hours{1});
        return committing(std::move(writes));
    };
    Decide revision_left_out = [](const Snapshot& known) {
        Resource skipped = *known.resource;
        skipped.revision = skipped.revision.next();
        return committing(next_state(skipped, known.now));
    };
    for (const Decide& wrong : {id_again, revision_left_out}) {
        const auto result = world.runner.run(world.opened->store().transact(reads, wrong));
        ASSERT_FALSE(result.has_value());
        EXPECT_EQ(result.error().code, Errc::corrupt);
    }
    const Snapshot known = seen(world, reads);
    EXPECT_FALSE(known.record.has_value());
    EXPECT_EQ(known.resource->revision, Revision{1});
    EXPECT_EQ(world.opened->events().size(), 1U);
    EXPECT_TRUE(world.opened->admin().verify()->empty());
}

// proves: K9, R4
TEST_P(Contract, TransactionsThatMeetDoNotLoseEachOther) {
    World world(GetParam(), {});
    const Resource contact = committed(world, "con_a", 1, world.clock.now() + hours{1});
    Reads reads;
    reads.asker = world.first->asker;
    reads.target = contact.id;
    const Decide changing = [](const Snapshot& known) { return committing(next_state(*known.resource, known.now)); };
    std::vector<Pending<Result<Decision>>> pending;
    for (int i = 0; i < 100; ++i) {
        pending.push_back(world.runner.start(world.opened->store().transact(reads, changing)));
    }
    for (const auto& result : get_all(pending)) EXPECT_TRUE(result.has_value());
    EXPECT_EQ(seen(world, reads).resource->revision, Revision{101});
    EXPECT_EQ(world.opened->events().size(), 101U);
}

// proves: A5, A7
TEST_P(Contract, SoundStoreAnswersAndVerifies) {
    World world(GetParam(), {});
    EXPECT_TRUE(world.runner.run(world.opened->store().ping()).has_value());
    committed(world, "con_a", 1, world.clock.now() + hours{1});
    EXPECT_TRUE(world.opened->admin().verify().value().empty());
    EXPECT_NE(world.opened->store().secret().bytes, Secret{}.bytes);
}

}  // namespace
}  // namespace einmal::test
