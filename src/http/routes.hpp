// What every group of routes works with, and how a group answers: a response, or the problem that goes out instead.
#pragma once

#include "http/exchange.hpp"
#include "http/metrics.hpp"
#include "http/problem.hpp"
#include "http/router.hpp"
#include "http/target.hpp"

#include <einmal/engine.hpp>

#include <boost/asio/awaitable.hpp>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace einmal::http {

/// Lives as long as the application; all it refers to outlives it.
struct Services {
    Engine& engine;
    const Router& router;
    Metrics& metrics;
};

/// One request on its route. Lives in the frame of the coroutine that answers it, which outlives those it awaits.
struct Call {
    const Services& services;
    Exchange& exchange;
    Target target;
    RouteMatch match;

    [[nodiscard]] const Request& request() const { return exchange.request; }
    [[nodiscard]] const Caller& caller() const { return *exchange.caller; }
    [[nodiscard]] const ResourceType& type() const { return *match.route->type; }
};

using Reply = OrProblem<Response>;

// resource_routes: one resource (contract T2).
[[nodiscard]] boost::asio::awaitable<Reply> read_resource(Call& call);
[[nodiscard]] boost::asio::awaitable<Reply> write_resource(Call& call);
// list_routes: many resources, many revisions (contract T2, T3, R12).
[[nodiscard]] boost::asio::awaitable<Reply> list_resources(Call& call);
[[nodiscard]] boost::asio::awaitable<Reply> list_revisions(Call& call);
[[nodiscard]] boost::asio::awaitable<Reply> read_revision(Call& call);
// idempotency_routes: what became of a key (contract K14).
[[nodiscard]] boost::asio::awaitable<Reply> look_up_key(Call& call);
// health_routes: for those who run the server (contract A5).
[[nodiscard]] Reply show_liveness();
[[nodiscard]] boost::asio::awaitable<Reply> show_readiness(Call& call);
[[nodiscard]] Reply show_metrics(Call& call);

/// A response with a body of this type.
[[nodiscard]] Response make_response(unsigned status, std::string_view content_type, std::string body);
/// 200 with JSON that belongs to the caller: never to be shared, always to be asked for again (contract R1).
[[nodiscard]] Response private_json(std::string body);

/// The preconditions of a GET or HEAD (contract R2, R8).
struct Conditions {
    std::optional<Precondition> if_match;
    std::optional<Precondition> if_none_match;
};
[[nodiscard]] OrProblem<Conditions> read_conditions(const Request& request);
/// 200 with one state of a resource, or 304, or 412, as the conditions have it.
[[nodiscard]] Reply conditional_answer(const Call& call, const Conditions& conditions, const Resource& resource);

/// 403 unless the caller has the scope.
[[nodiscard]] std::optional<Problem> refuse_without_scope(const Caller& caller, const std::string& scope);

/// 400 when a parameter is not among `known` or occurs twice (contract K4).
[[nodiscard]] std::optional<Problem> refuse_parameters(const Target& target,
                                                       const std::vector<std::string_view>& known);
/// Null when the request has no such parameter.
[[nodiscard]] const std::string* find_parameter(const Target& target, std::string_view name);

/// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
[[nodiscard]] std::string to_http_date(Timestamp time);

}  // namespace einmal::http
