// The first start of a store: somebody must be able to use it, and nobody must have to look for how (contract A2).
#pragma once

#include <einmal/store.hpp>

#include <string>

namespace einmal::cli {

/// On a store without tokens: makes the account `default` and a token for everything. The token goes to the file
/// `<database>.token`, or to stderr when the store has no file. Does nothing on any other store. Fails as StoreAdmin
/// does, and with Errc::unavailable when the file cannot be written; the next start then tries again.
[[nodiscard]] Result<void> provide_first_token(const std::string& store_address, StoreAdmin& admin);

}  // namespace einmal::cli
