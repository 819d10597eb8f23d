#include "engine/catalog_file.hpp"

#include "engine/schema.hpp"

#include <algorithm>
#include <einmal/scopes.hpp>
#include <map>
#include <utility>

namespace einmal::engine {
namespace {

using Names = std::set<std::string, std::less<>>;

/// More states than a person looks through; each is a copy of the resource.
constexpr std::int64_t max_keep_revisions = 10'000;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

bool is_type_name(std::string_view name) {
    return !name.empty() && name.size() <= 64 && is_lower(name.front()) &&
           std::all_of(name.begin(), name.end(),
                       [](char c) { return is_lower(c) || (c >= '0' && c <= '9') || c == '_'; });
}

/// Names whose paths under `/v1` are, or will be, served by something else (contract K14, O2, O3).
bool is_reserved(std::string_view name) {
    return name == "idempotency" || name == "events" || name == "webhook_endpoints";
}

bool is_id_prefix(std::string_view prefix) {
    return prefix.size() >= 3 && prefix.size() <= 7 && prefix.back() == '_' &&
           std::all_of(prefix.begin(), prefix.end() - 1, is_lower);
}

/// Members that every representation has beside the type's own (contract P4, T6).
constexpr std::string_view server_members[] = {"id", "revision", "created_at", "updated_at"};
/// Parameters that every list has beside the indexed members (contract T2).
constexpr std::string_view list_parameters[] = {"limit", "cursor", "updated_since"};

template <class List>
bool contains(const List& list, std::string_view name) {
    return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

std::string in_quotes(std::string_view name) { return "\"" + std::string(name) + "\""; }

/// Fills a ResourceType from one document. The first fault wins; what comes after it changes nothing any more.
class Reader {
 public:
    Reader(std::string file, ResourceType type) : file_(std::move(file)), type_(std::move(type)) {}

    Result<ResourceType> run(json::Value document) {
        json::Object* root = document.if_object();
        if (root == nullptr) {
            return type_file_error(file_, "", "must be a JSON object that declares a type");
        }
        const json::Value* found = root->find("x-einmal");
        const json::Value keywords = found == nullptr ? json::Value() : *found;
        root->erase("x-einmal");
        if (!compile(document)) {
            return *error_;
        }
        type_.schema_document = std::move(document);
        check_root(*type_.schema_document.if_object());
        read_keywords(keywords);
        check_members();
        if (error_) {
            return *error_;
        }
        return std::move(type_);
    }

 private:
    using Handler = void (*)(Reader&, const json::Value&, const std::string& at);
    static const std::map<std::string_view, Handler>& handlers();

    void fail(std::string_view at, std::string_view detail) {
        if (!error_) {
            error_ = type_file_error(file_, at, detail);
        }
    }

    static std::string below(std::string_view at, std::string_view name) {
        std::string pointer(at);
        json::append_pointer(pointer, name);
        return pointer;
    }

    bool compile(const json::Value& document) {
        auto schema = Schema::compile(document);
        if (!schema) {
            fail(schema.error().pointer, schema.error().detail);
            return false;
        }
        type_.schema = std::make_shared<const Schema>(std::move(*schema));
        return true;
    }

    void check_root(const json::Object& root);
    void read_keywords(const json::Value& keywords);
    void check_members();

    bool declared(std::string_view name, const std::string& at);
    Names members(const json::Value& value, const std::string& at);
    Names scalar_members(const json::Value& value, const std::string& at);
    void indexed(const json::Value& value, const std::string& at);
    void initial(const json::Value& value, const std::string& at);
    void references(const json::Value& value, const std::string& at);
    void scopes(const json::Value& value, const std::string& at);
    void id_prefix(const json::Value& value, const std::string& at);
    void require_if_match(const json::Value& value, const std::string& at);
    void keep_revisions(const json::Value& value, const std::string& at);
    std::map<std::string, std::string, std::less<>> texts_by_member(const json::Value& value, const std::string& at);

    std::string file_;
    ResourceType type_;
    std::optional<Error> error_;
};

const std::map<std::string_view, Reader::Handler>& Reader::handlers() {
    using R = Reader;
    using V = json::Value;
    using S = std::string;
    static const std::map<std::string_view, Handler> table{
        {"id_prefix", [](R& r, const V& v, const S& at) { r.id_prefix(v, at); }},
        {"read_only", [](R& r, const V& v, const S& at) { r.type_.read_only = r.members(v, at); }},
        {"initial", [](R& r, const V& v, const S& at) { r.initial(v, at); }},
        {"unique", [](R& r, const V& v, const S& at) { r.type_.unique = r.scalar_members(v, at); }},
        {"indexed", [](R& r, const V& v, const S& at) { r.indexed(v, at); }},
        {"references", [](R& r, const V& v, const S& at) { r.references(v, at); }},
        {"scopes", [](R& r, const V& v, const S& at) { r.scopes(v, at); }},
        {"require_if_match", [](R& r, const V& v, const S& at) { r.require_if_match(v, at); }},
        {"keep_revisions", [](R& r, const V& v, const S& at) { r.keep_revisions(v, at); }},
    };
    return table;
}

void Reader::check_root(const json::Object& root) {
    const json::Value* kind = root.find("type");
    if (kind == nullptr || !(*kind == json::Value("object"))) {
        fail("/type", "must be \"object\", because a resource is one");
    }
    const json::Value* properties = root.find("properties");
    if (properties == nullptr) {
        return fail("/properties", "is missing; declare the members of the type there");
    }
    for (const std::string_view name : server_members) {
        if (properties->if_object()->find(name) != nullptr) {
            fail(below("/properties", name), "belongs to the server, which adds it to every resource; remove it");
        }
    }
}

void Reader::read_keywords(const json::Value& keywords) {
    const json::Object* object = keywords.if_object();
    if (object == nullptr || object->find("id_prefix") == nullptr) {
        return fail("/x-einmal",
                    "must be an object with at least \"id_prefix\", for example {\"id_prefix\": \"inv_\"}");
    }
    for (const json::Member& keyword : *object) {
        const std::string at = below("/x-einmal", keyword.name);
        const auto handler = handlers().find(keyword.name);
        if (handler == handlers().end()) {
            fail(at, "is no keyword of Einmal; correct or remove it");
            continue;
        }
        handler->second(*this, keyword.value, at);
    }
}

/// What concerns several keywords at once, when all have been read.
void Reader::check_members() {
    for (const json::Member& member : type_.initial) {
        const std::string at = below("/x-einmal/initial", member.name);
        if (!type_.read_only.contains(member.name)) {
            fail(at, "is not in \"read_only\"; the server sets no member that belongs to the client");
        } else if (!type_.schema->accepts(member.name, member.value)) {
            fail(at, "is not valid by the schema of the member; correct one of them");
        }
    }
    const json::Value* required = type_.schema_document.if_object()->find("required");
    if (required == nullptr) {
        return;
    }
    for (const json::Value& name : *required->if_array()) {
        const std::string& member = *name.if_string();
        if (type_.read_only.contains(member) && type_.initial.find(member) == nullptr) {
            fail("/required",
                 "names " + in_quotes(member) + ", which clients cannot set; give it a value in \"initial\"");
        }
    }
}

bool Reader::declared(std::string_view name, const std::string& at) {
    const json::Value* properties = type_.schema_document.if_object()->find("properties");
    if (properties == nullptr || properties->if_object()->find(name) == nullptr) {
        fail(at, "names " + in_quotes(name) + ", which is not in \"properties\"; declare it there or remove it here");
        return false;
    }
    return true;
}

Names Reader::members(const json::Value& value, const std::string& at) {
    Names names;
    const json::Array* list = value.if_array();
    if (list == nullptr) {
        fail(at, "must be a list of member names");
        return names;
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
        const std::string name_at = below(at, std::to_string(i));
        const std::string* name = (*list)[i].if_string();
        if (name == nullptr) {
            fail(name_at, "must be the name of a member");
        } else if (declared(*name, name_at) && !names.insert(*name).second) {
            fail(name_at, "stands in the list twice; remove one");
        }
    }
    return names;
}

/// Unique and indexed members are found by their value, so it must be one simple value.
Names Reader::scalar_members(const json::Value& value, const std::string& at) {
    Names names = members(value, at);
    for (const std::string& name : names) {
        if (!type_.schema->scalar(name)) {
            fail(at, "names " + in_quotes(name) +
                         ", whose \"type\" must be exactly one of string, integer, number and boolean for that");
        }
    }
    return names;
}

void Reader::indexed(const json::Value& value, const std::string& at) {
    type_.indexed = scalar_members(value, at);
    for (const std::string_view parameter : list_parameters) {
        if (type_.indexed.contains(parameter)) {
            fail(at,
                 "names " + in_quotes(parameter) + ", which already is a parameter of every list; rename the member");
        }
    }
}

void Reader::initial(const json::Value& value, const std::string& at) {
    const json::Object* values = value.if_object();
    if (values == nullptr) {
        return fail(at, "must be an object with the first values of read-only members");
    }
    for (const json::Member& member : *values) {
        if (!declared(member.name, below(at, member.name))) {
            return;
        }
    }
    type_.initial = *values;
}

std::map<std::string, std::string, std::less<>> Reader::texts_by_member(const json::Value& value,
                                                                        const std::string& at) {
    std::map<std::string, std::string, std::less<>> texts;
    const json::Object* members = value.if_object();
    if (members == nullptr) {
        fail(at, "must be an object with member names and strings");
        return texts;
    }
    for (const json::Member& member : *members) {
        const std::string member_at = below(at, member.name);
        const std::string* text = member.value.if_string();
        if (text == nullptr) {
            fail(member_at, "must be a string");
        } else if (declared(member.name, member_at)) {
            texts.emplace(member.name, *text);
        }
    }
    return texts;
}

void Reader::references(const json::Value& value, const std::string& at) {
    for (auto& [member, type] : texts_by_member(value, at)) {
        if (type_.schema->scalar(member) != Schema::Scalar::string) {
            fail(below(at, member), "is a member whose \"type\" must be exactly \"string\" to hold an id");
        }
        type_.references.emplace(member, TypeName{type});
    }
}

void Reader::scopes(const json::Value& value, const std::string& at) {
    for (auto& [member, scope] : texts_by_member(value, at)) {
        if (scope == "*" || scope.find(' ') != std::string::npos || !scope.ends_with(":read") ||
            !Scopes::parse(scope)) {
            fail(below(at, member), "must be one scope to read, for example \"" + type_.name.text + ".private:read\"");
        }
        type_.scopes.emplace(member, scope);
    }
}

void Reader::id_prefix(const json::Value& value, const std::string& at) {
    const std::string* prefix = value.if_string();
    if (prefix == nullptr || !is_id_prefix(*prefix)) {
        return fail(at, "must be two to six letters a-z and an underscore, for example \"inv_\"");
    }
    type_.id_prefix = *prefix;
}

void Reader::require_if_match(const json::Value& value, const std::string& at) {
    const bool* flag = value.if_bool();
    if (flag == nullptr) {
        return fail(at, "must be true or false");
    }
    type_.require_if_match = *flag;
}

void Reader::keep_revisions(const json::Value& value, const std::string& at) {
    const std::int64_t* count = value.if_int64();
    if (count == nullptr || *count < 0 || *count > max_keep_revisions) {
        return fail(at, "must be a whole number from 0 to " + std::to_string(max_keep_revisions));
    }
    type_.keep_revisions = static_cast<std::uint32_t>(*count);
}

}  // namespace

Error type_file_error(const std::string& file, std::string_view pointer, std::string_view detail) {
    const std::string place = pointer.empty() ? "the declaration" : "\"" + std::string(pointer) + "\"";
    return {Errc::configuration, file + ": " + place + " " + std::string(detail)};
}

Result<ResourceType> read_type(const std::string& file, const std::string& name, std::string_view text) {
    if (!is_type_name(name)) {
        return Error{Errc::configuration, file +
                                              ": the file's name is the type's name in paths, so it must be letters "
                                              "a-z, digits and underscores, at most 64, beginning with a letter"};
    }
    if (is_reserved(name)) {
        return Error{Errc::configuration,
                     file + ": the name \"" + name + "\" belongs to Einmal; choose another name for the type"};
    }
    auto document = json::read(text);
    if (!document) {
        const json::ReadError& error = document.error();
        return Error{Errc::configuration, file + ":" + std::to_string(error.line) + ":" + std::to_string(error.column) +
                                              ": is no JSON that Einmal reads: " + error.detail};
    }
    ResourceType type;
    type.name.text = name;
    return Reader(file, std::move(type)).run(std::move(*document));
}

}  // namespace einmal::engine
