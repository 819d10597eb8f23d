#include "http/application.hpp"

#include "base/assert.hpp"
#include "base/log.hpp"
#include "http/headers.hpp"
#include "http/openapi.hpp"
#include "http/problem_pages.hpp"

#include <boost/beast/http/field.hpp>
#include <exception>

namespace einmal::http {
namespace {

namespace asio = boost::asio;
using boost::beast::http::field;
using boost::beast::http::verb;

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

ProblemCode code_of(Refusal refusal) {
    switch (refusal) {
        case Refusal::malformed:
            return ProblemCode::request_malformed;
        case Refusal::timeout:
            return ProblemCode::request_timeout;
        case Refusal::body_too_large:
            return ProblemCode::body_too_large;
        case Refusal::target_too_long:
            return ProblemCode::target_too_long;
        case Refusal::expectation_failed:
            return ProblemCode::expectation_failed;
        case Refusal::head_too_large:
            return ProblemCode::header_too_large;
        case Refusal::coding_unsupported:
            return ProblemCode::transfer_coding_unsupported;
        case Refusal::too_many_connections:
            return ProblemCode::unavailable;
        case Refusal::version_unsupported:
            return ProblemCode::http_version_unsupported;
    }
    EINMAL_ASSERT(!"a refusal that is none");
}

Response public_json(std::string body) {
    auto response = make_response(200, "application/json", std::move(body));
    response.set(field::cache_control, "public, max-age=300");
    return response;
}

}  // namespace

Application::Application(Engine& engine, HttpOptions options, EngineOptions engine_options, Metrics& metrics,
                         Entropy& entropy)
    : options_(std::move(options)),
      router_(engine.catalog()),
      cors_(options_.cors_origin),
      services_{engine, router_, metrics},
      openapi_(openapi_document(router_, engine_options)),
      authenticator_(engine),
      rate_limit_(options_.rate_limit),
      request_ids_(entropy) {
    metrics.watch("einmal_operations_running", "Writes with a key that are running at this moment.",
                  [&engine] { return static_cast<double>(engine.running()); });
}

RouteMatch Application::match(const Exchange& exchange, Target& target, std::string& complaint) const {
    auto read = Target::parse(view(exchange.request.target()));
    if (read)
        target = std::move(*read);
    else
        complaint = read.error();
    return router_.match(target);
}

asio::awaitable<std::optional<Problem>> Application::check_caller(Exchange& exchange) {
    auto caller = co_await authenticator_.authenticate(exchange.request, exchange.started);
    if (!caller) co_return caller.error();
    exchange.caller = std::move(*caller);
    const auto wait = rate_limit_.refuse(exchange.caller->asker.token, exchange.started);
    if (!wait) co_return std::nullopt;
    co_return Problem(ProblemCode::rate_limited, "This token has sent more requests than it may.")
        .with(field::retry_after, std::to_string(wait->count()));
}

asio::awaitable<std::optional<Response>> Application::admit(Exchange& exchange) {
    const auto id = read_request_id(exchange.request);
    exchange.request_id = id ? std::string(*id) : request_ids_.next();
    exchange.trace_parent = read_trace_parent(exchange.request).value_or(std::string_view());
    Target target;
    std::string complaint;
    const auto found = match(exchange, target, complaint);
    if (!found.route->needs_token || exchange.request.method() == verb::options) co_return std::nullopt;
    const auto problem = co_await check_caller(exchange);
    if (!problem) co_return std::nullopt;
    auto response = to_response(exchange, *problem);
    finish(exchange, *found.route, response);
    co_return response;
}

Reply Application::answer_options(const Call& call) const {
    if (call.match.route->kind == RouteKind::unknown)
        return Problem(ProblemCode::not_found, "There is nothing at this path.");
    Response response;
    response.result(204);
    response.set(field::allow, call.match.route->allow);
    if (cors_.is_preflight(call.request())) cors_.grant(response);
    return response;
}

Reply Application::answer_page(const Call& call) const {
    std::string accepted;
    for (const auto line : field_lines(call.request(), field::accept_language)) accepted.append(line).append(",");
    const auto language = negotiate_language(accepted);
    if (call.match.route->kind == RouteKind::problem_index) return problem_index_page(language);
    return problem_page(call.match.first, language);
}

asio::awaitable<Reply> Application::answer(Call& call) {
    const auto& route = *call.match.route;
    if (call.request().method() == verb::options) co_return answer_options(call);
    if (route.kind == RouteKind::unknown) co_return Problem(ProblemCode::not_found, "There is nothing at this path.");
    if (!route.allows(call.request().method()))
        co_return Problem(ProblemCode::method_not_allowed, "This path takes " + route.allow + ".")
            .with(field::allow, route.allow);
    switch (route.kind) {
        case RouteKind::livez:
            co_return show_liveness();
        case RouteKind::readyz:
            co_return co_await show_readiness(call);
        case RouteKind::metrics:
            co_return show_metrics(call);
        case RouteKind::problem_index:
        case RouteKind::problem_page:
            co_return answer_page(call);
        case RouteKind::openapi:
            co_return public_json(openapi_);
        case RouteKind::idempotency:
        case RouteKind::collection:
        case RouteKind::item:
        case RouteKind::revisions:
        case RouteKind::revision:
            co_return co_await answer_resource(call);
        case RouteKind::server:
        case RouteKind::unknown:
            break;
    }
    EINMAL_ASSERT(!"a route without an answer");
}

asio::awaitable<Reply> Application::answer_resource(Call& call) {
    EINMAL_ASSERT(call.exchange.caller != nullptr);
    const auto method = call.request().method();
    const bool reads = method == verb::get || method == verb::head;
    switch (call.match.route->kind) {
        case RouteKind::idempotency:
            co_return co_await look_up_key(call);
        case RouteKind::collection:
            if (reads) co_return co_await list_resources(call);
            co_return co_await write_resource(call);
        case RouteKind::item:
            if (reads) co_return co_await read_resource(call);
            co_return co_await write_resource(call);
        case RouteKind::revisions:
            co_return co_await list_revisions(call);
        case RouteKind::revision:
            co_return co_await read_revision(call);
        case RouteKind::livez:
        case RouteKind::readyz:
        case RouteKind::metrics:
        case RouteKind::problem_index:
        case RouteKind::problem_page:
        case RouteKind::openapi:
        case RouteKind::server:
        case RouteKind::unknown:
            break;
    }
    EINMAL_ASSERT(!"a public route among the resources");
}

asio::awaitable<Response> Application::handle(Exchange& exchange) {
    Call call{services_, exchange, {}, {}};
    std::string complaint;
    call.match = match(exchange, call.target, complaint);
    Reply reply = Problem(ProblemCode::request_malformed, complaint);
    try {
        if (complaint.empty()) reply = co_await answer(call);
    } catch (const std::exception& error) {
        // A library threw; whatever it was, no transaction has been committed by halves.
        reply = problem_of(Error{Errc::corrupt, error.what()});
    }
    auto response = reply ? std::move(*reply) : to_response(exchange, reply.error());
    finish(exchange, *call.match.route, response);
    co_return response;
}

Response Application::to_response(const Exchange& exchange, const Problem& problem) {
    if (problem.code == ProblemCode::unauthorized && exchange.caller)
        authenticator_.forget(exchange.caller->asker.token);
    if (!problem.reason.empty() && problem_entry(problem.code).status >= 500)
        base::log(base::LogLevel::warning, "request failed",
                  {{"code", problem_entry(problem.code).name},
                   {"reason", std::string_view(problem.reason)},
                   {"request_id", std::string_view(exchange.request_id)},
                   {"trace_id", trace_id_of(exchange.trace_parent)}});
    return problem_response(problem, raw_path_of(view(exchange.request.target())), exchange.request_id);
}

void Application::finish(const Exchange& exchange, const Route& route, Response& response) {
    if (route.needs_token && response[field::vary].empty()) response.set(field::vary, "Authorization");
    response.set("X-Request-Id", exchange.request_id);
    cors_.decorate(response);
    const auto took = std::chrono::steady_clock::now() - exchange.started;
    services_.metrics.count_request(route, exchange.request.method(), response.result_int(), took);
    const bool failed = response.result_int() >= 500;
    const auto level = failed ? base::LogLevel::warning : base::LogLevel::info;
    if (!failed && !(options_.log_requests && base::log_enabled(level))) return;
    base::log(level, "request",
              {{"method", view(boost::beast::http::to_string(exchange.request.method()))},
               {"route", std::string_view(route.pattern)},
               {"status", static_cast<std::int64_t>(response.result_int())},
               {"ms", std::chrono::duration<double, std::milli>(took).count()},
               {"request_id", std::string_view(exchange.request_id)},
               {"trace_id", trace_id_of(exchange.trace_parent)}});
}

Response Application::refuse(Refusal refusal, std::string detail, const Exchange* exchange) {
    Problem problem(code_of(refusal), std::move(detail));
    if (refusal == Refusal::too_many_connections) problem.headers.emplace_back(field::retry_after, "1");
    const bool known = exchange != nullptr;
    const auto id = known && !exchange->request_id.empty() ? exchange->request_id : request_ids_.next();
    const auto instance = known ? raw_path_of(view(exchange->request.target())) : std::string_view();
    auto response = problem_response(problem, instance, id);
    response.set("X-Request-Id", id);
    cors_.decorate(response);
    services_.metrics.count_refusal(problem.code);
    return response;
}

}  // namespace einmal::http
