// JSON Merge Patch (RFC 7396), to the letter.
#pragma once

#include <einmal/json.hpp>

#include <cstddef>

namespace einmal::engine {

/// The target after the patch (RFC 7396 §2): values set, `null` removes, arrays are replaced whole with their nulls,
/// what is absent stays (contract P2). The result is no deeper than the deeper of the two.
[[nodiscard]] json::Value merge_patch(json::Value target, const json::Value& patch);

/// A body with its null members left out, arrays untouched: the state that PATCH could reach too (contract P5).
[[nodiscard]] json::Value without_nulls(const json::Value& body);

/// How many values there are, itself included: merging may add up what reading had bounded (contract P8).
[[nodiscard]] std::size_t count_values(const json::Value& value);

}  // namespace einmal::engine
