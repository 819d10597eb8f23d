#include "store/sqlite_key_index.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <utility>

namespace einmal::store {
namespace {

// A step looks at no more than this many slots per key it may move, so that the part of the table it cleans is bounded
// even when few keys lie there.
constexpr std::size_t slots_per_key = 4;

}  // namespace

KeyIndex::KeyIndex(Connection& connection, const Limits& limits)
    : connection_(connection),
      limits_(limits),
      find_(connection, "SELECT record_id FROM key_index WHERE digest = ?1"),
      put_(connection, "INSERT OR REPLACE INTO key_index (digest, record_id) VALUES (?1, ?2)"),
      remove_range_(connection, "DELETE FROM key_index WHERE digest >= ?1 AND digest < ?2 AND record_id < ?3"),
      remove_rest_(connection, "DELETE FROM key_index WHERE digest >= ?1 AND record_id < ?2"),
      set_watermark_(connection, "INSERT OR REPLACE INTO meta (name, value) VALUES ('key_watermark', ?1)"),
      young_(limits.young_min) {
    load();
}

void KeyIndex::load() {
    Statement watermark(connection_, "SELECT value FROM meta WHERE name = 'key_watermark'");
    std::int64_t merged = 0;
    {
        auto row = watermark.run();
        if (row.step()) merged = row.integer(0);
    }
    newest_ = merged;
    Statement records(connection_, "SELECT record_id, digest FROM records WHERE record_id > ?1 ORDER BY record_id");
    auto row = records.run(merged);
    while (row.step()) {
        KeyDigest digest;
        row.fill(1, digest.bytes);
        newest_ = row.integer(0);
        young_.put(digest, newest_);
    }
    Statement first(connection_, "SELECT record_id FROM records ORDER BY record_id LIMIT 1");
    auto smallest = first.run();
    if (smallest.step()) smallest_record_ = smallest.integer(0);
    swept_ = 0;
    if (young_.size() >= young_limit()) freeze();
}

std::size_t KeyIndex::young_limit() const {
    const auto live = static_cast<std::size_t>(std::max<std::int64_t>(0, newest_ - smallest_record_));
    return std::clamp(live / limits_.share, limits_.young_min, std::max(limits_.young_min, limits_.young_max));
}

std::optional<std::int64_t> KeyIndex::find(const KeyDigest& digest) {
    std::int64_t record_id = young_.find(digest);
    if (record_id == 0 && frozen_) record_id = frozen_->map.find(digest);
    if (record_id == 0) {
        auto row = find_.run(digest);
        if (row.step()) record_id = row.integer(0);
    }
    if (record_id == 0 || record_id < smallest_record_) return std::nullopt;
    return record_id;
}

void KeyIndex::put(const KeyDigest& digest, std::int64_t record_id) {
    EINMAL_ASSERT(record_id > newest_);
    newest_ = record_id;
    changes_.push_back({digest, young_.put(digest, record_id)});
}

void KeyIndex::freeze() {
    frozen_.emplace(Frozen{std::exchange(young_, KeyMap(young_limit())), newest_, smallest_record_, 0});
    slot_before_ = 0;
}

void KeyIndex::merge_early_for_garbage() {
    const auto garbage = static_cast<std::size_t>(std::max<std::int64_t>(0, smallest_record_ - swept_));
    if (!frozen_ && garbage >= young_limit()) freeze();
}

void KeyIndex::merge(std::size_t keys) {
    if (!frozen_ || merge_finished_) return;
    const KeyMap& map = frozen_->map;
    const std::size_t begin = frozen_->next_slot;
    const std::size_t last = std::min(map.slots(), begin + keys * slots_per_key);
    slice_.clear();
    std::size_t end = begin;
    for (; end < last && slice_.size() < keys; ++end) {
        const KeyMap::Entry& entry = map.slot(end);
        if (entry.record_id >= std::max<std::int64_t>(1, smallest_record_)) slice_.push_back(entry);
    }
    std::ranges::sort(slice_, {}, &KeyMap::Entry::digest);
    for (const KeyMap::Entry& entry : slice_) put_.execute(entry.digest, entry.record_id);
    remove_garbage(begin, end);
    frozen_->next_slot = end;
    if (end == map.slots()) {
        set_watermark_.execute(frozen_->newest);
        merge_finished_ = true;
    }
}

/// Where no record has been removed since the last merge came by, there is nothing to remove.
void KeyIndex::remove_garbage(std::size_t begin, std::size_t end) {
    if (frozen_->smallest <= swept_) return;
    const KeyMap& map = frozen_->map;
    const KeyDigest from = first_digest_at(map.order_at(begin));
    if (end < map.slots()) {
        remove_range_.execute(from, first_digest_at(map.order_at(end)), frozen_->smallest);
    } else {
        remove_rest_.execute(from, frozen_->smallest);
    }
}

void KeyIndex::committed() {
    changes_.clear();
    if (merge_finished_) {
        swept_ = frozen_->smallest;
        frozen_.reset();
        merge_finished_ = false;
    }
    if (frozen_) {
        slot_before_ = frozen_->next_slot;
    } else if (young_.size() >= young_limit()) {
        freeze();
    }
}

void KeyIndex::rolled_back() {
    for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
        if (change->before == 0) {
            young_.erase(change->digest);
        } else {
            young_.put(change->digest, change->before);
        }
    }
    changes_.clear();
    merge_finished_ = false;
    if (frozen_) frozen_->next_slot = slot_before_;
}

}  // namespace einmal::store
