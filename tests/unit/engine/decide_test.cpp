// Every state × request of the decision, against a model that says in a few lines what the contract says in its tables.
#include "engine/decide.hpp"

#include "base/digest.hpp"
#include "support/printers.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace einmal::engine {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

const Timestamp noon{milliseconds{1'800'000'000'000}};
const Secret secret{};
constexpr std::string_view body_text = R"({"email":"a@x.de","name":"Ada"})";

const Catalog& catalog() {
    static const auto loaded = Catalog::load({}).value();
    return loaded;
}

/// The built-in contacts, with or without `require_if_match`.
const ResourceType& contacts(bool require_if_match = false) {
    static const auto free = *catalog().find("contacts");
    static const auto strict = [] {
        auto type = free;
        type.require_if_match = true;
        return type;
    }();
    return require_if_match ? strict : free;
}

Fingerprint fingerprint_of(unsigned char first) {
    Fingerprint fingerprint;
    fingerprint.bytes[0] = std::byte{first};
    return fingerprint;
}

Operation operation(Verb verb, std::string_view body, const ResourceType& type = contacts()) {
    Operation made;
    made.verb = verb;
    made.type = &type;
    made.reads.key = KeyDigest{};
    made.fingerprint = fingerprint_of(1);
    made.body = json::read(body).value();
    made.fresh_id = ResourceId{"con_new"};
    made.event_id = "evt_1";
    made.retention = hours{24};
    made.resource_max = 1024;
    made.values_max = 100;
    made.secret = &secret;
    if (verb == Verb::create) {
        base::Hmac hmac(secret);
        made.candidate = prepare_create(made, hmac);
    } else {
        made.reads.target = ResourceId{"con_1"};
    }
    return made;
}

Resource contact(std::uint64_t revision) {
    return {.id = ResourceId{"con_1"},
            .type = TypeName{"contacts"},
            .revision = Revision{revision},
            .created_at = noon - hours{2},
            .updated_at = noon - hours{1},
            .body = std::string(body_text)};
}

Resource tombstone() {
    auto resource = contact(4);
    resource.deleted = true;
    resource.body = "{}";
    return resource;
}

Resource company() {
    auto resource = contact(3);
    resource.type = TypeName{"companies"};
    return resource;
}

Snapshot snapshot(std::optional<Resource> resource) {
    Snapshot made;
    made.now = noon;
    made.resource = std::move(resource);
    return made;
}

Record remembered(unsigned char fingerprint, int status) {
    return {.fingerprint = fingerprint_of(fingerprint),
            .status = status,
            .type = TypeName{"contacts"},
            .resource = ResourceId{"con_1"},
            .revision = Revision{1},
            .created_at = noon - hours{1},
            .completed_at = noon - hours{1},
            .expires_at = noon + hours{23}};
}

enum class State { none, live, deleted, other_type };
enum class Match { none, current, stale, star };
enum class Body { change, no_op, invalid, read_only };

struct Case {
    Verb verb;
    State state;
    Match match;
    bool demanded;
    Body body;
    bool keyed;
};

std::string text_of(Body body) {
    switch (body) {
        case Body::change:
            return R"({"name":"Grace","email":"a@x.de"})";
        case Body::no_op:
            return std::string(body_text);
        case Body::invalid:
            return R"({"name":7})";
        case Body::read_only:
            return R"({"name":"Ada","email":"a@x.de","revision":99})";
    }
    return {};
}

Operation make(const Case& c) {
    auto made = operation(c.verb, text_of(c.body), contacts(c.demanded));
    if (!c.keyed) made.reads.key.reset();
    const std::vector<std::string_view> fields{c.match == Match::current ? R"("r3")"
                                               : c.match == Match::stale ? R"("r2")"
                                                                         : "*"};
    if (c.match != Match::none) made.if_match = *Precondition::parse(fields);
    return made;
}

Snapshot make(State state) {
    switch (state) {
        case State::none:
            return snapshot(std::nullopt);
        case State::live:
            return snapshot(contact(3));
        case State::deleted:
            return snapshot(tombstone());
        case State::other_type:
            return snapshot(company());
    }
    return {};
}

/// Contract R9 for a key that is not remembered.
Outcome model(const Case& c) {
    const bool judges_body = c.verb != Verb::remove;
    if (c.verb != Verb::create) {
        if (c.state != State::live) return Outcome::not_found;
        if (c.match == Match::stale) return Outcome::precondition_failed;
        if (c.demanded && c.match == Match::none) return Outcome::precondition_required;
    }
    if (judges_body && c.body == Body::invalid) return Outcome::invalid;
    if (judges_body && c.body == Body::read_only) return Outcome::read_only_member;
    return Outcome::executed;
}

template <class Visit>
void for_each_case(Visit visit) {
    for (const auto verb : {Verb::create, Verb::patch, Verb::replace, Verb::remove})
        for (const auto state : {State::none, State::live, State::deleted, State::other_type})
            for (const auto match : {Match::none, Match::current, Match::stale, Match::star})
                for (const bool demanded : {false, true})
                    for (const auto body : {Body::change, Body::no_op, Body::invalid, Body::read_only})
                        for (const bool keyed : {false, true}) visit(Case{verb, state, match, demanded, body, keyed});
}

std::string describe(const Case& c) {
    return "verb " + std::to_string(static_cast<int>(c.verb)) + " state " + std::to_string(static_cast<int>(c.state)) +
           " match " + std::to_string(static_cast<int>(c.match)) + " demanded " + std::to_string(c.demanded) +
           " body " + std::to_string(static_cast<int>(c.body)) + " keyed " + std::to_string(c.keyed);
}

void expect_effect(const Case& c, const Decision& decision) {
    const bool no_op = c.body == Body::no_op && (c.verb == Verb::patch || c.verb == Verb::replace);
    EXPECT_EQ(decision.record.has_value(), c.keyed);
    EXPECT_EQ(decision.writes.has_value(), c.keyed || !no_op);
    if (!decision.writes) return;
    EXPECT_EQ(decision.writes->record.has_value(), c.keyed);
    EXPECT_EQ(decision.writes->resource.has_value(), !no_op);
    EXPECT_EQ(decision.writes->event.has_value(), !no_op);
    if (no_op) return;
    const auto revision = c.verb == Verb::create ? Revision{1} : Revision{4};
    EXPECT_EQ(decision.writes->resource->revision, revision);
    EXPECT_EQ(decision.writes->event->revision, revision);
    EXPECT_EQ(decision.resource->revision, revision);
    EXPECT_EQ(decision.writes->resource->deleted, c.verb == Verb::remove);
}

// proves: K8, R7, R9, R10, R11, P3, P4, B24, B34
TEST(Decide, FreshKeyInEveryStateFollowsTheOrderOfChecks) {
    int cases = 0;
    for_each_case([&](const Case& c) {
        SCOPED_TRACE(describe(c));
        const auto decision = decide(make(c), make(c.state));
        EXPECT_EQ(decision.outcome, model(c));
        const bool success = decision.status >= 200 && decision.status < 300;
        EXPECT_EQ(success, decision.outcome == Outcome::executed);
        if (success) {
            expect_effect(c, decision);
        } else {
            EXPECT_FALSE(decision.writes.has_value());
        }
        ++cases;
    });
    EXPECT_EQ(cases, 4 * 4 * 4 * 2 * 4 * 2);
}

// proves: K5, K6, R9
TEST(Decide, RememberedKeyDecidesBeforeEverythingElse) {
    for_each_case([&](const Case& c) {
        SCOPED_TRACE(describe(c));
        for (const unsigned char fingerprint : {'\x01', '\x02'}) {
            auto known = make(c.state);
            known.record = remembered(fingerprint, 201);
            const auto decision = decide(make(c), known);
            EXPECT_EQ(decision.outcome, fingerprint == 1 ? Outcome::replayed : Outcome::payload_mismatch);
            EXPECT_EQ(decision.status, fingerprint == 1 ? 201 : 0);
            EXPECT_FALSE(decision.writes.has_value());
        }
    });
}

// proves: K7, K11, K13
TEST(Decide, RecordHoldsWhatAReplayNeedsAndNoMore) {
    const auto decision = decide(operation(Verb::patch, R"({"name":"Grace"})"), snapshot(contact(3)));
    ASSERT_TRUE(decision.writes && decision.writes->record);
    const auto& record = *decision.writes->record;
    EXPECT_EQ(record.status, 200);
    EXPECT_EQ(record.resource, ResourceId{"con_1"});
    EXPECT_EQ(record.revision, Revision{4});
    EXPECT_EQ(record.completed_at, noon);
    EXPECT_EQ(record.expires_at, noon + hours{24});
}

// proves: R5
TEST(Decide, StalePreconditionShowsTheCurrentState) {
    auto stale = operation(Verb::patch, R"({"name":"Grace"})");
    stale.if_match = *Precondition::parse({R"("r1")"});
    const auto decision = decide(stale, snapshot(contact(3)));
    EXPECT_EQ(decision.outcome, Outcome::precondition_failed);
    EXPECT_EQ(decision.resource->revision, Revision{3});
}

// proves: R8
TEST(Decide, PutNeverCreates) {
    auto put = operation(Verb::replace, R"({"name":"Grace"})");
    put.if_none_match_any = true;
    EXPECT_EQ(decide(put, snapshot(contact(3))).outcome, Outcome::precondition_failed);
    EXPECT_EQ(decide(put, snapshot(std::nullopt)).outcome, Outcome::not_found);
}

// proves: R1
TEST(Decide, TimeOfAResourceNeverRunsBackwards) {
    auto current = contact(3);
    current.updated_at = noon + hours{1};
    const auto decision = decide(operation(Verb::patch, R"({"name":"Grace"})"), snapshot(current));
    EXPECT_EQ(decision.resource->updated_at, noon + hours{1});
}

// proves: P3, B31
TEST(Decide, BodiesThatAreNoObjectsAreInvalid) {
    for (const auto* body : {"null", "\"bar\"", "42", "[]", "true"})
        for (const auto verb : {Verb::create, Verb::patch, Verb::replace})
            EXPECT_EQ(decide(operation(verb, body), snapshot(contact(3))).outcome, Outcome::invalid) << body;
}

// proves: P4, B34
TEST(Decide, WhatClientsGotTheyMaySendBack) {
    const auto sent =
        R"({"id":"con_1","revision":3,"created_at":"2027-01-15T06:00:00.000Z","updated_at":"2027-01-15T07:00:00.000Z","name":"Grace"})";
    const auto patch = decide(operation(Verb::patch, sent), snapshot(contact(3)));
    ASSERT_EQ(patch.outcome, Outcome::executed) << (patch.errors.empty() ? "" : patch.errors[0].pointer);
    EXPECT_EQ(patch.resource->body, R"({"email":"a@x.de","name":"Grace"})");
    const auto put = decide(operation(Verb::replace, sent), snapshot(contact(3)));
    ASSERT_EQ(put.outcome, Outcome::executed);
    EXPECT_EQ(put.resource->body, R"({"name":"Grace"})");
}

// proves: P4, B34
TEST(Decide, OtherValuesOfServerMembersAreRefusedByName) {
    for (const auto* body : {R"({"revision":99})", R"({"revision":null})", R"({"id":"con_other"})",
                             R"({"created_at":"1970-01-01T00:00:00Z"})"}) {
        const auto decision = decide(operation(Verb::patch, body), snapshot(contact(3)));
        EXPECT_EQ(decision.outcome, Outcome::read_only_member) << body;
        ASSERT_EQ(decision.errors.size(), 1U);
        const auto name = json::read(body)->if_object()->begin()->name;
        EXPECT_EQ(decision.errors[0].pointer, "/" + name);
    }
}

// proves: P5
TEST(Decide, NullMeansAbsentOnPostAndPut) {
    const auto post =
        decide(operation(Verb::create, R"({"name":"Ada","email":null,"id":null})"), snapshot(std::nullopt));
    ASSERT_EQ(post.outcome, Outcome::executed);
    EXPECT_EQ(post.resource->body, R"({"name":"Ada"})");
    const auto put = decide(operation(Verb::replace, R"({"name":"Ada","email":null})"), snapshot(contact(3)));
    EXPECT_EQ(put.resource->body, R"({"name":"Ada"})");
}

// proves: S1
TEST(Decide, PutKeepsWhatTheCallerCannotSee) {
    auto put = operation(Verb::replace, R"({"name":"Grace"})");
    put.hidden = {"email"};
    EXPECT_EQ(decide(put, snapshot(contact(3))).resource->body, R"({"email":"a@x.de","name":"Grace"})");
    put = operation(Verb::replace, R"({"name":"Grace","email":"g@x.de"})");
    put.hidden = {"email"};
    EXPECT_EQ(decide(put, snapshot(contact(3))).resource->body, R"({"email":"g@x.de","name":"Grace"})");
}

// proves: P8
TEST(Decide, ManySmallPatchesCannotBuildWhatOneRequestMayNotSend) {
    auto patch = operation(Verb::patch, R"({"custom":{"a":")" + std::string(900, 'x') + R"("}})");
    auto current = contact(3);
    current.body = R"({"custom":{"b":")" + std::string(900, 'y') + R"("},"name":"Ada"})";
    EXPECT_EQ(decide(patch, snapshot(current)).errors.at(0).code, "too_large");
    patch = operation(Verb::patch, R"({"custom":{"a":[1,2,3,4,5]}})");
    patch.values_max = 8;
    EXPECT_EQ(decide(patch, snapshot(contact(3))).errors.at(0).code, "too_many_values");
}

// proves: T4
TEST(Decide, MissingReferencesAreInvalidUnlessUnchanged) {
    auto patch = operation(Verb::patch, R"({"company_id":"com_1"})");
    patch.references = {{"company_id", ResourceId{"com_1"}, true}};
    patch.reads.references = {ResourceId{"com_1"}};
    auto known = snapshot(contact(3));
    known.referenced = {false};
    EXPECT_EQ(decide(patch, known).errors.at(0).pointer, "/company_id");
    known.referenced = {true};
    EXPECT_EQ(decide(patch, known).outcome, Outcome::executed);
    patch.references[0].plausible = false;
    EXPECT_EQ(decide(patch, known).outcome, Outcome::invalid);
    known.referenced = {false};
    known.resource->body = R"({"company_id":"com_1","name":"Ada"})";
    auto both = operation(Verb::patch, R"({"company_id":"com_1","name":"Grace"})");
    both.references = patch.references;
    EXPECT_EQ(decide(both, known).outcome, Outcome::executed);
}

// proves: T4, B45
TEST(Decide, UniqueValueOfSomebodyElseIsAConflict) {
    auto patch = operation(Verb::patch, R"({"name":"Grace"})");
    patch.uniques = {{"vat_id", ValueDigest{}}};
    auto known = snapshot(contact(3));
    known.unique_owners = {ResourceId{"con_2"}};
    const auto taken = decide(patch, known);
    EXPECT_EQ(taken.outcome, Outcome::conflict);
    EXPECT_EQ(taken.conflict->member, "vat_id");
    EXPECT_EQ(taken.conflict->owner, ResourceId{"con_2"});
    known.unique_owners = {ResourceId{"con_1"}};
    EXPECT_EQ(decide(patch, known).outcome, Outcome::executed);
}

// proves: T2
TEST(Decide, IndexEntriesFollowTheMembers) {
    const auto created = decide(operation(Verb::create, body_text), snapshot(std::nullopt));
    EXPECT_EQ(created.writes->index_add.size(), 1U);
    const auto same = decide(operation(Verb::patch, R"({"name":"Grace"})"), snapshot(contact(3)));
    EXPECT_TRUE(same.writes->index_add.empty() && same.writes->index_remove.empty());
    const auto moved = decide(operation(Verb::patch, R"({"email":"b@x.de"})"), snapshot(contact(3)));
    EXPECT_EQ(moved.writes->index_remove, created.writes->index_add);
    EXPECT_EQ(moved.writes->index_add.size(), 1U);
    const auto removed = decide(operation(Verb::remove, "null"), snapshot(contact(3)));
    EXPECT_EQ(removed.writes->index_remove, created.writes->index_add);
    EXPECT_EQ(removed.writes->resource->body, "{}");
    EXPECT_EQ(removed.writes->keep_revisions, 0U);
}

// proves: K8
TEST(Decide, DamagedStateIsSaidNotGuessed) {
    auto damaged = contact(3);
    damaged.body = R"({"name":)";
    for (const auto verb : {Verb::patch, Verb::replace, Verb::remove}) {
        const auto decision = decide(operation(verb, R"({"name":"Grace"})"), snapshot(damaged));
        EXPECT_EQ(decision.outcome, Outcome::unreadable);
        EXPECT_FALSE(decision.writes.has_value());
    }
}

// proves: T6, P4
TEST(Decide, NewChargesStartPendingAndOnlyTheServerMovesThem) {
    const auto& charges = *catalog().find("charges");
    const auto sent = R"({"reference":"B-1042","amount":4990,"currency":"EUR"})";
    const auto post = decide(operation(Verb::create, sent, charges), snapshot(std::nullopt));
    ASSERT_EQ(post.outcome, Outcome::executed);
    EXPECT_EQ(post.resource->body, R"({"amount":4990,"currency":"EUR","reference":"B-1042","status":"pending"})");
    const auto claimed = R"({"reference":"B-1042","amount":4990,"currency":"EUR","status":"succeeded"})";
    EXPECT_EQ(decide(operation(Verb::create, claimed, charges), snapshot(std::nullopt)).outcome,
              Outcome::read_only_member);
}

}  // namespace
}  // namespace einmal::engine
