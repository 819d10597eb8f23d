// Answers every request with the same 201, through the real connection side and nothing else: what remains between this
// and `einmal serve` is the price of the promise, and what remains between this and the wire is the price of HTTP.
#include "http/server.hpp"

#include <CLI/CLI.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <iostream>

namespace {

namespace asio = boost::asio;
namespace beast_http = boost::beast::http;
using namespace einmal::http;

/// As long as the representation of a contact with a handful of members.
constexpr std::string_view constant_body =
    R"({"id":"con_0000000000000000000000","revision":1,"created_at":"2026-01-31T12:00:00.000Z",)"
    R"("updated_at":"2026-01-31T12:00:00.000Z","name":"Ada Lovelace","tags":["customer","berlin"]})";

class ConstantHandler final : public Handler {
 public:
    asio::awaitable<std::optional<Response>> admit(Exchange&) override { co_return std::nullopt; }

    asio::awaitable<Response> handle(Exchange&) override {
        Response response(beast_http::status::created, 11);
        response.set(beast_http::field::content_type, "application/json");
        response.set(beast_http::field::etag, "\"r1\"");
        response.set(beast_http::field::location, "/v1/contacts/con_0000000000000000000000");
        response.body() = constant_body;
        co_return response;
    }

    Response refuse(Refusal, std::string detail, const Exchange*) override {
        Response response(beast_http::status::bad_request, 11);
        response.body() = std::move(detail);
        return response;
    }
};

asio::awaitable<void> stop_on_signal(Server& server) {
    asio::signal_set signals(co_await asio::this_coro::executor, SIGINT, SIGTERM);
    co_await signals.async_wait(asio::as_tuple(asio::use_awaitable));
    co_await server.shutdown();
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Answers every request on 127.0.0.1 with the same 201"};
    std::uint16_t port = 0;
    app.add_option("--port", port, "0 picks one, which is printed");
    CLI11_PARSE(app, argc, argv);

    asio::io_context io(1);
    ConstantHandler handler;
    Server server(io.get_executor(), handler, HttpOptions{});
    const auto bound = server.listen("127.0.0.1", port);
    if (!bound) {
        std::cerr << "constant_server: " << bound.error().reason << '\n';
        return 2;
    }
    server.start();
    asio::co_spawn(io, stop_on_signal(server), asio::detached);
    std::cout << *bound << std::endl;
    io.run();
    return 0;
}
