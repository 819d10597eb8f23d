// The operator's door to a database file: tokens, backup, verify. Works beside a server, through its own connection.
#pragma once

#include <einmal/env.hpp>
#include <einmal/store.hpp>

#include <memory>
#include <string>

namespace einmal::store {

/// As `open_admin` for a database file.
[[nodiscard]] Result<std::unique_ptr<StoreAdmin>> open_sqlite_admin(const std::string& file, bool create,
                                                                    const Clock& clock, Entropy& entropy);

}  // namespace einmal::store
