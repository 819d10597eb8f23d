// What a store tells whoever watches it (contract A5), so that metrics need no knowledge of stores, nor stores of
// metrics.
#pragma once

#include <chrono>
#include <cstddef>

namespace einmal {

/// Called by a store from its own threads, any number at a time; must be quick and must not throw. Outlives the store.
class StoreObserver {
 public:
    virtual ~StoreObserver() = default;

    /// A commit that carried `operations` became durable; `took` runs from the start of its transaction.
    virtual void committed(std::size_t operations, std::chrono::nanoseconds took) = 0;

    /// Operations that wait for the writer at this moment.
    virtual void queued(std::size_t waiting) = 0;
};

}  // namespace einmal
