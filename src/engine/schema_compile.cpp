// From a JSON Schema document to nodes that can be checked against. Everything doubtful is refused here, when the
// server starts, so that checking a request meets no surprise.
#include "engine/schema_node.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace einmal::engine {
namespace {

/// Schemas that apply to the same value (`$ref`, `allOf`, `if` …) may be nested this deep. Together with the depth of a
/// JSON text (json::Limits) this bounds the stack that checking a value takes.
constexpr int max_nesting = 16;

class Compiler {
 public:
    boost::system::result<SchemaNodes, SchemaError> run(const json::Value& document) {
        compile(document, "");
        resolve_references();
        refuse_circles();
        if (error_) {
            return *error_;
        }
        return std::move(nodes_);
    }

 private:
    using Handler = void (*)(Compiler&, SchemaNode&, const json::Value&, const std::string& at);
    struct Reference {
        SchemaNode* from;
        std::string target;
        std::string at;
    };

    static const std::map<std::string_view, Handler>& handlers();

    /// Keeps the first fault; compiling goes on, because nothing depends on its success.
    void fail(const std::string& at, std::string detail) {
        if (!error_) {
            error_ = SchemaError{at, std::move(detail)};
        }
    }

    static std::string below(const std::string& at, std::string_view name) {
        std::string pointer = at;
        json::append_pointer(pointer, name);
        return pointer;
    }

    SchemaNode* compile(const json::Value& schema, const std::string& at);
    void check_companions(const json::Object& keywords, const std::string& at);
    void resolve_references();
    void refuse_circles();
    int nesting_of(const SchemaNode& node, int depth);

    // Each reads one keyword's value; a value of the wrong kind is a failure and yields something harmless.
    std::size_t count(const json::Value& value, const std::string& at);
    std::optional<json::Value> number(const json::Value& value, const std::string& at);
    std::string text(const json::Value& value, const std::string& at);
    bool flag(const json::Value& value, const std::string& at);
    std::vector<std::string> names(const json::Value& value, const std::string& at);
    std::vector<const SchemaNode*> schemas(const json::Value& value, const std::string& at);
    SchemaNode::Named<const SchemaNode*> named_schemas(const json::Value& value, const std::string& at);
    SchemaNode::Named<std::vector<std::string>> named_names(const json::Value& value, const std::string& at);
    TypeSet types(const json::Value& value, const std::string& at);
    unsigned type_bit(const json::Value& value, const std::string& at);
    std::unique_ptr<re2::RE2> pattern(std::string_view expression, const std::string& at);
    void divisor(SchemaNode& node, const json::Value& value, const std::string& at);
    void format(SchemaNode& node, const json::Value& value, const std::string& at);
    void reference(SchemaNode& node, const json::Value& value, const std::string& at);
    void pattern_properties(SchemaNode& node, const json::Value& value, const std::string& at);

    SchemaNodes nodes_;
    std::map<std::string, SchemaNode*> by_pointer_;
    std::vector<Reference> references_;
    std::map<const SchemaNode*, int> nesting_;
    std::optional<SchemaError> error_;
};

const std::map<std::string_view, Compiler::Handler>& Compiler::handlers() {
    using C = Compiler;
    using N = SchemaNode;
    using V = json::Value;
    using S = std::string;
    static const std::map<std::string_view, Handler> table{
        {"type", [](C& c, N& n, const V& v, const S& at) { n.types = c.types(v, at); }},
        {"enum",
         [](C& c, N& n, const V& v, const S& at) {
             if (v.if_array() == nullptr || v.if_array()->empty()) {
                 return c.fail(at, "must be a list of at least one value");
             }
             n.enumeration = *v.if_array();
         }},
        {"const", [](C&, N& n, const V& v, const S&) { n.constant = v; }},

        {"minimum", [](C& c, N& n, const V& v, const S& at) { n.minimum = c.number(v, at); }},
        {"maximum", [](C& c, N& n, const V& v, const S& at) { n.maximum = c.number(v, at); }},
        {"exclusiveMinimum", [](C& c, N& n, const V& v, const S& at) { n.exclusive_minimum = c.number(v, at); }},
        {"exclusiveMaximum", [](C& c, N& n, const V& v, const S& at) { n.exclusive_maximum = c.number(v, at); }},
        {"multipleOf", [](C& c, N& n, const V& v, const S& at) { c.divisor(n, v, at); }},

        {"minLength", [](C& c, N& n, const V& v, const S& at) { n.min_length = c.count(v, at); }},
        {"maxLength", [](C& c, N& n, const V& v, const S& at) { n.max_length = c.count(v, at); }},
        {"pattern", [](C& c, N& n, const V& v, const S& at) { n.pattern = c.pattern(c.text(v, at), at); }},
        {"format", [](C& c, N& n, const V& v, const S& at) { c.format(n, v, at); }},

        {"minItems", [](C& c, N& n, const V& v, const S& at) { n.min_items = c.count(v, at); }},
        {"maxItems", [](C& c, N& n, const V& v, const S& at) { n.max_items = c.count(v, at); }},
        {"uniqueItems", [](C& c, N& n, const V& v, const S& at) { n.unique_items = c.flag(v, at); }},
        {"prefixItems", [](C& c, N& n, const V& v, const S& at) { n.prefix_items = c.schemas(v, at); }},
        {"items", [](C& c, N& n, const V& v, const S& at) { n.items = c.compile(v, at); }},
        {"contains", [](C& c, N& n, const V& v, const S& at) { n.contains = c.compile(v, at); }},
        {"minContains", [](C& c, N& n, const V& v, const S& at) { n.min_contains = c.count(v, at); }},
        {"maxContains", [](C& c, N& n, const V& v, const S& at) { n.max_contains = c.count(v, at); }},

        {"minProperties", [](C& c, N& n, const V& v, const S& at) { n.min_properties = c.count(v, at); }},
        {"maxProperties", [](C& c, N& n, const V& v, const S& at) { n.max_properties = c.count(v, at); }},
        {"required", [](C& c, N& n, const V& v, const S& at) { n.required = c.names(v, at); }},
        {"properties", [](C& c, N& n, const V& v, const S& at) { n.properties = c.named_schemas(v, at); }},
        {"patternProperties", [](C& c, N& n, const V& v, const S& at) { c.pattern_properties(n, v, at); }},
        {"additionalProperties",
         [](C& c, N& n, const V& v, const S& at) { n.additional_properties = c.compile(v, at); }},
        {"propertyNames", [](C& c, N& n, const V& v, const S& at) { n.property_names = c.compile(v, at); }},
        {"dependentRequired", [](C& c, N& n, const V& v, const S& at) { n.dependent_required = c.named_names(v, at); }},
        {"dependentSchemas", [](C& c, N& n, const V& v, const S& at) { n.dependent_schemas = c.named_schemas(v, at); }},

        {"$ref", [](C& c, N& n, const V& v, const S& at) { c.reference(n, v, at); }},
        {"$defs", [](C& c, N&, const V& v, const S& at) { c.named_schemas(v, at); }},
        {"allOf", [](C& c, N& n, const V& v, const S& at) { n.all_of = c.schemas(v, at); }},
        {"anyOf", [](C& c, N& n, const V& v, const S& at) { n.any_of = c.schemas(v, at); }},
        {"oneOf", [](C& c, N& n, const V& v, const S& at) { n.one_of = c.schemas(v, at); }},
        {"not", [](C& c, N& n, const V& v, const S& at) { n.negated = c.compile(v, at); }},
        {"if", [](C& c, N& n, const V& v, const S& at) { n.condition = c.compile(v, at); }},
        {"then", [](C& c, N& n, const V& v, const S& at) { n.consequence = c.compile(v, at); }},
        {"else", [](C& c, N& n, const V& v, const S& at) { n.alternative = c.compile(v, at); }},

        {"title", [](C& c, N&, const V& v, const S& at) { c.text(v, at); }},
        {"description", [](C& c, N&, const V& v, const S& at) { c.text(v, at); }},
        {"$comment", [](C& c, N&, const V& v, const S& at) { c.text(v, at); }},
        {"deprecated", [](C& c, N&, const V& v, const S& at) { c.flag(v, at); }},
        {"examples",
         [](C& c, N&, const V& v, const S& at) {
             if (!v.is_array()) {
                 c.fail(at, "must be a list");
             }
         }},
        {"$schema",
         [](C& c, N&, const V& v, const S& at) {
             if (at != "/$schema") {
                 c.fail(at, "may only stand at the top of the file");
             } else if (c.text(v, at) != "https://json-schema.org/draft/2020-12/schema") {
                 c.fail(at, "must be \"https://json-schema.org/draft/2020-12/schema\", the draft that Einmal checks");
             }
         }},
        {"$id",
         [](C& c, N&, const V& v, const S& at) {
             if (at != "/$id") {
                 c.fail(at, "may only stand at the top of the file");
             }
             c.text(v, at);
         }},
    };
    return table;
}

/// What to write instead of a keyword that Einmal does not check.
std::string advice_for(std::string_view keyword) {
    static const std::map<std::string_view, std::string_view> table{
        {"definitions", "write \"$defs\""},
        {"dependencies", "write \"dependentRequired\" or \"dependentSchemas\""},
        {"additionalItems", "write \"prefixItems\" with \"items\""},
        {"unevaluatedProperties", "write \"additionalProperties\""},
        {"unevaluatedItems", "write \"items\""},
        {"default", "Einmal fills in no values, what was sent is what is kept"},
        {"readOnly", "name the member in \"read_only\" of \"x-einmal\""},
        {"x-einmal", "it may only stand at the top of the file"},
    };
    const auto found = table.find(keyword);
    return std::string(found != table.end() ? found->second
                                            : "correct or remove it, because Einmal ignores no keyword silently");
}

SchemaNode* Compiler::compile(const json::Value& schema, const std::string& at) {
    SchemaNode& node = *nodes_.emplace_back(std::make_unique<SchemaNode>());
    node.pointer = at;
    by_pointer_.emplace(at, &node);
    if (const bool* always = schema.if_bool()) {
        node.never = !*always;
        return &node;
    }
    const json::Object* keywords = schema.if_object();
    if (keywords == nullptr) {
        fail(at, "must be a schema, that is an object, true or false");
        return &node;
    }
    for (const json::Member& keyword : *keywords) {
        const std::string keyword_at = below(at, keyword.name);
        const auto handler = handlers().find(keyword.name);
        if (handler == handlers().end()) {
            fail(keyword_at, "is a keyword that Einmal does not check; " + advice_for(keyword.name));
            continue;
        }
        handler->second(*this, node, keyword.value, keyword_at);
    }
    check_companions(*keywords, at);
    return &node;
}

void Compiler::check_companions(const json::Object& keywords, const std::string& at) {
    static constexpr std::pair<std::string_view, std::string_view> companions[] = {
        {"then", "if"}, {"else", "if"}, {"minContains", "contains"}, {"maxContains", "contains"}};
    for (const auto& [keyword, companion] : companions) {
        if (keywords.find(keyword) != nullptr && keywords.find(companion) == nullptr) {
            fail(below(at, keyword),
                 "has no effect without \"" + std::string(companion) + "\"; add that or remove this");
        }
    }
}

void Compiler::resolve_references() {
    for (const Reference& reference : references_) {
        const auto target = by_pointer_.find(reference.target);
        if (target == by_pointer_.end()) {
            fail(reference.at, "points to no schema of this file; write \"#\" and the JSON Pointer of one");
            continue;
        }
        reference.from->ref = target->second;
    }
}

void Compiler::refuse_circles() {
    for (const auto& node : nodes_) {
        nesting_of(*node, 1);
    }
}

/// How many schemas are nested that apply to one value, beginning with `node`. A circle is an endless nesting.
int Compiler::nesting_of(const SchemaNode& node, int depth) {
    if (error_) {
        return 0;
    }
    if (const auto known = nesting_.find(&node); known != nesting_.end()) {
        return known->second;
    }
    int inner = 0;
    if (depth <= max_nesting) {
        const auto visit = [&](const SchemaNode* next) {
            inner = next == nullptr ? inner : std::max(inner, nesting_of(*next, depth + 1));
        };
        for (const SchemaNode* next : {node.ref, node.negated, node.condition, node.consequence, node.alternative}) {
            visit(next);
        }
        for (const auto* list : {&node.all_of, &node.any_of, &node.one_of}) {
            std::for_each(list->begin(), list->end(), visit);
        }
        for (const auto& [name, next] : node.dependent_schemas) {
            visit(next);
        }
    }
    if (depth > max_nesting || inner >= max_nesting) {
        fail(node.pointer, "refers to itself for the same value, or nests references and combinations more than " +
                               std::to_string(max_nesting) + " deep; make it simpler");
        return 0;
    }
    return nesting_.emplace(&node, inner + 1).first->second;
}

std::size_t Compiler::count(const json::Value& value, const std::string& at) {
    const std::int64_t* number = value.if_int64();
    if (number == nullptr || *number < 0) {
        fail(at, "must be a whole number from 0");
        return 0;
    }
    return static_cast<std::size_t>(*number);
}

std::optional<json::Value> Compiler::number(const json::Value& value, const std::string& at) {
    if (!is_number(value)) {
        fail(at, "must be a number");
        return std::nullopt;
    }
    return value;
}

std::string Compiler::text(const json::Value& value, const std::string& at) {
    const std::string* text = value.if_string();
    if (text == nullptr) {
        fail(at, "must be a string");
        return {};
    }
    return *text;
}

bool Compiler::flag(const json::Value& value, const std::string& at) {
    const bool* flag = value.if_bool();
    if (flag == nullptr) {
        fail(at, "must be true or false");
        return false;
    }
    return *flag;
}

std::vector<std::string> Compiler::names(const json::Value& value, const std::string& at) {
    const json::Array* list = value.if_array();
    if (list == nullptr) {
        fail(at, "must be a list of names");
        return {};
    }
    std::set<std::string> names;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const std::string name_at = below(at, std::to_string(i));
        if (!names.insert(text((*list)[i], name_at)).second) {
            fail(name_at, "stands in the list twice; remove one");
        }
    }
    return {names.begin(), names.end()};
}

std::vector<const SchemaNode*> Compiler::schemas(const json::Value& value, const std::string& at) {
    const json::Array* list = value.if_array();
    if (list == nullptr || list->empty()) {
        fail(at, "must be a list of at least one schema");
        return {};
    }
    std::vector<const SchemaNode*> schemas;
    schemas.reserve(list->size());
    for (std::size_t i = 0; i < list->size(); ++i) {
        schemas.push_back(compile((*list)[i], below(at, std::to_string(i))));
    }
    return schemas;
}

SchemaNode::Named<const SchemaNode*> Compiler::named_schemas(const json::Value& value, const std::string& at) {
    const json::Object* members = value.if_object();
    if (members == nullptr) {
        fail(at, "must be an object whose members are schemas");
        return {};
    }
    SchemaNode::Named<const SchemaNode*> schemas;
    for (const json::Member& member : *members) {
        schemas.emplace_back(member.name, compile(member.value, below(at, member.name)));
    }
    return schemas;
}

SchemaNode::Named<std::vector<std::string>> Compiler::named_names(const json::Value& value, const std::string& at) {
    const json::Object* members = value.if_object();
    if (members == nullptr) {
        fail(at, "must be an object whose members are lists of names");
        return {};
    }
    SchemaNode::Named<std::vector<std::string>> lists;
    for (const json::Member& member : *members) {
        lists.emplace_back(member.name, names(member.value, below(at, member.name)));
    }
    return lists;
}

unsigned Compiler::type_bit(const json::Value& value, const std::string& at) {
    static const std::map<std::string_view, unsigned> words{
        {"null", TypeSet::null},     {"boolean", TypeSet::boolean}, {"integer", TypeSet::integer},
        {"number", TypeSet::number}, {"string", TypeSet::string},   {"array", TypeSet::array},
        {"object", TypeSet::object}};
    const std::string* word = value.if_string();
    const auto found = word == nullptr ? words.end() : words.find(*word);
    if (found == words.end()) {
        fail(at, "must be one of array, boolean, integer, null, number, object, string");
        return 0;
    }
    return found->second;
}

TypeSet Compiler::types(const json::Value& value, const std::string& at) {
    const json::Array* list = value.if_array();
    if (list == nullptr) {
        return {type_bit(value, at)};
    }
    TypeSet types{0};
    for (std::size_t i = 0; i < list->size(); ++i) {
        types.bits |= type_bit((*list)[i], below(at, std::to_string(i)));
    }
    if (list->empty()) {
        fail(at, "must name at least one type");
    }
    return types;
}

/// RE2 matches in time linear in the text and with a bounded stack, so no request can stall or crash the server with a
/// long text (contract P8); what it cannot do for that reason (look-around, back references) is refused here.
std::unique_ptr<re2::RE2> Compiler::pattern(std::string_view expression, const std::string& at) {
    re2::RE2::Options options;
    options.set_log_errors(false);
    auto compiled = std::make_unique<re2::RE2>(re2::StringPiece(expression.data(), expression.size()), options);
    if (!compiled->ok()) {
        fail(at, "is no regular expression that RE2 can match (" + compiled->error() + ")");
        return nullptr;
    }
    return compiled;
}

void Compiler::divisor(SchemaNode& node, const json::Value& value, const std::string& at) {
    if (!is_number(value) || compare_numbers(value, json::Value(0)) <= 0) {
        return fail(at, "must be a number above 0");
    }
    const Decimal divisor = to_decimal(value);
    if (divisor.digits > max_divisor_digits) {
        return fail(at, "has more than 17 digits; use a shorter number");
    }
    node.multiple_of = value;
    node.divisor = divisor;
}

void Compiler::format(SchemaNode& node, const json::Value& value, const std::string& at) {
    node.format = parse_format(text(value, at));
    if (!node.format) {
        fail(at, "is a format that Einmal does not check; it checks " + std::string(known_formats()));
    }
}

void Compiler::reference(SchemaNode& node, const json::Value& value, const std::string& at) {
    const std::string target = text(value, at);
    if (!target.starts_with('#')) {
        return fail(at, "points outside of this file; copy the schema into \"$defs\" and write \"#/$defs/…\"");
    }
    references_.push_back({&node, target.substr(1), at});
}

void Compiler::pattern_properties(SchemaNode& node, const json::Value& value, const std::string& at) {
    for (auto& [expression, schema] : named_schemas(value, at)) {
        node.pattern_properties.emplace_back(pattern(expression, below(at, expression)), schema);
    }
}

}  // namespace

boost::system::result<SchemaNodes, SchemaError> compile_schema(const json::Value& document) {
    return Compiler().run(document);
}

}  // namespace einmal::engine
