// For those who run the server: is it alive, is it ready, what does it count (contract A5). Public; says nothing of
// anybody's data.
#include "http/routes.hpp"

#include <boost/beast/http/field.hpp>

namespace einmal::http {
namespace {

namespace asio = boost::asio;
using boost::beast::http::field;

Response uncached(std::string_view content_type, std::string body) {
    auto response = make_response(200, content_type, std::move(body));
    response.set(field::cache_control, "no-store");
    return response;
}

}  // namespace

Reply show_liveness() { return uncached("application/json", R"({"status":"ok"})"); }

asio::awaitable<Reply> show_readiness(Call& call) {
    const auto reachable = co_await call.services.engine.ping();
    if (!reachable) co_return problem_of(reachable.error());
    co_return uncached("application/json", R"({"status":"ok"})");
}

Reply show_metrics(Call& call) {
    return uncached("text/plain; version=0.0.4; charset=utf-8", call.services.metrics.text());
}

}  // namespace einmal::http
