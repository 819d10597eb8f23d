#include "engine/decide.hpp"

#include "base/assert.hpp"
#include "engine/change.hpp"

namespace einmal::engine {
namespace {

constexpr int status_ok = 200;
constexpr int status_created = 201;
constexpr int status_no_content = 204;

Decision refused(Outcome outcome) {
    Decision decision;
    decision.outcome = outcome;
    return decision;
}

Decision refused(Outcome outcome, std::vector<FieldError> errors) {
    auto decision = refused(outcome);
    decision.errors = std::move(errors);
    return decision;
}

/// Contract K5: same fingerprint → replay, other → mismatch, whatever else the request says.
Decision decide_remembered(const Operation& operation, const Snapshot& snapshot) {
    const auto& record = *snapshot.record;
    if (record.fingerprint != operation.fingerprint) return refused(Outcome::payload_mismatch);
    auto decision = refused(Outcome::replayed);
    decision.status = record.status;
    decision.record = record;
    decision.resource = snapshot.resource;
    return decision;
}

/// Contract R9: existence, then If-Match. Nothing when the operation may go on.
std::optional<Decision> refuse_by_state(const Operation& operation, const Snapshot& snapshot) {
    const auto& current = snapshot.resource;
    if (!current || current->deleted || current->type != operation.type->name) return refused(Outcome::not_found);
    const bool stale = operation.if_match && !operation.if_match->matches_strongly(current->revision);
    if (stale || operation.if_none_match_any) {
        auto decision = refused(Outcome::precondition_failed);
        decision.resource = current;
        return decision;
    }
    if (operation.type->require_if_match && !operation.if_match) return refused(Outcome::precondition_required);
    return std::nullopt;
}

/// Contract T4: whatever the request newly names must exist, and unique values must be free.
std::optional<Decision> refuse_by_others(const Operation& operation, const Snapshot& snapshot,
                                         const json::Object* before) {
    std::vector<FieldError> errors;
    for (std::size_t i = 0; i < operation.references.size(); ++i) {
        const auto& reference = operation.references[i];
        const auto* held = before != nullptr ? before->find(reference.member) : nullptr;
        const bool unchanged =
            held != nullptr && held->if_string() != nullptr && *held->if_string() == reference.id.text;
        if (unchanged || (reference.plausible && snapshot.referenced[i])) continue;
        std::string pointer;
        json::append_pointer(pointer, reference.member);
        errors.push_back(
            {std::move(pointer), "reference_missing", "There is no such resource of the type it must name."});
    }
    if (!errors.empty()) return refused(Outcome::invalid, std::move(errors));
    for (std::size_t i = 0; i < operation.uniques.size(); ++i) {
        const auto& owner = snapshot.unique_owners[i];
        if (!owner || (snapshot.resource && *owner == snapshot.resource->id)) continue;
        auto decision = refused(Outcome::conflict);
        decision.conflict = UniqueConflict{operation.uniques[i].member, *owner};
        return decision;
    }
    return std::nullopt;
}

Record record_of(const Operation& operation, const Resource& resource, int status, Timestamp now) {
    return Record{.fingerprint = operation.fingerprint,
                  .status = status,
                  .type = resource.type,
                  .resource = resource.id,
                  .revision = resource.revision,
                  .created_at = now,
                  .completed_at = now,
                  .expires_at = now + operation.retention};
}

/// A 2xx decision with its record, and with `writes` when there is anything to write (contract K8).
Decision executed(const Operation& operation, Resource resource, int status, Writes writes, Timestamp now) {
    auto decision = refused(Outcome::executed);
    decision.status = status;
    if (operation.reads.key) writes.record = decision.record = record_of(operation, resource, status, now);
    if (writes.record || writes.resource) decision.writes = std::move(writes);
    decision.resource = std::move(resource);
    return decision;
}

Event event_of(const Operation& operation, const Resource& resource, const char* what, Timestamp now) {
    return Event{.id = operation.event_id,
                 .type = resource.type.text + "." + what,
                 .resource = resource.id,
                 .revision = resource.revision,
                 .time = now};
}

Decision decide_create(const Operation& operation, const Snapshot& snapshot) {
    EINMAL_ASSERT(operation.candidate.has_value());
    const auto& candidate = *operation.candidate;
    if (candidate.outcome != Outcome::executed) return refused(candidate.outcome, candidate.errors);
    if (auto refusal = refuse_by_others(operation, snapshot, nullptr)) return std::move(*refusal);
    Resource resource{.id = operation.fresh_id,
                      .type = operation.type->name,
                      .revision = Revision{1},
                      .created_at = snapshot.now,
                      .updated_at = snapshot.now,
                      .body = candidate.text};
    auto writes = candidate.index;
    writes.keep_revisions = operation.type->keep_revisions;
    writes.event = event_of(operation, resource, "created", snapshot.now);
    writes.resource = resource;
    return executed(operation, std::move(resource), status_created, std::move(writes), snapshot.now);
}

/// The next state of an existing resource; time never runs backwards for it.
Resource successor(const Resource& current, std::string body, Timestamp now) {
    return Resource{.id = current.id,
                    .type = current.type,
                    .revision = current.revision.next(),
                    .created_at = current.created_at,
                    .updated_at = std::max(now, current.updated_at),
                    .body = std::move(body)};
}

Decision decide_change(const Operation& operation, const Snapshot& snapshot) {
    const auto& current = *snapshot.resource;
    const auto stored = stored_body(current);
    if (!stored) return refused(Outcome::unreadable);
    const auto& before = *stored;
    auto change =
        operation.verb == Verb::patch ? patched(operation, current, before) : replaced(operation, current, before);
    if (change.outcome != Outcome::executed) return refused(change.outcome, std::move(change.errors));
    if (change.text == current.body) return executed(operation, current, status_ok, Writes{}, snapshot.now);
    if (auto refusal = refuse_by_others(operation, snapshot, before.if_object())) return std::move(*refusal);
    auto resource = successor(current, std::move(change.text), snapshot.now);
    Writes writes;
    index_change(operation, before.if_object(), change.body.if_object(), writes);
    writes.keep_revisions = operation.type->keep_revisions;
    writes.event = event_of(operation, resource, "updated", snapshot.now);
    writes.resource = resource;
    return executed(operation, std::move(resource), status_ok, std::move(writes), snapshot.now);
}

/// Leaves a tombstone without members, and no earlier states: what was deleted is gone (contract R10).
Decision decide_remove(const Operation& operation, const Snapshot& snapshot) {
    const auto& current = *snapshot.resource;
    const auto before = stored_body(current);
    if (!before) return refused(Outcome::unreadable);
    auto tombstone = successor(current, "{}", snapshot.now);
    tombstone.deleted = true;
    Writes writes;
    index_change(operation, before->if_object(), nullptr, writes);
    writes.event = event_of(operation, tombstone, "deleted", snapshot.now);
    writes.resource = tombstone;
    return executed(operation, std::move(tombstone), status_no_content, std::move(writes), snapshot.now);
}

}  // namespace

Decision decide(const Operation& operation, const Snapshot& snapshot) {
    if (snapshot.record) return decide_remembered(operation, snapshot);
    if (operation.verb == Verb::create) return decide_create(operation, snapshot);
    if (auto refusal = refuse_by_state(operation, snapshot)) return std::move(*refusal);
    return operation.verb == Verb::remove ? decide_remove(operation, snapshot) : decide_change(operation, snapshot);
}

}  // namespace einmal::engine
