// One JSON Schema in compiled form: its keywords, typed and checked. Internal to schema_*.cpp.
#pragma once

#include "engine/formats.hpp"
#include "engine/schema.hpp"
#include "engine/schema_number.hpp"

#include <einmal/json.hpp>

#include <re2/re2.h>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace einmal::engine {

/// The words of the keyword `type`, as bits.
struct TypeSet {
    static constexpr unsigned null = 1, boolean = 2, integer = 4, number = 8, string = 16, array = 32, object = 64;
    unsigned bits = null | boolean | number | string | array | object;
};

inline constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

struct SchemaNode {
    template <class T>
    using Named = std::vector<std::pair<std::string, T>>;  ///< in order of the names

    std::string pointer;  ///< where the schema stands in its document
    bool never = false;   ///< the schema `false`

    TypeSet types;
    std::optional<json::Array> enumeration;
    std::optional<json::Value> constant;

    std::optional<json::Value> minimum;
    std::optional<json::Value> maximum;
    std::optional<json::Value> exclusive_minimum;
    std::optional<json::Value> exclusive_maximum;
    std::optional<json::Value> multiple_of;
    Decimal divisor;  ///< of `multiple_of`

    std::size_t min_length = 0;
    std::size_t max_length = no_limit;
    std::unique_ptr<re2::RE2> pattern;
    std::optional<Format> format;

    std::size_t min_items = 0;
    std::size_t max_items = no_limit;
    bool unique_items = false;
    std::vector<const SchemaNode*> prefix_items;
    const SchemaNode* items = nullptr;
    const SchemaNode* contains = nullptr;
    std::size_t min_contains = 1;
    std::size_t max_contains = no_limit;

    std::size_t min_properties = 0;
    std::size_t max_properties = no_limit;
    std::vector<std::string> required;
    Named<const SchemaNode*> properties;
    std::vector<std::pair<std::unique_ptr<re2::RE2>, const SchemaNode*>> pattern_properties;
    const SchemaNode* additional_properties = nullptr;
    const SchemaNode* property_names = nullptr;
    Named<std::vector<std::string>> dependent_required;
    Named<const SchemaNode*> dependent_schemas;

    const SchemaNode* ref = nullptr;
    std::vector<const SchemaNode*> all_of;
    std::vector<const SchemaNode*> any_of;
    std::vector<const SchemaNode*> one_of;
    const SchemaNode* negated = nullptr;
    const SchemaNode* condition = nullptr;
    const SchemaNode* consequence = nullptr;  ///< `then`
    const SchemaNode* alternative = nullptr;  ///< `else`
};

using SchemaNodes = std::vector<std::unique_ptr<SchemaNode>>;

/// Schema::compile without its wrapping: the root first, all pointers within the list.
[[nodiscard]] boost::system::result<SchemaNodes, SchemaError> compile_schema(const json::Value& document);

/// Appends to `errors` what is wrong, at most up to Schema::max_errors in all.
void check_schema(const SchemaNode& root, const json::Value& value, std::vector<FieldError>& errors);

/// Whether the value is valid; stops at the first fault.
[[nodiscard]] bool satisfies_schema(const SchemaNode& root, const json::Value& value);

}  // namespace einmal::engine
