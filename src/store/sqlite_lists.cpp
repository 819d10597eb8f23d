#include "store/sqlite_lists.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace einmal::store {
namespace {

using Source = std::function<std::optional<Resource>()>;

std::string select_resources(std::string_view rest) {
    return "SELECT " + std::string(resource_columns) + " " + std::string(rest);
}

auto position_of(const Resource& resource) { return std::tie(resource.updated_at, resource.id); }

bool by_id(const Resource& a, const Resource& b) { return a.id < b.id; }
bool by_update(const Resource& a, const Resource& b) { return position_of(a) < position_of(b); }

/// Two sources in one order as one.
Source merged(Source first, Source second, bool (*less)(const Resource&, const Resource&)) {
    auto a = first();
    auto b = second();
    return [first = std::move(first), second = std::move(second), less, a = std::move(a), b = std::move(b)]() mutable {
        const bool from_a = a && (!b || less(*a, *b));
        return from_a ? std::exchange(a, first()) : std::exchange(b, second());
    };
}

}  // namespace

// The indexes are named, because SQLite knows nothing of the data that would make its own choice a good one.
Lists::Lists(Connection& connection, TypeTable& types, ResourceFinder& resources)
    : types_(types),
      resources_(resources),
      changes_(connection),
      by_id_(connection, select_resources("FROM resources INDEXED BY resources_by_id WHERE account_id = ?1 AND "
                                          "deleted = 0 AND id > ?2 AND id < ?3 ORDER BY id")),
      by_update_(connection, select_resources("FROM resources INDEXED BY resources_by_update WHERE account_id = ?1 AND "
                                              "type_id = ?2 AND deleted = 0 AND (updated_at, id) > (?3, ?4) "
                                              "ORDER BY updated_at, id")),
      by_value_(connection, select_resources("FROM member_index CROSS JOIN resources INDEXED BY resources_by_id "
                                             "USING (account_id, id) WHERE account_id = ?1 AND digest = ?2 AND "
                                             "member_index.id > ?3 AND deleted = 0 ORDER BY member_index.id")),
      by_value_and_update_(
          connection, select_resources("FROM member_index CROSS JOIN resources INDEXED BY resources_by_id "
                                       "USING (account_id, id) WHERE account_id = ?1 AND digest = ?2 AND deleted = 0 "
                                       "AND (updated_at, resources.id) > (?3, ?4) ORDER BY updated_at, resources.id")),
      has_value_(connection, "SELECT 1 FROM member_index WHERE account_id = ?1 AND digest = ?2 AND id = ?3") {}

Page Lists::page(const ListQuery& query) {
    const auto type_id = types_.find(query.type);
    const auto ids = type_id ? types_.ids_of(*type_id) : std::nullopt;
    if (!ids) return Page{};
    if (!query.matches.empty()) changes_.refresh();
    return query.updated_since ? in_order_of_update(query, *type_id) : in_order_of_id(query, *ids);
}

Page Lists::in_order_of_id(const ListQuery& query, const IdRange& ids) {
    const AccountId account = query.asker.account;
    const std::string from = query.after ? std::max(query.after->id.text, ids.above) : ids.above;
    if (query.matches.empty()) {
        auto rows = by_id_.run(account, std::string_view(from), std::string_view(ids.below));
        return page_of(rows_of(rows), query);
    }
    const auto& changes = changes_.of(account, query.matches.front());
    auto rows = by_value_.run(account, query.matches.front(), std::string_view(from));
    return page_of(merged(rows_without(rows, changes), changed_in_order_of_id(account, changes, from), by_id), query);
}

Page Lists::in_order_of_update(const ListQuery& query, std::int64_t type_id) {
    const AccountId account = query.asker.account;
    // Every id is greater than the empty one, so this is where a first page begins.
    ListPosition from{*query.updated_since, {}};
    if (query.after && query.after->updated_at >= from.updated_at) from = *query.after;
    if (query.matches.empty()) {
        auto rows = by_update_.run(account, type_id, from.updated_at, from.id);
        return page_of(rows_of(rows), query);
    }
    const auto& changes = changes_.of(account, query.matches.front());
    auto rows = by_value_and_update_.run(account, query.matches.front(), from.updated_at, from.id);
    auto changed = changed_in_order_of_update(account, changes, from);
    return page_of(merged(rows_without(rows, changes), std::move(changed), by_update), query);
}

Lists::Source Lists::rows_of(Statement::Run& rows) {
    return [this, &rows]() -> std::optional<Resource> {
        if (!rows.step()) return std::nullopt;
        return resource_from(rows, types_);
    };
}

/// Without those of which the changes know better.
Lists::Source Lists::rows_without(Statement::Run& rows, const MemberChanges::Of& changes) {
    return [this, &rows, &changes]() -> std::optional<Resource> {
        while (rows.step())
            if (!changes.contains(rows.text(0))) return resource_from(rows, types_);
        return std::nullopt;
    };
}

Lists::Source Lists::changed_in_order_of_id(AccountId account, const MemberChanges::Of& changes,
                                            std::string_view from) {
    return [this, account, &changes, at = changes.upper_bound(from)]() mutable {
        std::optional<Resource> resource;
        for (; !resource && at != changes.end(); ++at)
            if (at->second.held) resource = live(account, at->first);
        return resource;
    };
}

/// Those behind `from`. Sorted here, as SQLite sorts the others.
Lists::Source Lists::changed_in_order_of_update(AccountId account, const MemberChanges::Of& changes,
                                                const ListPosition& from) {
    std::vector<Resource> changed;
    for (const auto& [id, last] : changes) {
        if (!last.held) continue;
        auto resource = live(account, id);
        if (resource && position_of(*resource) > std::tie(from.updated_at, from.id))
            changed.push_back(*std::move(resource));
    }
    std::ranges::sort(changed, by_update);
    return [changed = std::move(changed), next = std::size_t{0}]() mutable -> std::optional<Resource> {
        if (next == changed.size()) return std::nullopt;
        return std::move(changed[next++]);
    };
}

/// The first value led to the resources; the others are looked up one by one.
Page Lists::page_of(const Source& source, const ListQuery& query) {
    const AccountId account = query.asker.account;
    Page page;
    while (auto resource = source()) {
        if (resource->type != query.type) continue;
        const auto held = [&](const ValueDigest& value) { return holds(account, value, resource->id); };
        if (!query.matches.empty() && !std::all_of(query.matches.begin() + 1, query.matches.end(), held)) continue;
        if (page.items.size() == query.limit) {
            page.more = true;
            break;
        }
        page.items.push_back(*std::move(resource));
    }
    return page;
}

bool Lists::holds(AccountId account, const ValueDigest& value, const ResourceId& id) {
    const auto& changes = changes_.of(account, value);
    if (const auto change = changes.find(id.text); change != changes.end()) return change->second.held;
    return has_value_.run(account, value, id).step();
}

std::optional<Resource> Lists::live(AccountId account, const std::string& id) {
    auto found = resources_.find(account, {id}, types_);
    if (!found || found->resource.deleted) return std::nullopt;
    return std::move(found->resource);
}

}  // namespace einmal::store
