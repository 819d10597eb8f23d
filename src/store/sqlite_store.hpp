// A store in one SQLite file, for one serving process (docs/decisions/0002-sqlite-layout.md).
#pragma once

#include <einmal/env.hpp>
#include <einmal/open.hpp>
#include <einmal/options.hpp>
#include <einmal/store.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <string>

namespace einmal::store {

/// Store and operator's door of `open_store` for a database file. Errors, lifetimes and threads as there.
[[nodiscard]] Result<OpenedStore> open_sqlite_store(const std::string& file, boost::asio::any_io_executor executor,
                                                    const StoreOptions& options, const Clock& clock, Entropy& entropy);

}  // namespace einmal::store
