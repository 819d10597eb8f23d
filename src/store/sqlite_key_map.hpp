// The memory layers of the key index: digest → record id, in an open table whose slots follow the order of the digests.
// So a full table can be merged into the database in nearly sorted slices without ever being sorted as a whole, which
// would hold up the writer.
#pragma once

#include <einmal/types.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace einmal::store {

/// The place of a digest in the order of all digests, by its first eight bytes. Digests are HMACs, hence uniform.
[[nodiscard]] std::uint64_t order_of(const KeyDigest& digest);
/// The first digest at a place of that order.
[[nodiscard]] KeyDigest first_digest_at(std::uint64_t order);

/// Not thread-safe; movable.
class KeyMap {
 public:
    struct Entry {
        KeyDigest digest;
        std::int64_t record_id;  ///< 0: the slot is empty
    };

    /// Grows by itself beyond `expected` entries, at the cost of a pause.
    explicit KeyMap(std::size_t expected);

    /// 0 when the digest is unknown.
    [[nodiscard]] std::int64_t find(const KeyDigest& digest) const;
    /// Returns the record id that was there, or 0.
    std::int64_t put(const KeyDigest& digest, std::int64_t record_id);
    void erase(const KeyDigest& digest);

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t slots() const { return mask_ + 1; }
    [[nodiscard]] const Entry& slot(std::size_t index) const { return entries_[index]; }
    /// Where the digests begin that belong in this slot or behind it. (Few lie behind their own slot, and those that
    /// find no room at the end lie at the beginning.)
    [[nodiscard]] std::uint64_t order_at(std::size_t index) const { return std::uint64_t{index} << shift_; }

 private:
    struct Free {
        void operator()(Entry* entries) const { std::free(entries); }
    };

    void allocate(std::size_t slots);
    [[nodiscard]] std::size_t home(const KeyDigest& digest) const {
        return static_cast<std::size_t>(order_of(digest) >> shift_);
    }
    /// The slot of the digest, or the empty one where it would go.
    [[nodiscard]] std::size_t seek(const KeyDigest& digest) const;

    std::unique_ptr<Entry[], Free> entries_;  // from calloc: pages that are not used yet cost nothing
    std::size_t mask_ = 0;
    unsigned shift_ = 0;
    std::size_t size_ = 0;
};

}  // namespace einmal::store
