// Finds the record of a key. A table of 16-byte digests with one random row per request is by far the dearest part of a
// write, so keys first live in memory and go down into the table in sorted slices, many per page. Nothing is lost with
// the memory: it is rebuilt from the records, which are durable with their operation.
#pragma once

#include "store/sqlite_key_map.hpp"
#include "store/sqlite_statement.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace einmal::store {

/// Three layers, looked through in this order: `young` takes new keys; when it is full it becomes `frozen` and is
/// merged into the table `key_index` bit by bit, inside transactions that are made anyway; a new `young` takes over.
///
/// What it answers is a hint: the caller reads the record with that id and compares its digest, and when the record is
/// gone (cleaned) there is none. So entries of removed records are harmless; the merge deletes those it comes by.
///
/// Used by the writer's thread only. After each transaction call `committed` or `rolled_back`. Functions that touch the
/// database throw SqliteFailure.
class KeyIndex {
 public:
    struct Limits {
        /// `young` is frozen when it holds this share of all live keys: then each page of the table that a merge
        /// writes takes several keys, however large the table has grown.
        std::size_t share = 8;
        std::size_t young_min = 65'536;   ///< 3 MB, and below it the table fits the cache anyway
        std::size_t young_max = 524'288;  ///< 24 MB per layer, and half a second to rebuild at start
    };

    /// Reads the records that are not in the table yet into memory.
    KeyIndex(Connection& connection, const Limits& limits);
    explicit KeyIndex(Connection& connection) : KeyIndex(connection, Limits()) {}

    /// The newest record known under the digest.
    [[nodiscard]] std::optional<std::int64_t> find(const KeyDigest& digest);

    /// Replaces what the digest led to. Record ids rise from one call to the next.
    void put(const KeyDigest& digest, std::int64_t record_id);

    /// Moves some keys down, about `keys` of them, within the open transaction. Nothing when there is no merge.
    void merge(std::size_t keys);
    /// Whether there is something to merge.
    [[nodiscard]] bool merging() const { return frozen_.has_value(); }
    /// Starts a merge before `young` is full when enough records have been removed since the last one: for idle times,
    /// so that entries of removed records do not stay for ever.
    void merge_early_for_garbage();

    /// The smallest id of all records: entries below it are garbage. Call between transactions.
    void set_smallest_record(std::int64_t record_id) { smallest_record_ = std::max(smallest_record_, record_id); }

    void committed();
    void rolled_back();

    /// The highest record id that was ever put.
    [[nodiscard]] std::int64_t newest() const { return newest_; }
    /// Keys held in memory.
    [[nodiscard]] std::size_t in_memory() const { return young_.size() + (frozen_ ? frozen_->map.size() : 0); }

 private:
    struct Frozen {
        KeyMap map;
        std::int64_t newest = 0;    // its highest record id: the watermark when all of it is in the table
        std::int64_t smallest = 0;  // smallest_record_ when the merge began
        std::size_t next_slot = 0;  // where the merge goes on
    };
    struct Change {
        KeyDigest digest;
        std::int64_t before;  // 0: the digest was not in young_
    };

    [[nodiscard]] std::size_t young_limit() const;
    void load();
    void freeze();
    void remove_garbage(std::size_t begin, std::size_t end);

    Connection& connection_;
    const Limits limits_;
    Statement find_;
    Statement put_;
    Statement remove_range_;
    Statement remove_rest_;
    Statement set_watermark_;

    KeyMap young_;
    std::optional<Frozen> frozen_;
    std::int64_t newest_ = 0;           // highest record id put so far
    std::int64_t smallest_record_ = 0;  // see set_smallest_record
    std::int64_t swept_ = 0;            // smallest_record_ when the last finished merge began: no garbage below it

    // Of the open transaction.
    std::vector<Change> changes_;
    std::size_t slot_before_ = 0;
    bool merge_finished_ = false;
    std::vector<KeyMap::Entry> slice_;  // kept for its memory
};

}  // namespace einmal::store
