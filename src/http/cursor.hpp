// Cursors of lists: opaque to the client, authenticated, and good for one list only (contract T3).
#pragma once

#include <einmal/types.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace einmal::http {

/// Which list a cursor belongs to. One made for another account, another type or other filters is refused.
struct CursorScope {
    AccountId account;
    std::string_view list;                   ///< the route's pattern
    std::vector<std::string> circumstances;  ///< all else that makes it this list, in a fixed order
};

/// `position` is where to go on; it can be read by whoever holds the cursor, so it is nothing secret. URL-safe.
[[nodiscard]] std::string make_cursor(const Secret& secret, const CursorScope& scope, std::string_view position);

/// The position, or nothing for a cursor that was altered or made for another list.
[[nodiscard]] std::optional<std::string> read_cursor(const Secret& secret, const CursorScope& scope,
                                                     std::string_view cursor);

}  // namespace einmal::http
