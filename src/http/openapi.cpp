#include "http/openapi.hpp"

#include "base/assert.hpp"
#include "http/openapi_value.hpp"
#include "http/problem_catalog.hpp"

#include <algorithm>
#include <boost/beast/http/verb.hpp>
#include <map>

namespace einmal::http {
namespace {

using boost::beast::http::verb;
using json::Array;
using json::Object;
using json::Value;
using enum ProblemCode;

/// What one operation is made of, before it becomes JSON.
struct Operation {
    std::string id;
    std::string summary;
    std::vector<const char*> parameters;  ///< names among the components
    std::vector<ProblemCode> problems;
    std::string body_type;  ///< media type of the request's body; empty for none
    std::string body_schema;
    int status = 200;
    std::string answer_type;    ///< media type of the answer's body; empty for none
    std::string answer_schema;  ///< name among the components, or empty
    std::vector<const char*> answer_headers;
};

void add(std::vector<ProblemCode>& problems, std::initializer_list<ProblemCode> more) {
    for (const ProblemCode code : more) problems.push_back(code);
}

/// Of every route that needs a token.
void add_caller_problems(Operation& operation) {
    add(operation.problems, {request_malformed, unauthorized, forbidden, unknown_parameter, rate_limited, unavailable});
}

Operation read_operation(const Route& route) {
    const auto& name = route.type->name.text;
    Operation operation;
    operation.answer_type = "application/json";
    add_caller_problems(operation);
    add(operation.problems, {precondition_invalid});
    if (route.kind == RouteKind::collection || route.kind == RouteKind::revisions) {
        operation.parameters = {"limit", "cursor"};
        operation.answer_schema = name + ".page";
        add(operation.problems, {parameter_invalid});
    } else {
        operation.parameters = {"if_match", "if_none_match"};
        operation.answer_schema = name + ".representation";
        operation.answer_headers = {"ETag"};
        add(operation.problems, {precondition_failed});
    }
    if (route.kind == RouteKind::collection) {
        operation.id = name + "_list";
        operation.summary = "A page of " + name;
        operation.parameters.push_back("updated_since");
        return operation;
    }
    add(operation.problems, {not_found});
    operation.parameters.push_back("id");
    if (route.kind == RouteKind::item) {
        operation.id = name + "_read";
        operation.summary = "One of " + name;
    } else if (route.kind == RouteKind::revisions) {
        operation.id = name + "_revisions";
        operation.summary = "The kept states of one of " + name + ", newest first";
    } else {
        operation.id = name + "_revision";
        operation.summary = "One kept state of one of " + name;
        operation.parameters.push_back("revision");
    }
    return operation;
}

/// Of every write that names its resource.
void add_target(Operation& operation) {
    operation.parameters.push_back("id");
    operation.parameters.push_back("if_match");
    add(operation.problems, {not_found, precondition_failed, precondition_required});
}

void add_body(Operation& operation, const char* media_type, std::string schema) {
    operation.body_type = media_type;
    operation.body_schema = std::move(schema);
    add(operation.problems,
        {json_invalid, number_not_exact, validation_failed, read_only_member, conflict, body_too_large});
}

Operation write_operation(const Route& route, verb method) {
    const auto& name = route.type->name.text;
    Operation operation;
    add_caller_problems(operation);
    add(operation.problems, {idempotency_key_invalid, idempotency_in_progress, idempotency_payload_mismatch,
                             precondition_invalid, unsupported_media_type, outcome_unknown});
    operation.answer_headers = {"Einmal-Result-Revision", "Idempotent-Replayed", "Idempotency-Expires",
                                "Preference-Applied"};
    const bool key_required = method == verb::post || method == verb::delete_;
    operation.parameters = {key_required ? "key_required" : "key", "prefer"};
    if (key_required) add(operation.problems, {idempotency_key_required});
    if (method != verb::delete_) {
        operation.answer_type = "application/json";
        operation.answer_schema = name + ".representation";
        operation.answer_headers.push_back("ETag");
    }
    if (method == verb::post) {
        operation.id = name + "_create";
        operation.summary = "Makes one of " + name;
        operation.status = 201;
        operation.answer_headers.push_back("Location");
        add_body(operation, "application/json", name);
        return operation;
    }
    add_target(operation);
    if (method == verb::patch) {
        operation.id = name + "_patch";
        operation.summary = "Changes parts of one of " + name;
        add_body(operation, "application/merge-patch+json", name + ".patch");
    } else if (method == verb::put) {
        operation.id = name + "_replace";
        operation.summary = "Replaces one of " + name;
        operation.parameters.push_back("if_none_match");
        add_body(operation, "application/json", name);
    } else {
        operation.id = name + "_delete";
        operation.summary = "Deletes one of " + name + "; its id is never used again";
        operation.status = 204;
    }
    return operation;
}

Operation plain_operation(std::string id, std::string summary, std::string answer_type) {
    Operation operation;
    operation.id = std::move(id);
    operation.summary = std::move(summary);
    operation.answer_type = std::move(answer_type);
    return operation;
}

Operation look_up_operation() {
    auto operation = plain_operation("idempotency_look_up", "What became of a key", "application/json");
    operation.parameters = {"path_key", "method", "route"};
    operation.answer_schema = "key_status";
    add_caller_problems(operation);
    add(operation.problems, {parameter_invalid, idempotency_key_invalid, idempotency_key_unknown});
    return operation;
}

Operation operation_of(const Route& route, verb method) {
    switch (route.kind) {
        case RouteKind::livez:
            return plain_operation("livez", "Whether the server runs", "application/json");
        case RouteKind::readyz: {
            auto operation = plain_operation("readyz", "Whether its storage can be reached", "application/json");
            add(operation.problems, {unavailable});
            return operation;
        }
        case RouteKind::metrics:
            return plain_operation("metrics", "What the server counts, for Prometheus", "text/plain");
        case RouteKind::problem_index:
            return plain_operation("problems", "All problems, for people to read", "text/html");
        case RouteKind::problem_page: {
            auto operation = plain_operation("problem", "One problem, for people to read", "text/html");
            operation.parameters = {"code"};
            return operation;
        }
        case RouteKind::openapi:
            return plain_operation("openapi", "This description", "application/json");
        case RouteKind::idempotency:
            return look_up_operation();
        case RouteKind::collection:
        case RouteKind::item:
        case RouteKind::revisions:
        case RouteKind::revision:
            return method == verb::get || method == verb::head ? read_operation(route) : write_operation(route, method);
        case RouteKind::server:
        case RouteKind::unknown:
            break;
    }
    EINMAL_ASSERT(!"a route that is not described");
}

Value content(const std::string& media_type, const std::string& schema) {
    Object body;
    if (!schema.empty()) body.set("schema", reference("schemas", schema));
    Object by_type;
    by_type.set(media_type, std::move(body));
    return by_type;
}

Value header_references(const std::vector<const char*>& names) {
    Object headers;
    for (const auto* name : names) headers.set(name, reference("headers", name));
    return headers;
}

/// All problems that share a status are one response.
void add_problems(Object& responses, const Operation& operation, bool with_body) {
    std::map<int, std::string> texts;
    for (const auto code : operation.problems) {
        const auto& entry = problem_entry(code);
        auto& text = texts[entry.status];
        if (!text.empty()) text += ' ';
        text += std::string(entry.name) + ": " + std::string(entry.title) + '.';
    }
    const auto add_one = [&](const std::string& key, const std::string& text) {
        Value response = object({{"description", text}, {"headers", header_references({"X-Request-Id"})}});
        auto& members = *response.if_object();
        if (with_body) members.set("content", content("application/problem+json", "problem"));
        if (key == "401") members.set("headers", header_references({"X-Request-Id", "WWW-Authenticate"}));
        if (key == "412") members.set("headers", header_references({"X-Request-Id", "ETag"}));
        if (key == "415") members.set("headers", header_references({"X-Request-Id", "Accept-Patch"}));
        if (key == "409" || key == "429" || key == "503")
            members.set("headers", header_references({"X-Request-Id", "Retry-After"}));
        responses.set(key, std::move(response));
    };
    for (const auto& [status, text] : texts) add_one(std::to_string(status), text);
    add_one("default", "Any other problem of the list at /problems/.");
}

Value responses_of(const Operation& operation, verb method) {
    const bool with_body = method != verb::head;
    Object responses;
    auto headers = operation.answer_headers;
    headers.push_back("X-Request-Id");
    Value success = object({{"description", "Done."}, {"headers", header_references(headers)}});
    if (with_body && !operation.answer_type.empty())
        success.if_object()->set("content", content(operation.answer_type, operation.answer_schema));
    responses.set(std::to_string(operation.status), std::move(success));
    const bool conditional = method == verb::get || method == verb::head;
    if (conditional && !operation.answer_headers.empty())
        responses.set("304", object({{"description", "The state is one that If-None-Match names."},
                                     {"headers", header_references({"ETag", "X-Request-Id"})}}));
    add_problems(responses, operation, with_body);
    return responses;
}

/// Filters by indexed members are parameters of their own (contract T2).
void add_filters(Array& parameters, const Route& route) {
    for (const auto& member : route.type->indexed) {
        parameters.push_back(object({{"name", member},
                                     {"in", "query"},
                                     {"required", false},
                                     {"schema", object({{"type", "string"}})},
                                     {"description", "Only those whose " + member + " has this value."}}));
    }
}

Value operation_value(const Route& route, verb method) {
    const auto operation = operation_of(route, method);
    const bool reads = method == verb::get || method == verb::head;
    Array parameters;
    for (const auto* name : operation.parameters) parameters.push_back(reference("parameters", name));
    if (route.kind == RouteKind::collection && reads) add_filters(parameters, route);
    Object value;
    value.set("operationId", method == verb::head ? operation.id + "_head" : operation.id);
    value.set("summary", operation.summary);
    value.set("tags", Array{route.type != nullptr ? route.type->name.text : std::string("server")});
    value.set("parameters", std::move(parameters));
    if (!operation.body_type.empty())
        value.set("requestBody",
                  object({{"required", true}, {"content", content(operation.body_type, operation.body_schema)}}));
    value.set("responses", responses_of(operation, method));
    if (!route.needs_token) value.set("security", Array{});
    if (route.type != nullptr) value.set("x-scope", route.type->name.text + (reads ? ":read" : ":write"));
    return value;
}

std::string lower_name(verb method) {
    const auto text = boost::beast::http::to_string(method);
    std::string name(text.data(), text.size());
    std::ranges::transform(name, name.begin(), [](char c) { return static_cast<char>(c - 'A' + 'a'); });
    return name;
}

}  // namespace

std::string openapi_document(const Router& router, const EngineOptions& options) {
    Object paths;
    for (const auto& route : router.routes()) {
        if (route.methods.empty()) continue;
        Object operations;
        for (const auto method : route.methods) operations.set(lower_name(method), operation_value(route, method));
        paths.set(route.pattern, std::move(operations));
    }
    const auto info = object({{"title", "Einmal"},
                              {"version", "1"},
                              {"description",
                               "An API whose writes are safe to repeat (Idempotency-Key) and never "
                               "silently overwritten (ETag, If-Match)."}});
    return json::to_text(object({{"openapi", "3.1.0"},
                                 {"info", info},
                                 {"paths", std::move(paths)},
                                 {"security", Array{object({{"token", Array{}}})}},
                                 {"components", openapi_components(router, options)}}));
}

}  // namespace einmal::http
