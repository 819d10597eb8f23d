// What a request came to, and what must be written for it. Produced by the pure decision (engine/decide), carried
// through the store's transaction, read by whoever answers. No I/O here.
#pragma once

#include <einmal/types.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace einmal {

/// A resource as the store keeps it: the client's and the read-only members as canonical JSON text, the rest beside it.
struct Resource {
    ResourceId id;
    TypeName type;
    Revision revision;
    Timestamp created_at;
    Timestamp updated_at;
    bool deleted = false;  ///< a tombstone: the id is taken for ever, `body` is `{}` (contract R10)
    std::string body;      ///< one JSON object, canonical text (json::write)
};

/// What is remembered of an operation (contract K7): no body, no personal data.
struct Record {
    Fingerprint fingerprint;
    int status = 0;  ///< always 2xx (contract K8)
    TypeName type;   ///< of the resource the operation concerned
    ResourceId resource;
    Revision revision;     ///< the revision the operation produced (contract K13)
    Timestamp created_at;  ///< when the operation was accepted
    Timestamp completed_at;
    Timestamp expires_at;       ///< expired when `expires_at <= now`, whether or not it has been cleaned (contract K11)
    std::uint64_t replays = 0;  ///< how often it was replayed, counted by the store (contract K14)
};

/// One row of the outbox (contract O1).
struct Event {
    std::string id;    ///< stable for ever
    std::string type;  ///< `contacts.created`, `contacts.updated`, `contacts.deleted`
    ResourceId resource;
    Revision revision;
    Timestamp time;
};

/// What one transaction changes, all or nothing. Only a 2xx decision has writes (contract K8).
struct Writes {
    /// The new state. Revision 1 inserts the resource, a later one replaces the state whose revision is one less.
    std::optional<Resource> resource;
    std::uint32_t keep_revisions = 0;  ///< how many earlier states to keep of this resource (contract R12)
    std::vector<ValueDigest> index_add;
    std::vector<ValueDigest> index_remove;
    std::vector<ValueDigest> unique_add;
    std::vector<ValueDigest> unique_remove;
    std::optional<Record> record;  ///< present when the request carried a key
    std::optional<Event> event;    ///< present when the change was effective
};

/// How a request ended. The four outcomes of contract K5 and the refusals that come after them, in the order of R9.
enum class Outcome {
    executed,               ///< 2xx, and `writes` were committed (none when nothing changed and there was no key)
    replayed,               ///< 2xx from the record; no effect of any kind (contract K6)
    in_progress,            ///< 409, the same operation is running (contract K5)
    payload_mismatch,       ///< 422, the key belongs to another request (contract K5)
    not_found,              ///< 404, no such resource, or a tombstone
    precondition_failed,    ///< 412, `resource` is the current state (contract R5)
    precondition_required,  ///< 428 (contract R11)
    invalid,                ///< 422, `errors` say where (contract P3)
    read_only_member,       ///< 422, `errors` name the members (contract P4)
    conflict,               ///< 409, a unique value is taken, see `conflict` (contract T4)
    unreadable,             ///< 500, the stored state is damaged; nothing was done, `einmal verify` says more
};

/// One reason for a refusal. Never quotes the value (it may be personal).
struct FieldError {
    std::string pointer;  ///< RFC 6901, into the resulting resource
    std::string code;     ///< a short stable word: `required`, `type`, `format`, `reference_missing` …
    std::string detail;   ///< one sentence
};

/// Whose unique value is in the way.
struct UniqueConflict {
    std::string member;
    ResourceId owner;
};

struct Decision {
    Outcome outcome{};
    int status = 0;  ///< set for executed and replayed
    std::optional<Resource>
        resource;                  ///< executed: the new state; replayed: as it is now; precondition_failed: current
    std::optional<Record> record;  ///< executed with a key, and replayed
    std::vector<FieldError> errors;
    std::optional<UniqueConflict> conflict;
    std::optional<Writes> writes;  ///< from the decision to the store, which takes them; never further
};

}  // namespace einmal
