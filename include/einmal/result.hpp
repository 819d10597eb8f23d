// Operating failures as values: what went wrong outside the request itself, and whether anything was done.
// A refusal that the contract defines (mismatch, precondition failed, …) is no Error; it is an Outcome (decision.hpp).
#pragma once

#include <boost/system/result.hpp>
#include <stdexcept>
#include <string>

namespace einmal {

/// The kinds of operating failure. A closed list: every switch over it names all of them.
enum class Errc {
    unavailable,      ///< Nothing was done; the same request may be sent again (busy, full, read-only or lost storage).
    outcome_unknown,  ///< The commit may or may not have happened; ask again by key (contract K9).
    token_revoked,    ///< The caller's token was revoked before the transaction began; nothing was done.
    configuration,    ///< What the operator asked for cannot be: bad setting, bad file, newer schema. Exit code 2.
    corrupt,          ///< The store contradicts itself; nothing was done. `einmal verify` says more.
};

/// `reason` is one sentence for the operator's log or terminal. It never reaches an HTTP client.
struct Error {
    Errc code;
    std::string reason;
};

template <class T>
using Result = boost::system::result<T, Error>;

/// Called by `Result::value()` on a failure nobody checked: a programmer's error.
[[noreturn]] inline void throw_exception_from_error(const Error& error, const boost::source_location&) {
    throw std::logic_error("unchecked failure: " + error.reason);
}

}  // namespace einmal
