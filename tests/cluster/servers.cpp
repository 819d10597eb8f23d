#include "cluster/servers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <utility>

namespace einmal::test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

Launch launch_of(std::string program, std::vector<std::string> arguments) {
    return {.arguments = std::move(arguments),
            .directory = {},
            .variables = {},
            .wrapper = {},
            .output = -1,
            .program = std::move(program)};
}

bool must_be_repeated(const std::optional<HttpAnswer>& answer) {
    if (!answer || answer->status >= 500) return true;
    return answer->status == 409 && answer->body.find("IDEMPOTENCY_IN_PROGRESS") != std::string::npos;
}

}  // namespace

std::string make_token(const std::string& store) {
    const auto made =
        run(launch_of({}, {"token", "create", "--store", store, "--account", "default", "--scopes", "*"}));
    if (made.ending != Ending{0, 0}) throw std::runtime_error("no token: " + made.errors);
    return made.output.substr(0, made.output.find('\n'));
}

Servers::Servers(const std::string& store, const Options& options) : token_(make_token(store)) {
    for (std::size_t number = 0; number < options.count; ++number) {
        auto flags = options.flags;
        flags.insert(flags.end(), {"--store", store});
        auto wrapper = options.wrapper ? options.wrapper(number) : std::vector<std::string>();
        servers_.push_back(std::make_unique<Served>(directory_.path(), std::move(flags), std::move(wrapper)));
        servers_.back()->use_token(token_);
    }
}

std::vector<std::uint16_t> Servers::ports() const {
    std::vector<std::uint16_t> ports;
    for (const auto& server : servers_) ports.push_back(server->port());
    return ports;
}

void Servers::expect_clean_end() {
    for (const auto& server : servers_) EXPECT_EQ(server->stop(), (Ending{0, 0})) << server->process().errors();
}

void wait_for_port(std::uint16_t port) {
    const auto deadline = Clock::now() + std::chrono::seconds(20);
    while (!Talk(port, milliseconds(200)).send("")) {
        ASSERT_LT(Clock::now(), deadline) << "nobody listens on port " << port;
        std::this_thread::sleep_for(milliseconds(10));
    }
}

LoadBalancer::LoadBalancer(const std::vector<std::uint16_t>& servers) {
    const std::string here = directory_.path().string();
    std::string upstream;
    for (const std::uint16_t port : servers) upstream += "server 127.0.0.1:" + std::to_string(port) + "; ";
    std::string temporary;
    for (const char* kind : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"})
        temporary += "  " + std::string(kind) + "_temp_path " + here + "/" + kind + ";\n";
    const std::string file = directory_.file("nginx.conf");
    std::ofstream(file) << "daemon off; master_process off; pid " << here << "/pid; error_log " << here
                        << "/log;\nevents { worker_connections 512; }\nhttp {\n  access_log off;\n"
                        << temporary << "  upstream einmal { " << upstream
                        << "}\n  server {\n    listen 127.0.0.1:" << port_
                        << ";\n    location / { proxy_pass http://einmal; }\n  }\n}\n";
    process_ = std::make_unique<Process>(launch_of("/usr/sbin/nginx", {"-c", file, "-e", here + "/log"}));
    wait_for_port(port_);
}

std::optional<HttpAnswer> Caller::ask(HttpRequest request) const {
    request.headers.emplace_back("Authorization", "Bearer " + token_);
    return http(port_, request);
}

std::optional<HttpAnswer> Caller::get(const std::string& target) const {
    return ask({.method = "GET", .target = target, .headers = {}, .body = {}});
}

std::optional<HttpAnswer> Caller::post(const std::string& target, const std::string& key,
                                       const std::string& body) const {
    return ask({.method = "POST",
                .target = target,
                .headers = {{"Idempotency-Key", key}, {"Content-Type", "application/json"}},
                .body = body});
}

std::optional<HttpAnswer> Caller::patch(const std::string& target, const std::string& body,
                                        std::vector<std::pair<std::string, std::string>> headers) const {
    headers.emplace_back("Content-Type", "application/merge-patch+json");
    return ask({.method = "PATCH", .target = target, .headers = std::move(headers), .body = body});
}

std::optional<HttpAnswer> Caller::remove(const std::string& target, const std::string& key) const {
    return ask({.method = "DELETE", .target = target, .headers = {{"Idempotency-Key", key}}, .body = {}});
}

std::optional<HttpAnswer> Caller::insist(const HttpRequest& request, milliseconds patience) const {
    const auto deadline = Clock::now() + patience;
    auto answer = ask(request);
    while (must_be_repeated(answer) && Clock::now() < deadline) {
        std::this_thread::sleep_for(milliseconds(10));
        answer = ask(request);
    }
    return must_be_repeated(answer) ? std::nullopt : answer;
}

NamedContacts Caller::contacts() const {
    return contacts_by_name([this](HttpRequest request) { return ask(std::move(request)); });
}

void at_once(std::size_t count, const std::function<void(std::size_t)>& work) {
    std::barrier start(static_cast<std::ptrdiff_t>(count));
    std::vector<std::thread> threads;
    for (std::size_t number = 0; number < count; ++number) {
        threads.emplace_back([&, number] {
            start.arrive_and_wait();
            work(number);
        });
    }
    for (auto& thread : threads) thread.join();
}

}  // namespace einmal::test
