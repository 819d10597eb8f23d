// Several `einmal serve` on one PostgreSQL database, and the programs that people put around them.
#pragma once

#include "support/machine.hpp"
#include "support/process.hpp"
#include "support/served.hpp"
#include "support/temporary_directory.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace einmal::test {

/// `einmal token create` on this store.
[[nodiscard]] std::string make_token(const std::string& store);

/// Servers on one store, that know one token.
class Servers {
 public:
    struct Options {
        std::size_t count = 2;
        std::vector<std::string> flags;
        /// A program that runs server number n, like `faketime`; none when empty.
        std::function<std::vector<std::string>(std::size_t)> wrapper = {};
    };

    Servers(const std::string& store, const Options& options);

    [[nodiscard]] Served& operator[](std::size_t number) { return *servers_.at(number); }
    [[nodiscard]] const std::string& token() const { return token_; }
    [[nodiscard]] std::vector<std::uint16_t> ports() const;
    /// Every server ends with exit code 0.
    void expect_clean_end();

 private:
    TemporaryDirectory directory_;
    std::string token_;
    std::vector<std::unique_ptr<Served>> servers_;
};

/// nginx that gives each request to the next of the servers, as its documentation's first example does.
class LoadBalancer {
 public:
    explicit LoadBalancer(const std::vector<std::uint16_t>& servers);
    [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
    TemporaryDirectory directory_;
    std::uint16_t port_ = free_port();
    std::unique_ptr<Process> process_;
};

/// Waits until somebody listens there; fails the test otherwise.
void wait_for_port(std::uint16_t port);

/// Requests to one port of one caller.
class Caller {
 public:
    Caller(std::uint16_t port, std::string token) : port_(port), token_(std::move(token)) {}

    [[nodiscard]] std::optional<HttpAnswer> ask(HttpRequest request) const;
    [[nodiscard]] std::optional<HttpAnswer> get(const std::string& target) const;
    [[nodiscard]] std::optional<HttpAnswer> post(const std::string& target, const std::string& key,
                                                 const std::string& body) const;
    [[nodiscard]] std::optional<HttpAnswer> patch(const std::string& target, const std::string& body,
                                                  std::vector<std::pair<std::string, std::string>> headers = {}) const;
    [[nodiscard]] std::optional<HttpAnswer> remove(const std::string& target, const std::string& key) const;
    /// Repeats until the answer is no 5xx, no 409 of a running operation and no broken connection, as a client with a
    /// key may; nothing when that takes longer than `patience`.
    [[nodiscard]] std::optional<HttpAnswer> insist(const HttpRequest& request,
                                                   std::chrono::milliseconds patience = std::chrono::seconds(20)) const;

    [[nodiscard]] NamedContacts contacts() const;

 private:
    std::uint16_t port_;
    std::string token_;
};

/// Runs `work(n)` for n from 0 to count − 1, all at the same time.
void at_once(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace einmal::test
