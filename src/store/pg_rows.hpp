// Reading of rows, and writing of parameters, that several parts of the store share.
#pragma once

#include "store/pg_failure.hpp"
#include "store/pg_values.hpp"

#include <einmal/decision.hpp>
#include <einmal/store.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace einmal::store {

/// Reads the columns that the statements list for a resource.
[[nodiscard]] Resource pg_resource_from(const PgRows& rows, int row);
/// Reads the columns behind those of a resource in Sql::find_record.
[[nodiscard]] Record pg_record_from(const PgRows& rows, int row);
/// Reads pg_token_columns.
[[nodiscard]] Token pg_token_from(const PgRows& rows, int row);

/// Digests as an array parameter.
[[nodiscard]] std::vector<std::span<const std::byte>> bytes_of(const std::vector<ValueDigest>& digests);

}  // namespace einmal::store
