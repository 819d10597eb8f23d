// What a POST, PATCH or PUT makes of a resource's members: merging, the server's own members, validation, and the index
// entries that follow from it. Pure; used by the decision only.
#pragma once

#include "engine/decide.hpp"

namespace einmal::engine {

/// The members of a stored resource; nothing when the text is no object, which only a damaged database can bring about.
[[nodiscard]] std::optional<json::Value> stored_body(const Resource& resource);

/// The members after a merge patch, or why there are none (contract P2–P5).
[[nodiscard]] Operation::Candidate patched(const Operation& operation, const Resource& current,
                                           const json::Value& before);

/// The members after a PUT: the client's, and those of before that are the server's or that the caller cannot see.
[[nodiscard]] Operation::Candidate replaced(const Operation& operation, const Resource& current,
                                            const json::Value& before);

/// Adds to `writes` what leaves and what enters the indexes. `before` null: created; `after` null: removed.
void index_change(const Operation& operation, const json::Object* before, const json::Object* after, Writes& writes);

}  // namespace einmal::engine
