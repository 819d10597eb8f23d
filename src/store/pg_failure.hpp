// What a database server refused, or that it was lost; and which of it means a lost race, a wait in vain, or trouble.
#pragma once

#include <einmal/result.hpp>

#include <cstddef>
#include <string>

struct pg_result;

namespace einmal::store {

struct PgFailure {
    bool lost = false;       ///< the connection is gone: nobody knows what became of what was sent last
    std::string sqlstate;    ///< five characters, or empty when it was not the server who said so
    std::string constraint;  ///< which one, when a constraint was violated
    std::string message;     ///< for the operator; holds neither addresses nor values
    std::size_t at = 0;      ///< which call of the exchange failed; their number when it was the commit behind them
};

/// What the server says in a result that is an error.
[[nodiscard]] PgFailure failure_of(const pg_result& result);
/// A connection that is gone, with what the server or nobody said about it.
[[nodiscard]] PgFailure connection_lost(std::string message);

/// Nothing was done, because somebody else was faster: the same decision, taken again, will see what they did.
[[nodiscard]] bool is_lost_race(const PgFailure& failure);
/// Somebody else's transaction held a lock for too long.
[[nodiscard]] bool is_lock_timeout(const PgFailure& failure);
/// The write contradicts what is stored (an id that was used before).
[[nodiscard]] bool is_contradiction(const PgFailure& failure);
/// The server is not one that can be written to any more; another connection may lead to one that can.
[[nodiscard]] bool is_wrong_server(const PgFailure& failure);

/// As an operating failure, given that nothing was done.
[[nodiscard]] Error error_of(const PgFailure& failure);
/// The same when the failed exchange was to commit: a lost connection leaves it open whether it did.
[[nodiscard]] Error error_of_commit(const PgFailure& failure);

/// libpq's words about a connection that could not be made, without the host, address and port in them.
[[nodiscard]] std::string without_address(std::string words);

}  // namespace einmal::store
