#include "store/sqlite_member_index.hpp"

#include <algorithm>
#include <utility>

namespace einmal::store {
namespace {

std::int64_t single_integer(Connection& connection, std::string_view sql, std::int64_t otherwise) {
    Statement statement(connection, sql);
    auto row = statement.run();
    return row.step() ? row.integer(0) : otherwise;
}

}  // namespace

MemberIndex::MemberIndex(Connection& connection, const Limits& limits)
    : limits_(limits),
      append_(connection, "INSERT INTO member_changes VALUES (?1, ?2, ?3, ?4, ?5)"),
      change_(connection, "SELECT digest, account_id, id, held FROM member_changes WHERE change_id = ?1"),
      add_(connection, "INSERT OR IGNORE INTO member_index (digest, account_id, id) VALUES (?1, ?2, ?3)"),
      remove_(connection, "DELETE FROM member_index WHERE digest = ?1 AND account_id = ?2 AND id = ?3"),
      forget_(connection, "DELETE FROM member_changes WHERE change_id < ?1"),
      set_watermark_(connection, "INSERT OR REPLACE INTO meta (name, value) VALUES ('member_watermark', ?1)"),
      applied_(single_integer(connection, "SELECT value FROM meta WHERE name = 'member_watermark'", 0)) {
    newest_ = applied_;
    oldest_ =
        single_integer(connection, "SELECT change_id FROM member_changes ORDER BY change_id LIMIT 1", newest_ + 1);
    Statement changes(connection,
                      "SELECT change_id, digest FROM member_changes WHERE change_id > ?1 ORDER BY change_id");
    auto row = changes.run(applied_);
    while (row.step()) {
        Change change{{}, row.integer(0)};
        row.fill(1, change.digest.bytes);
        keep(change);
        newest_ = change.change_id;
    }
    committed();
}

void MemberIndex::keep(const Change& change) {
    const auto bucket = std::to_integer<std::size_t>(change.digest.bytes.front());
    young_[bucket].push_back(change);
    appended_.push_back(bucket);
    ++young_size_;
}

void MemberIndex::append(AccountId account, const ValueDigest& value, const ResourceId& id, bool held) {
    append_.execute(newest_ + 1, value, account, id, held);
    keep({value, ++newest_});
}

std::size_t MemberIndex::young_limit() const {
    return std::clamp(static_cast<std::size_t>(newest_) / limits_.share, limits_.young_min, limits_.young_max);
}

void MemberIndex::freeze() {
    frozen_.emplace(Frozen{std::exchange(young_, Layer()), newest_, {}});
    young_size_ = 0;
    next_before_ = {};
}

void MemberIndex::merge(std::size_t changes) {
    if (frozen_ && !all_applied_) return apply(changes);
    if (oldest_ <= applied_) remove_applied(changes);
}

void MemberIndex::apply(std::size_t changes) {
    Layer& layer = frozen_->changes;
    Place& next = frozen_->next;
    while (changes > 0 && next.bucket < layer.size()) {
        auto& bucket = layer[next.bucket];
        if (next.index == 0) std::ranges::sort(bucket);
        for (; changes > 0 && next.index < bucket.size(); --changes) apply(bucket[next.index++].change_id);
        if (next.index == bucket.size()) next = {next.bucket + 1, 0};
    }
    if (next.bucket < layer.size()) return;
    set_watermark_.execute(frozen_->newest);
    all_applied_ = true;
}

void MemberIndex::apply(std::int64_t change_id) {
    auto row = change_.run(change_id);
    if (!row.step()) throw SqliteFailure(SQLITE_CORRUPT, "cannot index a value", "a row of member_changes is gone");
    auto& statement = row.integer(3) != 0 ? add_ : remove_;
    statement.execute(row.blob(0), row.integer(1), row.text(2));
}

void MemberIndex::remove_applied(std::size_t changes) {
    oldest_ = std::min(applied_ + 1, oldest_ + static_cast<std::int64_t>(changes));
    forget_.execute(oldest_);
}

void MemberIndex::committed() {
    appended_.clear();
    if (all_applied_) {
        applied_ = frozen_->newest;
        frozen_.reset();
        all_applied_ = false;
    }
    if (frozen_) next_before_ = frozen_->next;
    oldest_before_ = oldest_;
    if (!merging() && young_size_ >= young_limit()) freeze();
}

void MemberIndex::rolled_back() {
    for (const std::size_t bucket : appended_) young_[bucket].pop_back();
    young_size_ -= appended_.size();
    newest_ -= static_cast<std::int64_t>(appended_.size());
    appended_.clear();
    all_applied_ = false;
    if (frozen_) frozen_->next = next_before_;
    oldest_ = oldest_before_;
}

}  // namespace einmal::store
