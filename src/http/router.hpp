// Which routes there are, and which of them a target names. The one list: the application dispatches over it, the
// OpenAPI description is generated from it, metrics label by it.
#pragma once

#include "http/target.hpp"

#include <einmal/catalog.hpp>

#include <boost/beast/http/verb.hpp>
#include <span>
#include <string>
#include <vector>

namespace einmal::http {

enum class RouteKind {
    livez,
    readyz,
    metrics,
    problem_index,
    problem_page,
    openapi,
    idempotency,
    collection,
    item,
    revisions,
    revision,
    server,   ///< `OPTIONS *`
    unknown,  ///< no route at all
};

/// One route, as a pattern.
struct Route {
    RouteKind kind{};
    const ResourceType* type = nullptr;  ///< of collection, item, revisions and revision
    std::string pattern;                 ///< `/v1/contacts/{id}`, as keys are placed by it (contract K3)
    std::vector<boost::beast::http::verb> methods;
    std::string allow;         ///< the same as an Allow field, with OPTIONS
    bool needs_token = false;  ///< contract A5, E2: probes, metrics, pages and the description are public
    std::size_t index = 0;     ///< its place in `Router::routes`

    [[nodiscard]] bool allows(boost::beast::http::verb method) const;
};

/// A target on its route. `first` and `second` are the decoded parts that the pattern leaves open.
struct RouteMatch {
    const Route* route = nullptr;
    std::string first;   ///< resource id, key, or problem code
    std::string second;  ///< number of a revision
};

/// Immutable after construction, so thread-safe. The catalog outlives it.
class Router {
 public:
    explicit Router(const Catalog& catalog);
    Router(const Router&) = delete;
    Router& operator=(const Router&) = delete;

    /// Never fails: what is no route is on the route `unknown`. The route lives as long as the router.
    [[nodiscard]] RouteMatch match(const Target& target) const;
    [[nodiscard]] std::span<const Route> routes() const { return routes_; }

 private:
    // Constant after construction. `types_` holds, per type, the index of its first of four routes.
    std::vector<Route> routes_;
    std::map<std::string, std::size_t, std::less<>> types_;

    void add(RouteKind kind, const ResourceType* type, std::string pattern);
    [[nodiscard]] const Route& fixed(RouteKind kind) const { return routes_[static_cast<std::size_t>(kind)]; }
    [[nodiscard]] RouteMatch match_resource(const std::vector<std::string>& segments) const;
};

}  // namespace einmal::http
