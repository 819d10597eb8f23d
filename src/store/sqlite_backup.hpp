// A consistent copy of a database that others read and write meanwhile (contract A7).
#pragma once

#include "store/sqlite_statement.hpp"

#include <einmal/result.hpp>

#include <string>

namespace einmal::store {

/// The copy is one snapshot; it appears under its name complete and on disk, or not at all. Errc::configuration when
/// `file` exists; Errc::unavailable when it cannot be written. Throws SqliteFailure when `source` cannot be read.
[[nodiscard]] Result<void> back_up(Connection& source, const std::string& file);

}  // namespace einmal::store
