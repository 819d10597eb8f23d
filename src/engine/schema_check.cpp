// Checks a value against a compiled schema. The hot path of every write: it allocates nothing unless there is an error
// to report.
#include "engine/schema_node.hpp"

#include <algorithm>
#include <unordered_set>
#include <variant>

namespace einmal::engine {
namespace {

/// Where a value stands, as a chain on the stack; it becomes text only for an error.
struct Place {
    const Place* parent = nullptr;
    std::string_view name;
    std::size_t index = 0;
    bool in_array = false;

    [[nodiscard]] Place member(std::string_view member_name) const { return {this, member_name, 0, false}; }
    [[nodiscard]] Place item(std::size_t item_index) const { return {this, {}, item_index, true}; }

    void append_to(std::string& pointer) const {
        if (parent == nullptr) {
            return;
        }
        parent->append_to(pointer);
        json::append_pointer(pointer, in_array ? std::string_view{std::to_string(index)} : name);
    }
};

std::string counted(std::size_t count, std::string_view noun) {
    return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

unsigned type_bits_of(const json::Value& value) {
    struct Visitor {
        unsigned operator()(std::nullptr_t) const { return TypeSet::null; }
        unsigned operator()(bool) const { return TypeSet::boolean; }
        unsigned operator()(std::int64_t) const { return TypeSet::integer | TypeSet::number; }
        unsigned operator()(std::uint64_t) const { return TypeSet::integer | TypeSet::number; }
        unsigned operator()(double number) const {
            return is_integer(json::Value(number)) ? TypeSet::integer | TypeSet::number : TypeSet::number;
        }
        unsigned operator()(const std::string&) const { return TypeSet::string; }
        unsigned operator()(const json::Array&) const { return TypeSet::array; }
        unsigned operator()(const json::Object&) const { return TypeSet::object; }
    };
    return std::visit(Visitor{}, value.storage());
}

/// `a string`, `an integer or null`.
std::string describe(TypeSet types) {
    static constexpr std::pair<unsigned, std::string_view> words[] = {
        {TypeSet::object, "an object"}, {TypeSet::array, "a list"},       {TypeSet::string, "a string"},
        {TypeSet::number, "a number"},  {TypeSet::integer, "an integer"}, {TypeSet::boolean, "true or false"},
        {TypeSet::null, "null"},
    };
    std::string text;
    for (const auto& [bit, word] : words) {
        if ((types.bits & bit) != 0) {
            text.append(text.empty() ? "" : " or ").append(word);
        }
    }
    return text;
}

/// All allowed values when they make a short sentence; they are the type's, not the client's.
std::string describe(const json::Array& enumeration) {
    std::string text = "The value must be one of:";
    for (const json::Value& value : enumeration) {
        text.append(text.ends_with(':') ? " " : ", ").append(json::to_text(value));
        if (text.size() > 200) {
            return "The value must be one of those that the type lists.";
        }
    }
    return text + ".";
}

/// Code points: every byte but the continuation bytes of UTF-8.
std::size_t length_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool matches(const re2::RE2& pattern, std::string_view text) {
    return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), pattern);
}

class Checker {
 public:
    /// Without a list it only finds out whether the value is valid, and stops at the first fault.
    explicit Checker(std::vector<FieldError>* errors) : errors_(errors) {}

    bool check(const SchemaNode& node, const json::Value& value, const Place& place) {
        if (node.never) {
            return fail(place, "not_allowed", [] { return std::string("No value is allowed here."); });
        }
        if ((node.types.bits & type_bits_of(value)) == 0) {
            return fail(place, "type", [&] { return "The value must be " + describe(node.types) + "."; });
        }
        const bool valid = check_kind(node, value, place);
        if (!valid && enough()) {
            return false;
        }
        return check_fixed(node, value, place) && check_applied(node, value, place) && valid;
    }

 private:
    /// Always false. `detail` is only called when its sentence is wanted.
    template <class Detail>
    bool fail(const Place& place, std::string_view code, const Detail& detail) {
        if (errors_ != nullptr && errors_->size() < Schema::max_errors) {
            FieldError& error = errors_->emplace_back();
            place.append_to(error.pointer);
            error.code = code;
            error.detail = detail();
        }
        return false;
    }

    /// Whether nothing more can come of going on after a fault.
    [[nodiscard]] bool enough() const { return errors_ == nullptr || errors_->size() >= Schema::max_errors; }

    static bool satisfies(const SchemaNode& node, const json::Value& value) {
        return Checker(nullptr).check(node, value, {});
    }

    bool check_kind(const SchemaNode& node, const json::Value& value, const Place& place) {
        if (const std::string* text = value.if_string()) {
            return check_string(node, *text, place);
        }
        if (const json::Object* object = value.if_object()) {
            return check_object(node, *object, place);
        }
        if (const json::Array* array = value.if_array()) {
            return check_array(node, *array, place);
        }
        return !is_number(value) || check_number(node, value, place);
    }

    bool check_fixed(const SchemaNode& node, const json::Value& value, const Place& place);
    bool check_number(const SchemaNode& node, const json::Value& value, const Place& place);
    bool check_string(const SchemaNode& node, const std::string& text, const Place& place);
    bool check_array(const SchemaNode& node, const json::Array& array, const Place& place);
    bool check_items(const SchemaNode& node, const json::Array& array, const Place& place);
    bool check_contains(const SchemaNode& node, const json::Array& array, const Place& place);
    bool check_object(const SchemaNode& node, const json::Object& object, const Place& place);
    bool check_members(const SchemaNode& node, const json::Object& object, const Place& place);
    bool check_member(const SchemaNode& node, const SchemaNode* declared, const json::Member& member,
                      const Place& place);
    bool check_required(const SchemaNode& node, const json::Object& object, const Place& place);
    bool check_applied(const SchemaNode& node, const json::Value& value, const Place& place);
    bool check_choices(const SchemaNode& node, const json::Value& value, const Place& place);

    std::vector<FieldError>* errors_;
};

bool Checker::check_fixed(const SchemaNode& node, const json::Value& value, const Place& place) {
    if (node.enumeration &&
        std::find(node.enumeration->begin(), node.enumeration->end(), value) == node.enumeration->end()) {
        return fail(place, "enum", [&] { return describe(*node.enumeration); });
    }
    if (node.constant && !(*node.constant == value)) {
        return fail(place, "const", [&] { return describe(json::Array{*node.constant}); });
    }
    return true;
}

bool Checker::check_number(const SchemaNode& node, const json::Value& value, const Place& place) {
    const auto sentence = [](std::string_view must, const json::Value& limit) {
        return "The number must be " + std::string(must) + " " + json::to_text(limit) + ".";
    };
    if (node.minimum && compare_numbers(value, *node.minimum) < 0) {
        return fail(place, "minimum", [&] { return sentence("at least", *node.minimum); });
    }
    if (node.exclusive_minimum && compare_numbers(value, *node.exclusive_minimum) <= 0) {
        return fail(place, "minimum", [&] { return sentence("greater than", *node.exclusive_minimum); });
    }
    if (node.maximum && compare_numbers(value, *node.maximum) > 0) {
        return fail(place, "maximum", [&] { return sentence("at most", *node.maximum); });
    }
    if (node.exclusive_maximum && compare_numbers(value, *node.exclusive_maximum) >= 0) {
        return fail(place, "maximum", [&] { return sentence("less than", *node.exclusive_maximum); });
    }
    if (node.multiple_of && !is_multiple(value, node.divisor)) {
        return fail(place, "multiple_of", [&] { return sentence("a multiple of", *node.multiple_of); });
    }
    return true;
}

bool Checker::check_string(const SchemaNode& node, const std::string& text, const Place& place) {
    // A code point has one to four bytes, so most texts need no counting.
    const bool surely_long_enough = (text.size() + 3) / 4 >= node.min_length;
    const bool surely_short_enough = text.size() <= node.max_length;
    if (!surely_long_enough || !surely_short_enough) {
        const std::size_t length = length_of(text);
        if (length < node.min_length) {
            return fail(place, "min_length",
                        [&] { return "The text must have at least " + counted(node.min_length, "character") + "."; });
        }
        if (length > node.max_length) {
            return fail(place, "max_length",
                        [&] { return "The text must have at most " + counted(node.max_length, "character") + "."; });
        }
    }
    if (node.format && !has_format(*node.format, text)) {
        return fail(place, "format",
                    [&] { return "The value must be " + std::string(engine::describe(*node.format)) + "."; });
    }
    if (node.pattern != nullptr && !matches(*node.pattern, text)) {
        return fail(place, "pattern",
                    [&] { return "The text must match the pattern " + node.pattern->pattern() + "."; });
    }
    return true;
}

bool has_equal_items(const json::Array& array) {
    std::unordered_set<std::string> seen;
    return std::any_of(array.begin(), array.end(),
                       [&](const json::Value& item) { return !seen.insert(json::to_text(item)).second; });
}

bool Checker::check_array(const SchemaNode& node, const json::Array& array, const Place& place) {
    if (array.size() < node.min_items) {
        return fail(place, "min_items",
                    [&] { return "The list must have at least " + counted(node.min_items, "item") + "."; });
    }
    if (array.size() > node.max_items) {
        return fail(place, "max_items",
                    [&] { return "The list must have at most " + counted(node.max_items, "item") + "."; });
    }
    if (node.unique_items && has_equal_items(array)) {
        return fail(place, "unique_items", [] { return std::string("No two items of the list may be equal."); });
    }
    return check_items(node, array, place) && check_contains(node, array, place);
}

bool Checker::check_items(const SchemaNode& node, const json::Array& array, const Place& place) {
    bool valid = true;
    for (std::size_t i = 0; i < array.size(); ++i) {
        const SchemaNode* item = i < node.prefix_items.size() ? node.prefix_items[i] : node.items;
        if (item == nullptr) {
            break;
        }
        if (!check(*item, array[i], place.item(i))) {
            valid = false;
            if (enough()) {
                break;
            }
        }
    }
    return valid;
}

bool Checker::check_contains(const SchemaNode& node, const json::Array& array, const Place& place) {
    if (node.contains == nullptr) {
        return true;
    }
    const auto fitting = static_cast<std::size_t>(std::count_if(
        array.begin(), array.end(), [&](const json::Value& item) { return satisfies(*node.contains, item); }));
    if (fitting < node.min_contains) {
        return fail(place, "contains", [&] {
            return "The list must have at least " + counted(node.min_contains, "item") +
                   " of the kind the type asks for.";
        });
    }
    if (fitting > node.max_contains) {
        return fail(place, "contains", [&] {
            return "The list must have at most " + counted(node.max_contains, "item") + " of the kind the type limits.";
        });
    }
    return true;
}

bool Checker::check_object(const SchemaNode& node, const json::Object& object, const Place& place) {
    bool valid = check_required(node, object, place);
    if (object.size() < node.min_properties) {
        valid = fail(place, "min_properties",
                     [&] { return "The object must have at least " + counted(node.min_properties, "member") + "."; });
    }
    if (object.size() > node.max_properties) {
        valid = fail(place, "max_properties",
                     [&] { return "The object must have at most " + counted(node.max_properties, "member") + "."; });
    }
    if (!valid && enough()) {
        return false;
    }
    return check_members(node, object, place) && valid;
}

bool Checker::check_required(const SchemaNode& node, const json::Object& object, const Place& place) {
    bool valid = true;
    for (const std::string& name : node.required) {
        if (object.find(name) == nullptr) {
            valid = fail(place.member(name), "required", [] { return std::string("The member is required."); });
        }
    }
    for (const auto& [present, names] : node.dependent_required) {
        if (object.find(present) == nullptr) {
            continue;
        }
        for (const std::string& name : names) {
            if (object.find(name) == nullptr) {
                valid = fail(place.member(name), "required",
                             [&] { return "The member is required beside " + present + "."; });
            }
        }
    }
    return valid;
}

/// Both lists are in order of the names, so one walk along both finds each member's schema.
bool Checker::check_members(const SchemaNode& node, const json::Object& object, const Place& place) {
    bool valid = true;
    auto property = node.properties.begin();
    for (const json::Member& member : object) {
        while (property != node.properties.end() && property->first < member.name) {
            ++property;
        }
        const bool declared = property != node.properties.end() && property->first == member.name;
        if (!check_member(node, declared ? property->second : nullptr, member, place.member(member.name))) {
            valid = false;
            if (enough()) {
                break;
            }
        }
    }
    return valid;
}

bool Checker::check_member(const SchemaNode& node, const SchemaNode* declared, const json::Member& member,
                           const Place& place) {
    if (node.property_names != nullptr && !satisfies(*node.property_names, json::Value(member.name))) {
        return fail(place, "property_name", [] { return std::string("A member of this name is not allowed."); });
    }
    bool valid = declared == nullptr || check(*declared, member.value, place);
    bool known = declared != nullptr;
    for (const auto& [pattern, schema] : node.pattern_properties) {
        if (matches(*pattern, member.name)) {
            known = true;
            valid = check(*schema, member.value, place) && valid;
        }
    }
    if (known || node.additional_properties == nullptr) {
        return valid;
    }
    if (node.additional_properties->never) {
        return fail(place, "additional_property", [] { return std::string("There is no member of this name."); });
    }
    return check(*node.additional_properties, member.value, place);
}

/// The schemas that apply to the same value as the node itself.
bool Checker::check_applied(const SchemaNode& node, const json::Value& value, const Place& place) {
    bool valid = true;
    const auto apply = [&](const SchemaNode* schema) {
        if (schema != nullptr && (valid || !enough())) {
            valid = check(*schema, value, place) && valid;
        }
    };
    apply(node.ref);
    std::for_each(node.all_of.begin(), node.all_of.end(), apply);
    if (node.condition != nullptr) {
        apply(satisfies(*node.condition, value) ? node.consequence : node.alternative);
    }
    if (const json::Object* object = value.if_object()) {
        for (const auto& [name, schema] : node.dependent_schemas) {
            apply(object->find(name) == nullptr ? nullptr : schema);
        }
    }
    return check_choices(node, value, place) && valid;
}

bool Checker::check_choices(const SchemaNode& node, const json::Value& value, const Place& place) {
    const auto fits = [&](const SchemaNode* schema) { return satisfies(*schema, value); };
    if (!node.any_of.empty() && std::none_of(node.any_of.begin(), node.any_of.end(), fits)) {
        return fail(place, "any_of",
                    [] { return std::string("The value has none of the forms that the type allows here."); });
    }
    if (!node.one_of.empty() && std::count_if(node.one_of.begin(), node.one_of.end(), fits) != 1) {
        return fail(place, "one_of", [] {
            return std::string("The value must have exactly one of the forms that the type lists here.");
        });
    }
    if (node.negated != nullptr && fits(node.negated)) {
        return fail(place, "not", [] { return std::string("The value has a form that the type excludes here."); });
    }
    return true;
}

}  // namespace

void check_schema(const SchemaNode& root, const json::Value& value, std::vector<FieldError>& errors) {
    Checker(&errors).check(root, value, {});
}

bool satisfies_schema(const SchemaNode& root, const json::Value& value) {
    return Checker(nullptr).check(root, value, {});
}

}  // namespace einmal::engine
