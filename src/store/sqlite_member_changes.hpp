// What a reader knows of the upper layer of the member index (store/sqlite_member_index.hpp): the changes that its
// snapshot holds, ordered for looking through. Learnt from the snapshot alone, so that it can never be ahead or behind.
#pragma once

#include "store/sqlite_statement.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace einmal::store {

/// Used by one thread, within read transactions of one connection. Throws SqliteFailure.
class MemberChanges {
 public:
    struct Last {
        std::int64_t change_id;
        bool held;  ///< whether the resource took the value or gave it up
    };
    /// By resource id: the last change of one value. For a resource that is here, it overrules `member_index`.
    using Of = std::map<std::string, Last, std::less<>>;

    /// The connection outlives it.
    explicit MemberChanges(Connection& connection);

    /// Catches up with the snapshot of the open transaction: reads what has been appended since the last call, and
    /// forgets what has been removed.
    void refresh();

    /// As of the last `refresh`, until the next one.
    [[nodiscard]] const Of& of(AccountId account, const ValueDigest& value) const;

 private:
    struct Place {
        AccountId account;
        ValueDigest digest;
        auto operator<=>(const Place&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Place& place) const;
    };
    using Places = std::unordered_map<Place, Of, Hash>;
    struct Seen {
        std::int64_t change_id;
        Places::value_type* at;  // stays where it is while there is a Seen for it
        Of::iterator last;
    };

    void forget_below(std::int64_t change_id);

    Statement oldest_;
    Statement newer_;
    Places places_;
    std::deque<Seen> seen_;  // in order of change_id
    std::int64_t newest_ = 0;
};

}  // namespace einmal::store
