#include "support/store_kind.hpp"

namespace einmal::test {

void PrintTo(const StoreKind& kind, std::ostream* out) { *out << kind.name; }

std::vector<StoreKind> all_store_kinds() { return {memory_store_kind(), sqlite_store_kind(), postgres_store_kind()}; }

}  // namespace einmal::test
