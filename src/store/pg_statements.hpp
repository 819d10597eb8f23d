// Everything the store says to the server while it serves: a closed list, prepared once per connection.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace einmal::store {

enum class Sql : std::size_t {
    begin,
    commit,
    roll_back,
    // Questions of a decision, and of single reads.
    may_ask,
    may_ask_and_wait,
    now,
    lock_resource,
    find_resource,
    find_record,
    find_references,
    find_unique_owners,
    find_revision,
    list_revisions,
    list_by_id,
    list_by_update,
    list_by_value,
    list_by_value_and_update,
    find_token,
    // Writes of a decision.
    wait_for_key,
    remove_expired_record,
    insert_record,
    insert_resource,
    keep_revision,
    prune_revisions,
    change_resource,
    remove_values,
    remove_uniques,
    add_values,
    add_uniques,
    insert_event,
    // Many decisions at once.
    create,
    // Housekeeping.
    count_replays,
    clean,
    can_write,
};
inline constexpr std::size_t sql_count = static_cast<std::size_t>(Sql::can_write) + 1;

struct PgStatement {
    std::string name;
    std::string text;
};

/// In the order of `Sql`.
[[nodiscard]] const std::array<PgStatement, sql_count>& pg_statements();

/// The columns of a token as `pg_token_from` reads them, of `tokens JOIN accounts`.
inline constexpr std::string_view pg_token_columns = "token_id, account_id, name, scopes, created_at, revoked_at";

}  // namespace einmal::store
