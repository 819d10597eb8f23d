// The operator's door to a database on a PostgreSQL server.
#pragma once

#include "store/pg_session.hpp"

#include <einmal/env.hpp>
#include <einmal/store.hpp>

#include <memory>
#include <string>

namespace einmal::store {

[[nodiscard]] std::unique_ptr<StoreAdmin> make_pg_admin(std::unique_ptr<PgSession> session);

/// `open_admin` for a server's address; errors as there.
[[nodiscard]] Result<std::unique_ptr<StoreAdmin>> open_pg_admin(const std::string& address, bool create,
                                                                Entropy& entropy);

}  // namespace einmal::store
