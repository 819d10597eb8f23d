#include "engine/schema.hpp"

#include "base/assert.hpp"
#include "engine/schema_node.hpp"

#include <algorithm>

namespace einmal {
namespace {

const engine::SchemaNode* find_property(const engine::SchemaNode& root, std::string_view member) {
    const auto found =
        std::lower_bound(root.properties.begin(), root.properties.end(), member,
                         [](const auto& property, std::string_view name) { return property.first < name; });
    return found != root.properties.end() && found->first == member ? found->second : nullptr;
}

}  // namespace

Schema::Schema(std::vector<std::unique_ptr<engine::SchemaNode>> nodes) : nodes_(std::move(nodes)) {}
Schema::Schema(Schema&&) noexcept = default;
Schema& Schema::operator=(Schema&&) noexcept = default;
Schema::~Schema() = default;

boost::system::result<Schema, SchemaError> Schema::compile(const json::Value& document) {
    auto nodes = engine::compile_schema(document);
    if (!nodes) {
        return nodes.error();
    }
    return Schema(std::move(*nodes));
}

std::vector<FieldError> Schema::validate(const json::Value& value) const {
    std::vector<FieldError> errors;
    engine::check_schema(*nodes_.front(), value, errors);
    return errors;
}

std::optional<Schema::Scalar> Schema::scalar(std::string_view member) const {
    using engine::TypeSet;
    const engine::SchemaNode* node = find_property(*nodes_.front(), member);
    while (node != nullptr && node->types.bits == TypeSet{}.bits) {
        node = node->ref;
    }
    if (node == nullptr) {
        return std::nullopt;
    }
    switch (node->types.bits) {
        case TypeSet::boolean:
            return Scalar::boolean;
        case TypeSet::integer:
            return Scalar::integer;
        case TypeSet::number:
            return Scalar::number;
        case TypeSet::string:
            return Scalar::string;
        default:  // a set, not an enum: several kinds at once
            return std::nullopt;
    }
}

bool Schema::accepts(std::string_view member, const json::Value& value) const {
    const engine::SchemaNode* node = find_property(*nodes_.front(), member);
    EINMAL_ASSERT(node != nullptr);
    return engine::satisfies_schema(*node, value);
}

}  // namespace einmal
