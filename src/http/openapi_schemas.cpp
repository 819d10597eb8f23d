#include "http/openapi.hpp"
#include "http/openapi_value.hpp"
#include "http/problem_catalog.hpp"

namespace einmal::http {
namespace {

using json::Array;
using json::Object;
using json::Value;

Value text_schema() { return object({{"type", "string"}}); }
Value time_schema() { return object({{"type", "string"}, {"format", "date-time"}}); }
Value count_schema() { return object({{"type", "integer"}, {"minimum", 0}}); }

Value read_only(Value schema) {
    if (auto* members = schema.if_object()) members->set("readOnly", true);
    return schema;
}

/// What the server adds to every representation (contract T6). They may be sent back unchanged (contract P4).
void add_server_members(Object& properties) {
    properties.set("id", read_only(text_schema()));
    properties.set("revision", read_only(object({{"type", "integer"}, {"minimum", 1}})));
    properties.set("created_at", read_only(time_schema()));
    properties.set("updated_at", read_only(time_schema()));
}

Object properties_of(const ResourceType& type) {
    Object properties;
    const auto* document = type.schema_document.if_object();
    const auto* declared = document != nullptr ? document->find("properties") : nullptr;
    if (declared != nullptr && declared->if_object() != nullptr) properties = *declared->if_object();
    for (const auto& member : type.read_only) {
        if (auto* schema = properties.find(member)) *schema = read_only(std::move(*schema));
    }
    for (const auto& [member, scope] : type.scopes) {
        if (auto* schema = properties.find(member); schema != nullptr && schema->if_object() != nullptr)
            schema->if_object()->set("x-scope", scope);
    }
    add_server_members(properties);
    return properties;
}

/// The body of POST and PUT: the declared schema, with the server's members marked. `variant` names this use of it.
Value input_schema(const ResourceType& type, const char* variant) {
    Value schema = type.schema_document;
    auto* members = schema.if_object();
    if (members == nullptr) return schema;
    // References within the file must not be looked for in this document, where the file is but a part.
    if (members->find("$defs") != nullptr) members->set("$id", "types/" + type.name.text + '/' + variant);
    members->set("properties", properties_of(type));
    return schema;
}

/// What goes out: any member may be missing under the caller's scopes, only `id` is always there (contract S1, K12).
Value representation_schema(const ResourceType& type) {
    auto schema = input_schema(type, "representation");
    auto* members = schema.if_object();
    if (members == nullptr) return schema;
    auto properties = properties_of(type);
    properties.set("deleted", read_only(object({{"const", true},
                                                {"description",
                                                 "Only in a replay, when the resource has been deleted "
                                                 "since; then only id and revision are there as well."}})));
    members->set("properties", std::move(properties));
    members->set("required", Array{"id"});
    return schema;
}

/// A merge patch: every member may be there, with any part of its value, or null to remove it (contract P2).
Value patch_schema(const ResourceType& type) {
    Object properties;
    for (const auto& member : properties_of(type)) properties.set(member.name, Object());
    Value schema = object({{"type", "object"},
                           {"description",
                            "A JSON Merge Patch (RFC 7396): a value sets, null removes, an array is "
                            "replaced as a whole, what is absent stays."},
                           {"properties", std::move(properties)}});
    const auto* document = type.schema_document.if_object();
    const auto* others = document != nullptr ? document->find("additionalProperties") : nullptr;
    if (others != nullptr && others->if_bool() != nullptr) schema.if_object()->set("additionalProperties", *others);
    return schema;
}

Value page_schema(const std::string& name) {
    return object(
        {{"type", "object"},
         {"required", Array{"data", "next_cursor"}},
         {"properties",
          object({{"data", object({{"type", "array"}, {"items", reference("schemas", name + ".representation")}})},
                  {"next_cursor", object({{"type", Array{"string", "null"}},
                                          {"description", "Send it as cursor to go on; null at the end."}})}})}});
}

Value problem_schema() {
    Array codes;
    for (const auto& entry : problem_catalog()) codes.emplace_back(entry.name);
    Array steps;
    for (const auto step : {NextStep::retry_same_key, NextStep::new_key, NextStep::fix_request,
                            NextStep::reread_and_merge, NextStep::give_up})
        steps.emplace_back(to_text(step));
    const auto error = object(
        {{"type", "object"},
         {"required", Array{"pointer", "code", "detail"}},
         {"properties", object({{"pointer", text_schema()}, {"code", text_schema()}, {"detail", text_schema()}})}});
    Value properties = object({{"type", object({{"type", "string"}, {"format", "uri-reference"}})},
                               {"title", text_schema()},
                               {"status", object({{"type", "integer"}})},
                               {"detail", text_schema()},
                               {"instance", object({{"type", "string"}, {"format", "uri-reference"}})},
                               {"code", object({{"enum", std::move(codes)}})},
                               {"retryable", object({{"type", "boolean"}})},
                               {"next", object({{"enum", std::move(steps)}})},
                               {"request_id", text_schema()},
                               {"errors", object({{"type", "array"}, {"items", error}})},
                               {"line", count_schema()},
                               {"column", count_schema()},
                               {"current_revision", count_schema()},
                               {"changed", object({{"type", "array"}, {"items", text_schema()}})},
                               {"member", text_schema()},
                               {"other_id", text_schema()}});
    return object(
        {{"type", "object"},
         {"description", "RFC 9457. The page at type says what happened, whether anything was done, and what to do."},
         {"required", Array{"type", "title", "status", "detail", "code", "retryable", "next", "request_id"}},
         {"properties", std::move(properties)}});
}

Value key_status_schema() {
    const auto resource = object(
        {{"type", "object"},
         {"required", Array{"type", "id", "revision"}},
         {"properties", object({{"type", text_schema()}, {"id", text_schema()}, {"revision", count_schema()}})}});
    return object({{"type", "object"},
                   {"required", Array{"key", "method", "route", "state", "resources", "replays"}},
                   {"properties", object({{"key", text_schema()},
                                          {"method", text_schema()},
                                          {"route", text_schema()},
                                          {"state", object({{"enum", Array{"in_progress", "completed", "unknown"}}})},
                                          {"status", count_schema()},
                                          {"resources", object({{"type", "array"}, {"items", resource}})},
                                          {"replays", count_schema()},
                                          {"created_at", time_schema()},
                                          {"completed_at", time_schema()},
                                          {"expires_at", time_schema()}})}});
}

Value schemas(const Router& router) {
    Object all;
    for (const auto& route : router.routes()) {
        if (route.kind != RouteKind::collection) continue;
        const auto& name = route.type->name.text;
        all.set(name, input_schema(*route.type, "input"));
        all.set(name + ".representation", representation_schema(*route.type));
        all.set(name + ".patch", patch_schema(*route.type));
        all.set(name + ".page", page_schema(name));
    }
    all.set("problem", problem_schema());
    all.set("key_status", key_status_schema());
    return all;
}

Value parameter(const char* name, const char* place, bool required, Value schema, std::string description) {
    return object({{"name", name},
                   {"in", place},
                   {"required", required},
                   {"schema", std::move(schema)},
                   {"description", std::move(description)}});
}

Value parameters(const EngineOptions& options) {
    const auto key = [] { return object({{"type", "string"}, {"minLength", 1}, {"maxLength", 255}}); };
    const auto hours = std::chrono::duration_cast<std::chrono::hours>(options.retention).count();
    const std::string key_text = "Names the operation; the same with every attempt. Remembered for " +
                                 std::to_string(hours) + " hours from completion.";
    return object({
        {"key_required", parameter("Idempotency-Key", "header", true, key(), key_text)},
        {"key", parameter("Idempotency-Key", "header", false, key(), key_text)},
        {"if_match",
         parameter("If-Match", "header", false, text_schema(), "ETags of which one must be current, or *.")},
        {"if_none_match", parameter("If-None-Match", "header", false, text_schema(), "ETags that are known already.")},
        {"prefer", parameter("Prefer", "header", false, text_schema(),
                             "wait=N: wait up to N seconds, at most " + std::to_string(options.wait_max.count()) +
                                 ", for an operation that is running under the key.")},
        {"id", parameter("id", "path", true, text_schema(), "The id of the resource.")},
        {"revision",
         parameter("revision", "path", true, object({{"type", "integer"}, {"minimum", 1}}), "Its revision.")},
        {"path_key", parameter("key", "path", true, key(), "The key, unquoted, percent-encoded.")},
        {"code", parameter("code", "path", true, text_schema(), "The code of a problem.")},
        {"limit", parameter("limit", "query", false,
                            object({{"type", "integer"}, {"minimum", 1}, {"maximum", 200}, {"default", 50}}),
                            "Entries per page.")},
        {"cursor", parameter("cursor", "query", false, text_schema(), "next_cursor of the page before.")},
        {"updated_since", parameter("updated_since", "query", false, time_schema(),
                                    "Only what was changed at this time or later, in order of change.")},
        {"method", parameter("method", "query", true, object({{"enum", Array{"POST", "PATCH", "PUT", "DELETE"}}}),
                             "The method the key was sent with.")},
        {"route",
         parameter("route", "query", true, text_schema(), "The route it was sent to, such as /v1/contacts/{id}.")},
    });
}

Value headers() {
    const auto header = [](const char* description) {
        return object({{"schema", text_schema()}, {"description", description}});
    };
    return object({
        {"ETag", header("The state of the resource: \"r\" and its revision, in quotes.")},
        {"Location", header("Where the resource is.")},
        {"Einmal-Result-Revision", header("The revision that the operation produced, as an ETag.")},
        {"Idempotent-Replayed", header("true when the answer is that of an operation done before.")},
        {"Idempotency-Expires", header("Until when the key answers repetitions, as an HTTP date.")},
        {"Preference-Applied", header("wait=N, when the request waited.")},
        {"Retry-After", header("After how many seconds to try again.")},
        {"WWW-Authenticate", header("Bearer")},
        {"Accept-Patch", header("The type a patch must have.")},
        {"X-Request-Id", header("The name of this request, as in the server's log.")},
    });
}

}  // namespace

Value openapi_components(const Router& router, const EngineOptions& options) {
    const auto bearer = object({{"type", "http"}, {"scheme", "bearer"}});
    return object({{"schemas", schemas(router)},
                   {"parameters", parameters(options)},
                   {"headers", headers()},
                   {"securitySchemes", object({{"token", bearer}})}});
}

}  // namespace einmal::http
