// One refusal as a value, and as the `application/problem+json` that goes out for it (RFC 9457, contract E1). The one
// place that maps operating failures to HTTP.
#pragma once

#include "http/exchange.hpp"
#include "http/problem_catalog.hpp"

#include <einmal/decision.hpp>
#include <einmal/json.hpp>
#include <einmal/result.hpp>

#include <boost/beast/http/field.hpp>
#include <boost/system/result.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace einmal::http {

/// `detail` is a sentence for the client; it quotes no value of the request. The rest is optional.
struct Problem {
    Problem() = default;
    Problem(ProblemCode what, std::string sentence) : code(what), detail(std::move(sentence)) {}

    ProblemCode code = ProblemCode::internal;
    std::string detail;
    std::vector<FieldError> errors;  ///< contract P3
    std::size_t line = 0;            ///< contract P6, with JSON_INVALID
    std::size_t column = 0;
    std::optional<Revision> current_revision;  ///< contract R5
    std::vector<std::string> changed;          ///< contract R5
    std::string member;                        ///< contract T4
    std::string other_id;                      ///< contract T4
    std::string reason;                        ///< for the operator's log alone; does not go out
    std::vector<std::pair<boost::beast::http::field, std::string>> headers;

    Problem&& with(boost::beast::http::field field, std::string value) && {
        headers.emplace_back(field, std::move(value));
        return std::move(*this);
    }
};

/// A value, or the problem that goes out instead.
template <class T>
using OrProblem = boost::system::result<T, Problem>;

/// Called by `value()` on a problem nobody looked at: a programmer's error.
[[noreturn]] void throw_exception_from_error(const Problem& problem, const boost::source_location&);

/// The operating failures of the engine. Their reason is for the operator's log and does not go out.
[[nodiscard]] Problem problem_of(const Error& error);
/// Why a body was refused (contract P6, P7).
[[nodiscard]] Problem problem_of(const json::ReadError& error);

/// The answer: status, headers of the problem, and its body. `instance` is the path without query, empty when unknown.
[[nodiscard]] Response problem_response(const Problem& problem, std::string_view instance, std::string_view request_id);

}  // namespace einmal::http
