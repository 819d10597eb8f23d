// A gate between a server and its PostgreSQL. It reads the messages that pass, so that it can cut, stall, delay or
// slice a connection at the one moment that matters: around the message that commits.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace einmal::test {

/// What happens at the next commit that passes.
enum class Trap {
    cut_before_commit,  ///< the connection ends; the commit never reaches the database
    cut_behind_commit,  ///< it ends when the commit has left, whether or not the database has read it
    cut_answer,         ///< it ends when the database has committed, in the middle of its answer
    stall_answer,       ///< the database has committed; its answer never comes
    late_commit,        ///< the commit is held until the server has given up, and reaches the database then
    delay_answer,       ///< the answer takes 30 ms longer
};
[[nodiscard]] const std::string& name_of(Trap trap);

/// Listens on 127.0.0.1 and a free port. Encryption must be off, or it could not read. Thread-safe.
class PgGate {
 public:
    explicit PgGate(std::uint16_t database_port);
    PgGate(const PgGate&) = delete;
    PgGate& operator=(const PgGate&) = delete;
    /// Cuts all connections.
    ~PgGate();

    [[nodiscard]] std::uint16_t port() const { return port_; }
    /// Springs once, on whichever connection commits next.
    void set(Trap trap);
    /// Takes back a trap that nobody went into. False when it has sprung.
    bool take_back();
    /// From now on bytes pass a few at a time, in both directions, or no longer.
    void slice(bool on) { slicing_ = on; }
    /// From now on no bytes pass, and new connections are taken but not served; or all is as before.
    void freeze(bool on) { frozen_ = on; }
    /// Cuts every connection there is.
    void cut_all();

 private:
    class Connection;

    void accept();
    [[nodiscard]] std::optional<Trap> spring();

    const std::uint16_t database_port_;
    std::uint16_t port_ = 0;
    int listening_ = -1;
    std::atomic<bool> ending_ = false;
    std::atomic<bool> slicing_ = false;
    std::atomic<bool> frozen_ = false;
    std::mutex mutex_;
    // Guarded by mutex_.
    std::optional<Trap> trap_;
    std::vector<std::unique_ptr<Connection>> connections_;

    std::thread thread_;
};

}  // namespace einmal::test
