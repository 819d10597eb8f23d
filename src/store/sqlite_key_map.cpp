#include "store/sqlite_key_map.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace einmal::store {
namespace {

// Half of the slots stay empty, so that a search ends after one or two steps.
constexpr std::size_t slots_per_entry = 2;
constexpr std::size_t fewest_slots = 16;

}  // namespace

std::uint64_t order_of(const KeyDigest& digest) {
    std::uint64_t order = 0;
    for (std::size_t i = 0; i < sizeof order; ++i) order = order << 8 | std::to_integer<std::uint64_t>(digest.bytes[i]);
    return order;
}

KeyDigest first_digest_at(std::uint64_t order) {
    KeyDigest digest;
    for (std::size_t i = sizeof order; i > 0; --i, order >>= 8)
        digest.bytes[i - 1] = static_cast<std::byte>(order & 0xff);
    return digest;
}

KeyMap::KeyMap(std::size_t expected) { allocate(std::max(fewest_slots, std::bit_ceil(expected * slots_per_entry))); }

void KeyMap::allocate(std::size_t slots) {
    auto* entries = static_cast<Entry*>(std::calloc(slots, sizeof(Entry)));
    if (entries == nullptr) throw std::bad_alloc();
    entries_.reset(entries);
    mask_ = slots - 1;
    shift_ = 64U - static_cast<unsigned>(std::countr_zero(slots));
}

std::size_t KeyMap::seek(const KeyDigest& digest) const {
    std::size_t index = home(digest);
    while (entries_[index].record_id != 0 && entries_[index].digest != digest) index = (index + 1) & mask_;
    return index;
}

std::int64_t KeyMap::find(const KeyDigest& digest) const { return entries_[seek(digest)].record_id; }

std::int64_t KeyMap::put(const KeyDigest& digest, std::int64_t record_id) {
    if ((size_ + 1) * slots_per_entry > slots()) {
        KeyMap larger(slots());
        for (std::size_t index = 0; index < slots(); ++index) {
            if (entries_[index].record_id != 0) larger.put(entries_[index].digest, entries_[index].record_id);
        }
        *this = std::move(larger);
    }
    Entry& entry = entries_[seek(digest)];
    if (entry.record_id == 0) {
        entry.digest = digest;
        ++size_;
    }
    return std::exchange(entry.record_id, record_id);
}

void KeyMap::erase(const KeyDigest& digest) {
    std::size_t gap = seek(digest);
    if (entries_[gap].record_id == 0) return;
    // Entries behind the gap that were pushed past it move up, or a search would stop too early.
    for (std::size_t index = (gap + 1) & mask_; entries_[index].record_id != 0; index = (index + 1) & mask_) {
        const std::size_t pushed = (index - home(entries_[index].digest)) & mask_;
        const std::size_t past_gap = (index - gap) & mask_;
        if (pushed < past_gap) continue;
        entries_[gap] = entries_[index];
        gap = index;
    }
    entries_[gap] = Entry{};
    --size_;
}

}  // namespace einmal::store
