// A blocking connection for what happens outside of serving: opening, the operator's commands. What the server refuses
// is thrown as PgError, which never leaves src/store.
#pragma once

#include "store/pg_failure.hpp"
#include "store/pg_values.hpp"

#include <einmal/result.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

struct pg_conn;

namespace einmal::store {

class PgError : public std::runtime_error {
 public:
    PgError(Errc code, const std::string& reason) : std::runtime_error(reason), code_(code) {}
    explicit PgError(PgFailure failure)
        : std::runtime_error(error_of(failure).reason), code_(error_of(failure).code), failure_(std::move(failure)) {}

    [[nodiscard]] Error error() const { return {code_, what()}; }
    [[nodiscard]] const PgFailure& failure() const { return failure_; }

 private:
    Errc code_;
    PgFailure failure_;
};

class PgSession {
 public:
    /// Connects. Throws PgError.
    explicit PgSession(std::string address);

    /// Runs one statement and returns its rows. Throws PgError.
    PgRows run(const std::string& sql, const PgParams& params = {});
    /// Runs several statements without results.
    void run_script(const std::string& sql);
    /// Connects again when the server was lost meanwhile. Throws PgError.
    void revive();
    /// Ends a transaction that was not committed.
    void roll_back() noexcept;

 private:
    struct Finish {
        void operator()(pg_conn* connection) const;
    };
    void connect();

    const std::string address_;
    std::unique_ptr<pg_conn, Finish> handle_;
};

/// Calls `work` in a transaction and commits when its Result is a success. What PgError says becomes the Result.
template <class T, class Work>
Result<T> in_pg_transaction(PgSession& session, const std::string& begin, const Work& work) {
    try {
        session.revive();
        session.run(begin);
        Result<T> result = work();
        session.run(result ? "COMMIT" : "ROLLBACK");
        return result;
    } catch (const PgError& error) {
        session.roll_back();
        return error.error();
    }
}

}  // namespace einmal::store
