// The stores that the contract suite runs over. A new kind of store is one more entry in all_store_kinds().
#pragma once

#include <einmal/env.hpp>
#include <einmal/open.hpp>
#include <einmal/options.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace einmal::test {

/// A store that was made for one test, empty, and goes with it.
class TestStore {
 public:
    virtual ~TestStore() = default;
    [[nodiscard]] virtual Store& store() = 0;
    [[nodiscard]] virtual StoreAdmin& admin() = 0;
    /// What has been committed to the outbox, in the order of the commits (contract O1), read beside the store.
    [[nodiscard]] virtual std::vector<Event> events() = 0;
};

/// What a store needs to be opened; clock and entropy outlive it.
struct Surroundings {
    boost::asio::any_io_executor executor;
    StoreOptions options;
    const Clock& clock;
    Entropy& entropy;
};

struct StoreKind {
    std::string name;  ///< `memory`, `sqlite`, `postgres`
    std::function<std::unique_ptr<TestStore>(const Surroundings&)> open;
};

void PrintTo(const StoreKind& kind, std::ostream* out);

[[nodiscard]] StoreKind memory_store_kind();
[[nodiscard]] StoreKind sqlite_store_kind();
[[nodiscard]] StoreKind postgres_store_kind();
[[nodiscard]] std::vector<StoreKind> all_store_kinds();

}  // namespace einmal::test
