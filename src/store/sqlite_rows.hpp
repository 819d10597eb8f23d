// Reading of rows that the writer and the readers share: who may ask, and resources.
#pragma once

#include "store/sqlite_statement.hpp"
#include "store/sqlite_types.hpp"

#include <einmal/decision.hpp>
#include <einmal/store.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace einmal::store {

/// The columns that `resource_from` reads, in its order, of the table `resources`.
inline constexpr std::string_view resource_columns =
    "resources.id, resources.type_id, resources.revision, resources.created_at, resources.updated_at, "
    "resources.deleted, resources.body";
inline constexpr int resource_column_count = 7;

[[nodiscard]] Resource resource_from(const Statement::Run& row, TypeTable& types);

/// The columns that `token_from` reads, in its order, of `tokens JOIN accounts`.
inline constexpr std::string_view token_columns = "token_id, account_id, name, scopes, created_at, revoked_at";

[[nodiscard]] Token token_from(const Statement::Run& row);

/// Whether a token is the account's and has not been revoked.
class TokenCheck {
 public:
    explicit TokenCheck(Connection& connection);
    [[nodiscard]] bool allows(const Asker& asker);

 private:
    Statement find_;
};

struct StoredResource {
    std::int64_t row = 0;
    Resource resource;
};

/// Finds single resources, live ones first.
class ResourceFinder {
 public:
    explicit ResourceFinder(Connection& connection);

    /// Tombstones included.
    [[nodiscard]] std::optional<StoredResource> find(AccountId account, const ResourceId& id, TypeTable& types);
    [[nodiscard]] bool is_live(AccountId account, const ResourceId& id) { return is_there(account, false, id); }
    [[nodiscard]] bool is_tombstone(AccountId account, const ResourceId& id) { return is_there(account, true, id); }

 private:
    [[nodiscard]] bool is_there(AccountId account, bool deleted, const ResourceId& id);

    Statement find_;
    Statement exists_;
};

}  // namespace einmal::store
