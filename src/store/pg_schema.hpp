// Makes and upgrades a database in numbered steps (schema/postgres), and finds its secret.
#pragma once

#include "store/pg_session.hpp"

#include <einmal/env.hpp>
#include <einmal/result.hpp>
#include <einmal/types.hpp>

#include <cstdint>
#include <optional>

namespace einmal::store {

/// Whether a database that is empty or older may be made ready.
enum class PgPreparing { when_needed, refused };

[[nodiscard]] std::int64_t newest_pg_schema_version();

/// Brings the database to the newest version. Of several servers that start at once one does it, and the others wait
/// for it. Returns why it cannot be: a newer version, another program's database, or one that is not ready and must not
/// be made so. Throws PgError.
[[nodiscard]] std::optional<Error> prepare_pg_database(PgSession& session, PgPreparing preparing, Entropy& entropy);

/// Throws PgError.
[[nodiscard]] Result<Secret> load_pg_secret(PgSession& session);

}  // namespace einmal::store
