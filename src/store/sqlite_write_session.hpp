// What the writer's thread does within its open transaction: reads what a decision needs, asks it, makes its writes.
// Begins and ends no transaction; sqlite_writer does.
#pragma once

#include "store/sqlite_key_index.hpp"
#include "store/sqlite_member_index.hpp"
#include "store/sqlite_rows.hpp"
#include "store/sqlite_statement.hpp"
#include "store/sqlite_types.hpp"

#include <einmal/env.hpp>
#include <einmal/store.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace einmal::store {

/// Used by the writer's thread only. Every function throws SqliteFailure; `begun`, then calls, then `committed` or
/// `rolled_back`.
class WriteSession {
 public:
    /// The connection and the clock outlive it.
    WriteSession(Connection& connection, const Clock& clock);

    /// A transaction has begun: forgets which tokens are good if another connection has committed since.
    void begun();
    void committed();
    void rolled_back();

    /// Store::transact up to the commit.
    [[nodiscard]] Result<Decision> transact(const Reads& reads, const Decide& decide);
    /// Store::find_record. Here and not with the readers, because half of the key index is in this thread's memory.
    [[nodiscard]] Result<std::optional<Record>> find_record(const Asker& asker, const KeyDigest& key);
    /// Store::ping: writes one small row, so that the commit proves that writing works. Also ends doubt after a failed
    /// commit (docs/decisions/0002-sqlite-layout.md).
    void pulse();

    /// Replays counted since the last flush are written into their records, at most `most` of them. True when that was
    /// all.
    bool flush_replays(std::size_t most);
    [[nodiscard]] bool has_replays() const { return !replays_.empty(); }

    /// The newest record, which the cleaner must keep: record ids rise for ever.
    [[nodiscard]] std::int64_t newest_record() const { return next_record_ - 1; }
    [[nodiscard]] KeyIndex& keys() { return keys_; }
    [[nodiscard]] const KeyIndex& keys() const { return keys_; }
    [[nodiscard]] MemberIndex& members() { return members_; }
    [[nodiscard]] const MemberIndex& members() const { return members_; }

 private:
    struct StoredRecord {
        std::int64_t record_id = 0;
        Record record;
    };
    struct Known {
        Snapshot snapshot;
        std::optional<StoredResource> resource;  // as in the snapshot, with its row
        std::int64_t record_id = 0;              // of the snapshot's record
    };

    [[nodiscard]] bool may_ask(const Asker& asker);
    [[nodiscard]] std::optional<StoredRecord> live_record(AccountId account, const KeyDigest& key, Timestamp now);
    [[nodiscard]] Known read(const Reads& reads);
    [[nodiscard]] std::string what_is_taken(AccountId account, const Writes& writes);
    void apply(const Reads& reads, const Writes& writes, const Known& known);
    void insert_resource(AccountId account, const Resource& resource);
    void change_resource(AccountId account, const Writes& writes, std::int64_t row);
    void change_values(AccountId account, const Writes& writes);
    void insert_record(AccountId account, const KeyDigest& key, const Record& record);
    void insert_event(AccountId account, const Event& event);
    [[nodiscard]] std::optional<ResourceId> unique_owner(AccountId account, const ValueDigest& value);

    const Clock& clock_;
    TypeTable types_;
    TokenCheck tokens_;
    ResourceFinder resources_;
    KeyIndex keys_;
    MemberIndex members_;

    Statement data_version_;
    Statement record_;
    Statement unique_owner_;
    Statement insert_resource_;
    Statement keep_revision_;
    Statement prune_revisions_;
    Statement update_;
    Statement bury_;
    Statement add_unique_;
    Statement remove_unique_;
    Statement insert_record_;
    Statement insert_event_;
    Statement count_replays_;
    Statement pulse_;

    std::int64_t next_record_ = 1;
    std::int64_t seen_version_ = -1;  // of the database, when good_tokens_ was filled
    std::set<std::pair<TokenId, AccountId>> good_tokens_;
    std::unordered_map<std::int64_t, std::uint64_t> replays_;  // by record id: counted, not written yet

    // Of the open transaction.
    std::vector<std::int64_t> replayed_;
    std::vector<std::int64_t> flushed_;
};

}  // namespace einmal::store
