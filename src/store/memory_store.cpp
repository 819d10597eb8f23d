// The executable specification of a store: read `transact`, `snapshot` and `apply` to learn what every store must do.
#include "store/memory_store.hpp"

#include "store/write_rules.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

namespace einmal::store {
namespace {

namespace asio = boost::asio;

/// A resource with all of its states that are kept.
struct Row {
    AccountId account;
    Resource current;
    std::map<Revision, Resource> earlier;
};

/// Values are digests of (type, member, value) without the account, so the account stands beside them (contract S2).
struct OwnedValue {
    AccountId account;
    ValueDigest value;
    auto operator<=>(const OwnedValue&) const = default;
};

struct StoredToken {
    Token token;
    TokenDigest digest;
};

class MemoryStore final : public Store {
 public:
    MemoryStore(asio::any_io_executor executor, const StoreOptions& options, const Clock& clock, Entropy& entropy)
        : executor_(std::move(executor)), options_(options), clock_(clock) {
        entropy.fill(secret_.bytes);
    }

    asio::awaitable<Result<Decision>> transact(Reads reads, Decide decide) override {
        co_await later();
        const std::lock_guard lock(mutex_);
        if (!may_ask(reads.asker)) co_return token_revoked();

        const Snapshot known = snapshot(reads);
        Decision decision = decide(known);

        if (decision.outcome == Outcome::replayed) {
            // The one trace of a replay: it is counted (contract K6, K14).
            EINMAL_ASSERT(reads.key && !decision.writes);
            ++records_.at(*reads.key).replays;
        }
        if (decision.writes) {
            // Non-2xx means that nothing was committed (contract K8).
            EINMAL_ASSERT(decision.outcome == Outcome::executed && is_success(decision.status));
            auto reason = contradiction(reads, *decision.writes, known);
            if (reason.empty()) reason = what_is_taken(reads.asker.account, *decision.writes);
            if (!reason.empty()) co_return Error{Errc::corrupt, std::move(reason)};
            apply(reads, *decision.writes);
            decision.writes.reset();
        }
        clean();
        co_return decision;
    }

    asio::awaitable<Result<std::optional<Resource>>> read(Asker asker, ResourceId id) override {
        co_await later();
        const std::lock_guard lock(mutex_);
        if (!may_ask(asker)) co_return token_revoked();
        co_return find_resource(asker.account, id);
    }

    asio::awaitable<Result<std::optional<Resource>>> read_revision(Asker asker, ResourceId id,
                                                                   Revision revision) override {
        co_await later();
        const std::lock_guard lock(mutex_);
        if (!may_ask(asker)) co_return token_revoked();
        const Row* row = find_row(asker.account, id);
        if (row == nullptr) co_return std::nullopt;
        if (row->current.revision == revision) co_return row->current;
        const auto kept = row->earlier.find(revision);
        if (kept == row->earlier.end()) co_return std::nullopt;
        co_return kept->second;
    }

    asio::awaitable<Result<Page>> list(ListQuery query) override {
        co_await later();
        const std::lock_guard lock(mutex_);
        if (!may_ask(query.asker)) co_return token_revoked();
        co_return page_of(query);
    }

    asio::awaitable<Result<Page>> list_revisions(RevisionsQuery query) override {
        co_await later();
        const std::lock_guard lock(mutex_);
        if (!may_ask(query.asker)) co_return token_revoked();
        Page page;
        const Row* row = find_row(query.asker.account, query.id);
        if (row == nullptr || row->current.deleted) co_return page;

        std::vector<const Resource*> newest_first{&row->current};
        for (auto state = row->earlier.rbegin(); state != row->earlier.rend(); ++state) {
            newest_first.push_back(&state->second);
        }
        for (const Resource* state : newest_first) {
            if (query.before && state->revision >= *query.before) continue;
            page.more = page.items.size() == query.limit;
            if (page.more) break;
            page.items.push_back(*state);
        }
        co_return page;
    }

    asio::awaitable<Result<std::optional<Record>>> find_record(Asker asker, KeyDigest key) override {
        co_await later();
        const std::lock_guard lock(mutex_);
        if (!may_ask(asker)) co_return token_revoked();
        co_return live_record(key, clock_.now());
    }

    asio::awaitable<Result<std::optional<Token>>> find_token(TokenDigest digest) override {
        co_await later();
        const std::lock_guard lock(mutex_);
        for (const auto& [id, stored] : tokens_) {
            if (stored.digest == digest) co_return stored.token;
        }
        co_return std::nullopt;
    }

    asio::awaitable<Result<void>> ping() override { co_return Result<void>(); }

    [[nodiscard]] const Secret& secret() const override { return secret_; }

    std::vector<Event> events() const {
        const std::lock_guard lock(mutex_);
        return events_;
    }

    Result<TokenId> create_token(const std::string& account, const std::string& scopes, TokenDigest digest) {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, stored] : tokens_) {
            if (stored.digest == digest) return Error{Errc::configuration, "this token exists already"};
        }
        const auto next_account = AccountId{static_cast<std::int64_t>(accounts_.size()) + 1};
        const AccountId owner = accounts_.try_emplace(account, next_account).first->second;
        const auto id = TokenId{static_cast<std::int64_t>(tokens_.size()) + 1};
        tokens_.emplace(id, StoredToken{{id, owner, account, scopes, clock_.now(), std::nullopt}, digest});
        return id;
    }

    Result<std::optional<TokenId>> create_first_token(const std::string& account, const std::string& scopes,
                                                      TokenDigest digest) {
        if (!list_tokens().empty()) return std::optional<TokenId>();
        const auto made = create_token(account, scopes, digest);
        if (!made) return made.error();
        return std::optional(*made);
    }

    Result<bool> revoke_token(TokenId id) {
        const std::lock_guard lock(mutex_);
        const auto found = tokens_.find(id);
        if (found == tokens_.end() || found->second.token.revoked_at) return false;
        found->second.token.revoked_at = clock_.now();
        return true;
    }

    std::vector<Token> list_tokens() const {
        const std::lock_guard lock(mutex_);
        std::vector<Token> tokens;
        tokens.reserve(tokens_.size());
        for (const auto& [id, stored] : tokens_) tokens.push_back(stored.token);
        return tokens;
    }

    std::vector<std::string> verify() const;

 private:
    /// Answers come later, as those of every store that waits for a disk do; so callers meet each other here as there.
    asio::awaitable<void> later() const { return asio::post(executor_, asio::use_awaitable); }

    bool may_ask(const Asker& asker) const {
        const auto found = tokens_.find(asker.token);
        return found != tokens_.end() && found->second.token.account == asker.account &&
               !found->second.token.revoked_at;
    }

    /// Another account's resource does not exist for the asker (contract S2).
    const Row* find_row(AccountId account, const ResourceId& id) const {
        const auto found = rows_.find(id);
        return found != rows_.end() && found->second.account == account ? &found->second : nullptr;
    }

    std::optional<Resource> find_resource(AccountId account, const ResourceId& id) const {
        const Row* row = find_row(account, id);
        return row != nullptr ? std::optional(row->current) : std::nullopt;
    }

    /// Expiry is judged here, when a record is read, never by whether the cleaner came by (contract K11).
    std::optional<Record> live_record(const KeyDigest& key, Timestamp now) const {
        const auto found = records_.find(key);
        if (found == records_.end() || found->second.expires_at <= now) return std::nullopt;
        return found->second;
    }

    Snapshot snapshot(const Reads& reads) const {
        const AccountId account = reads.asker.account;
        Snapshot known;
        known.now = clock_.now();
        if (reads.key) known.record = live_record(*reads.key, known.now);
        // What the record names comes before what the request names: a replay shows the former.
        const std::optional<ResourceId> shown = known.record ? known.record->resource : reads.target;
        if (shown) known.resource = find_resource(account, *shown);
        for (const ResourceId& id : reads.references) {
            const Row* row = find_row(account, id);
            known.referenced.push_back(row != nullptr && !row->current.deleted);
        }
        for (const ValueDigest& value : reads.uniques) {
            const auto owner = unique_.find({account, value});
            known.unique_owners.push_back(owner != unique_.end() ? std::optional(owner->second) : std::nullopt);
        }
        return known;
    }

    std::string what_is_taken(AccountId account, const Writes& writes) const;
    void apply(const Reads& reads, const Writes& writes);
    void put_resource(AccountId account, const Writes& writes);
    void put_record(const KeyDigest& key, const Record& record);
    void clean();
    Page page_of(const ListQuery& query) const;
    bool belongs_in(const ListQuery& query, const Row& row) const;

    // Constant after construction.
    const asio::any_io_executor executor_;
    const StoreOptions options_;
    const Clock& clock_;
    Secret secret_;

    // Guarded by mutex_: the tables.
    mutable std::mutex mutex_;
    std::map<std::string, AccountId> accounts_;
    std::map<TokenId, StoredToken> tokens_;
    std::map<ResourceId, Row> rows_;
    std::map<OwnedValue, std::set<ResourceId>> index_;
    std::map<OwnedValue, ResourceId> unique_;
    std::map<KeyDigest, Record> records_;
    std::set<std::pair<Timestamp, KeyDigest>> expiries_;  // of records_, soonest first
    std::vector<Event> events_;
};

/// The id or the unique value that another one holds, though the decision saw that it was free; or nothing.
std::string MemoryStore::what_is_taken(AccountId account, const Writes& writes) const {
    if (!writes.resource) return {};
    const Resource& state = *writes.resource;
    if (state.revision == Revision{1} && rows_.contains(state.id)) {
        return "the id of a new resource has been used before";
    }
    for (const ValueDigest& value : writes.unique_add) {
        const auto owner = unique_.find({account, value});
        if (owner != unique_.end() && owner->second != state.id) return "a unique value is taken";
    }
    return {};
}

void MemoryStore::apply(const Reads& reads, const Writes& writes) {
    if (writes.resource) put_resource(reads.asker.account, writes);
    if (writes.record) put_record(*reads.key, *writes.record);
    if (writes.event) events_.push_back(*writes.event);
}

void MemoryStore::put_resource(AccountId account, const Writes& writes) {
    const Resource& state = *writes.resource;
    Row& row = rows_.try_emplace(state.id, Row{account, state, {}}).first->second;
    if (row.current.revision != state.revision) {
        row.earlier.emplace(row.current.revision, std::move(row.current));
        row.current = state;
    }
    while (row.earlier.size() > writes.keep_revisions) row.earlier.erase(row.earlier.begin());

    // First all removals, so that a value may be removed and added in one change.
    for (const ValueDigest& value : writes.index_remove) index_[{account, value}].erase(state.id);
    for (const ValueDigest& value : writes.index_add) index_[{account, value}].insert(state.id);
    for (const ValueDigest& value : writes.unique_remove) {
        const auto owner = unique_.find({account, value});
        if (owner != unique_.end() && owner->second == state.id) unique_.erase(owner);
    }
    for (const ValueDigest& value : writes.unique_add) unique_.insert_or_assign({account, value}, state.id);
}

void MemoryStore::put_record(const KeyDigest& key, const Record& record) {
    if (const auto expired = records_.find(key); expired != records_.end()) {
        expiries_.erase({expired->second.expires_at, key});
    }
    records_.insert_or_assign(key, record);
    expiries_.insert({record.expires_at, key});
}

/// Removes some expired records, so that a backlog never holds up a write (contract K11).
void MemoryStore::clean() {
    if (options_.cleaner_interval.count() == 0) return;
    const Timestamp now = clock_.now();
    for (std::size_t removed = 0; removed < options_.cleaner_batch && !expiries_.empty(); ++removed) {
        const auto [expires_at, key] = *expiries_.begin();
        if (expires_at > now) return;
        records_.erase(key);
        expiries_.erase(expiries_.begin());
    }
}

bool MemoryStore::belongs_in(const ListQuery& query, const Row& row) const {
    const Resource& resource = row.current;
    if (row.account != query.asker.account || resource.type != query.type || resource.deleted) return false;
    if (query.updated_since && resource.updated_at < *query.updated_since) return false;
    return std::all_of(query.matches.begin(), query.matches.end(), [&](const ValueDigest& value) {
        const auto holders = index_.find({query.asker.account, value});
        return holders != index_.end() && holders->second.contains(resource.id);
    });
}

Page MemoryStore::page_of(const ListQuery& query) const {
    const auto place = [&](Timestamp updated_at, const ResourceId& id) {
        return std::tuple(query.updated_since ? updated_at : Timestamp{}, id);
    };
    std::map<std::tuple<Timestamp, ResourceId>, const Resource*> in_order;
    for (const auto& [id, row] : rows_) {
        if (belongs_in(query, row)) in_order.emplace(place(row.current.updated_at, id), &row.current);
    }
    auto next = query.after ? in_order.upper_bound(place(query.after->updated_at, query.after->id)) : in_order.begin();
    Page page;
    for (; next != in_order.end() && page.items.size() < query.limit; ++next) page.items.push_back(*next->second);
    page.more = next != in_order.end();
    return page;
}

std::vector<std::string> MemoryStore::verify() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> wrong;
    const auto is_live = [&](AccountId account, const ResourceId& id) {
        const Row* row = find_row(account, id);
        return row != nullptr && !row->current.deleted;
    };
    std::map<ResourceId, std::uint64_t> changes;
    for (const Event& event : events_) ++changes[event.resource];

    for (const auto& [id, row] : rows_) {
        const std::uint64_t revision = row.current.revision.value;
        if (changes[id] != revision) wrong.push_back(id.text + " has not one event per revision");
        if (!row.earlier.empty() && (row.earlier.rbegin()->first.value + 1 != revision ||
                                     row.earlier.begin()->first.value + row.earlier.size() != revision)) {
            wrong.push_back(id.text + " has gaps in its earlier states");
        }
    }
    for (const auto& [value, owner] : unique_) {
        if (!is_live(value.account, owner)) wrong.push_back(owner.text + " is gone but holds a unique value");
    }
    for (const auto& [value, holders] : index_) {
        for (const ResourceId& id : holders) {
            if (!is_live(value.account, id)) wrong.push_back(id.text + " is gone but holds an indexed value");
        }
    }
    for (const auto& [key, record] : records_) {
        const auto row = rows_.find(record.resource);
        if (!is_success(record.status)) wrong.push_back("a record remembers a refusal");
        if (row == rows_.end() || row->second.current.revision < record.revision) {
            wrong.push_back("a record names " + record.resource.text + " in a state that never was");
        }
        if (!expiries_.contains({record.expires_at, key})) wrong.push_back("a record would never be removed");
    }
    if (expiries_.size() != records_.size()) wrong.push_back("there are expiries without a record");
    return wrong;
}

class MemoryAdmin final : public StoreAdmin {
 public:
    explicit MemoryAdmin(MemoryStore& store) : store_(store) {}

    Result<TokenId> create_token(const std::string& account, const std::string& scopes, TokenDigest digest) override {
        return store_.create_token(account, scopes, digest);
    }
    Result<std::optional<TokenId>> create_first_token(const std::string& account, const std::string& scopes,
                                                      TokenDigest digest) override {
        return store_.create_first_token(account, scopes, digest);
    }
    Result<bool> revoke_token(TokenId id) override { return store_.revoke_token(id); }
    Result<std::vector<Token>> list_tokens() override { return store_.list_tokens(); }
    Result<void> backup(const std::string&) override {
        return Error{Errc::configuration, "a store in memory is lost with its process and has no backup"};
    }
    Result<std::vector<std::string>> verify() override { return store_.verify(); }

 private:
    MemoryStore& store_;
};

}  // namespace

OpenedStore open_memory_store(asio::any_io_executor executor, const StoreOptions& options, const Clock& clock,
                              Entropy& entropy) {
    auto store = std::make_unique<MemoryStore>(std::move(executor), options, clock, entropy);
    auto admin = std::make_unique<MemoryAdmin>(*store);
    return {std::move(store), std::move(admin)};
}

std::vector<Event> events_of_memory_store(const Store& store) {
    const auto* memory_store = dynamic_cast<const MemoryStore*>(&store);
    EINMAL_ASSERT(memory_store != nullptr);
    return memory_store->events();
}

}  // namespace einmal::store
