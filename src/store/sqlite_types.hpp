// Resource types as the database knows them: a number for each name, and what the ids of a type begin with.
#pragma once

#include "store/sqlite_statement.hpp"

#include <einmal/types.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace einmal::store {

/// Where the ids of a type lie among all ids, both ends excluded.
struct IdRange {
    std::string above;
    std::string below;
};

/// The part of an id that its type gives it: up to and with the first `_`, or nothing.
[[nodiscard]] std::string_view prefix_of(const ResourceId& id);

/// Keeps what it has read, because a type never changes its number. One per connection.
class TypeTable {
 public:
    explicit TypeTable(Connection& connection);

    [[nodiscard]] std::optional<std::int64_t> find(const TypeName& name);
    /// Fails like a damaged database when there is no such type.
    [[nodiscard]] const TypeName& name(std::int64_t type_id);
    /// Contains the ids of the type, usually of it alone; nothing when there are none.
    [[nodiscard]] std::optional<IdRange> ids_of(std::int64_t type_id);

    /// Adds the type and the prefix of the id when they are new. Within a write transaction.
    std::int64_t ensure(const TypeName& name, const ResourceId& id);
    /// After a transaction that was rolled back.
    void forget();

 private:
    struct Known {
        std::int64_t type_id = 0;
        std::set<std::string, std::less<>> prefixes;  // only those that `ensure` saw
    };

    Statement find_;
    Statement name_;
    Statement range_;
    Statement add_;
    Statement add_prefix_;
    std::map<std::string, Known, std::less<>> known_;
    std::map<std::int64_t, TypeName> names_;
};

}  // namespace einmal::store
