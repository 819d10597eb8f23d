// A PostgreSQL server for tests: made in a directory of its own, reached over 127.0.0.1. Tests that ctest runs share
// one, which a fixture starts and stops (pg_cluster_main.cpp) and EINMAL_TEST_POSTGRES names; a test binary that is run
// by hand starts its own, which ends with it. Without a server these functions throw: a test that needs one fails.
#pragma once

#include "support/temporary_directory.hpp"

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct pg_conn;

namespace einmal::test {

class PgCluster {
 public:
    struct Options {
        bool fsync = false;                     ///< only a test that cuts the machine's power would notice
        bool outlives_us = false;               ///< goes on, with its directory, after this process
        const PgCluster* standby_of = nullptr;  ///< follows this one instead of being a server of its own
    };

    explicit PgCluster(Options options);
    /// Ends the server and removes its directory, unless it is to outlive us.
    ~PgCluster();
    PgCluster(const PgCluster&) = delete;
    PgCluster& operator=(const PgCluster&) = delete;

    /// `postgres://…`, of the database `postgres`.
    [[nodiscard]] std::string address() const;
    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] pid_t pid() const { return pid_; }
    [[nodiscard]] const std::string& directory() const { return directory_; }

    /// SIGKILL, to the server and to all that serve a connection.
    void kill();
    /// Starts again, on the same port, after `kill`.
    void restart();

 private:
    void initialise() const;
    void start();
    void run_to_end(std::vector<std::string> arguments) const;
    void wait_until_ready() const;

    const Options options_;
    std::string directory_;
    std::uint16_t port_ = 0;
    pid_t pid_ = -1;
};

/// Ends a server that outlived who started it. Does nothing when it is gone.
void end_pg_cluster(pid_t pid, const std::string& directory);
/// Makes the databases that `PgDatabase` copies.
void make_pg_templates(const std::string& address);

/// A plain connection beside the store, so that a test sees what is committed. Throws what the server refuses.
class PgProbe {
 public:
    explicit PgProbe(const std::string& address);
    /// Rows of texts.
    std::vector<std::vector<std::string>> run(const std::string& sql);

 private:
    struct Finish {
        void operator()(pg_conn* connection) const;
    };
    std::unique_ptr<pg_conn, Finish> handle_;
};

/// A database on the shared server, which goes with the object.
class PgDatabase {
 public:
    enum class Content {
        none,
        store,         ///< an empty store
        clocked_store  ///< the same, whose time is what the table `test_clock` says
    };

    explicit PgDatabase(Content content);
    ~PgDatabase();
    PgDatabase(const PgDatabase&) = delete;
    PgDatabase& operator=(const PgDatabase&) = delete;

    [[nodiscard]] const std::string& address() const { return address_; }

 private:
    std::string name_;
    std::string address_;
};

}  // namespace einmal::test
