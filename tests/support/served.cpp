#include "support/served.hpp"

#include <algorithm>
#include <csignal>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace einmal::test {

namespace {

Launch launch(const std::filesystem::path& directory, std::vector<std::string> flags,
              std::vector<std::string> wrapper) {
    std::vector<std::string> arguments{"serve", "--listen", "127.0.0.1:0"};
    arguments.insert(arguments.end(), std::make_move_iterator(flags.begin()), std::make_move_iterator(flags.end()));
    return {.arguments = std::move(arguments),
            .directory = directory,
            .variables = {},
            .wrapper = std::move(wrapper),
            .output = -1};
}

}  // namespace

Served::Served(const std::filesystem::path& directory, std::vector<std::string> flags, std::vector<std::string> wrapper)
    : process_(launch(directory, std::move(flags), std::move(wrapper))) {
    const std::optional<std::uint16_t> port = process_.port();
    if (!port) throw std::runtime_error("the server did not become ready: " + process_.output() + process_.errors());
    port_ = *port;
    token_ = first_line(directory / "einmal.db.token");
}

std::optional<HttpAnswer> Served::ask(HttpRequest request) const {
    const bool authorized = std::any_of(request.headers.begin(), request.headers.end(),
                                        [](const auto& header) { return header.first == "Authorization"; });
    if (!authorized) request.headers.emplace_back("Authorization", "Bearer " + token_);
    return http(port_, request);
}

std::optional<HttpAnswer> Served::post_contact(const std::string& key, const std::string& name) const {
    return ask(test::post_contact(key, name));
}

std::optional<Ending> Served::stop() {
    process_.signal(SIGTERM);
    return process_.wait();
}

HttpRequest post_contact(const std::string& key, const std::string& name) {
    return {.method = "POST",
            .target = "/v1/contacts",
            .headers = {{"Idempotency-Key", key}, {"Content-Type", "application/json"}},
            .body = R"({"name":")" + name + R"("})"};
}

std::string member(const std::string& json, const std::string& name) {
    const std::string start = "\"" + name + "\":\"";
    const std::size_t found = json.find(start);
    if (found == std::string::npos) return "";
    const std::size_t from = found + start.size();
    return json.substr(from, json.find('"', from) - from);
}

NamedContacts contacts_by_name(const std::function<std::optional<HttpAnswer>(HttpRequest)>& ask) {
    NamedContacts found;
    std::string cursor;
    do {
        const auto page = ask({.method = "GET",
                               .target = "/v1/contacts?limit=200" + (cursor.empty() ? "" : "&cursor=" + cursor),
                               .headers = {},
                               .body = ""});
        if (!page || page->status != 200) throw std::runtime_error("the list of contacts cannot be read");
        std::string_view rest = page->body;
        for (std::size_t at = rest.find("\"id\":\""); at != std::string_view::npos; at = rest.find("\"id\":\"")) {
            rest.remove_prefix(at);
            const std::string text(rest.substr(0, rest.find('}')));
            found[member(text, "name")].insert(member(text, "id"));
            rest.remove_prefix(1);
        }
        cursor = member(page->body, "next_cursor");
    } while (!cursor.empty());
    return found;
}

}  // namespace einmal::test
