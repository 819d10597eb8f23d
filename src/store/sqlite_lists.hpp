// Pages of a type's live resources (Store::list), within a reader's transaction.
#pragma once

#include "store/sqlite_member_changes.hpp"
#include "store/sqlite_rows.hpp"
#include "store/sqlite_statement.hpp"
#include "store/sqlite_types.hpp"

#include <einmal/store.hpp>

#include <functional>
#include <optional>

namespace einmal::store {

/// Used by one thread. Throws SqliteFailure.
class Lists {
 public:
    /// All three outlive it.
    Lists(Connection& connection, TypeTable& types, ResourceFinder& resources);

    [[nodiscard]] Page page(const ListQuery& query);

 private:
    /// Resources in the order of a list, one with each call, then nothing.
    using Source = std::function<std::optional<Resource>()>;

    [[nodiscard]] Page in_order_of_id(const ListQuery& query, const IdRange& ids);
    [[nodiscard]] Page in_order_of_update(const ListQuery& query, std::int64_t type_id);
    [[nodiscard]] Source rows_of(Statement::Run& rows);
    [[nodiscard]] Source rows_without(Statement::Run& rows, const MemberChanges::Of& changes);
    [[nodiscard]] Source changed_in_order_of_id(AccountId account, const MemberChanges::Of& changes,
                                                std::string_view from);
    [[nodiscard]] Source changed_in_order_of_update(AccountId account, const MemberChanges::Of& changes,
                                                    const ListPosition& from);
    [[nodiscard]] Page page_of(const Source& source, const ListQuery& query);
    [[nodiscard]] bool holds(AccountId account, const ValueDigest& value, const ResourceId& id);
    [[nodiscard]] std::optional<Resource> live(AccountId account, const std::string& id);

    TypeTable& types_;
    ResourceFinder& resources_;
    MemberChanges changes_;
    Statement by_id_;
    Statement by_update_;
    Statement by_value_;
    Statement by_value_and_update_;
    Statement has_value_;
};

}  // namespace einmal::store
