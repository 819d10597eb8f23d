#include "store/pg_create.hpp"

#include "base/assert.hpp"

#include <einmal/observer.hpp>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <iterator>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

namespace einmal::store {
namespace {

namespace asio = boost::asio;

/// What a decision is shown when nothing has been asked yet: the key is free, and whatever it refers to is there.
Snapshot assumption(const Reads& reads, Timestamp now) {
    Snapshot assumed;
    assumed.now = now;
    assumed.referenced.assign(reads.references.size(), true);
    return assumed;
}

/// Only what the one statement can write: a new resource with its record and event. Unique values are left to the
/// general way, which can say who holds them.
bool is_plain_create(const Decision& decision) {
    if (decision.outcome != Outcome::executed || !decision.writes) return false;
    const Writes& writes = *decision.writes;
    return writes.resource && writes.resource->revision == Revision{1} && writes.record &&
           writes.record->resource == writes.resource->id && writes.record->revision == Revision{1} && writes.event &&
           writes.event->resource == writes.resource->id && writes.unique_add.empty() && writes.unique_remove.empty() &&
           writes.index_remove.empty();
}

/// Times are sent relative to the assumed one, because the database's is the one that counts (contract K11).
bool same_times_after(const Writes& sent, const Writes& made, std::chrono::milliseconds shift) {
    return made.resource->id == sent.resource->id && made.resource->created_at == sent.resource->created_at + shift &&
           made.resource->updated_at == sent.resource->updated_at + shift &&
           made.record->completed_at == sent.record->completed_at + shift &&
           made.record->expires_at == sent.record->expires_at + shift && made.event->time == sent.event->time + shift;
}

}  // namespace

PgCreates::PgCreates(asio::any_io_executor executor, std::shared_ptr<PgPool> pool, const StoreOptions& options)
    : executor_(std::move(executor)),
      pool_(std::move(pool)),
      options_(options),
      // One stays for everything else; who waits for a connection is served in turn.
      workers_max_(std::max<std::size_t>(1, options.pool_max - 1)) {}

asio::awaitable<std::optional<Result<Decision>>> PgCreates::run(Reads reads, Decide decide) {
    if (!reads.key || reads.target || !reads.uniques.empty()) co_return std::nullopt;
    const Timestamp assumed_now = estimate_;
    Snapshot snapshot = assumption(reads, assumed_now);
    Decision assumed = decide(snapshot);
    if (!is_plain_create(assumed)) co_return std::nullopt;
    if (queue_.size() >= options_.queue_max) co_return Error{Errc::unavailable, "the store is overloaded"};

    auto hand_in = [this, &reads, &assumed, assumed_now](Parked<Settled> parked) {
        enqueue({reads.asker, *reads.key, *assumed.writes, reads.references, assumed_now, std::move(parked)});
    };
    auto parking = park<Settled>(executor_, std::move(hand_in));
    const Settled settled = co_await std::move(parking);
    if (settled.error) co_return *settled.error;
    if (!settled.made) co_return std::nullopt;

    snapshot.now = *settled.made;
    Decision made = decide(snapshot);
    EINMAL_ASSERT(is_plain_create(made) &&
                  same_times_after(*assumed.writes, *made.writes, *settled.made - assumed_now));
    made.writes.reset();
    co_return made;
}

void PgCreates::enqueue(Create create) {
    queue_.push_back(std::move(create));
    if (options_.observer != nullptr) options_.observer->queued(queue_.size());
    wake_worker();
}

/// Once per turn of the loop, so that operations that came in one turn go out together.
void PgCreates::wake_worker() {
    if (waking_ || workers_ == workers_max_) return;
    waking_ = true;
    ++workers_;
    asio::post(executor_, [self = shared_from_this()] {
        self->waking_ = false;
        asio::co_spawn(self->executor_, self->work(), asio::detached);
    });
}

asio::awaitable<void> PgCreates::work() {
    const auto self = shared_from_this();
    while (!queue_.empty()) {
        auto lease = co_await pool_->acquire();
        // What has come while a connection was waited for goes along.
        Batch batch = take_batch();
        if (batch.empty()) break;
        if (options_.observer != nullptr) options_.observer->queued(queue_.size());
        if (lease) {
            co_await send(*lease, std::move(batch));
        } else {
            settle_all(batch, {{}, lease.error()});
        }
    }
    --workers_;
}

/// Oldest first. One statement cannot write a row twice: a second operation under the same key waits for the next one.
PgCreates::Batch PgCreates::take_batch() {
    Batch batch;
    std::deque<Create> later;
    std::set<std::tuple<AccountId, KeyDigest>> keys;
    std::set<std::string> ids;
    const std::size_t most = std::max<std::size_t>(1, options_.batch_max);
    while (!queue_.empty() && batch.size() < most) {
        Create& next = queue_.front();
        const bool alone =
            keys.emplace(next.asker.account, next.key).second && ids.insert(next.writes.resource->id.text).second;
        if (alone) {
            batch.push_back(std::move(next));
        } else {
            later.push_back(std::move(next));
        }
        queue_.pop_front();
    }
    queue_.insert(queue_.begin(), std::make_move_iterator(later.begin()), std::make_move_iterator(later.end()));
    return batch;
}

PgParams PgCreates::params_of(const Batch& batch) {
    using Numbers = std::vector<std::int64_t>;
    using Texts = std::vector<std::string_view>;
    using Bytes = std::vector<std::span<const std::byte>>;
    Numbers accounts, tokens, statuses, resource_created, resource_updated, record_created, record_completed,
        record_expires, event_times, reference_numbers, reference_accounts, value_accounts;
    Texts types, ids, bodies, event_ids, event_types, reference_ids, value_ids;
    Bytes keys, fingerprints, values;
    for (const Create& each : batch) {
        const Writes& writes = each.writes;
        const auto relative = [&each](Timestamp time) { return (time - each.assumed).count(); };
        accounts.push_back(each.asker.account.value);
        tokens.push_back(each.asker.token.value);
        keys.emplace_back(each.key.bytes);
        fingerprints.emplace_back(writes.record->fingerprint.bytes);
        statuses.push_back(writes.record->status);
        types.push_back(writes.resource->type.text);
        ids.push_back(writes.resource->id.text);
        bodies.push_back(writes.resource->body);
        event_ids.push_back(writes.event->id);
        event_types.push_back(writes.event->type);
        resource_created.push_back(relative(writes.resource->created_at));
        resource_updated.push_back(relative(writes.resource->updated_at));
        record_created.push_back(relative(writes.record->created_at));
        record_completed.push_back(relative(writes.record->completed_at));
        record_expires.push_back(relative(writes.record->expires_at));
        event_times.push_back(relative(writes.event->time));
        for (const ResourceId& id : each.references) {
            reference_numbers.push_back(static_cast<std::int64_t>(accounts.size()));
            reference_accounts.push_back(each.asker.account.value);
            reference_ids.push_back(id.text);
        }
        for (const ValueDigest& value : writes.index_add) {
            value_accounts.push_back(each.asker.account.value);
            values.emplace_back(value.bytes);
            value_ids.push_back(writes.resource->id.text);
        }
    }
    PgParams params;
    params.integers(accounts).integers(tokens).byte_strings(keys).byte_strings(fingerprints).integers(statuses);
    params.texts(types).texts(ids).texts(bodies).texts(event_ids).texts(event_types);
    params.integers(resource_created).integers(resource_updated);
    params.integers(record_created).integers(record_completed).integers(record_expires).integers(event_times);
    params.integers(reference_numbers).integers(reference_accounts).texts(reference_ids);
    params.integers(value_accounts).byte_strings(values).texts(value_ids);
    return params;
}

asio::awaitable<void> PgCreates::send(PgLease& lease, Batch batch) {
    const auto began = std::chrono::steady_clock::now();
    std::vector<PgCall> calls;
    calls.push_back({Sql::create, params_of(batch)});
    const PgAnswers answers = co_await lease.exchange(std::move(calls));
    if (answers.failure) {
        const PgFailure& failure = *answers.failure;
        // One of them may have been in somebody's way; each tries for itself.
        const bool singly = is_lost_race(failure) || is_lock_timeout(failure) || is_contradiction(failure);
        settle_all(batch, singly ? Settled{} : Settled{{}, error_of_commit(failure)});
        co_return;
    }
    const PgRows& rows = answers.rows.front();
    const Timestamp now = rows.time(0, 0);
    std::set<std::string_view> made;
    for (int row = 0; row < rows.size(); ++row) {
        if (!rows.is_null(row, 1)) made.insert(rows.text(row, 1));
    }
    estimate_ = now;
    if (options_.observer != nullptr && !made.empty()) {
        options_.observer->committed(made.size(), std::chrono::steady_clock::now() - began);
    }
    for (Create& each : batch) {
        Settled settled;
        if (made.contains(each.writes.resource->id.text)) settled.made = now;
        each.parked.resume(std::move(settled));
    }
}

void PgCreates::settle_all(Batch& batch, const Settled& settled) {
    for (Create& each : batch) each.parked.resume(settled);
}

}  // namespace einmal::store
