#include "store/sqlite_write_session.hpp"

#include "base/assert.hpp"
#include "store/write_rules.hpp"

#include <algorithm>
#include <string_view>

namespace einmal::store {
namespace {

std::int64_t newest_record_in(Connection& connection) {
    Statement newest(connection, "SELECT record_id FROM records ORDER BY record_id DESC LIMIT 1");
    auto row = newest.run();
    return row.step() ? row.integer(0) : 0;
}

}  // namespace

WriteSession::WriteSession(Connection& connection, const Clock& clock)
    : clock_(clock),
      types_(connection),
      tokens_(connection),
      resources_(connection),
      keys_(connection),
      members_(connection),
      data_version_(connection, "PRAGMA data_version"),
      record_(connection,
              "SELECT account_id, digest, fingerprint, status, type_id, id, revision, created_at, completed_at, "
              "expires_at, replays FROM records WHERE record_id = ?1"),
      unique_owner_(connection, "SELECT id FROM unique_values WHERE account_id = ?1 AND digest = ?2"),
      insert_resource_(
          connection,
          "INSERT INTO resources (account_id, id, type_id, revision, created_at, updated_at, deleted, body) "
          "VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7)"),
      keep_revision_(connection,
                     "INSERT INTO revisions (account_id, id, revision, updated_at, body) "
                     "SELECT account_id, id, revision, updated_at, body FROM resources WHERE resource_row = ?1"),
      prune_revisions_(connection, "DELETE FROM revisions WHERE account_id = ?1 AND id = ?2 AND revision < ?3"),
      update_(connection, "UPDATE resources SET revision = ?2, updated_at = ?3, body = ?4 WHERE resource_row = ?1"),
      bury_(connection,
            "UPDATE resources SET revision = ?2, updated_at = ?3, body = ?4, deleted = 1 WHERE resource_row = ?1"),
      add_unique_(connection, "INSERT OR REPLACE INTO unique_values (account_id, digest, id) VALUES (?1, ?2, ?3)"),
      remove_unique_(connection, "DELETE FROM unique_values WHERE account_id = ?1 AND digest = ?2 AND id = ?3"),
      insert_record_(connection, "INSERT INTO records VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"),
      insert_event_(
          connection,
          "INSERT INTO events (account_id, event_id, type, id, revision, time) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"),
      count_replays_(connection, "UPDATE records SET replays = replays + ?2 WHERE record_id = ?1"),
      pulse_(connection,
             "INSERT INTO meta (name, value) VALUES ('pulse', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1"),
      next_record_(std::max(newest_record_in(connection), keys_.newest()) + 1) {}

void WriteSession::begun() {
    auto row = data_version_.run();
    row.step();
    if (row.integer(0) == seen_version_) return;
    seen_version_ = row.integer(0);
    good_tokens_.clear();
}

void WriteSession::committed() {
    for (const auto record_id : flushed_) replays_.erase(record_id);
    for (const auto record_id : replayed_) ++replays_[record_id];
    flushed_.clear();
    replayed_.clear();
    keys_.committed();
    members_.committed();
}

void WriteSession::rolled_back() {
    flushed_.clear();
    replayed_.clear();
    types_.forget();
    keys_.rolled_back();
    members_.rolled_back();
}

Result<Decision> WriteSession::transact(const Reads& reads, const Decide& decide) {
    if (!may_ask(reads.asker)) return token_revoked();
    const Known known = read(reads);
    Decision decision = decide(known.snapshot);
    if (decision.outcome == Outcome::replayed) {
        // The one trace of a replay: it is counted (contract K6, K14).
        EINMAL_ASSERT(known.record_id != 0 && !decision.writes);
        replayed_.push_back(known.record_id);
    }
    if (decision.writes) {
        // Non-2xx means that nothing was committed (contract K8).
        EINMAL_ASSERT(decision.outcome == Outcome::executed && is_success(decision.status));
        auto reason = contradiction(reads, *decision.writes, known.snapshot);
        if (reason.empty()) reason = what_is_taken(reads.asker.account, *decision.writes);
        if (!reason.empty()) return Error{Errc::corrupt, std::move(reason)};
        apply(reads, *decision.writes, known);
        decision.writes.reset();
    }
    return decision;
}

bool WriteSession::may_ask(const Asker& asker) {
    const std::pair token(asker.token, asker.account);
    if (good_tokens_.contains(token)) return true;
    if (!tokens_.allows(asker)) return false;
    good_tokens_.insert(token);
    return true;
}

WriteSession::Known WriteSession::read(const Reads& reads) {
    const AccountId account = reads.asker.account;
    Known known;
    Snapshot& snapshot = known.snapshot;
    snapshot.now = clock_.now();
    if (reads.key) {
        if (auto stored = live_record(account, *reads.key, snapshot.now)) {
            known.record_id = stored->record_id;
            snapshot.record = std::move(stored->record);
        }
    }
    if (snapshot.record) {
        known.resource = resources_.find(account, snapshot.record->resource, types_);
    } else if (reads.target) {
        known.resource = resources_.find(account, *reads.target, types_);
    }
    if (known.resource) snapshot.resource = known.resource->resource;
    for (const ResourceId& id : reads.references) snapshot.referenced.push_back(resources_.is_live(account, id));
    for (const ValueDigest& value : reads.uniques) snapshot.unique_owners.push_back(unique_owner(account, value));
    return known;
}

/// Expiry is judged here, never by whether the cleaner came by (contract K11).
std::optional<WriteSession::StoredRecord> WriteSession::live_record(AccountId account, const KeyDigest& key,
                                                                    Timestamp now) {
    const auto record_id = keys_.find(key);
    if (!record_id) return std::nullopt;
    auto row = record_.run(*record_id);
    if (!row.step() || row.integer(0) != account.value || !std::ranges::equal(row.blob(1), key.bytes)) {
        return std::nullopt;
    }
    StoredRecord stored{*record_id, {}};
    Record& record = stored.record;
    record.expires_at = row.time(9);
    if (record.expires_at <= now) return std::nullopt;
    row.fill(2, record.fingerprint.bytes);
    record.status = static_cast<int>(row.integer(3));
    record.type = types_.name(row.integer(4));
    record.resource.text = row.text(5);
    record.revision = row.revision(6);
    record.created_at = row.time(7);
    record.completed_at = row.time(8);
    record.replays = static_cast<std::uint64_t>(row.integer(10));
    if (const auto counted = replays_.find(*record_id); counted != replays_.end()) record.replays += counted->second;
    return stored;
}

std::optional<ResourceId> WriteSession::unique_owner(AccountId account, const ValueDigest& value) {
    auto row = unique_owner_.run(account, value);
    if (!row.step()) return std::nullopt;
    return ResourceId{std::string(row.text(0))};
}

/// The id or the unique value that another one holds, though the decision saw that it was free; or nothing.
std::string WriteSession::what_is_taken(AccountId account, const Writes& writes) {
    if (!writes.resource) return {};
    const Resource& state = *writes.resource;
    if (state.revision == Revision{1} &&
        (resources_.is_live(account, state.id) || resources_.is_tombstone(account, state.id))) {
        return "the id of a new resource has been used before";
    }
    for (const ValueDigest& value : writes.unique_add) {
        const auto owner = unique_owner(account, value);
        if (owner && *owner != state.id) return "a unique value is taken";
    }
    return {};
}

void WriteSession::apply(const Reads& reads, const Writes& writes, const Known& known) {
    const AccountId account = reads.asker.account;
    if (writes.resource) {
        if (writes.resource->revision == Revision{1}) {
            insert_resource(account, *writes.resource);
        } else {
            change_resource(account, writes, known.resource->row);
        }
        change_values(account, writes);
    }
    if (writes.record) insert_record(account, *reads.key, *writes.record);
    if (writes.event) insert_event(account, *writes.event);
}

void WriteSession::insert_resource(AccountId account, const Resource& resource) {
    insert_resource_.execute(account, resource.id, types_.ensure(resource.type, resource.id), resource.revision,
                             resource.created_at, resource.updated_at, std::string_view(resource.body));
}

void WriteSession::change_resource(AccountId account, const Writes& writes, std::int64_t row) {
    const Resource& state = *writes.resource;
    if (writes.keep_revisions > 0) keep_revision_.execute(row);
    const auto oldest = static_cast<std::int64_t>(state.revision.value) - std::int64_t{writes.keep_revisions};
    if (oldest > 1) prune_revisions_.execute(account, state.id, oldest);
    auto& statement = state.deleted ? bury_ : update_;
    statement.execute(row, state.revision, state.updated_at, std::string_view(state.body));
}

void WriteSession::change_values(AccountId account, const Writes& writes) {
    const ResourceId& id = writes.resource->id;
    // First all removals, so that a value may be removed and added in one change.
    for (const ValueDigest& value : writes.index_remove) members_.remove(account, value, id);
    for (const ValueDigest& value : writes.unique_remove) remove_unique_.execute(account, value, id);
    for (const ValueDigest& value : writes.index_add) members_.add(account, value, id);
    for (const ValueDigest& value : writes.unique_add) add_unique_.execute(account, value, id);
}

void WriteSession::insert_record(AccountId account, const KeyDigest& key, const Record& record) {
    const std::int64_t record_id = next_record_++;
    insert_record_.execute(record_id, account, key, record.fingerprint, record.status,
                           types_.ensure(record.type, record.resource), record.resource, record.revision,
                           record.created_at, record.completed_at, record.expires_at, record.replays);
    keys_.put(key, record_id);
}

void WriteSession::insert_event(AccountId account, const Event& event) {
    insert_event_.execute(account, std::string_view(event.id), std::string_view(event.type), event.resource,
                          event.revision, event.time);
}

Result<std::optional<Record>> WriteSession::find_record(const Asker& asker, const KeyDigest& key) {
    if (!may_ask(asker)) return token_revoked();
    auto stored = live_record(asker.account, key, clock_.now());
    if (!stored) return std::optional<Record>();
    return std::optional(std::move(stored->record));
}

void WriteSession::pulse() { pulse_.execute(); }

bool WriteSession::flush_replays(std::size_t most) {
    for (const auto& [record_id, count] : replays_) {
        if (flushed_.size() >= most) return false;
        count_replays_.execute(record_id, count);
        flushed_.push_back(record_id);
    }
    return true;
}

}  // namespace einmal::store
