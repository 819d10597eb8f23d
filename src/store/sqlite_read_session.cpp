#include "store/sqlite_read_session.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace einmal::store {
namespace {

std::string select_resources(std::string_view rest) {
    return "SELECT " + std::string(resource_columns) + " " + std::string(rest);
}

/// An earlier state has what never changes from the current one.
Resource earlier(const Resource& current, const Statement::Run& row) {
    Resource state;
    state.id = current.id;
    state.type = current.type;
    state.created_at = current.created_at;
    state.revision = row.revision(0);
    state.updated_at = row.time(1);
    state.body = row.text(2);
    return state;
}

}  // namespace

// The indexes are named, because SQLite knows nothing of the data that would make its own choice a good one.
ReadSession::ReadSession(Connection& connection)
    : types_(connection),
      tokens_(connection),
      resources_(connection),
      begin_(connection, "BEGIN"),
      end_(connection, "COMMIT"),
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
      has_value_(connection, "SELECT 1 FROM member_index WHERE account_id = ?1 AND digest = ?2 AND id = ?3"),
      revision_(connection,
                "SELECT revision, updated_at, body FROM revisions WHERE account_id = ?1 AND id = ?2 AND revision = ?3"),
      revisions_(connection,
                 "SELECT revision, updated_at, body FROM revisions WHERE account_id = ?1 AND id = ?2 AND "
                 "revision < ?3 ORDER BY revision DESC LIMIT ?4"),
      token_(connection, "SELECT " + std::string(token_columns) +
                             " FROM tokens JOIN accounts USING (account_id) WHERE digest = ?1") {
    connection.execute("PRAGMA query_only = ON");
    connection.execute("PRAGMA cache_size = -16384");  // KiB
    connection.execute("PRAGMA temp_store = MEMORY");
}

Result<std::optional<Resource>> ReadSession::read(const Asker& asker, const ResourceId& id) {
    if (!tokens_.allows(asker)) return token_revoked();
    auto found = resources_.find(asker.account, id, types_);
    if (!found) return std::optional<Resource>();
    return std::optional(std::move(found->resource));
}

Result<std::optional<Resource>> ReadSession::read_revision(const Asker& asker, const ResourceId& id,
                                                           Revision revision) {
    if (!tokens_.allows(asker)) return token_revoked();
    auto found = resources_.find(asker.account, id, types_);
    if (!found) return std::optional<Resource>();
    if (found->resource.revision == revision) return std::optional(std::move(found->resource));
    auto row = revision_.run(asker.account, id, revision);
    if (!row.step()) return std::optional<Resource>();
    return std::optional(earlier(found->resource, row));
}

Result<Page> ReadSession::list_revisions(const RevisionsQuery& query) {
    const AccountId account = query.asker.account;
    if (!tokens_.allows(query.asker)) return token_revoked();
    Page page;
    const auto found = resources_.find(account, query.id, types_);
    if (!found || found->resource.deleted) return page;

    const Revision current = found->resource.revision;
    if (!query.before || current < *query.before) page.items.push_back(found->resource);
    // One more than asked for shows whether there is more.
    auto row = revisions_.run(account, query.id, query.before.value_or(current), query.limit + 1);
    while (page.items.size() <= query.limit && row.step()) page.items.push_back(earlier(found->resource, row));
    page.more = page.items.size() > query.limit;
    if (page.more) page.items.resize(query.limit);
    return page;
}

Result<Page> ReadSession::list(const ListQuery& query) {
    const AccountId account = query.asker.account;
    if (!tokens_.allows(query.asker)) return token_revoked();
    const auto type_id = types_.find(query.type);
    const auto ids = type_id ? types_.ids_of(*type_id) : std::nullopt;
    if (!ids) return Page{};

    if (query.updated_since) {
        // Every id is greater than the empty one, so this is where a first page begins.
        ListPosition from{*query.updated_since, {}};
        if (query.after && query.after->updated_at >= from.updated_at) from = *query.after;
        auto rows = query.matches.empty()
                        ? by_update_.run(account, *type_id, from.updated_at, from.id)
                        : by_value_and_update_.run(account, query.matches.front(), from.updated_at, from.id);
        return page_of(rows, query, *type_id);
    }
    const std::string from = query.after ? std::max(query.after->id.text, ids->above) : ids->above;
    auto rows = query.matches.empty() ? by_id_.run(account, std::string_view(from), std::string_view(ids->below))
                                      : by_value_.run(account, query.matches.front(), std::string_view(from));
    return page_of(rows, query, *type_id);
}

Page ReadSession::page_of(Statement::Run& rows, const ListQuery& query, std::int64_t type_id) {
    Page page;
    while (rows.step()) {
        if (rows.integer(1) != type_id) continue;
        Resource resource = resource_from(rows, types_);
        if (!holds_the_rest(query, resource.id)) continue;
        if (page.items.size() == query.limit) {
            page.more = true;
            break;
        }
        page.items.push_back(std::move(resource));
    }
    return page;
}

/// The first value led to the rows; the others are looked up one by one.
bool ReadSession::holds_the_rest(const ListQuery& query, const ResourceId& id) {
    return std::ranges::all_of(
        query.matches.begin() + (query.matches.empty() ? 0 : 1), query.matches.end(),
        [&](const ValueDigest& value) { return has_value_.run(query.asker.account, value, id).step(); });
}

Result<std::optional<Token>> ReadSession::find_token(const TokenDigest& digest) {
    auto row = token_.run(digest);
    if (!row.step()) return std::optional<Token>();
    return std::optional(token_from(row));
}

}  // namespace einmal::store
