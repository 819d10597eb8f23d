#include <einmal/scopes.hpp>

#include <algorithm>
#include <cstddef>

namespace einmal {
namespace {

bool is_name(std::string_view text) {
    return !text.empty() && text.front() >= 'a' && text.front() <= 'z' &&
           std::all_of(text.begin(), text.end(),
                       [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

/// `<name>:read`, `<name>:write`, or the same with `<name>.<name>`.
bool is_scope(std::string_view word) {
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos) {
        return false;
    }
    const std::string_view right = word.substr(colon + 1);
    if (right != "read" && right != "write") {
        return false;
    }
    const std::string_view subject = word.substr(0, colon);
    const std::size_t dot = subject.find('.');
    return is_name(subject.substr(0, dot)) && (dot == std::string_view::npos || is_name(subject.substr(dot + 1)));
}

}  // namespace

boost::system::result<Scopes, std::string> Scopes::parse(std::string_view text) {
    Scopes scopes;
    bool any = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (word.empty()) {
            continue;
        }
        any = true;
        if (word == "*") {
            scopes.all_ = true;
        } else if (is_scope(word)) {
            scopes.names_.emplace(word);
        } else {
            return "'" + std::string(word) + "' is no scope; a scope is '<type>:read', '<type>:write' or '*'";
        }
    }
    if (!any) {
        return std::string("no scope is named; a scope is '<type>:read', '<type>:write' or '*'");
    }
    return scopes;
}

bool Scopes::allow(std::string_view scope) const { return all_ || names_.find(scope) != names_.end(); }

}  // namespace einmal
