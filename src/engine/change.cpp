#include "engine/change.hpp"

#include "base/assert.hpp"
#include "base/digest.hpp"
#include "base/time.hpp"
#include "engine/key.hpp"
#include "engine/patch.hpp"

#include <array>

namespace einmal::engine {
namespace {

using Candidate = Operation::Candidate;

Candidate refused(Outcome outcome, std::vector<FieldError> errors) {
    Candidate candidate;
    candidate.outcome = outcome;
    candidate.errors = std::move(errors);
    return candidate;
}

std::string pointer_to(std::string_view member) {
    std::string pointer;
    json::append_pointer(pointer, member);
    return pointer;
}

/// The members that the server keeps beside the body, as a representation shows them (contract P4).
std::array<json::Member, 4> server_members(const Resource& resource) {
    return {json::Member{"id", resource.id.text}, json::Member{"revision", json::Value(resource.revision.value)},
            json::Member{"created_at", base::to_rfc3339(resource.created_at)},
            json::Member{"updated_at", base::to_rfc3339(resource.updated_at)}};
}

bool same(const json::Value* a, const json::Value* b) {
    if (a == nullptr || b == nullptr) return a == b;
    return *a == *b;
}

FieldError read_only_error(std::string_view member) {
    return {pointer_to(member), "read_only",
            "Only the server sets this member; leave it out or send its current value."};
}

/// Contract P4: of `result`, which still holds the server's members, each must be as it was. Takes them out.
std::vector<FieldError> take_out_server_members(json::Object& result, const Resource& current) {
    std::vector<FieldError> errors;
    for (const auto& member : server_members(current)) {
        if (!same(result.find(member.name), &member.value)) errors.push_back(read_only_error(member.name));
        result.erase(member.name);
    }
    return errors;
}

/// Contract P4 for the members that the type declares read-only.
void check_read_only(const ResourceType& type, const json::Object& before, const json::Object& result,
                     std::vector<FieldError>& errors) {
    for (const auto& member : type.read_only)
        if (!same(before.find(member), result.find(member))) errors.push_back(read_only_error(member));
}

FieldError not_an_object() { return {"", "type", "The body must be a JSON object."}; }

/// Validates the finished members and writes their canonical text (contract P3, P8).
Candidate finish(const Operation& operation, json::Value body) {
    if (count_values(body) > operation.values_max)
        return refused(Outcome::invalid, {{"", "too_many_values", "The resource would hold too many values."}});
    if (auto errors = operation.type->validate(body); !errors.empty())
        return refused(Outcome::invalid, std::move(errors));
    Candidate candidate;
    candidate.text = json::to_text(body);
    if (candidate.text.size() > operation.resource_max)
        return refused(Outcome::invalid, {{"", "too_large", "The resource would be larger than a body may be."}});
    candidate.body = std::move(body);
    return candidate;
}

void add_index_change(const ResourceType& type, base::Hmac& hmac, const json::Object* before, const json::Object* after,
                      Writes& writes) {
    const auto differences = [&](const auto& names, std::vector<ValueDigest>& add, std::vector<ValueDigest>& remove) {
        for (const auto& name : names) {
            const auto* was = before != nullptr ? before->find(name) : nullptr;
            const auto* is = after != nullptr ? after->find(name) : nullptr;
            if (same(was, is)) continue;
            if (was != nullptr) remove.push_back(value_digest(hmac, type.name.text, name, *was));
            if (is != nullptr) add.push_back(value_digest(hmac, type.name.text, name, *is));
        }
    };
    differences(type.indexed, writes.index_add, writes.index_remove);
    differences(type.unique, writes.unique_add, writes.unique_remove);
}

const json::Object& members(const json::Value& value) {
    EINMAL_ASSERT(value.is_object());
    return *value.if_object();
}

}  // namespace

std::optional<json::Value> stored_body(const Resource& resource) {
    auto body = json::read(resource.body);
    if (!body || !body->is_object()) return std::nullopt;
    return std::move(*body);
}

Operation::Candidate prepare_create(const Operation& operation, base::Hmac& hmac) {
    if (!operation.body.is_object()) return refused(Outcome::invalid, {not_an_object()});
    auto body = without_nulls(operation.body);
    auto& result = *body.if_object();
    std::vector<FieldError> errors;
    for (const auto* name : {"created_at", "id", "revision", "updated_at"})
        if (result.find(name) != nullptr) errors.push_back(read_only_error(name));
    const auto& initial = operation.type->initial;
    for (const auto& member : operation.type->read_only) {
        const auto* sent = result.find(member);
        if (sent != nullptr && !same(sent, initial.find(member))) errors.push_back(read_only_error(member));
    }
    if (!errors.empty()) return refused(Outcome::read_only_member, std::move(errors));
    for (const auto& [name, value] : initial) result.set(name, value);
    auto candidate = finish(operation, std::move(body));
    if (candidate.outcome == Outcome::executed)
        add_index_change(*operation.type, hmac, nullptr, candidate.body.if_object(), candidate.index);
    return candidate;
}

Operation::Candidate patched(const Operation& operation, const Resource& current, const json::Value& before) {
    if (!operation.body.is_object()) return refused(Outcome::invalid, {not_an_object()});
    auto full = before;
    for (auto& member : server_members(current)) full.if_object()->set(member.name, std::move(member.value));
    auto body = merge_patch(std::move(full), operation.body);
    auto errors = take_out_server_members(*body.if_object(), current);
    check_read_only(*operation.type, members(before), members(body), errors);
    if (!errors.empty()) return refused(Outcome::read_only_member, std::move(errors));
    return finish(operation, std::move(body));
}

Operation::Candidate replaced(const Operation& operation, const Resource& current, const json::Value& before) {
    if (!operation.body.is_object()) return refused(Outcome::invalid, {not_an_object()});
    auto body = without_nulls(operation.body);
    auto& result = *body.if_object();
    for (auto& member : server_members(current))
        if (result.find(member.name) == nullptr) result.set(member.name, std::move(member.value));
    const auto keep = [&](const std::string& name) {
        const auto* held = members(before).find(name);
        if (held != nullptr && result.find(name) == nullptr) result.set(name, *held);
    };
    for (const auto& name : operation.type->read_only) keep(name);
    for (const auto& name : operation.hidden) keep(name);
    auto errors = take_out_server_members(result, current);
    check_read_only(*operation.type, members(before), result, errors);
    if (!errors.empty()) return refused(Outcome::read_only_member, std::move(errors));
    return finish(operation, std::move(body));
}

void index_change(const Operation& operation, const json::Object* before, const json::Object* after, Writes& writes) {
    const auto& type = *operation.type;
    if (type.indexed.empty() && type.unique.empty()) return;
    base::Hmac hmac(*operation.secret);
    add_index_change(type, hmac, before, after, writes);
}

}  // namespace einmal::engine
