#include "http/cors.hpp"

#include <boost/beast/http/field.hpp>
#include <boost/beast/http/verb.hpp>

namespace einmal::http {
namespace {

using boost::beast::http::field;

// Every header of the contract that a browser would hide from its page otherwise.
constexpr const char* exposed =
    "ETag, Location, Retry-After, Allow, Accept-Patch, WWW-Authenticate, Preference-Applied, Idempotent-Replayed, "
    "Idempotency-Expires, Einmal-Result-Revision, X-Request-Id";

constexpr const char* allowed =
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, X-Request-Id, traceparent, "
    "tracestate";

// Browsers cap it themselves; two hours is the smallest of their caps.
constexpr const char* max_age_seconds = "7200";

}  // namespace

void Cors::decorate(Response& response) const {
    if (origin_.empty()) return;
    response.set(field::access_control_allow_origin, origin_);
    response.set(field::access_control_expose_headers, exposed);
    if (origin_ == "*") return;
    const auto vary = response[field::vary];
    response.set(field::vary,
                 vary.empty() ? std::string("Origin") : std::string(vary.data(), vary.size()) + ", Origin");
}

bool Cors::is_preflight(const Request& request) const {
    return !origin_.empty() && request.method() == boost::beast::http::verb::options &&
           request.count(field::origin) > 0 && request.count(field::access_control_request_method) > 0;
}

void Cors::grant(Response& response) const {
    response.set(field::access_control_allow_methods, response[field::allow]);
    response.set(field::access_control_allow_headers, allowed);
    response.set(field::access_control_max_age, max_age_seconds);
}

}  // namespace einmal::http
