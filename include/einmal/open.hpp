// Opens a store by its address: `memory:`, `sqlite:FILE` or `postgres://…`.
#pragma once

#include <einmal/env.hpp>
#include <einmal/options.hpp>
#include <einmal/store.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <string_view>

namespace einmal {

/// A store to serve from, and its operator's door. `admin` must be destroyed before `store`.
struct OpenedStore {
    std::unique_ptr<Store> store;
    std::unique_ptr<StoreAdmin> admin;
};

/// Opens a store to serve from, making and upgrading its database as needed. Calls complete on `executor`. Fails with
/// Errc::configuration (no such kind of store, no database, newer schema) or Errc::unavailable (in use by another
/// server, unreachable, unreadable). `clock` and `entropy` outlive the store; PostgreSQL's decisions go by the
/// database's own clock (contract K11), and its store needs an executor that one thread runs, or a strand.
[[nodiscard]] Result<OpenedStore> open_store(std::string_view address, boost::asio::any_io_executor executor,
                                             const StoreOptions& options, const Clock& clock = system_clock(),
                                             Entropy& entropy = system_entropy());

/// Opens a store to administer it from outside, also while a server runs on it. `create` makes the database when there
/// is none; otherwise that is Errc::configuration, as is `memory:`, which nobody can reach from outside.
[[nodiscard]] Result<std::unique_ptr<StoreAdmin>> open_admin(std::string_view address, bool create,
                                                             const Clock& clock = system_clock(),
                                                             Entropy& entropy = system_entropy());

}  // namespace einmal
