#include "wire/recording_server.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <functional>
#include <stdexcept>

namespace einmal::wire {
namespace {

namespace asio = boost::asio;
namespace beast_http = boost::beast::http;
using namespace std::chrono_literals;

constexpr auto patience = 8s;

bool wait_until(const std::function<bool()>& condition) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(2ms);
    }
    return true;
}

std::string name_of(const http::Exchange& exchange) {
    return std::string(exchange.request.method_string()) + " " + std::string(exchange.request.target());
}

http::Response make_response(unsigned status, std::string body) {
    http::Response response;
    response.result(status);
    response.set(beast_http::field::content_type, "text/plain");
    response.body() = std::move(body);
    return response;
}

unsigned status_of(http::Refusal refusal) {
    switch (refusal) {
        case http::Refusal::malformed:
            return 400;
        case http::Refusal::timeout:
            return 408;
        case http::Refusal::body_too_large:
            return 413;
        case http::Refusal::target_too_long:
            return 414;
        case http::Refusal::expectation_failed:
            return 417;
        case http::Refusal::head_too_large:
            return 431;
        case http::Refusal::coding_unsupported:
            return 501;
        case http::Refusal::too_many_connections:
            return 503;
        case http::Refusal::version_unsupported:
            return 505;
    }
    return 500;
}

}  // namespace

asio::awaitable<std::optional<http::Response>> RecordingHandler::admit(http::Exchange& exchange) {
    record(admitted_, name_of(exchange));
    if (exchange.request.target() == "/broken") throw std::runtime_error("a fault on the answering side");
    if (exchange.request.target().starts_with("/refused")) co_return make_response(401, "who are you?");
    co_return std::nullopt;
}

asio::awaitable<http::Response> RecordingHandler::handle(http::Exchange& exchange) {
    record(begun_, name_of(exchange));
    for (const auto& field : exchange.request) {
        if (field.name_string() == "X-Secret") record(secrets_, std::string(field.value()));
    }
    const std::string target(exchange.request.target());
    if (target == "/gate") {
        asio::steady_timer timer(co_await asio::this_coro::executor);
        while (!gate_open_) {
            timer.expires_after(2ms);
            co_await timer.async_wait(asio::use_awaitable);
        }
    }
    record(finished_, name_of(exchange));
    if (target == "/empty") co_return make_response(204, {});
    if (target == "/unchanged") co_return make_response(304, {});
    if (target == "/large") co_return make_response(200, std::string(std::size_t{3} * 1024 * 1024, 'x'));
    co_return make_response(200, exchange.request.body());
}

http::Response RecordingHandler::refuse(http::Refusal refusal, std::string detail, const http::Exchange*) {
    return make_response(status_of(refusal), std::move(detail));
}

std::vector<std::string> RecordingHandler::copy(const std::vector<std::string>& list) const {
    const std::lock_guard lock(mutex_);
    return list;
}

bool RecordingHandler::wait(const std::vector<std::string>& list, std::size_t count) const {
    return wait_until([&] { return copy(list).size() >= count; });
}

void RecordingHandler::record(std::vector<std::string>& list, std::string text) {
    const std::lock_guard lock(mutex_);
    list.push_back(std::move(text));
}

RecordingServer::RecordingServer(http::HttpOptions options, std::optional<http::TlsFiles> tls)
    : server_(io_.get_executor(), handler_, std::move(options), std::move(tls)) {
    const auto port = server_.listen("127.0.0.1", 0);
    if (!port) throw std::runtime_error(port.error().reason);
    port_ = *port;
    server_.start();
    thread_ = std::thread([this] { io_.run(); });
}

RecordingServer::~RecordingServer() {
    io_.stop();
    thread_.join();
}

void RecordingServer::distract(std::chrono::milliseconds time) {
    const auto begun = std::make_shared<std::promise<void>>();
    asio::post(io_, [begun, time] {
        begun->set_value();
        std::this_thread::sleep_for(time);
    });
    begun->get_future().wait();
}

std::future<void> RecordingServer::shutdown() { return asio::co_spawn(io_, server_.shutdown(), asio::use_future); }

std::size_t RecordingServer::connections() {
    std::packaged_task<std::size_t()> task([this] { return server_.connections(); });
    auto result = task.get_future();
    asio::post(io_, [&] { task(); });
    return result.get();
}

bool RecordingServer::wait_for_connections(std::size_t count) {
    return wait_until([&] { return connections() == count; });
}

}  // namespace einmal::wire
