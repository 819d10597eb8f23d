// Says what is wrong with a database (contract A7): SQLite's own check, and what the store promises beyond it.
#pragma once

#include "store/sqlite_statement.hpp"

#include <einmal/types.hpp>

#include <string>
#include <vector>

namespace einmal::store {

/// Reads everything, within the transaction that the caller began. One sentence per finding, none of them personal; of
/// one kind no more than a hundred. Damage that SQLite meets is a finding; other failures are thrown as SqliteFailure.
[[nodiscard]] std::vector<std::string> verify_database(Connection& connection, Timestamp now);

}  // namespace einmal::store
