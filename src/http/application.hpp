// The answering side as a whole: admits requests, routes them, and makes sure that every answer carries what every
// answer must. The order of its checks is contract R9.
#pragma once

#include "http/authenticator.hpp"
#include "http/cors.hpp"
#include "http/exchange.hpp"
#include "http/http_options.hpp"
#include "http/metrics.hpp"
#include "http/rate_limit.hpp"
#include "http/request_ids.hpp"
#include "http/router.hpp"
#include "http/routes.hpp"

#include <einmal/engine.hpp>
#include <einmal/env.hpp>
#include <einmal/options.hpp>

#include <string>

namespace einmal::http {

/// Used on the engine's executor only. Engine, metrics and entropy outlive it; it outlives every exchange.
class Application final : public Handler {
 public:
    Application(Engine& engine, HttpOptions options, EngineOptions engine_options, Metrics& metrics,
                Entropy& entropy = system_entropy());

    boost::asio::awaitable<std::optional<Response>> admit(Exchange& exchange) override;
    boost::asio::awaitable<Response> handle(Exchange& exchange) override;
    Response refuse(Refusal refusal, std::string detail, const Exchange* exchange) override;

    [[nodiscard]] const Router& router() const { return router_; }

 private:
    boost::asio::awaitable<std::optional<Problem>> check_caller(Exchange& exchange);
    boost::asio::awaitable<Reply> answer(Call& call);
    boost::asio::awaitable<Reply> answer_resource(Call& call);
    [[nodiscard]] Reply answer_options(const Call& call) const;
    [[nodiscard]] Reply answer_page(const Call& call) const;
    [[nodiscard]] RouteMatch match(const Exchange& exchange, Target& target, std::string& complaint) const;

    Response to_response(const Exchange& exchange, const Problem& problem);
    void finish(const Exchange& exchange, const Route& route, Response& response);

    // Constant after construction.
    const HttpOptions options_;
    const Router router_;
    const Cors cors_;
    const Services services_;
    const std::string openapi_;
    // Change with every request.
    Authenticator authenticator_;
    RateLimit rate_limit_;
    RequestIds request_ids_;
};

}  // namespace einmal::http
