#include "store/sqlite_member_changes.hpp"

#include <cstring>
#include <limits>

namespace einmal::store {

MemberChanges::MemberChanges(Connection& connection)
    : oldest_(connection, "SELECT change_id FROM member_changes ORDER BY change_id LIMIT 1"),
      newer_(connection,
             "SELECT change_id, digest, account_id, id, held FROM member_changes WHERE change_id > ?1 ORDER BY "
             "change_id") {}

std::size_t MemberChanges::Hash::operator()(const Place& place) const {
    // The digest is an HMAC: any eight bytes of it are a good hash already.
    std::size_t hash = 0;
    std::memcpy(&hash, place.digest.bytes.data(), sizeof hash);
    return hash ^ static_cast<std::size_t>(place.account.value);
}

void MemberChanges::refresh() {
    {
        auto row = oldest_.run();
        forget_below(row.step() ? row.integer(0) : std::numeric_limits<std::int64_t>::max());
    }
    auto row = newer_.run(newest_);
    while (row.step()) {
        newest_ = row.integer(0);
        Place place{{row.integer(2)}, {}};
        row.fill(1, place.digest.bytes);
        const auto at = places_.try_emplace(place).first;
        const auto last =
            at->second.insert_or_assign(std::string(row.text(3)), Last{newest_, row.integer(4) != 0}).first;
        seen_.push_back({newest_, &*at, last});
    }
}

/// Oldest first, so that a value's last change goes last.
void MemberChanges::forget_below(std::int64_t change_id) {
    for (; !seen_.empty() && seen_.front().change_id < change_id; seen_.pop_front()) {
        const auto& [seen, at, last] = seen_.front();
        if (last->second.change_id != seen) continue;
        at->second.erase(last);
        if (at->second.empty()) places_.erase(at->first);
    }
}

const MemberChanges::Of& MemberChanges::of(AccountId account, const ValueDigest& value) const {
    static const Of none;
    const auto found = places_.find({account, value});
    return found == places_.end() ? none : found->second;
}

}  // namespace einmal::store
