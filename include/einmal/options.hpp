// Every limit of the engine and the stores in one place, each with its default and the reason for it.
// The limits of HTTP stand in http/http_options.hpp for the same reason.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace einmal {

class StoreObserver;

struct EngineOptions {
    /// How long a record answers repetitions, from completion (contract K11). A day covers a client's longest outage.
    std::chrono::milliseconds retention = std::chrono::hours{24};
    /// The longest `Prefer: wait=N` that is honoured (contract K5); beyond it proxies cut the connection anyway.
    std::chrono::seconds wait_max{30};
    /// Bytes of a resource's canonical text: many small patches must not build what one request may not send (P8).
    std::size_t resource_max = std::size_t{1024} * 1024;
    /// Values in a resource, for the same reason; what reading allows (json::Limits::values).
    std::size_t values_max = 100'000;
};

struct StoreOptions {
    /// How long a write waits for a lock or a connection before 503 (contract A6).
    std::chrono::milliseconds busy_timeout{5000};
    /// Operations that one commit carries at most: enough to share a disk sync, few enough to keep answers prompt.
    std::size_t batch_max = 256;
    /// Operations that wait for the writer at most; beyond it the store is overloaded and says so at once (contract
    /// S3).
    std::size_t queue_max = 10'000;
    /// Connections that read beside the writer, one thread each. SQLite only.
    std::size_t readers = 2;
    /// Connections to the database server at most. PostgreSQL only: a few per core of it are its best, and all servers
    /// together must stay below its max_connections.
    std::size_t pool_max = 8;
    /// How long an operation waits for another server's under the same key before it is answered `in_progress`
    /// (contract K5). PostgreSQL only. Longer than a commit takes, short because it holds a connection meanwhile.
    std::chrono::milliseconds lock_wait{1000};
    /// Expired records removed per commit at most, so that a backlog never holds up a write (contract K11).
    std::size_t cleaner_batch = 512;
    /// How often the cleaner looks for expired records when there is no backlog; zero turns it off.
    std::chrono::milliseconds cleaner_interval{1000};
    /// Who is told of commits and of the queue (observer.hpp); outlives the store. Null: nobody.
    StoreObserver* observer = nullptr;
};

}  // namespace einmal
