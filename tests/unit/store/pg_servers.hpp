// Two servers on one PostgreSQL database, each with a store and an engine of its own, in one loop: what the suite of
// the contract cannot have, because the other stores have one server.
#pragma once

#include "support/pg_cluster.hpp"
#include "support/world.hpp"

#include <einmal/open.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace einmal::test {

class PgServers {
    class Opened final : public TestStore {
     public:
        Opened(const std::string& address, const Surroundings& around)
            : opened_(open_store(address, around.executor, around.options, around.clock, around.entropy).value()) {}
        Store& store() override { return *opened_.store; }
        StoreAdmin& admin() override { return *opened_.admin; }
        std::vector<Event> events() override { return {}; }  // the tests ask the probe

     private:
        OpenedStore opened_;
    };

    PgDatabase database_{PgDatabase::Content::clocked_store};
    PgProbe watcher_{database_.address()};  // never in a transaction, where the server would show it old statistics

 public:
    explicit PgServers(const StoreOptions& options = {})
        : here({"postgres", [this](const Surroundings& around) { return std::make_unique<Opened>(address(), around); }},
               {.engine = {}, .store = options, .seed = 1}),
          stores_there(open_store(address(), here.runner.executor(), options, here.clock, here.entropy).value()),
          there(here.runner.executor(), *stores_there.store, here.catalog, {}, here.clock, here.entropy) {}

    [[nodiscard]] const std::string& address() const { return database_.address(); }
    Pending<Result<Answer>> start_there(Command command) {
        return here.runner.start(there.execute(std::move(command)));
    }
    /// The one number that `sql` returns.
    std::int64_t number(const std::string& sql) { return std::stoll(watcher_.run(sql).at(0).at(0)); }
    /// Ends the server's side of all connections of the stores.
    void cut_connections() {
        const std::string others =
            " FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'einmal'";
        watcher_.run("SELECT pg_terminate_backend(pid)" + others);
        const auto deadline = std::chrono::steady_clock::now() + patience;
        while (number("SELECT count(*)" + others) != 0 && std::chrono::steady_clock::now() < deadline) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    /// Until so many of the stores' transactions wait for a lock.
    void run_until_waiting(std::int64_t wanted) {
        here.runner.run_until([this, wanted] {
            return wanted == number(
                                 "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND "
                                 "wait_event_type = 'Lock'");
        });
    }
    /// Lets the probe take a key that was used, and not commit: a third server that is in the middle of it.
    void hold_key() {
        probe.run("CREATE TABLE saved AS SELECT * FROM records");
        probe.run("DELETE FROM records");
        probe.run("BEGIN");
        probe.run("INSERT INTO records SELECT * FROM saved");
    }

    PgProbe probe{database_.address()};  ///< beside the stores
    World here;
    OpenedStore stores_there;
    Engine there;
};

}  // namespace einmal::test
