// Writes the index of member values. A table of random digests costs a write a page or two, so changes are first
// appended to `member_changes`, and go down into `member_index` in sorted slices, many per page. Readers look through
// both (store/sqlite_member_changes.hpp); nothing here answers a question.
#pragma once

#include "store/sqlite_statement.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace einmal::store {

/// `young` takes new changes; when it is full it becomes `frozen` and is applied to `member_index` bit by bit, inside
/// transactions that are made anyway. When all of it has been applied, its rows are removed from `member_changes`, the
/// oldest first. At any moment the last change of a value and a resource, or `member_index` where there is none, is
/// the truth: applying a change twice, or an older one before a newer one that is still to come, alters nothing.
///
/// Used by the writer's thread only. After each transaction call `committed` or `rolled_back`. Functions that touch the
/// database throw SqliteFailure.
class MemberIndex {
 public:
    struct Limits {
        /// `young` is frozen when it holds this share of all changes there ever were: then each page of the table that
        /// is written takes several values, however large the table has grown.
        std::size_t share = 8;
        std::size_t young_min = 65'536;   ///< 2 MB here and 9 MB in each reader that lists by value
        std::size_t young_max = 131'072;  ///< twice that
    };

    /// Reads which changes have not been applied yet.
    MemberIndex(Connection& connection, const Limits& limits);
    explicit MemberIndex(Connection& connection) : MemberIndex(connection, Limits()) {}

    void add(AccountId account, const ValueDigest& value, const ResourceId& id) { append(account, value, id, true); }
    void remove(AccountId account, const ValueDigest& value, const ResourceId& id) {
        append(account, value, id, false);
    }

    /// Applies, or removes, some changes, about `changes` of them, within the open transaction.
    void merge(std::size_t changes);
    /// Whether there is something to apply or to remove.
    [[nodiscard]] bool merging() const { return frozen_.has_value() || oldest_ <= applied_; }

    void committed();
    void rolled_back();

 private:
    struct Change {
        ValueDigest digest;
        std::int64_t change_id;
        auto operator<=>(const Change&) const = default;
    };
    // By the first byte of the digest: slices of the order of digests that cost nothing to sort one by one.
    using Layer = std::array<std::vector<Change>, 256>;
    struct Place {
        std::size_t bucket = 0;
        std::size_t index = 0;
    };
    struct Frozen {
        Layer changes;
        std::int64_t newest = 0;
        Place next;  // where applying goes on
    };

    void append(AccountId account, const ValueDigest& value, const ResourceId& id, bool held);
    void keep(const Change& change);
    [[nodiscard]] std::size_t young_limit() const;
    void freeze();
    void apply(std::size_t changes);
    void apply(std::int64_t change_id);
    void remove_applied(std::size_t changes);

    const Limits limits_;
    Statement append_;
    Statement change_;
    Statement add_;
    Statement remove_;
    Statement forget_;
    Statement set_watermark_;

    Layer young_;
    std::size_t young_size_ = 0;
    std::optional<Frozen> frozen_;
    std::int64_t newest_ = 0;   // change
    std::int64_t applied_ = 0;  // all changes up to this one are in member_index: the watermark
    std::int64_t oldest_ = 1;   // no change below this one is in member_changes

    // Of the open transaction.
    std::vector<std::size_t> appended_;  // the buckets that took a change
    Place next_before_;
    std::int64_t oldest_before_ = 1;
    bool all_applied_ = false;
};

}  // namespace einmal::store
