// The one door between the engine and a database. Everything local goes through `transact`; the rest only reads.
// A second door (claim / settle, with a fencing token) is reserved for effects outside the database.
#pragma once

#include <einmal/decision.hpp>
#include <einmal/result.hpp>
#include <einmal/types.hpp>

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace einmal {

/// Who asks. The store checks in the same transaction that the token has not been revoked (Errc::token_revoked).
struct Asker {
    AccountId account;
    TokenId token;
};

/// What a decision needs to know; read in the decision's own transaction.
struct Reads {
    Asker asker;
    std::optional<KeyDigest> key;
    std::optional<ResourceId> target;    ///< of PATCH, PUT and DELETE
    std::vector<ResourceId> references;  ///< resources that must exist (contract T4)
    std::vector<ValueDigest> uniques;    ///< unique values the request would take (contract T4)
};

/// What the database knows, as of one instant of one transaction.
struct Snapshot {
    Timestamp now;                 ///< the store's clock; the only time a decision knows (contract K11)
    std::optional<Record> record;  ///< under `Reads::key`; never an expired one
    /// The resource that `record` names when there is one, otherwise `Reads::target`. Tombstones included.
    std::optional<Resource> resource;
    std::vector<bool> referenced;                          ///< per `Reads::references`: exists and is no tombstone
    std::vector<std::optional<ResourceId>> unique_owners;  ///< per `Reads::uniques`
};

/// Pure: no I/O, no clock, no chance. May be called more than once (a serialization failure, a lost race), on any
/// thread, and with a snapshot that is only assumed, before the store has asked the database; the last call counts. The
/// times in its writes lie at fixed distances from `Snapshot::now`.
using Decide = std::function<Decision(const Snapshot&)>;

/// A place in a list, to go on behind it.
struct ListPosition {
    Timestamp updated_at;  ///< used only with `ListQuery::updated_since`
    ResourceId id;
};

/// One page of a type's live resources: in order of id, or of (updated_at, id) with `updated_since` (contract T3).
struct ListQuery {
    Asker asker;
    TypeName type;
    std::vector<ValueDigest> matches;  ///< indexed members that must hold these values, all of them
    std::optional<Timestamp> updated_since;
    std::optional<ListPosition> after;
    std::size_t limit = 0;
};

/// One page of a resource's states, the current one first (contract R12).
struct RevisionsQuery {
    Asker asker;
    ResourceId id;
    std::optional<Revision> before;  ///< go on below this one
    std::size_t limit = 0;
};

struct Page {
    std::vector<Resource> items;
    bool more = false;  ///< there is at least one more behind the last item
};

/// A token as its owner may see it: without the secret.
struct Token {
    TokenId id;
    AccountId account;
    std::string account_name;
    std::string scopes;  ///< as given to `einmal token create`, blank separated
    Timestamp created_at;
    std::optional<Timestamp> revoked_at;
};

/// All functions may be called from any thread that runs the executor the store was opened with, any number at a time.
/// A store outlives every call made of it. Each function fails with Errc::unavailable (nothing was done) or
/// Errc::corrupt; those that take an Asker also with Errc::token_revoked; `transact` also with Errc::outcome_unknown.
class Store {
 public:
    virtual ~Store() = default;

    /// Reads what `reads` names, calls `decide` with it, and makes the writes it returns, all in one transaction.
    /// Returns the decision, without its writes, after these are durable (contract K9). A decision without writes
    /// leaves no trace; a `replayed` one only counts (contract K14).
    virtual boost::asio::awaitable<Result<Decision>> transact(Reads reads, Decide decide) = 0;

    /// Tombstones are returned as such; nothing for an id that never was (contract R10, S2).
    virtual boost::asio::awaitable<Result<std::optional<Resource>>> read(Asker asker, ResourceId id) = 0;

    /// The current or a kept earlier state (contract R12); nothing when it is not kept or never was.
    virtual boost::asio::awaitable<Result<std::optional<Resource>>> read_revision(Asker asker, ResourceId id,
                                                                                  Revision revision) = 0;

    virtual boost::asio::awaitable<Result<Page>> list(ListQuery query) = 0;

    /// Empty when the resource does not exist or is a tombstone.
    virtual boost::asio::awaitable<Result<Page>> list_revisions(RevisionsQuery query) = 0;

    /// The record under a key, unless it is expired (contract K14).
    virtual boost::asio::awaitable<Result<std::optional<Record>>> find_record(Asker asker, KeyDigest key) = 0;

    /// Also a revoked token is found; the caller looks at `revoked_at`.
    virtual boost::asio::awaitable<Result<std::optional<Token>>> find_token(TokenDigest digest) = 0;

    /// Succeeds when the store can be read and written (contract A5, `/readyz`).
    virtual boost::asio::awaitable<Result<void>> ping() = 0;

    /// Ends what the store does by itself between calls, so that the executor can run out of work, and writes down what
    /// is only counted in memory (contract K14), as far as that can be done. Once, after the last other call.
    virtual boost::asio::awaitable<void> close() { co_return; }

    /// The database's secret; constant while the store is open.
    [[nodiscard]] virtual const Secret& secret() const = 0;
};

/// What an operator does to a store from the command line. Blocking; each call is one transaction. Not thread-safe.
class StoreAdmin {
 public:
    virtual ~StoreAdmin() = default;

    /// Makes the account when it does not exist yet. The store keeps only the digest (contract S1).
    virtual Result<TokenId> create_token(const std::string& account, const std::string& scopes, TokenDigest digest) = 0;
    /// The same, but only on a store that has no token at all, so that of two servers that start at the same time one
    /// makes the first token (contract A2). Nothing when there is one already.
    virtual Result<std::optional<TokenId>> create_first_token(const std::string& account, const std::string& scopes,
                                                              TokenDigest digest) = 0;
    /// False when there is no such token, or it was revoked before.
    virtual Result<bool> revoke_token(TokenId id) = 0;
    virtual Result<std::vector<Token>> list_tokens() = 0;
    /// A consistent copy while others read and write; refuses to overwrite (contract A7).
    virtual Result<void> backup(const std::string& file) = 0;
    /// What is wrong, one sentence each; empty when the store is sound (contract A7).
    virtual Result<std::vector<std::string>> verify() = 0;
};

}  // namespace einmal
