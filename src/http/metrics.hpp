// What the server counts (contract A5), in Prometheus' text form. Labels hold routes, methods and outcomes; never
// accounts, keys, ids or anything else that a client chose.
#pragma once

#include "http/problem_catalog.hpp"
#include "http/router.hpp"

#include <einmal/decision.hpp>
#include <einmal/observer.hpp>

#include <boost/beast/http/verb.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace einmal::http {

/// One per process. The functions for requests and `text` are used on one executor; those of StoreObserver anywhere.
class Metrics final : public StoreObserver {
 public:
    Metrics();
    ~Metrics() override;
    Metrics(const Metrics&) = delete;
    Metrics& operator=(const Metrics&) = delete;

    /// Adds a gauge that is read whenever the metrics are asked for. `read` must be callable as long as `text` is
    /// called.
    void watch(const std::string& name, const std::string& help, std::function<double()> read);

    void count_request(const Route& route, boost::beast::http::verb method, unsigned status,
                       std::chrono::steady_clock::duration took);
    /// One of the four outcomes of contract K5; others are counted by their status alone.
    void count_outcome(Outcome outcome);
    /// A refusal that the connection made before or instead of a request.
    void count_refusal(ProblemCode code);

    void committed(std::size_t operations, std::chrono::nanoseconds took) override;
    void queued(std::size_t waiting) override;

    /// Everything, in the text format 0.0.4.
    [[nodiscard]] std::string text();

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace einmal::http
