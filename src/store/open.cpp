// Which store an address means.
#include <einmal/open.hpp>

#include "store/memory_store.hpp"
#include "store/pg_admin.hpp"
#include "store/pg_store.hpp"
#include "store/sqlite_admin.hpp"
#include "store/sqlite_store.hpp"

#include <optional>
#include <string>

namespace einmal {
namespace {

constexpr std::string_view memory_address = "memory:";

/// The path in `sqlite:FILE`.
std::optional<std::string> sqlite_file(std::string_view address) {
    constexpr std::string_view scheme = "sqlite:";
    if (!address.starts_with(scheme) || address.size() == scheme.size()) return std::nullopt;
    return std::string(address.substr(scheme.size()));
}

bool is_postgres(std::string_view address) {
    return address.starts_with("postgres://") || address.starts_with("postgresql://");
}

Error no_such_store() {
    // The address is not repeated: those of other kinds of store hold passwords.
    return {Errc::configuration, "a store's address is sqlite:FILE, postgres://… or memory:"};
}

}  // namespace

Result<OpenedStore> open_store(std::string_view address, boost::asio::any_io_executor executor,
                               const StoreOptions& options, const Clock& clock, Entropy& entropy) {
    if (address == memory_address) return store::open_memory_store(std::move(executor), options, clock, entropy);
    if (is_postgres(address)) {
        return store::open_pg_store(std::string(address), std::move(executor), options, entropy);
    }
    const auto file = sqlite_file(address);
    if (!file) return no_such_store();
    return store::open_sqlite_store(*file, std::move(executor), options, clock, entropy);
}

Result<std::unique_ptr<StoreAdmin>> open_admin(std::string_view address, bool create, const Clock& clock,
                                               Entropy& entropy) {
    if (address == memory_address) {
        return Error{Errc::configuration, "a store in memory cannot be reached from outside its server"};
    }
    if (is_postgres(address)) return store::open_pg_admin(std::string(address), create, entropy);
    const auto file = sqlite_file(address);
    if (!file) return no_such_store();
    return store::open_sqlite_admin(*file, create, clock, entropy);
}

}  // namespace einmal
