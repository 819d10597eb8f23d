#include "store/sqlite_read_session.hpp"

#include "store/write_rules.hpp"

#include <string>
#include <utility>

namespace einmal::store {
namespace {

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

ReadSession::ReadSession(Connection& connection)
    : types_(connection),
      tokens_(connection),
      resources_(connection),
      lists_(connection, types_, resources_),
      begin_(connection, "BEGIN"),
      end_(connection, "COMMIT"),
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
    if (!tokens_.allows(query.asker)) return token_revoked();
    return lists_.page(query);
}

Result<std::optional<Token>> ReadSession::find_token(const TokenDigest& digest) {
    auto row = token_.run(digest);
    if (!row.step()) return std::optional<Token>();
    return std::optional(token_from(row));
}

}  // namespace einmal::store
