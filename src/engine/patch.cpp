#include "engine/patch.hpp"

namespace einmal::engine {

json::Value merge_patch(json::Value target, const json::Value& patch) {
    const auto* changes = patch.if_object();
    if (changes == nullptr) return patch;
    if (!target.is_object()) target = json::Object{};
    auto& members = *target.if_object();
    for (const auto& [name, change] : *changes) {
        if (change.is_null()) {
            members.erase(name);
            continue;
        }
        auto* current = members.find(name);
        if (current != nullptr) {
            *current = merge_patch(std::move(*current), change);
        } else {
            members.set(name, merge_patch(json::Value{}, change));
        }
    }
    return target;
}

json::Value without_nulls(const json::Value& body) { return merge_patch(json::Value{}, body); }

std::size_t count_values(const json::Value& value) {
    std::size_t count = 1;
    if (const auto* array = value.if_array()) {
        for (const auto& element : *array) count += count_values(element);
    } else if (const auto* object = value.if_object()) {
        for (const auto& member : *object) count += count_values(member.value);
    }
    return count;
}

}  // namespace einmal::engine
