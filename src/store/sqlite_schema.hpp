// Opens a database file: makes it, upgrades it step by step (schema/sqlite/NNNN.sql), or says why it is not ours to
// use.
#pragma once

#include "store/sqlite_statement.hpp"

#include <einmal/env.hpp>
#include <einmal/result.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace einmal::store {

/// Marks a file as a database of this program (`PRAGMA application_id`): "Einm".
inline constexpr std::int64_t application_id = 0x45696e6d;

/// The schema version this program works with.
[[nodiscard]] std::int64_t newest_schema_version();

/// How long an operator's command, or the start of a server, waits for a lock.
inline constexpr std::chrono::seconds patience_for_locks{10};

enum class Preparing {
    refused,      ///< there must be a database of the newest version
    when_needed,  ///< it is made or upgraded; the caller holds the ServerLock
};

/// A connection to the database, checked and in WAL mode, with `patience_for_locks`. Errc::configuration: no database
/// there, not one of ours, or a newer version; Errc::unavailable: it cannot be read and written. `file` is the path.
[[nodiscard]] Result<Connection> open_database(const std::string& file, Preparing preparing, Entropy& entropy);

/// Whether there is a file that would have to be made or upgraded before use. Errors are left to `open_database`.
[[nodiscard]] bool needs_preparing(const std::string& file);

/// The database's secret. Errc::corrupt when it is not there.
[[nodiscard]] Result<Secret> load_secret(Connection& connection);

/// What the operator reads when a file could not be opened.
[[nodiscard]] Error opening_error(const std::string& file, const SqliteFailure& failure);

}  // namespace einmal::store
