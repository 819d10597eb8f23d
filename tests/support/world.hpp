// Everything a test of the engine needs, on one store: a clock and chance of its own, two accounts, the built-in types,
// and doors to hold or break the store's transactions. With EINMAL_TEST_CANARY=1 in the environment the store forgets
// its keys (forgetful_store.hpp).
#pragma once

#include "support/fault_store.hpp"
#include "support/forgetful_store.hpp"
#include "support/gate_store.hpp"
#include "support/manual_clock.hpp"
#include "support/printers.hpp"
#include "support/runner.hpp"
#include "support/seeded_entropy.hpp"
#include "support/store_kind.hpp"

#include <einmal/engine.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace einmal::test {

/// Reads a JSON text that the test itself wrote.
[[nodiscard]] json::Value parsed(std::string_view text);
/// `"r3"` → If-Match.
[[nodiscard]] Precondition if_match(std::string_view field_value);

/// Outcome and error in one, so that one comparison shows what went wrong.
struct Verdict {
    std::optional<Outcome> outcome;
    std::optional<Errc> error;
    bool operator==(const Verdict&) const = default;
    Verdict(Outcome value) : outcome(value) {}
    Verdict(Errc value) : error(value) {}
};
void PrintTo(const Verdict& verdict, std::ostream* out);
[[nodiscard]] Verdict verdict_of(const Result<Answer>& answer);
/// How many of them ended so.
[[nodiscard]] std::size_t count(const std::vector<Result<Answer>>& answers, const Verdict& verdict);

/// The stores of a world, one on top of the other: the engine's calls go through gate, faults and (canary) forgetting.
class World {
 public:
    struct Options {
        EngineOptions engine;
        StoreOptions store;
        std::uint64_t seed = 1;
    };

    World(const StoreKind& kind, Options options);
    World(const World&) = delete;
    World& operator=(const World&) = delete;
    /// Waits for what still runs.
    ~World();

    /// A new token of an account that is made on first use.
    [[nodiscard]] std::shared_ptr<const Caller> caller(const std::string& account, const std::string& scopes = "*");

    // Commands of the first account. A key that is empty is none.
    [[nodiscard]] Command create(std::string_view type, std::string_view key, std::string_view body);
    [[nodiscard]] Command patch(const ResourceId& id, std::string_view key, std::string_view body);
    [[nodiscard]] Command replace(const ResourceId& id, std::string_view key, std::string_view body);
    [[nodiscard]] Command remove(const ResourceId& id, std::string_view key);

    /// Runs one command to its end.
    Result<Answer> execute(Command command) { return runner.run(engine->execute(std::move(command))); }
    /// Starts one command; it runs while the test waits for something.
    Pending<Result<Answer>> start(Command command) { return runner.start(engine->execute(std::move(command))); }
    /// Runs all of them at the same time.
    std::vector<Result<Answer>> execute_all(const std::vector<Command>& commands);

    /// Makes a resource that must come to be.
    Resource created(std::string_view type, std::string_view body);
    /// As the engine shows it; nothing when there is none.
    std::optional<Resource> get(const ResourceId& id);
    /// Of a resource that must exist.
    json::Value body(const ResourceId& id);
    /// All live resources of a type, in order.
    std::vector<Resource> all(std::string_view type);
    KeyStatus look_up(std::string_view key, std::string_view method, std::string_view route);
    /// The record under a key that must have one.
    Record record(std::string_view key, std::string_view method, std::string_view route);

    [[nodiscard]] const ResourceType& type(std::string_view name) const;
    [[nodiscard]] const ResourceType& type_of(const ResourceId& id) const;

    // Constant after construction. Later ones refer to earlier ones.
    ManualClock clock;
    SeededEntropy entropy;
    Runner runner;
    std::unique_ptr<TestStore> opened;
    std::unique_ptr<ForgetfulStore> forgetful;  ///< null unless this is a run with the canary
    FaultStore faults;
    GateStore gate;
    Catalog catalog;
    std::shared_ptr<const Caller> first;   ///< account `first`, all scopes
    std::shared_ptr<const Caller> second;  ///< another account
    std::unique_ptr<Engine> engine;

 private:
    Command command(Verb verb, const ResourceType& type, std::string_view key);
    Store& remembering_or_not();
};

}  // namespace einmal::test
