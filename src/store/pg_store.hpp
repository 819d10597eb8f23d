// A store on a PostgreSQL server, for any number of serving processes (docs/decisions/0004-postgres-layout.md).
#pragma once

#include <einmal/env.hpp>
#include <einmal/open.hpp>
#include <einmal/options.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <string>

namespace einmal::store {

/// Store and operator's door of `open_store` for a server's address, `postgres://…`. Errors and lifetimes as there;
/// the executor is run by one thread, or is a strand. Blocks until the database is ready.
[[nodiscard]] Result<OpenedStore> open_pg_store(const std::string& address, boost::asio::any_io_executor executor,
                                                const StoreOptions& options, Entropy& entropy);

}  // namespace einmal::store
