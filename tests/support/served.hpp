// A running `einmal serve` on a database in a directory of the test's, ready to be asked.
#pragma once

#include "support/process.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace einmal::test {

class Served {
 public:
    /// Starts on port 0 with `einmal.db` in `directory`, unless `flags` name another store. Throws std::runtime_error,
    /// with what the program said, when it does not become ready.
    explicit Served(const std::filesystem::path& directory, std::vector<std::string> flags = {},
                    std::vector<std::string> wrapper = {});

    [[nodiscard]] Process& process() { return process_; }
    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] const std::string& token() const { return token_; }
    /// What `ask` sends from now on: on a database server there is no file with the first token.
    void use_token(std::string token) { token_ = std::move(token); }

    /// Sends a request with the first token, unless it has an Authorization of its own.
    [[nodiscard]] std::optional<HttpAnswer> ask(HttpRequest request) const;
    /// `POST /v1/contacts` with this key and name.
    [[nodiscard]] std::optional<HttpAnswer> post_contact(const std::string& key, const std::string& name) const;

    /// SIGTERM; how it ended.
    [[nodiscard]] std::optional<Ending> stop();

 private:
    Process process_;
    std::uint16_t port_ = 0;
    std::string token_;
};

/// `POST /v1/contacts` with this key and name.
[[nodiscard]] HttpRequest post_contact(const std::string& key, const std::string& name);

/// The string member `name` of a JSON object, found without reading the whole; empty when there is none.
[[nodiscard]] std::string member(const std::string& json, const std::string& name);

/// Name of a contact → ids of the contacts with that name.
using NamedContacts = std::map<std::string, std::set<std::string>>;
/// Over all pages. Only for contacts that hold no objects: each is read from its id to the next brace. Throws
/// std::runtime_error when a page cannot be had.
[[nodiscard]] NamedContacts contacts_by_name(const std::function<std::optional<HttpAnswer>(HttpRequest)>& ask);

}  // namespace einmal::test
