// The value tree: members kept sorted by name, numbers kept in one form per value, so that equality is equality of the
// storage and the written form is canonical without further work (contract K4, P7).
#include <einmal/json.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "base/assert.hpp"

namespace einmal::json {
namespace {

template <class Members>
auto lower_bound(Members& members, std::string_view name) {
    return std::lower_bound(members.begin(), members.end(), name,
                            [](const Member& member, std::string_view wanted) { return member.name < wanted; });
}

bool strictly_sorted(const std::vector<Member>& members) {
    return std::adjacent_find(members.begin(), members.end(),
                              [](const Member& a, const Member& b) { return a.name >= b.name; }) == members.end();
}

Value::Storage normalised(double value) {
    EINMAL_ASSERT(std::isfinite(value));
    if (value != std::trunc(value)) return value;
    if (value >= -0x1p63 && value < 0x1p63) return static_cast<std::int64_t>(value);
    if (value >= 0x1p63 && value < 0x1p64) return static_cast<std::uint64_t>(value);
    return value;
}

Value::Storage normalised(std::uint64_t value) {
    if (value <= static_cast<std::uint64_t>(INT64_MAX)) return static_cast<std::int64_t>(value);
    return value;
}

}  // namespace

Object::Object() = default;
Object::Object(const Object&) = default;
Object::Object(Object&&) noexcept = default;
Object& Object::operator=(const Object&) = default;
Object& Object::operator=(Object&&) noexcept = default;
Object::~Object() = default;
bool Object::operator==(const Object&) const = default;

const Value* Object::find(std::string_view name) const {
    const auto at = lower_bound(members_, name);
    return at != members_.end() && at->name == name ? &at->value : nullptr;
}

Value* Object::find(std::string_view name) {
    const auto at = lower_bound(members_, name);
    return at != members_.end() && at->name == name ? &at->value : nullptr;
}

Value& Object::set(std::string name, Value value) {
    const auto at = lower_bound(members_, name);
    if (at != members_.end() && at->name == name) {
        at->value = std::move(value);
        return at->value;
    }
    return members_.insert(at, Member{std::move(name), std::move(value)})->value;
}

bool Object::erase(std::string_view name) {
    const auto at = lower_bound(members_, name);
    if (at == members_.end() || at->name != name) return false;
    members_.erase(at);
    return true;
}

std::size_t Object::size() const { return members_.size(); }
bool Object::empty() const { return members_.empty(); }
std::vector<Member>::const_iterator Object::begin() const { return members_.begin(); }
std::vector<Member>::const_iterator Object::end() const { return members_.end(); }

std::optional<std::string> Object::assign_unsorted(std::vector<Member> members) {
    if (!strictly_sorted(members)) {
        std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return a.name < b.name; });
        const auto twin = std::adjacent_find(members.begin(), members.end(),
                                             [](const Member& a, const Member& b) { return a.name == b.name; });
        if (twin != members.end()) return std::move(twin->name);
    }
    members_ = std::move(members);
    return std::nullopt;
}

Value::Value() = default;
Value::Value(std::nullptr_t) {}
Value::Value(bool value) : storage_(value) {}
Value::Value(std::int64_t value) : storage_(value) {}
Value::Value(int value) : storage_(std::int64_t{value}) {}
Value::Value(std::uint64_t value) : storage_(normalised(value)) {}
Value::Value(double value) : storage_(normalised(value)) {}
Value::Value(std::string value) : storage_(std::move(value)) {}
Value::Value(std::string_view value) : storage_(std::string(value)) {}
Value::Value(const char* value) : storage_(std::string(value)) {}
Value::Value(Array value) : storage_(std::move(value)) {}
Value::Value(Object value) : storage_(std::move(value)) {}

bool Value::is_null() const { return std::holds_alternative<std::nullptr_t>(storage_); }
bool Value::is_object() const { return std::holds_alternative<Object>(storage_); }
bool Value::is_array() const { return std::holds_alternative<Array>(storage_); }
bool Value::is_string() const { return std::holds_alternative<std::string>(storage_); }
const Object* Value::if_object() const { return std::get_if<Object>(&storage_); }
Object* Value::if_object() { return std::get_if<Object>(&storage_); }
const Array* Value::if_array() const { return std::get_if<Array>(&storage_); }
Array* Value::if_array() { return std::get_if<Array>(&storage_); }
const std::string* Value::if_string() const { return std::get_if<std::string>(&storage_); }
const bool* Value::if_bool() const { return std::get_if<bool>(&storage_); }
const std::int64_t* Value::if_int64() const { return std::get_if<std::int64_t>(&storage_); }
bool Value::operator==(const Value&) const = default;

void throw_exception_from_error(const ReadError& error, const boost::source_location&) {
    throw std::logic_error("unchecked JSON error: " + error.detail);
}

void append_pointer(std::string& pointer, std::string_view name) {
    pointer += '/';
    for (const char c : name) {
        if (c == '~') {
            pointer += "~0";
        } else if (c == '/') {
            pointer += "~1";
        } else {
            pointer += c;
        }
    }
}

}  // namespace einmal::json
