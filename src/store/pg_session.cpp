#include "store/pg_session.hpp"

#include "store/pg_connection.hpp"

#include <libpq-fe.h>

#include <vector>

namespace einmal::store {
void PgSession::Finish::operator()(pg_conn* connection) const { PQfinish(connection); }

PgSession::PgSession(std::string address) : address_(std::move(address)) { connect(); }

void PgSession::connect() {
    const PgKeywords with = keywords_for(address_);
    if (!is_pg_address(address_)) {
        throw PgError(Errc::configuration,
                      "libpq cannot read the store's address, for example "
                      "postgres://einmal@db.example/einmal");
    }
    handle_.reset(PQconnectdbParams(with.keywords.data(), with.values.data(), 1));
    if (PQstatus(handle_.get()) != CONNECTION_OK) {
        throw PgError(Errc::unavailable, "cannot reach PostgreSQL: " + without_address(PQerrorMessage(handle_.get())));
    }
    PQsetNoticeProcessor(handle_.get(), ignore_notice, nullptr);
    // An operator waits in front of the terminal.
    run("SELECT set_config('lock_timeout', '60s', false), " + std::string(commits_are_durable));
}

void PgSession::revive() {
    if (PQstatus(handle_.get()) == CONNECTION_OK) {
        // A server that has left is noticed by asking it.
        PQclear(PQexec(handle_.get(), ""));
        if (PQstatus(handle_.get()) == CONNECTION_OK) return;
    }
    connect();
}

PgRows PgSession::run(const std::string& sql, const PgParams& params) {
    const std::vector<const char*> values = params.values();
    const std::vector<int> formats = params.formats();
    PGresult* const result = PQexecParams(handle_.get(), sql.c_str(), params.count(), nullptr, values.data(),
                                          params.lengths().data(), formats.data(), binary_format);
    PgRows rows(result);
    const ExecStatusType status = PQresultStatus(result);
    if (result == nullptr) throw PgError(connection_lost("the connection to the database was lost"));
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) throw PgError(failure_of(*result));
    return rows;
}

void PgSession::run_script(const std::string& sql) {
    PGresult* const result = PQexec(handle_.get(), sql.c_str());
    const PgRows rows(result);
    if (result == nullptr) throw PgError(connection_lost("the connection to the database was lost"));
    if (PQresultStatus(result) != PGRES_COMMAND_OK) throw PgError(failure_of(*result));
}

void PgSession::roll_back() noexcept {
    if (PQtransactionStatus(handle_.get()) != PQTRANS_IDLE) PQclear(PQexec(handle_.get(), "ROLLBACK"));
}

}  // namespace einmal::store
