// The whole server for tests: connection side, application, engine and a store of every kind, on 127.0.0.1 and a free
// port, with a clock that the test moves and doors to hold or break transactions. And a client that speaks its API.
#pragma once

#include "http/application.hpp"
#include "http/server.hpp"
#include "support/world.hpp"
#include "wire/raw_client.hpp"

#include <gtest/gtest.h>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace einmal::wire {

class ApiServer {
 public:
    struct Options {
        http::HttpOptions http;
        EngineOptions engine;
        StoreOptions store;
        std::filesystem::path types;
    };

    explicit ApiServer(const test::StoreKind& kind, Options options);
    explicit ApiServer(const test::StoreKind& kind) : ApiServer(kind, Options{}) {}
    ApiServer(const ApiServer&) = delete;
    ApiServer& operator=(const ApiServer&) = delete;
    /// Lets go what is held, waits for what runs, and ends.
    ~ApiServer();

    [[nodiscard]] std::uint16_t port() const { return port_; }
    /// A new bearer token; the account is made on first use.
    [[nodiscard]] std::string token(const std::string& account, const std::string& scopes = "*");
    /// Revokes what `token` made.
    void revoke(const std::string& token);
    /// The outbox, in the order of the commits.
    [[nodiscard]] std::vector<Event> events() { return opened_->events(); }
    /// The next step of a transaction fails so.
    void fail_next(test::Fault fault);
    [[nodiscard]] const http::Router& router() const { return application_->router(); }

 private:
    /// Runs the function on the server's thread and returns what it returns.
    template <class Function>
    auto on_loop(Function function) {
        std::packaged_task<decltype(function())()> task(std::move(function));
        auto result = task.get_future();
        boost::asio::post(io_, [&] { task(); });
        return result.get();
    }

    boost::asio::io_context io_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{io_.get_executor()};

 public:
    test::ManualClock clock;

 private:
    test::SeededEntropy entropy_{1};
    http::Metrics metrics_;
    std::unique_ptr<test::TestStore> opened_;
    test::FaultStore faults_;
    Catalog catalog_;

 public:
    test::GateStore gate;

 private:
    std::unique_ptr<Engine> engine_;
    std::unique_ptr<http::Application> application_;
    std::unique_ptr<http::Server> server_;
    std::vector<std::pair<std::string, TokenId>> tokens_;
    std::uint16_t port_ = 0;
    std::thread thread_;
};

using Fields = std::vector<std::pair<std::string, std::string>>;

/// One caller on one connection. Every function fails the test when no whole answer comes.
class ApiClient {
 public:
    ApiClient(const ApiServer& server, std::string token) : port_(server.port()), token_(std::move(token)) {}

    /// Sends with these fields, with Authorization unless they have one, and with Content-Length.
    void begin(std::string_view method, std::string_view target, const Fields& fields = {}, std::string_view body = {});
    [[nodiscard]] RawResponse finish(bool without_body = false);
    RawResponse send(std::string_view method, std::string_view target, const Fields& fields = {},
                     std::string_view body = {});

    RawResponse get(std::string_view target, const Fields& fields = {}) { return send("GET", target, fields); }
    RawResponse post(std::string_view target, std::string_view key, std::string_view body, Fields fields = {});
    RawResponse patch(std::string_view target, std::string_view body, Fields fields = {});
    RawResponse put(std::string_view target, std::string_view body, Fields fields = {});
    RawResponse remove(std::string_view target, std::string_view key, Fields fields = {});
    /// Creates what must come to be; its path.
    std::string created(std::string_view target, std::string_view key, std::string_view body);

 private:
    std::uint16_t port_;
    std::string token_;
    std::unique_ptr<RawClient> connection_;
};

/// The member of a JSON answer as JSON text; `absent` when it is not there.
[[nodiscard]] std::string member(const RawResponse& response, std::string_view name);
/// The same of a text member, without quotes.
[[nodiscard]] std::string text_member(const RawResponse& response, std::string_view name);
/// A field of the answer; `absent` when it is not there. `name` in lower case.
[[nodiscard]] std::string field(const RawResponse& response, const std::string& name);

/// Fails unless the answer is this problem in its full form (contract E1).
void expect_problem(const RawResponse& response, int status, std::string_view code);
/// Fails unless the answer is the replay of `first`: same status and Location, and marked.
void expect_replay(const RawResponse& response, const RawResponse& first);

/// A body that each built-in type takes.
[[nodiscard]] std::string valid_body(std::string_view type);
[[nodiscard]] const std::vector<std::string>& built_in_types();

/// For tests over every kind of store.
class ApiTest : public testing::TestWithParam<test::StoreKind> {};
[[nodiscard]] inline std::string kind_name(const testing::TestParamInfo<test::StoreKind>& info) {
    return info.param.name;
}

}  // namespace einmal::wire
