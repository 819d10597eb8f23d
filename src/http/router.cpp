#include "http/router.hpp"

#include <algorithm>
#include <array>

namespace einmal::http {
namespace {

using boost::beast::http::verb;

// The routes without a type come first, in this order; `fixed` finds each by the value of its kind up to `idempotency`.
struct FixedRoute {
    RouteKind kind;
    const char* pattern;
};
constexpr std::array fixed_routes{
    FixedRoute{RouteKind::livez, "/livez"},
    FixedRoute{RouteKind::readyz, "/readyz"},
    FixedRoute{RouteKind::metrics, "/metrics"},
    FixedRoute{RouteKind::problem_index, "/problems/"},
    FixedRoute{RouteKind::problem_page, "/problems/{code}/"},
    FixedRoute{RouteKind::openapi, "/v1/openapi.json"},
    FixedRoute{RouteKind::idempotency, "/v1/idempotency/{key}"},
};
constexpr std::size_t server_index = fixed_routes.size();
constexpr std::size_t unknown_index = server_index + 1;

std::vector<verb> methods_of(RouteKind kind) {
    switch (kind) {
        case RouteKind::collection:
            return {verb::get, verb::head, verb::post};
        case RouteKind::item:
            return {verb::get, verb::head, verb::patch, verb::put, verb::delete_};
        case RouteKind::livez:
        case RouteKind::readyz:
        case RouteKind::metrics:
        case RouteKind::problem_index:
        case RouteKind::problem_page:
        case RouteKind::openapi:
        case RouteKind::idempotency:
        case RouteKind::revisions:
        case RouteKind::revision:
            return {verb::get, verb::head};
        case RouteKind::server:
        case RouteKind::unknown:
            break;
    }
    return {};
}

bool needs_token(RouteKind kind) { return kind >= RouteKind::idempotency && kind != RouteKind::server; }

std::string allow_of(const std::vector<verb>& methods) {
    std::string allow;
    for (const auto method : methods) {
        const auto name = boost::beast::http::to_string(method);
        allow.append(name.data(), name.size()).append(", ");
    }
    return allow + "OPTIONS";
}

}  // namespace

bool Route::allows(verb method) const { return std::ranges::find(methods, method) != methods.end(); }

Router::Router(const Catalog& catalog) {
    for (const auto& route : fixed_routes) add(route.kind, nullptr, route.pattern);
    add(RouteKind::server, nullptr, "*");
    add(RouteKind::unknown, nullptr, "unknown");
    routes_[server_index].allow = "GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS";
    for (const auto& [name, type] : catalog.types()) {
        types_.emplace(name, routes_.size());
        add(RouteKind::collection, &type, "/v1/" + name);
        add(RouteKind::item, &type, "/v1/" + name + "/{id}");
        add(RouteKind::revisions, &type, "/v1/" + name + "/{id}/revisions");
        add(RouteKind::revision, &type, "/v1/" + name + "/{id}/revisions/{revision}");
    }
}

void Router::add(RouteKind kind, const ResourceType* type, std::string pattern) {
    auto methods = methods_of(kind);
    auto allow = allow_of(methods);
    routes_.push_back(
        {kind, type, std::move(pattern), std::move(methods), std::move(allow), needs_token(kind), routes_.size()});
}

RouteMatch Router::match_resource(const std::vector<std::string>& segments) const {
    const RouteMatch unknown{&routes_[unknown_index], {}, {}};
    const auto found = types_.find(segments[1]);
    if (found == types_.end()) return unknown;
    const auto* routes = &routes_[found->second];
    const bool of_revisions = segments.size() >= 4 && segments[3] == "revisions";
    if (segments.size() == 2) return {&routes[0], {}, {}};
    if (segments[2].empty()) return unknown;
    if (segments.size() == 3) return {&routes[1], segments[2], {}};
    if (segments.size() == 4 && of_revisions) return {&routes[2], segments[2], {}};
    if (segments.size() == 5 && of_revisions) return {&routes[3], segments[2], segments[4]};
    return unknown;
}

RouteMatch Router::match(const Target& target) const {
    const auto& segments = target.segments;
    const auto count = segments.size();
    if (count == 0) return {&routes_[target.raw_path == "*" ? server_index : unknown_index], {}, {}};
    if (count == 1) {
        for (const auto kind : {RouteKind::livez, RouteKind::readyz, RouteKind::metrics})
            if (fixed(kind).pattern.substr(1) == segments[0]) return {&fixed(kind), {}, {}};
    }
    if (segments[0] == "problems") {
        if (count == 1 || (count == 2 && segments[1].empty())) return {&fixed(RouteKind::problem_index), {}, {}};
        if (count == 2 || (count == 3 && segments[2].empty()))
            return {&fixed(RouteKind::problem_page), segments[1], {}};
    }
    if (segments[0] != "v1" || count == 1) return {&routes_[unknown_index], {}, {}};
    if (count == 2 && segments[1] == "openapi.json") return {&fixed(RouteKind::openapi), {}, {}};
    if (count == 3 && segments[1] == "idempotency") return {&fixed(RouteKind::idempotency), segments[2], {}};
    return match_resource(segments);
}

}  // namespace einmal::http
