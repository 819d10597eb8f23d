// One connection to a PostgreSQL server, without a thread that waits for it: libpq does not block, Asio tells when
// there is something to read. Calls travel in pipelines: all of an exchange's calls are sent at once, and one answer to
// all of them is waited for. Knows no table but through the list of statements.
#pragma once

#include "store/pg_failure.hpp"
#include "store/pg_statements.hpp"
#include "store/pg_values.hpp"

#include <einmal/result.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct pg_conn;

namespace einmal::store {

/// One of the hosts of an address, as libpq's keywords; what is empty stays as the address says.
struct PgHost {
    std::string host;
    std::string hostaddr;
    std::string port;
};
/// Each host that the address names, in its order; one that says nothing when it names at most one.
[[nodiscard]] std::vector<PgHost> hosts_of(const std::string& address);

/// How to reach a server and how long to bear with it.
struct PgTarget {
    std::string address;  ///< `postgres://…`; holds a password, so that it is shown to libpq and nobody else
    /// libpq would give all the time there is to a host that says nothing, and none to the next, so each is tried
    /// apart.
    std::vector<PgHost> hosts = hosts_of(address);
    std::size_t first = 0;                      ///< of the hosts to be tried: the one that answered last
    std::chrono::milliseconds patience{};       ///< of the server, with one statement; ours ends a little later
    std::chrono::milliseconds lock_patience{};  ///< for a lock, unless a transaction says otherwise
};

/// What libpq is told to connect with, beginning with keywords and ending with a null.
struct PgKeywords {
    std::vector<const char*> keywords;
    std::vector<const char*> values;
};
/// Views of the arguments, which outlive it.
[[nodiscard]] PgKeywords keywords_for(const std::string& address, const PgHost& host = {});
/// For libpq, which would write to stderr what the server remarks.
void ignore_notice(void*, const char*);
/// The set_config by which the commits of a session are on the disk when they are answered (contract K9); stricter
/// values are the operator's choice.
extern const char* const commits_are_durable;
/// Whether libpq can read the address; it is not asked why not, because it would quote passwords.
[[nodiscard]] bool is_pg_address(const std::string& address);

struct PgCall {
    Sql statement{};
    PgParams params;
};

/// What came of an exchange: the rows of each call before the first that failed.
struct PgAnswers {
    std::vector<PgRows> rows;
    std::optional<PgFailure> failure;
};

/// One coroutine at a time may use it.
class PgConnection : public std::enable_shared_from_this<PgConnection> {
 public:
    using Opened = Result<std::shared_ptr<PgConnection>>;

    /// Connects to the first host that will have us and prepares all statements. The target outlives the call, and
    /// remembers the host.
    static boost::asio::awaitable<Opened> open(boost::asio::any_io_executor executor, PgTarget& target);

    PgConnection(boost::asio::any_io_executor executor, const PgTarget& target);
    ~PgConnection();
    PgConnection(const PgConnection&) = delete;
    PgConnection& operator=(const PgConnection&) = delete;

    /// Sends the calls and waits for their answers. Outside a transaction block they are one transaction. After a
    /// failure nothing of the exchange was done, unless the connection was lost.
    boost::asio::awaitable<PgAnswers> exchange(std::vector<PgCall> calls);

    /// Ends a transaction that was not committed, without waiting for it.
    void settle();
    /// Whether another exchange may begin.
    [[nodiscard]] bool usable() const;
    /// Whether the server has left while nobody was looking.
    [[nodiscard]] bool deserted() const;

 private:
    struct Finish {
        void operator()(pg_conn* connection) const;
    };
    class Deadline;

    bool watch_socket();
    static boost::asio::awaitable<Opened> open_at(boost::asio::any_io_executor executor, const PgTarget& target,
                                                  const PgHost& host);
    boost::asio::awaitable<std::optional<Error>> connect(const PgTarget& target, const PgHost& host);
    boost::asio::awaitable<std::optional<PgFailure>> prepare(const PgTarget& target);
    boost::asio::awaitable<PgAnswers> collect(std::size_t calls);
    bool take_results(std::size_t calls, PgAnswers& answers);
    void take(pg_result* result, std::size_t calls, PgAnswers& answers);
    boost::asio::awaitable<void> wait(bool to_write);
    [[nodiscard]] bool broken() const;

    const std::chrono::milliseconds patience_;
    boost::asio::posix::stream_descriptor socket_;  // a duplicate of libpq's, to wait with
    boost::asio::steady_timer timer_;
    std::unique_ptr<pg_conn, Finish> handle_;
    bool busy_ = false;             // an exchange has begun and not ended
    std::size_t unread_syncs_ = 0;  // of what was sent without waiting
    std::size_t next_call_ = 0;     // that the next result belongs to
    unsigned long deadlines_ = 0;   // set so far; only the newest one counts
    bool timed_out_ = false;
};

}  // namespace einmal::store
