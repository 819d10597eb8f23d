// The real connection side with an answering side that writes down what reaches it.
#pragma once

#include "http/server.hpp"

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace einmal::wire {

/// Answers by the target: `/refused…` 401 at `admit`; `/broken` throws there, which it must not; `/empty` 204;
/// `/unchanged` 304; `/large` a body of 3 MiB;
/// `/gate` waits for `open_gate`; everything else 200 with the request's body as body.
class RecordingHandler final : public http::Handler {
 public:
    boost::asio::awaitable<std::optional<http::Response>> admit(http::Exchange& exchange) override;
    boost::asio::awaitable<http::Response> handle(http::Exchange& exchange) override;
    http::Response refuse(http::Refusal refusal, std::string detail, const http::Exchange* exchange) override;

    void open_gate() { gate_open_ = true; }
    /// `POST /contacts` for every request that reached the function, in order. Callable from any thread.
    [[nodiscard]] std::vector<std::string> admitted() const { return copy(admitted_); }
    [[nodiscard]] std::vector<std::string> begun() const { return copy(begun_); }
    [[nodiscard]] std::vector<std::string> finished() const { return copy(finished_); }
    /// Waits until the list has this many entries; false when that takes too long.
    [[nodiscard]] bool wait_for_admitted(std::size_t count) const { return wait(admitted_, count); }
    [[nodiscard]] bool wait_for_begun(std::size_t count) const { return wait(begun_, count); }
    [[nodiscard]] bool wait_for_finished(std::size_t count) const { return wait(finished_, count); }
    /// What `trailer` and `x-secret` fields `handle` saw: must stay empty when only trailers had them.
    [[nodiscard]] std::vector<std::string> secrets() const { return copy(secrets_); }

 private:
    std::vector<std::string> copy(const std::vector<std::string>& list) const;
    bool wait(const std::vector<std::string>& list, std::size_t count) const;
    void record(std::vector<std::string>& list, std::string text);

    std::atomic<bool> gate_open_{false};
    mutable std::mutex mutex_;
    std::vector<std::string> admitted_;
    std::vector<std::string> begun_;
    std::vector<std::string> finished_;
    std::vector<std::string> secrets_;
};

/// A server on 127.0.0.1 and a free port, with a thread of its own.
class RecordingServer {
 public:
    explicit RecordingServer(http::HttpOptions options = {}, std::optional<http::TlsFiles> tls = std::nullopt);
    ~RecordingServer();

    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] RecordingHandler& handler() { return handler_; }
    /// Keeps the server's thread from noticing anything for this time.
    void distract(std::chrono::milliseconds time);
    /// Ready when the shutdown is over.
    [[nodiscard]] std::future<void> shutdown();
    [[nodiscard]] std::size_t connections();
    /// Waits until the server serves this many connections; false when that takes too long.
    [[nodiscard]] bool wait_for_connections(std::size_t count);

 private:
    boost::asio::io_context io_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{io_.get_executor()};
    RecordingHandler handler_;
    http::Server server_;
    std::uint16_t port_ = 0;
    std::thread thread_;
};

}  // namespace einmal::wire
