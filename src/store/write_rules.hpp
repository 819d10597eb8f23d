// What every store asks of a decision before it writes, and answers alike.
#pragma once

#include <einmal/store.hpp>

#include <string>

namespace einmal::store {

[[nodiscard]] bool is_success(int status);

[[nodiscard]] Error token_revoked();

/// Why the writes cannot be made on what was read, or nothing. The decision saw this very snapshot, so that a reason is
/// a fault in the engine; nothing may be written then. Whether the id of a new resource and the unique values are free
/// is the store's own to say.
[[nodiscard]] std::string contradiction(const Reads& reads, const Writes& writes, const Snapshot& known);

}  // namespace einmal::store
