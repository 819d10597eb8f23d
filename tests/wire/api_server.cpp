#include "wire/api_server.hpp"

#include "base/digest.hpp"

#include <algorithm>
#include <stdexcept>

namespace einmal::wire {

namespace asio = boost::asio;

ApiServer::ApiServer(const test::StoreKind& kind, Options options)
    : opened_([&] {
          options.store.observer = &metrics_;
          return kind.open({io_.get_executor(), options.store, clock, entropy_});
      }()),
      faults_(opened_->store()),
      catalog_(Catalog::load(options.types).value()),
      gate(faults_),
      engine_(std::make_unique<Engine>(io_.get_executor(), gate, catalog_, options.engine, clock, entropy_)),
      application_(std::make_unique<http::Application>(*engine_, options.http, options.engine, metrics_)),
      server_(std::make_unique<http::Server>(io_.get_executor(), *application_, options.http)) {
    const auto port = server_->listen("127.0.0.1", 0);
    if (!port) throw std::runtime_error(port.error().reason);
    port_ = *port;
    server_->start();
    thread_ = std::thread([this] { io_.run(); });
}

ApiServer::~ApiServer() {
    gate.release();
    for (int i = 0; i < 5000 && on_loop([this] { return engine_->running(); }) > 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds{2});
    io_.stop();
    thread_.join();
    server_.reset();
}

std::string ApiServer::token(const std::string& account, const std::string& scopes) {
    const std::string token = "test-token-" + std::to_string(tokens_.size() + 1);
    const auto id = opened_->admin().create_token(account, scopes, TokenDigest{base::sha256(token)});
    tokens_.emplace_back(token, id.value());
    return token;
}

void ApiServer::revoke(const std::string& token) {
    const auto found = std::ranges::find(tokens_, token, [](const auto& entry) { return entry.first; });
    if (found == tokens_.end() || !opened_->admin().revoke_token(found->second).value())
        throw std::logic_error("there is no such token");
}

void ApiServer::fail_next(test::Fault fault) {
    on_loop([&] {
        faults_.fail(fault);
        return true;
    });
}

void ApiClient::begin(std::string_view method, std::string_view target, const Fields& fields, std::string_view body) {
    std::string lines;
    bool authorized = token_.empty();
    for (const auto& [name, value] : fields) {
        lines += name + ": " + value + "\r\n";
        authorized = authorized || name == "Authorization";
    }
    if (!authorized) lines += "Authorization: Bearer " + token_ + "\r\n";
    if (!body.empty() || method == "POST" || method == "PUT" || method == "PATCH")
        lines += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    if (!connection_) connection_ = std::make_unique<RawClient>(port_);
    connection_->send(request_text(method, target, lines, body));
}

RawResponse ApiClient::finish(bool without_body) {
    auto response = connection_->read_response(without_body);
    EXPECT_TRUE(response) << "the connection ended without an answer";
    if (!response || response->closes) connection_.reset();
    return response ? *response : RawResponse{};
}

RawResponse ApiClient::send(std::string_view method, std::string_view target, const Fields& fields,
                            std::string_view body) {
    begin(method, target, fields, body);
    return finish(method == "HEAD");
}

RawResponse ApiClient::post(std::string_view target, std::string_view key, std::string_view body, Fields fields) {
    fields.emplace_back("Content-Type", "application/json");
    if (!key.empty()) fields.emplace_back("Idempotency-Key", key);
    return send("POST", target, fields, body);
}

RawResponse ApiClient::patch(std::string_view target, std::string_view body, Fields fields) {
    fields.emplace_back("Content-Type", "application/merge-patch+json");
    return send("PATCH", target, fields, body);
}

RawResponse ApiClient::put(std::string_view target, std::string_view body, Fields fields) {
    fields.emplace_back("Content-Type", "application/json");
    return send("PUT", target, fields, body);
}

RawResponse ApiClient::remove(std::string_view target, std::string_view key, Fields fields) {
    if (!key.empty()) fields.emplace_back("Idempotency-Key", key);
    return send("DELETE", target, fields);
}

std::string ApiClient::created(std::string_view target, std::string_view key, std::string_view body) {
    const auto response = post(target, key, body);
    EXPECT_EQ(response.status, 201) << response.body;
    return field(response, "location");
}

std::string member(const RawResponse& response, std::string_view name) {
    const auto value = json::read(response.body);
    EXPECT_TRUE(value) << response.body;
    const auto* members = value ? value->if_object() : nullptr;
    const auto* found = members != nullptr ? members->find(name) : nullptr;
    return found != nullptr ? json::to_text(*found) : "absent";
}

std::string text_member(const RawResponse& response, std::string_view name) {
    const auto text = member(response, name);
    return text.starts_with('"') ? text.substr(1, text.size() - 2) : text;
}

std::string field(const RawResponse& response, const std::string& name) {
    const auto found = response.fields.find(name);
    return found == response.fields.end() ? "absent" : found->second;
}

void expect_problem(const RawResponse& response, int status, std::string_view code) {
    EXPECT_EQ(response.status, status) << response.body;
    ASSERT_EQ(field(response, "content-type"), "application/problem+json");
    EXPECT_EQ(text_member(response, "code"), code);
    EXPECT_EQ(text_member(response, "type"), "/problems/" + std::string(code) + "/");
    EXPECT_EQ(member(response, "status"), std::to_string(status));
    EXPECT_EQ(text_member(response, "request_id"), field(response, "x-request-id"));
    for (const char* name : {"title", "detail", "next"}) EXPECT_NE(member(response, name), "absent") << name;
    const auto retryable = member(response, "retryable");
    EXPECT_TRUE(retryable == "true" || retryable == "false");
}

void expect_replay(const RawResponse& response, const RawResponse& first) {
    EXPECT_EQ(response.status, first.status) << response.body;
    EXPECT_EQ(field(response, "idempotent-replayed"), "true");
    for (const char* name : {"location", "content-type", "einmal-result-revision", "idempotency-expires"})
        EXPECT_EQ(field(response, name), field(first, name)) << name;
}

std::string valid_body(std::string_view type) {
    if (type == "tasks") return R"({"title":"Call back"})";
    if (type == "documents") return R"({"kind":"invoice"})";
    if (type == "charges") return R"({"reference":"B-1042","amount":4990,"currency":"EUR"})";
    return R"({"name":"Erika Mustermann"})";
}

const std::vector<std::string>& built_in_types() {
    static const std::vector<std::string> types{"charges", "companies", "contacts", "documents", "tasks"};
    return types;
}

}  // namespace einmal::wire
