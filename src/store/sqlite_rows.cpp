#include "store/sqlite_rows.hpp"

#include <string>

namespace einmal::store {

Resource resource_from(const Statement::Run& row, TypeTable& types) {
    Resource resource;
    resource.id.text = row.text(0);
    resource.type = types.name(row.integer(1));
    resource.revision = row.revision(2);
    resource.created_at = row.time(3);
    resource.updated_at = row.time(4);
    resource.deleted = row.integer(5) != 0;
    resource.body = row.text(6);
    return resource;
}

Token token_from(const Statement::Run& row) {
    Token token;
    token.id.value = row.integer(0);
    token.account.value = row.integer(1);
    token.account_name = row.text(2);
    token.scopes = row.text(3);
    token.created_at = row.time(4);
    if (!row.is_null(5)) token.revoked_at = row.time(5);
    return token;
}

TokenCheck::TokenCheck(Connection& connection)
    : find_(connection, "SELECT 1 FROM tokens WHERE token_id = ?1 AND account_id = ?2 AND revoked_at IS NULL") {}

bool TokenCheck::allows(const Asker& asker) { return find_.run(asker.token, asker.account).step(); }

ResourceFinder::ResourceFinder(Connection& connection)
    : find_(connection, "SELECT " + std::string(resource_columns) +
                            ", resource_row FROM resources WHERE account_id = ?1 AND deleted = ?2 AND id = ?3"),
      exists_(connection, "SELECT 1 FROM resources WHERE account_id = ?1 AND deleted = ?2 AND id = ?3") {}

std::optional<StoredResource> ResourceFinder::find(AccountId account, const ResourceId& id, TypeTable& types) {
    for (const bool deleted : {false, true}) {
        auto row = find_.run(account, deleted, id);
        if (row.step()) return StoredResource{row.integer(resource_column_count), resource_from(row, types)};
    }
    return std::nullopt;
}

bool ResourceFinder::is_there(AccountId account, bool deleted, const ResourceId& id) {
    return exists_.run(account, deleted, id).step();
}

}  // namespace einmal::store
