// The decision: given what the database knows of this key and this resource, this request and this time, what happens?
// Pure, so that every state × request × time can be enumerated in a test, and the store may call it as often as it
// must.
#pragma once

#include <einmal/engine.hpp>
#include <einmal/json.hpp>
#include <einmal/store.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace einmal::base {
class Hmac;
}  // namespace einmal::base

namespace einmal::engine {

/// A member of the request that names another resource. `plausible`: the id has the prefix of the type it must be of.
struct Reference {
    std::string member;
    ResourceId id;
    bool plausible = false;
};

/// A member of the request whose value nobody else may hold.
struct UniqueValue {
    std::string member;
    ValueDigest digest;
};

/// A request, made ready for deciding: all that needs a clock, chance or a secret has been drawn.
/// `references` and `uniques` say more of what `reads` lists, in the same order.
struct Operation {
    Verb verb{};
    const ResourceType* type = nullptr;
    Reads reads;
    Fingerprint fingerprint;
    json::Value body;
    std::optional<Precondition> if_match;
    bool if_none_match_any = false;
    std::vector<Reference> references;
    std::vector<UniqueValue> uniques;
    std::vector<std::string> hidden;  ///< members the caller cannot see: PUT leaves them as they are
    ResourceId fresh_id;              ///< for create
    std::string event_id;
    std::chrono::milliseconds retention{};
    std::size_t resource_max = 0;    ///< bytes of canonical text (contract P8)
    std::size_t values_max = 0;      ///< values in all (contract P8)
    const Secret* secret = nullptr;  ///< for the digests of indexed and unique members; outlives the operation
    /// For create, whose result does not depend on the database: worked out before the transaction.
    struct Candidate {
        json::Value body;
        std::string text;
        Outcome outcome = Outcome::executed;  ///< or invalid, read_only_member
        std::vector<FieldError> errors;
        Writes index;  ///< create only: its index entries, nothing else
    };
    std::optional<Candidate> candidate;
};

/// The result of a create, as far as it needs no database: nulls dropped, read-only members checked and set, validated.
[[nodiscard]] Operation::Candidate prepare_create(const Operation& operation, base::Hmac& hmac);

/// Contract K5, K8, K12, R4–R11, P2–P5, T4, in the order of R9. A refusal has no writes.
[[nodiscard]] Decision decide(const Operation& operation, const Snapshot& snapshot);

}  // namespace einmal::engine
