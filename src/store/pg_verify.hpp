// Looks for what contradicts itself in a database (contract A7).
#pragma once

#include "store/pg_session.hpp"

#include <string>
#include <vector>

namespace einmal::store {

/// One sentence for each thing that is wrong; of a kind, not more than the first hundred. Within a transaction that
/// sees one state of the database. Throws PgError.
[[nodiscard]] std::vector<std::string> verify_pg_database(PgSession& session);

}  // namespace einmal::store
