#include "store/write_rules.hpp"

namespace einmal::store {

bool is_success(int status) { return status >= 200 && status < 300; }

Error token_revoked() { return {Errc::token_revoked, "the caller's token is revoked"}; }

std::string contradiction(const Reads& reads, const Writes& writes, const Snapshot& known) {
    if (writes.record) {
        if (!reads.key) return "a record needs a key";
        if (!is_success(writes.record->status)) return "only a success is remembered";
        if (known.record) return "the key has a record already";
    }
    if (!writes.resource) {
        const bool bare = writes.index_add.empty() && writes.index_remove.empty() && writes.unique_add.empty() &&
                          writes.unique_remove.empty() && !writes.event;
        return bare ? "" : "values and events need the resource that they are of";
    }
    const Resource& state = *writes.resource;
    if (state.revision == Revision{1}) return {};
    if (!known.resource || known.resource->id != state.id || known.resource->revision.next() != state.revision) {
        return "a new state does not follow the stored one";
    }
    return known.resource->deleted ? "a deleted resource cannot change" : "";
}

}  // namespace einmal::store
