// Resources as clients see them (contract S1, K12, T6). Bodies are stored as canonical text, so whole members are
// copied as text and nothing is parsed.
#include "base/assert.hpp"
#include "base/time.hpp"

#include <algorithm>
#include <einmal/engine.hpp>
#include <einmal/json.hpp>

namespace einmal {
namespace {

/// Just behind the JSON string that begins at `text[from]`, or the end of the text.
std::size_t end_of_string(std::string_view text, std::size_t from) {
    for (std::size_t i = from + 1; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == '"') {
            return i + 1;
        }
    }
    return text.size();
}

/// At the comma or the brace behind the member that begins at `text[from]`, or the end of the text.
std::size_t end_of_member(std::string_view text, std::size_t from) {
    int depth = 0;
    for (std::size_t i = from; i < text.size(); ++i) {
        switch (text[i]) {
            case '"':
                i = end_of_string(text, i) - 1;
                break;
            case '{':
            case '[':
                ++depth;
                break;
            case '}':
            case ']':
                if (depth == 0) {
                    return i;
                }
                --depth;
                break;
            case ',':
                if (depth == 0) {
                    return i;
                }
                break;
            default:
                break;
        }
    }
    return text.size();
}

/// Appends `,` and each member of `body` whose name, quoted as in the text, is not in `hidden`.
void append_visible(std::string_view body, const std::vector<std::string>& hidden, std::string& out) {
    std::size_t at = 1;
    while (at < body.size() && body[at] == '"') {
        const std::string_view name = body.substr(at, end_of_string(body, at) - at);
        const std::size_t end = end_of_member(body, at);
        if (std::find(hidden.begin(), hidden.end(), name) == hidden.end()) {
            out += ',';
            out.append(body, at, end - at);
        }
        at = end + 1;
    }
}

std::vector<std::string> hidden_names(const ResourceType& type, const Scopes& scopes) {
    std::vector<std::string> hidden;
    for (const auto& [member, scope] : type.scopes) {
        if (!scopes.allow(scope)) {
            json::write_string(member, hidden.emplace_back());
        }
    }
    return hidden;
}

void append_server_members(const Resource& resource, std::string& out) {
    out += ",\"revision\":";
    out += std::to_string(resource.revision.value);
    out += ",\"created_at\":\"";
    out += base::to_rfc3339(resource.created_at);
    out += "\",\"updated_at\":\"";
    out += base::to_rfc3339(resource.updated_at);
    out += '"';
}

}  // namespace

std::string represent(const ResourceType& type, const Resource& resource, const Scopes& scopes) {
    const bool readable = scopes.allow(type.name.text + ":read");
    std::string out;
    out.reserve(resource.body.size() + 160);
    out += readable && resource.deleted ? "{\"deleted\":true,\"id\":" : "{\"id\":";
    json::write_string(resource.id.text, out);
    if (!readable) {
        return out += '}';
    }
    if (resource.deleted) {
        return out += ",\"revision\":" + std::to_string(resource.revision.value) + "}";
    }
    append_server_members(resource, out);
    const std::vector<std::string> hidden = hidden_names(type, scopes);
    if (!hidden.empty()) {
        append_visible(resource.body, hidden, out);
        return out += '}';
    }
    EINMAL_ASSERT(resource.body.size() >= 2);
    if (resource.body.size() > 2) {
        out += ',';
        out.append(resource.body, 1, resource.body.size() - 2);
    }
    return out += '}';
}

}  // namespace einmal
