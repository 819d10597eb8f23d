// What became of a key (contract K14): for whoever lost the answer and does not know whether the operation was done.
#include "base/time.hpp"
#include "engine/key.hpp"
#include "http/headers.hpp"
#include "http/routes.hpp"

#include <algorithm>

namespace einmal::http {
namespace {

namespace asio = boost::asio;
using boost::beast::http::verb;

/// The route a key was used on: of a type, and one that takes the method as a write.
struct Written {
    const Route* route = nullptr;
    verb method{};
};

Problem invalid(std::string detail) { return {ProblemCode::parameter_invalid, std::move(detail)}; }

/// `route` may be the pattern, or a path on it: whoever asks may know no more than the URL he used.
OrProblem<Written> read_place(const Call& call) {
    if (auto refusal = refuse_parameters(call.target, {"method", "route"})) return std::move(*refusal);
    const auto* method_text = find_parameter(call.target, "method");
    const auto* route_text = find_parameter(call.target, "route");
    if (method_text == nullptr || route_text == nullptr)
        return invalid("The parameters method and route are required, for example method=POST&route=/v1/charges.");
    const auto method = boost::beast::http::string_to_verb(*method_text);
    const bool writes = method == verb::post || method == verb::patch || method == verb::put || method == verb::delete_;
    if (!writes) return invalid("method must be POST, PATCH, PUT or DELETE.");
    Target written;
    for (std::size_t at = 1; at <= route_text->size();) {
        const auto end = std::min(route_text->find('/', at), route_text->size());
        written.segments.push_back(route_text->substr(at, end - at));
        at = end + 1;
    }
    const auto* route = call.services.router.match(written).route;
    if (!route_text->starts_with('/') || route->type == nullptr || !route->allows(method))
        return invalid("route must be one that takes the method, for example /v1/charges or /v1/contacts/{id}.");
    return Written{route, method};
}

void add_text(std::string& out, const char* name, std::string_view value) {
    out += ",\"";
    out += name;
    out += "\":";
    json::write_string(value, out);
}

void add_number(std::string& out, const char* name, std::uint64_t value) {
    out += ",\"";
    out += name;
    out += "\":";
    out += std::to_string(value);
}

std::string body_of(const Keyed& keyed, const KeyStatus& status) {
    std::string out = "{\"key\":";
    json::write_string(keyed.key.text, out);
    add_text(out, "method", keyed.method);
    add_text(out, "route", keyed.route);
    if (!status.record) {
        out += R"(,"state":"in_progress","resources":[],"replays":0})";
        return out;
    }
    const auto& record = *status.record;
    add_text(out, "state", "completed");
    add_number(out, "status", static_cast<std::uint64_t>(record.status));
    out += ",\"resources\":[{\"type\":";
    json::write_string(record.type.text, out);
    add_text(out, "id", record.resource.text);
    add_number(out, "revision", record.revision.value);
    out += "}]";
    add_number(out, "replays", record.replays);
    add_text(out, "created_at", base::to_rfc3339(record.created_at));
    add_text(out, "completed_at", base::to_rfc3339(record.completed_at));
    add_text(out, "expires_at", base::to_rfc3339(record.expires_at));
    out += '}';
    return out;
}

}  // namespace

asio::awaitable<Reply> look_up_key(Call& call) {
    auto key = engine::check_key(call.match.first);
    if (!key) co_return Problem(ProblemCode::idempotency_key_invalid, key.error());
    const auto place = read_place(call);
    if (!place) co_return place.error();
    const auto& type = place->route->type->name.text;
    const auto& scopes = call.caller().scopes;
    if (!scopes.allow(type + ":read") && !scopes.allow(type + ":write"))
        co_return Problem(ProblemCode::forbidden, "This needs the scope " + type + ":read or " + type + ":write.");
    const auto method = boost::beast::http::to_string(place->method);
    const Keyed keyed{std::move(*key), std::string(method.data(), method.size()), place->route->pattern};
    const auto status = co_await call.services.engine.look_up(call.caller().asker, keyed);
    if (!status) co_return problem_of(status.error());
    if (!status->in_progress && !status->record)
        co_return Problem(ProblemCode::idempotency_key_unknown,
                          "No operation with this key, method and route is known; it was never seen, or has expired.");
    co_return private_json(body_of(keyed, *status));
}

}  // namespace einmal::http
