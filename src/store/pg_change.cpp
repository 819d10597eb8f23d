#include "store/pg_change.hpp"

#include "base/assert.hpp"
#include "store/pg_rows.hpp"
#include "store/write_rules.hpp"

#include <einmal/observer.hpp>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <string>
#include <utility>

namespace einmal::store {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

// A race is lost to somebody who got on, so that a few attempts are enough for all but a flood under one key.
constexpr int attempts_max = 8;
constexpr int longest_pause_ms = 20;

std::string milliseconds_text(milliseconds time) { return std::to_string(std::max<std::int64_t>(1, time.count())); }

PgParams of_resource(AccountId account, const ResourceId& id) {
    PgParams params;
    params.integer(account.value).text(id.text);
    return params;
}

PgParams of_values(AccountId account, const std::vector<ValueDigest>& values, const ResourceId& id) {
    PgParams params;
    params.integer(account.value).byte_strings(bytes_of(values)).text(id.text);
    return params;
}

void add_resource(std::vector<PgCall>& calls, AccountId account, const Writes& writes) {
    const Resource& state = *writes.resource;
    if (state.revision == Revision{1}) {
        PgParams params = of_resource(account, state.id);
        params.text(state.type.text).revision(state.revision).time(state.created_at).time(state.updated_at);
        params.text(state.body);
        calls.push_back({Sql::insert_resource, std::move(params)});
        return;
    }
    if (writes.keep_revisions > 0) calls.push_back({Sql::keep_revision, of_resource(account, state.id)});
    const auto oldest = static_cast<std::int64_t>(state.revision.value) - std::int64_t{writes.keep_revisions};
    if (oldest > 1) {
        PgParams params = of_resource(account, state.id);
        calls.push_back({Sql::prune_revisions, std::move(params.integer(oldest))});
    }
    PgParams params = of_resource(account, state.id);
    params.revision(state.revision).time(state.updated_at).integer(state.deleted ? 1 : 0).text(state.body);
    calls.push_back({Sql::change_resource, std::move(params)});
}

void add_values(std::vector<PgCall>& calls, AccountId account, const Writes& writes) {
    const ResourceId& id = writes.resource->id;
    const auto add = [&](Sql statement, const std::vector<ValueDigest>& values) {
        if (!values.empty()) calls.push_back({statement, of_values(account, values, id)});
    };
    // First all removals, so that a value may be removed and added in one change.
    add(Sql::remove_values, writes.index_remove);
    add(Sql::remove_uniques, writes.unique_remove);
    add(Sql::add_values, writes.index_add);
    add(Sql::add_uniques, writes.unique_add);
}

PgCall record_call(AccountId account, const KeyDigest& key, const Record& record) {
    PgParams params;
    params.integer(account.value).bytes(key.bytes).bytes(record.fingerprint.bytes).integer(record.status);
    params.text(record.type.text).text(record.resource.text).revision(record.revision);
    params.time(record.created_at).time(record.completed_at).time(record.expires_at);
    params.integer(static_cast<std::int64_t>(record.replays));
    return {Sql::insert_record, std::move(params)};
}

PgCall event_call(AccountId account, const Event& event) {
    PgParams params;
    params.integer(account.value).text(event.id).text(event.type).text(event.resource.text);
    params.revision(event.revision).time(event.time);
    return {Sql::insert_event, std::move(params)};
}

Decision in_progress() {
    Decision decision;
    decision.outcome = Outcome::in_progress;
    return decision;
}

}  // namespace

PgChanges::PgChanges(asio::any_io_executor executor, std::shared_ptr<PgPool> pool, PgReplays& replays,
                     const StoreOptions& options)
    : executor_(std::move(executor)), pool_(std::move(pool)), replays_(replays), options_(options) {}

asio::awaitable<Result<Decision>> PgChanges::run(Reads reads, Decide decide) {
    const auto until = std::chrono::steady_clock::now() + options_.busy_timeout;
    for (int made = 0; made < attempts_max; ++made) {
        if (made > 0) co_await pause();
        if (made > 0 && std::chrono::steady_clock::now() >= until) break;
        Ended ended = co_await attempt(reads, decide);
        if (ended) co_return *std::move(ended);
    }
    co_return Error{Errc::unavailable, "others were faster, again and again"};
}

/// Some time that nobody else waits just as long.
asio::awaitable<void> PgChanges::pause() {
    asio::steady_timer timer(executor_);
    timer.expires_after(milliseconds(std::uniform_int_distribution<>(0, longest_pause_ms)(jitter_)));
    co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
}

asio::awaitable<PgChanges::Ended> PgChanges::attempt(const Reads& reads, const Decide& decide) {
    auto lease = co_await pool_->acquire();
    if (!lease) co_return lease.error();
    const bool rested = lease->rested();
    const PgAnswers answers = co_await lease->exchange(questions(reads));
    if (answers.failure) {
        // Nothing was done. A connection may have died while it rested; the next one is looked at or new.
        const bool again = is_lost_race(*answers.failure) || (answers.failure->lost && rested);
        if (again) co_return std::nullopt;
        co_return error_of(*answers.failure);
    }
    std::optional<Known> known = known_from(reads, answers.rows);
    if (!known) co_return token_revoked();

    Decision decision = decide(known->snapshot);
    if (decision.outcome == Outcome::replayed) {
        // The one trace of a replay: it is counted (contract K6, K14).
        EINMAL_ASSERT(known->snapshot.record && !decision.writes);
        replays_.count(reads.asker.account, *reads.key, known->snapshot.record->expires_at);
    }
    if (!decision.writes) co_return decision;
    // Non-2xx means that nothing was committed (contract K8).
    EINMAL_ASSERT(decision.outcome == Outcome::executed && is_success(decision.status));
    // An id or a unique value that is taken violates a constraint.
    if (auto reason = contradiction(reads, *decision.writes, known->snapshot); !reason.empty()) {
        co_return Error{Errc::corrupt, std::move(reason)};
    }
    co_return co_await write(*lease, reads, *known, std::move(decision));
}

/// All questions of one transaction. The target is locked before the record is read, so that of two operations on it
/// under one key the second sees the first one's record.
std::vector<PgCall> PgChanges::questions(const Reads& reads) const {
    const AccountId account = reads.asker.account;
    std::vector<PgCall> calls;
    calls.push_back({Sql::begin, {}});
    PgParams asker;
    asker.integer(account.value).integer(reads.asker.token.value).text(milliseconds_text(options_.busy_timeout));
    calls.push_back({Sql::may_ask_and_wait, std::move(asker)});
    if (reads.target) calls.push_back({Sql::lock_resource, of_resource(account, *reads.target)});
    if (reads.key) {
        PgParams key;
        calls.push_back({Sql::find_record, std::move(key.integer(account.value).bytes(reads.key->bytes))});
    }
    if (!reads.references.empty()) {
        std::vector<std::string_view> ids;
        for (const ResourceId& id : reads.references) ids.push_back(id.text);
        PgParams references;
        calls.push_back({Sql::find_references, std::move(references.integer(account.value).texts(ids))});
    }
    if (!reads.uniques.empty()) {
        PgParams uniques;
        uniques.integer(account.value).byte_strings(bytes_of(reads.uniques));
        calls.push_back({Sql::find_unique_owners, std::move(uniques)});
    }
    calls.push_back({Sql::now, {}});
    return calls;
}

/// Reads the answers to `questions`, in their order. Nothing when the token is revoked.
std::optional<PgChanges::Known> PgChanges::known_from(const Reads& reads, const std::vector<PgRows>& rows) {
    Known known;
    Snapshot& snapshot = known.snapshot;
    auto next = rows.begin() + 1;  // behind BEGIN
    if (!next++->boolean(0, 0)) return std::nullopt;
    snapshot.now = rows.back().time(0, 0);
    if (reads.target) {
        if (!next->empty()) snapshot.resource = pg_resource_from(*next, 0);
        ++next;
    }
    if (reads.key) {
        if (!next->empty()) {
            Record record = pg_record_from(*next, 0);
            // Expiry is judged here, never by whether the cleaner came by (contract K11).
            known.expired_record = record.expires_at <= snapshot.now;
            if (!known.expired_record) {
                snapshot.record = std::move(record);
                // What the record names comes before what the request names: a replay shows the former.
                snapshot.resource.reset();
                if (!next->is_null(0, 0)) snapshot.resource = pg_resource_from(*next, 0);
            }
        }
        ++next;
    }
    if (!reads.references.empty()) {
        for (int row = 0; row < next->size(); ++row) snapshot.referenced.push_back(next->boolean(row, 0));
        ++next;
    }
    if (!reads.uniques.empty()) {
        for (int row = 0; row < next->size(); ++row) {
            std::optional<ResourceId> owner;
            if (!next->is_null(row, 0)) owner = ResourceId{std::string(next->text(row, 0))};
            snapshot.unique_owners.push_back(std::move(owner));
        }
    }
    return known;
}

/// The record comes first: whoever runs the same operation elsewhere is met there, and not at anything behind it.
std::vector<PgCall> PgChanges::changes(const Reads& reads, const Known& known, const Writes& writes) const {
    const AccountId account = reads.asker.account;
    std::vector<PgCall> calls;
    if (writes.record) {
        PgParams patience;
        calls.push_back({Sql::wait_for_key, std::move(patience.text(milliseconds_text(options_.lock_wait)))});
        if (known.expired_record) {
            PgParams expired;
            expired.integer(account.value).bytes(reads.key->bytes).time(known.snapshot.now);
            calls.push_back({Sql::remove_expired_record, std::move(expired)});
        }
        calls.push_back(record_call(account, *reads.key, *writes.record));
    }
    if (writes.resource) {
        add_resource(calls, account, writes);
        add_values(calls, account, writes);
    }
    if (writes.event) calls.push_back(event_call(account, *writes.event));
    calls.push_back({Sql::commit, {}});
    return calls;
}

asio::awaitable<PgChanges::Ended> PgChanges::write(PgLease& lease, const Reads& reads, const Known& known,
                                                   Decision decision) {
    const auto began = std::chrono::steady_clock::now();
    std::vector<PgCall> calls = changes(reads, known, *decision.writes);
    const auto is_record = [](const PgCall& call) { return call.statement == Sql::insert_record; };
    const auto record_at = static_cast<std::size_t>(std::ranges::find_if(calls, is_record) - calls.begin());
    const PgAnswers answers = co_await lease.exchange(std::move(calls));
    if (!answers.failure) {
        // A COMMIT that had nothing to commit any more says so and is no error.
        EINMAL_ASSERT(answers.rows.back().tag() == "COMMIT");
        if (options_.observer != nullptr) {
            options_.observer->committed(1, std::chrono::steady_clock::now() - began);
        }
        decision.writes.reset();
        co_return decision;
    }
    const PgFailure& failure = *answers.failure;
    if (is_lost_race(failure)) co_return std::nullopt;
    // The same operation is running on another server (contract K5).
    if (is_lock_timeout(failure) && decision.writes->record && failure.at <= record_at) co_return in_progress();
    co_return error_of_commit(failure);
}

}  // namespace einmal::store
