// A store in the memory of one process, lost with it: for tests, and for trying Einmal out (`--store memory:`). It is
// also the executable specification of store.hpp: plain maps under one mutex, so that a reader can see what every
// store must do. It must never become clever.
#pragma once

#include <einmal/env.hpp>
#include <einmal/open.hpp>
#include <einmal/options.hpp>
#include <einmal/store.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <vector>

namespace einmal::store {

/// An empty store. It cannot fail. `clock` and `entropy` outlive it. Of the options only those of the cleaner matter.
[[nodiscard]] OpenedStore open_memory_store(boost::asio::any_io_executor executor, const StoreOptions& options,
                                            const Clock& clock, Entropy& entropy);

/// The outbox of a store that `open_memory_store` made, in the order of the commits (contract O1). Thread-safe.
[[nodiscard]] std::vector<Event> events_of_memory_store(const Store& store);

}  // namespace einmal::store
