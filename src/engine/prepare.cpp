#include "engine/prepare.hpp"

#include "base/assert.hpp"
#include "engine/fingerprint.hpp"
#include "engine/id.hpp"
#include "engine/key.hpp"

namespace einmal::engine {
namespace {

/// Of the references the type declares, those the request names.
void add_references(Operation& operation, const Catalog& catalog, const json::Object& body) {
    for (const auto& [member, type_name] : operation.type->references) {
        const auto* value = body.find(member);
        if (value == nullptr || value->if_string() == nullptr) continue;
        const auto* type = catalog.find(type_name.text);
        EINMAL_ASSERT(type != nullptr);
        Reference reference{member, ResourceId{*value->if_string()}, false};
        reference.plausible = reference.id.text.starts_with(type->id_prefix);
        operation.reads.references.push_back(reference.id);
        operation.references.push_back(std::move(reference));
    }
}

/// Of the unique members the type declares, the values the request would take.
void add_uniques(Operation& operation, base::Hmac& hmac, const json::Object& body) {
    for (const auto& member : operation.type->unique) {
        const auto* value = body.find(member);
        if (value == nullptr || value->is_null()) continue;
        operation.uniques.push_back({member, value_digest(hmac, operation.type->name.text, member, *value)});
        operation.reads.uniques.push_back(operation.uniques.back().digest);
    }
}

/// Whoever may not see a member cannot have meant to remove it by leaving it out of a PUT.
std::vector<std::string> hidden_members(const ResourceType& type, const Scopes& scopes) {
    std::vector<std::string> hidden;
    for (const auto& [member, scope] : type.scopes)
        if (!scopes.allow(scope)) hidden.push_back(member);
    return hidden;
}

}  // namespace

Operation prepare(Command command, Sources sources) {
    EINMAL_ASSERT(command.type != nullptr && command.caller != nullptr);
    Operation operation;
    operation.verb = command.verb;
    operation.type = command.type;
    operation.reads.asker = command.caller->asker;
    if (command.key) {
        operation.reads.key = key_digest(sources.hmac, {command.caller->asker.account, command.key->text,
                                                        command.identity.method, command.identity.route});
        operation.fingerprint =
            fingerprint(sources.hmac, command.identity, command.verb == Verb::remove ? nullptr : &command.body);
    }
    operation.if_match = std::move(command.if_match);
    operation.if_none_match_any = command.if_none_match_any;
    operation.event_id = new_id("evt_", sources.clock.now(), sources.entropy);
    operation.retention = sources.options.retention;
    operation.resource_max = sources.options.resource_max;
    operation.values_max = sources.options.values_max;
    operation.secret = &sources.secret;
    if (const auto* body = command.body.if_object()) {
        add_references(operation, sources.catalog, *body);
        add_uniques(operation, sources.hmac, *body);
    }
    operation.body = std::move(command.body);
    if (command.verb == Verb::create) {
        operation.fresh_id = ResourceId{new_id(operation.type->id_prefix, sources.clock.now(), sources.entropy)};
        operation.candidate = prepare_create(operation, sources.hmac);
    } else {
        operation.reads.target = std::move(command.target);
        operation.hidden = hidden_members(*operation.type, command.caller->scopes);
    }
    return operation;
}

}  // namespace einmal::engine
