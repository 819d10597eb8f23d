#include "store/pg_connection.hpp"

#include <fcntl.h>
#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <sstream>
#include <string_view>
#include <utility>

namespace einmal::store {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

constexpr auto no_throw = asio::as_tuple(asio::use_awaitable);

/// The server's own time limit says what was wrong; ours, a little later, is for a server that says nothing.
milliseconds with_grace(milliseconds patience) {
    return patience + std::clamp(patience / 2, milliseconds{50}, milliseconds{2000});
}

// A transaction in which this server has fallen silent must not hold its locks for long.
constexpr const char* idle_in_transaction = "10s";

/// Outside a transaction block, each in force for the whole session. So a pooler between us and the server must pool
/// sessions.
bool send_settings(PGconn* connection, const PgTarget& target) {
    const std::string statement_timeout = std::to_string(target.patience.count());
    const std::string lock_timeout = std::to_string(target.lock_patience.count());
    // Plans are kept, even where the planner believes that it could do better with the values in sight: planning costs
    // more than running. So they must not be made for tables that happen to be empty, nor for the tenth of a table that
    // the planner expects of a LIMIT it cannot see: each statement has indexes to go by, row by row.
    static const std::string sql =
        "SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false), "
        "set_config('idle_in_transaction_session_timeout', $3, false), set_config('enable_seqscan', 'off', false), "
        "set_config('enable_hashjoin', 'off', false), set_config('enable_mergejoin', 'off', false), "
        "set_config('plan_cache_mode', 'force_generic_plan', false), set_config('jit', 'off', false), "
        "set_config('client_min_messages', 'warning', false), " +
        std::string(commits_are_durable);
    const std::array<const char*, 3> values{statement_timeout.c_str(), lock_timeout.c_str(), idle_in_transaction};
    return PQsendQueryParams(connection, sql.c_str(), static_cast<int>(values.size()), nullptr, values.data(), nullptr,
                             nullptr, binary_format) == 1;
}

bool send(PGconn* connection, const PgCall& call) {
    const std::vector<const char*> values = call.params.values();
    const std::vector<int> formats = call.params.formats();
    const PgStatement& statement = pg_statements()[static_cast<std::size_t>(call.statement)];
    return PQsendQueryPrepared(connection, statement.name.c_str(), call.params.count(), values.data(),
                               call.params.lengths().data(), formats.data(), binary_format) == 1;
}

}  // namespace

void ignore_notice(void*, const char*) {}

const char* const commits_are_durable =
    "set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE "
    "current_setting('synchronous_commit') END, false)";

std::vector<PgHost> hosts_of(const std::string& address) {
    using Options = std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)>;
    const Options options(PQconninfoParse(address.c_str(), nullptr), &PQconninfoFree);
    const auto parts_of = [&options](std::string_view keyword) {
        std::vector<std::string> parts;
        for (const PQconninfoOption* option = options.get(); option != nullptr && option->keyword != nullptr;
             ++option) {
            if (option->keyword != keyword || option->val == nullptr) continue;
            std::istringstream text(option->val);
            for (std::string part; std::getline(text, part, ',');) parts.push_back(part);
        }
        return parts;
    };
    const auto names = parts_of("host");
    const auto numbers = parts_of("hostaddr");
    const auto ports = parts_of("port");
    const auto count = std::max(names.size(), numbers.size());
    if (count <= 1) return {PgHost{}};
    std::vector<PgHost> hosts(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (i < names.size()) hosts[i].host = names[i];
        if (i < numbers.size()) hosts[i].hostaddr = numbers[i];
        // One port may stand for all.
        if (!ports.empty()) hosts[i].port = i < ports.size() ? ports[i] : ports.front();
    }
    return hosts;
}

PgKeywords keywords_for(const std::string& address, const PgHost& host) {
    // What stands before the address is a default, what stands behind it is a command.
    PgKeywords with;
    const auto add = [&with](const char* keyword, const char* value) {
        with.keywords.push_back(keyword);
        with.values.push_back(value);
    };
    add("target_session_attrs", "read-write");
    add("application_name", "einmal");
    add("connect_timeout", "10");
    add("dbname", address.c_str());
    if (!host.host.empty()) add("host", host.host.c_str());
    if (!host.hostaddr.empty()) add("hostaddr", host.hostaddr.c_str());
    if (!host.port.empty()) add("port", host.port.c_str());
    add("client_encoding", "UTF8");
    add(nullptr, nullptr);
    return with;
}

bool is_pg_address(const std::string& address) {
    PQconninfoOption* const options = PQconninfoParse(address.c_str(), nullptr);
    PQconninfoFree(options);
    return options != nullptr;
}

/// Ends every wait of a connection when time is up.
class PgConnection::Deadline {
 public:
    Deadline(PgConnection& connection, milliseconds patience) : connection_(connection) {
        connection.timed_out_ = false;
        connection.timer_.expires_after(patience);
        connection.timer_.async_wait([weak = connection.weak_from_this(),
                                      mine = ++connection.deadlines_](const boost::system::error_code& ended) {
            const auto still_there = weak.lock();
            if (ended || !still_there || still_there->deadlines_ != mine) return;
            still_there->timed_out_ = true;
            boost::system::error_code ignored;
            still_there->socket_.cancel(ignored);
        });
    }
    ~Deadline() {
        ++connection_.deadlines_;
        connection_.timer_.cancel();
    }
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;

 private:
    PgConnection& connection_;
};

void PgConnection::Finish::operator()(pg_conn* connection) const { PQfinish(connection); }

PgConnection::PgConnection(asio::any_io_executor executor, const PgTarget& target)
    : patience_(with_grace(target.patience)), socket_(executor), timer_(executor) {}

PgConnection::~PgConnection() = default;

/// libpq closes its socket whenever it likes, and the next one may get the same number; so Asio looks at a duplicate,
/// which is its own to close.
bool PgConnection::watch_socket() {
    boost::system::error_code failed;
    socket_.close(failed);
    const int duplicate = ::fcntl(PQsocket(handle_.get()), F_DUPFD_CLOEXEC, 0);
    if (duplicate < 0) return false;
    socket_.assign(duplicate, failed);
    return !failed;
}

asio::awaitable<PgConnection::Opened> PgConnection::open(asio::any_io_executor executor, PgTarget& target) {
    Opened opened = Error{Errc::unavailable, "there is no host to connect to"};
    const std::size_t first = target.first;
    for (std::size_t i = 0; i < target.hosts.size(); ++i) {
        const std::size_t number = (first + i) % target.hosts.size();
        opened = co_await open_at(executor, target, target.hosts[number]);
        if (!opened) continue;
        target.first = number;
        break;
    }
    co_return opened;
}

asio::awaitable<PgConnection::Opened> PgConnection::open_at(asio::any_io_executor executor, const PgTarget& target,
                                                            const PgHost& host) {
    auto connection = std::make_shared<PgConnection>(executor, target);
    const auto share = static_cast<milliseconds::rep>(target.hosts.size());
    const Deadline deadline(*connection, connection->patience_ / share);
    if (auto failed = co_await connection->connect(target, host)) co_return *std::move(failed);
    if (const auto failed = co_await connection->prepare(target)) co_return error_of(*failed);
    co_return connection;
}

asio::awaitable<std::optional<Error>> PgConnection::connect(const PgTarget& target, const PgHost& host) {
    const PgKeywords with = keywords_for(target.address, host);
    handle_.reset(PQconnectStartParams(with.keywords.data(), with.values.data(), 1));
    if (handle_ == nullptr) co_return Error{Errc::unavailable, "there is no memory for a connection"};
    PQsetNoticeProcessor(handle_.get(), ignore_notice, nullptr);
    for (auto next = PGRES_POLLING_WRITING; next != PGRES_POLLING_OK; next = PQconnectPoll(handle_.get())) {
        if (next == PGRES_POLLING_FAILED || PQstatus(handle_.get()) == CONNECTION_BAD) {
            co_return Error{Errc::unavailable,
                            "cannot reach PostgreSQL: " + without_address(PQerrorMessage(handle_.get()))};
        }
        // Another host has another socket.
        if (!watch_socket()) co_return Error{Errc::unavailable, "there is no file descriptor for a connection"};
        co_await socket_.async_wait(next == PGRES_POLLING_READING ? asio::posix::descriptor_base::wait_read
                                                                  : asio::posix::descriptor_base::wait_write,
                                    no_throw);
        if (timed_out_) co_return Error{Errc::unavailable, "the database did not answer in time"};
    }
    if (!watch_socket()) co_return Error{Errc::unavailable, "there is no file descriptor for a connection"};
    co_return std::nullopt;
}

asio::awaitable<std::optional<PgFailure>> PgConnection::prepare(const PgTarget& target) {
    PGconn* const handle = handle_.get();
    bool sent = PQsetnonblocking(handle, 1) == 0 && PQenterPipelineMode(handle) == 1 && send_settings(handle, target);
    for (const PgStatement& statement : pg_statements()) {
        sent = sent && PQsendPrepare(handle, statement.name.c_str(), statement.text.c_str(), 0, nullptr) == 1;
    }
    if (!sent || PQpipelineSync(handle) != 1) co_return connection_lost("the connection to the database was lost");
    co_return (co_await collect(1 + sql_count)).failure;
}

asio::awaitable<PgAnswers> PgConnection::exchange(std::vector<PgCall> calls) {
    busy_ = true;
    const Deadline deadline(*this, patience_);
    bool sent = true;
    for (const PgCall& call : calls) sent = sent && send(handle_.get(), call);
    if (!sent || PQpipelineSync(handle_.get()) != 1) {
        PgAnswers none;
        none.failure = connection_lost("the connection to the database was lost");
        co_return none;
    }
    PgAnswers answers = co_await collect(calls.size());
    busy_ = answers.failure && answers.failure->lost;
    co_return answers;
}

/// Until the answer to the last Sync has come, or the connection is lost.
asio::awaitable<PgAnswers> PgConnection::collect(std::size_t calls) {
    PgAnswers answers;
    next_call_ = 0;
    for (;;) {
        const int unsent = PQflush(handle_.get());
        if (take_results(calls, answers)) co_return answers;
        if (unsent < 0 || broken()) {
            if (!answers.failure || !answers.failure->lost) {
                answers.failure = connection_lost("the connection to the database was lost");
            }
            co_return answers;
        }
        co_await wait(unsent == 1);
        if (timed_out_) {
            answers.failure = connection_lost("the database did not answer in time");
            co_return answers;
        }
        if (PQconsumeInput(handle_.get()) == 0 && !broken()) {
            answers.failure = connection_lost("the connection to the database was lost");
            co_return answers;
        }
    }
}

/// Takes what has arrived; true when that was all.
bool PgConnection::take_results(std::size_t calls, PgAnswers& answers) {
    bool ended = true;  // libpq marks the end of a call, and its having nothing at all, by the same null
    while (PQisBusy(handle_.get()) == 0) {
        PGresult* const result = PQgetResult(handle_.get());
        if (result == nullptr) {
            if (ended && broken()) return false;
            ended = true;
            continue;
        }
        if (PQresultStatus(result) != PGRES_PIPELINE_SYNC) {
            ended = false;
            take(result, calls, answers);
            continue;
        }
        PQclear(result);
        next_call_ = 0;
        if (unread_syncs_ == 0) return true;
        --unread_syncs_;
    }
    return false;
}

void PgConnection::take(pg_result* result, std::size_t calls, PgAnswers& answers) {
    PgRows rows(result);
    const std::size_t at = std::min(next_call_++, calls);
    switch (PQresultStatus(result)) {
        case PGRES_TUPLES_OK:
        case PGRES_COMMAND_OK:
            if (unread_syncs_ == 0) answers.rows.push_back(std::move(rows));
            return;
        case PGRES_PIPELINE_ABORTED:  // an earlier call of the exchange failed, and said so
            return;
        default:
            break;
    }
    PgFailure failure = failure_of(*result);
    failure.at = at;
    const bool news = !answers.failure || (failure.lost && !answers.failure->lost);
    if (news && (unread_syncs_ == 0 || failure.lost)) answers.failure = std::move(failure);
}

asio::awaitable<void> PgConnection::wait(bool to_write) {
    using asio::posix::descriptor_base;
    if (!to_write) {
        co_await socket_.async_wait(descriptor_base::wait_read, no_throw);
        co_return;
    }
    // A server that cannot get rid of its answers takes no more calls, so both are looked at.
    using namespace asio::experimental::awaitable_operators;
    auto readable = socket_.async_wait(descriptor_base::wait_read, no_throw);
    auto writable = socket_.async_wait(descriptor_base::wait_write, no_throw);
    co_await (std::move(readable) || std::move(writable));
}

bool PgConnection::broken() const { return PQstatus(handle_.get()) != CONNECTION_OK; }

bool PgConnection::usable() const { return !busy_ && !broken(); }

bool PgConnection::deserted() const {
    pollfd socket{PQsocket(handle_.get()), POLLRDHUP, 0};
    return ::poll(&socket, 1, 0) != 0;
}

void PgConnection::settle() {
    if (!usable() || PQtransactionStatus(handle_.get()) == PQTRANS_IDLE) return;
    busy_ = true;  // unless all goes well
    if (!send(handle_.get(), {Sql::roll_back, {}}) || PQpipelineSync(handle_.get()) != 1) return;
    // More than the socket takes at once does not come of one ROLLBACK; the next exchange would send the rest.
    if (PQflush(handle_.get()) < 0) return;
    ++unread_syncs_;
    busy_ = false;
}

}  // namespace einmal::store
