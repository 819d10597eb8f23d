// One resource: create, read, patch, replace, remove (contract T2). Bytes become a typed command in the order of R9;
// what the engine decided becomes an answer under the caller's scopes of now (contract K5, K12, K13).
#include "base/assert.hpp"
#include "http/headers.hpp"
#include "http/routes.hpp"

#include <boost/beast/http/field.hpp>

namespace einmal::http {
namespace {

namespace asio = boost::asio;
using boost::beast::http::field;
using boost::beast::http::verb;

constexpr std::string_view json_type = "application/json";
constexpr std::string_view patch_type = "application/merge-patch+json";

Verb verb_of(verb method) {
    switch (method) {
        case verb::patch:
            return Verb::patch;
        case verb::put:
            return Verb::replace;
        case verb::delete_:
            return Verb::remove;
        case verb::post:
            return Verb::create;
        default:
            // The router lets no other method through; `verb` is Beast's, with dozens of values.
            EINMAL_ASSERT(!"a write with a method that does not write");
    }
}

/// Key, preconditions and preference (contract R9: before the body, the scope and the engine).
std::optional<Problem> read_fields(const Request& request, Command& command) {
    const bool key_required = command.verb == Verb::create || command.verb == Verb::remove;
    auto key = read_key(request, key_required);
    if (!key) return key.error();
    command.key = std::move(*key);
    auto conditions = read_conditions(request);
    if (!conditions) return conditions.error();
    command.if_match = std::move(conditions->if_match);
    const auto& if_none_match = conditions->if_none_match;
    if (if_none_match && !if_none_match->any && command.verb != Verb::create)
        return Problem(ProblemCode::precondition_invalid,
                       "Only If-None-Match: * is understood here. To name the state to be changed, send If-Match.");
    command.if_none_match_any = if_none_match && command.verb != Verb::create;
    const auto wait = read_wait(request);
    if (!wait) return wait.error();
    command.wait = *wait;
    return std::nullopt;
}

Problem wrong_media_type(std::string_view wanted) {
    const bool patch = wanted == patch_type;
    return Problem(ProblemCode::unsupported_media_type, "Send the body as " + std::string(wanted) + ".")
        .with(patch ? field::accept_patch : field::accept, std::string(wanted));
}

/// The body of POST, PUT and PATCH. A DELETE has no body of its own, but whatever it carries is part of what was asked.
std::optional<Problem> read_body(const Request& request, Command& command) {
    auto media_type = read_media_type(request);
    if (!media_type) return media_type.error();
    command.identity.media_type = std::move(*media_type);
    if (auto refusal = refuse_content_coding(request)) return refusal;
    const bool remove = command.verb == Verb::remove;
    const auto wanted = command.verb == Verb::patch ? patch_type : json_type;
    if (remove && (request.body().empty() || command.identity.media_type != json_type)) {
        command.identity.opaque_body = request.body();
        return std::nullopt;
    }
    if (command.identity.media_type != wanted) return wrong_media_type(wanted);
    auto body = json::read(request.body());
    if (!body) return problem_of(body.error());
    if (remove)
        command.identity.opaque_body = json::to_text(*body);
    else
        command.body = std::move(*body);
    return std::nullopt;
}

OrProblem<Command> read_command(const Call& call) {
    if (auto refusal = refuse_parameters(call.target, {})) return std::move(*refusal);
    Command command;
    command.verb = verb_of(call.request().method());
    command.caller = call.exchange.caller;
    command.type = &call.type();
    command.target = ResourceId{call.match.first};
    const auto method = call.request().method_string();
    command.identity.method.assign(method.data(), method.size());
    command.identity.route = call.match.route->pattern;
    command.identity.path = "/v1/" + call.type().name.text;
    if (!command.target.text.empty()) command.identity.path += '/' + command.target.text;
    if (auto refusal = read_fields(call.request(), command)) return std::move(*refusal);
    if (auto refusal = read_body(call.request(), command)) return std::move(*refusal);
    if (auto refusal = refuse_without_scope(call.caller(), call.type().name.text + ":write"))
        return std::move(*refusal);
    if (command.verb == Verb::create && command.if_match)
        return Problem(ProblemCode::precondition_failed, "A resource that does not exist yet matches no If-Match.");
    return command;
}

/// 2xx, first answer and replay alike (contract K5, K12, K13).
Response success(const Call& call, const Decision& decision) {
    EINMAL_ASSERT(decision.resource.has_value());
    const auto& resource = *decision.resource;
    auto response = private_json({});
    response.result(static_cast<unsigned>(decision.status));
    if (decision.status == 204) {
        response.erase(field::content_type);
    } else {
        response.body() = represent(call.type(), resource, call.caller().scopes);
        if (!resource.deleted) response.set(field::etag, entity_tag(resource.revision));
    }
    if (decision.status == 201) response.set(field::location, "/v1/" + call.type().name.text + '/' + resource.id.text);
    const auto produced = decision.record ? decision.record->revision : resource.revision;
    response.set("Einmal-Result-Revision", entity_tag(produced));
    if (decision.record) response.set("Idempotency-Expires", to_http_date(decision.record->expires_at));
    if (decision.outcome == Outcome::replayed) response.set("Idempotent-Replayed", "true");
    return response;
}

Problem precondition_failed(Answer answer) {
    EINMAL_ASSERT(answer.decision.resource.has_value());
    const auto revision = answer.decision.resource->revision;
    Problem problem(ProblemCode::precondition_failed, "The resource is not in the state that the precondition names.");
    problem.current_revision = revision;
    problem.changed = std::move(answer.changed);
    return std::move(problem).with(field::etag, entity_tag(revision));
}

Problem conflict(const Call& call, const UniqueConflict& conflict) {
    Problem problem(ProblemCode::conflict, "Another resource has this value of " + conflict.member + ".");
    problem.member = conflict.member;
    const auto scope = call.type().scopes.find(conflict.member);
    const bool visible = scope == call.type().scopes.end() || call.caller().scopes.allow(scope->second);
    if (visible && call.caller().scopes.allow(call.type().name.text + ":read")) problem.other_id = conflict.owner.text;
    return problem;
}

Problem with_errors(ProblemCode code, std::string detail, std::vector<FieldError> errors) {
    Problem problem(code, std::move(detail));
    problem.errors = std::move(errors);
    return problem;
}

Problem not_found() { return {ProblemCode::not_found, "There is no such resource."}; }

/// The one place where outcomes become HTTP.
Reply reply_of(const Call& call, Answer answer) {
    auto& decision = answer.decision;
    switch (decision.outcome) {
        case Outcome::executed:
        case Outcome::replayed:
            return success(call, decision);
        case Outcome::in_progress:
            return Problem(ProblemCode::idempotency_in_progress, "An earlier attempt with this key is still running.")
                .with(field::retry_after, "1");
        case Outcome::payload_mismatch:
            return Problem(ProblemCode::idempotency_payload_mismatch,
                           "This key was used for a request with other content or another path.");
        case Outcome::not_found:
            return not_found();
        case Outcome::precondition_failed:
            return precondition_failed(std::move(answer));
        case Outcome::precondition_required:
            return Problem(ProblemCode::precondition_required, "Send the ETag of the state you have seen as If-Match.");
        case Outcome::invalid:
            return with_errors(ProblemCode::validation_failed, "The resource would break the rules of its type.",
                               std::move(decision.errors));
        case Outcome::read_only_member:
            return with_errors(ProblemCode::read_only_member, "A member that only the server sets would change.",
                               std::move(decision.errors));
        case Outcome::conflict:
            EINMAL_ASSERT(decision.conflict.has_value());
            return conflict(call, *decision.conflict);
        case Outcome::unreadable:
            return problem_of(Error{Errc::corrupt, "a stored resource cannot be read"});
    }
    EINMAL_ASSERT(!"an outcome that is none");
}

}  // namespace

asio::awaitable<Reply> write_resource(Call& call) {
    auto command = read_command(call);
    if (!command) co_return command.error();
    auto answer = co_await call.services.engine.execute(std::move(*command));
    if (!answer) co_return problem_of(answer.error());
    call.services.metrics.count_outcome(answer->decision.outcome);
    const auto waited = answer->waited;
    auto reply = reply_of(call, std::move(*answer));
    if (!waited) co_return reply;
    auto applied = "wait=" + std::to_string(waited->count());
    if (!reply) co_return reply.error().with(field::preference_applied, std::move(applied));
    reply->set(field::preference_applied, applied);
    co_return reply;
}

asio::awaitable<Reply> read_resource(Call& call) {
    if (auto refusal = refuse_parameters(call.target, {})) co_return std::move(*refusal);
    auto conditions = read_conditions(call.request());
    if (!conditions) co_return conditions.error();
    if (auto refusal = refuse_without_scope(call.caller(), call.type().name.text + ":read"))
        co_return std::move(*refusal);
    // Named first: g++ 12 destroys an aggregate twice that is made within a co_await expression.
    const ResourceId id{call.match.first};
    auto found = co_await call.services.engine.get(call.caller().asker, call.type(), id);
    if (!found) co_return problem_of(found.error());
    if (!*found) co_return not_found();
    co_return conditional_answer(call, *conditions, **found);
}

}  // namespace einmal::http
