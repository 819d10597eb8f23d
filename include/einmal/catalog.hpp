// Resource types, from files: one JSON Schema per type plus the `x-einmal` keywords (contract T1). docs/types.md
// explains the file format. Immutable after loading, so all functions are thread-safe.
#pragma once

#include <einmal/decision.hpp>
#include <einmal/json.hpp>
#include <einmal/result.hpp>
#include <einmal/types.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace einmal {

class Schema;  // engine/schema.hpp: the JSON Schema, compiled once

/// One resource type. Members named here are top-level members of the resource.
struct ResourceType {
    TypeName name;                                            ///< `contacts`
    std::string id_prefix;                                    ///< `con_`
    std::set<std::string, std::less<>> read_only;             ///< set by the server only (contract P4)
    json::Object initial;                                     ///< read-only members a new resource starts with
    std::set<std::string, std::less<>> unique;                ///< no two live resources of an account share a value
    std::set<std::string, std::less<>> indexed;               ///< can be asked for in lists (contract T2)
    std::map<std::string, TypeName, std::less<>> references;  ///< member → type whose id it holds
    std::map<std::string, std::string, std::less<>> scopes;  ///< member → scope to see it: `contacts.private:read` (S1)
    bool require_if_match = false;                           ///< contract R11
    std::uint32_t keep_revisions = 20;                       ///< contract R12
    json::Value schema_document;                             ///< the JSON Schema as declared, without `x-einmal`
    std::shared_ptr<const Schema> schema;

    /// What is wrong with a resource's members (without id, revision, created_at, updated_at); empty when valid.
    [[nodiscard]] std::vector<FieldError> validate(const json::Value& body) const;

    /// The value a list filter `member=text` asks for, typed by the schema; nothing when the text is no such value.
    [[nodiscard]] std::optional<json::Value> filter_value(std::string_view member, std::string_view text) const;
};

class Catalog {
 public:
    /// The built-in types, overlaid with the `*.json` files of `directory` when it is not empty. Fails with
    /// Errc::configuration: file, line or pointer, and what is wrong.
    [[nodiscard]] static Result<Catalog> load(const std::filesystem::path& directory);

    /// Null when there is no such type. Lives as long as the catalog.
    [[nodiscard]] const ResourceType* find(std::string_view name) const;
    [[nodiscard]] const std::map<std::string, ResourceType, std::less<>>& types() const { return types_; }

 private:
    std::map<std::string, ResourceType, std::less<>> types_;
};

}  // namespace einmal
