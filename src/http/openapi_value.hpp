// Short ways to write JSON in code, for the OpenAPI description only.
#pragma once

#include <einmal/json.hpp>

#include <initializer_list>
#include <string>
#include <utility>

namespace einmal::http {

[[nodiscard]] inline json::Value object(std::initializer_list<std::pair<const char*, json::Value>> members) {
    json::Object result;
    for (const auto& [name, value] : members) result.set(name, value);
    return result;
}

/// `{"$ref":"#/components/<kind>/<name>"}`
[[nodiscard]] inline json::Value reference(const std::string& kind, const std::string& name) {
    return object({{"$ref", "#/components/" + kind + '/' + name}});
}

}  // namespace einmal::http
