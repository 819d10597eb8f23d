// The engine: takes one typed request, decides what it comes to, commits it, and says so. No SQL, no HTTP.
#pragma once

#include <einmal/catalog.hpp>
#include <einmal/decision.hpp>
#include <einmal/env.hpp>
#include <einmal/options.hpp>
#include <einmal/precondition.hpp>
#include <einmal/result.hpp>
#include <einmal/scopes.hpp>
#include <einmal/store.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace einmal {

/// An authenticated caller.
struct Caller {
    Asker asker;
    Scopes scopes;
};

enum class Verb { create, patch, replace, remove };

/// What the fingerprint covers besides the JSON body (contract K4). All text is percent-decoded.
struct RequestIdentity {
    std::string method;  ///< `POST`
    std::string route;   ///< the pattern, `/v1/contacts/{id}`: part of the key's place (contract K3)
    std::string path;    ///< the concrete path: part of the fingerprint
    std::vector<std::pair<std::string, std::string>> effect_parameters;  ///< any order
    std::string media_type;                                              ///< without parameters, lower case
    std::string opaque_body;  ///< a body that is no JSON (of DELETE), byte by byte
};

/// One write. `body` is the resource (create, replace) or the merge patch (patch).
struct Command {
    Verb verb{};
    std::shared_ptr<const Caller> caller;
    const ResourceType* type = nullptr;  ///< lives as long as the engine
    ResourceId target;                   ///< empty for create
    std::optional<Key> key;
    RequestIdentity identity;
    json::Value body;
    std::optional<Precondition> if_match;
    bool if_none_match_any = false;            ///< `If-None-Match: *` on PUT: 412 (contract R8)
    std::optional<std::chrono::seconds> wait;  ///< `Prefer: wait=N` (contract K5)
};

/// What became of a write, and whether the caller's wish to wait was applied.
struct Answer {
    Decision decision;
    std::optional<std::chrono::seconds> waited;  ///< the N that was applied (contract K5)
    std::vector<std::string> changed;            ///< with precondition_failed, when known (contract R5)
};

/// What is known of a key (contract K14).
struct KeyStatus {
    bool in_progress = false;
    std::optional<Record> record;
};

struct Keyed {
    Key key;
    std::string method;
    std::string route;
};

/// Used from the threads of `executor` only; the executor runs one handler at a time (one thread, or a strand).
/// Store and catalog outlive the engine; the engine outlives every call.
class Engine {
 public:
    Engine(boost::asio::any_io_executor executor, Store& store, const Catalog& catalog, EngineOptions options,
           const Clock& clock = system_clock(), Entropy& entropy = system_entropy());
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// Runs one operation to its end, whether or not anybody still waits for it (contract K10): cancelling has no
    /// effect while it runs; afterwards the calling coroutine accepts Asio's default, terminal cancellation. Scopes
    /// have been checked before (contract R9). Fails as Store::transact does, except that an unknown outcome has been
    /// clarified where it could be.
    boost::asio::awaitable<Result<Answer>> execute(Command command);

    /// The live resource, or nothing (also for a tombstone, contract R10).
    boost::asio::awaitable<Result<std::optional<Resource>>> get(Asker asker, const ResourceType& type, ResourceId id);
    /// A kept state of a live resource, or nothing (contract R12).
    boost::asio::awaitable<Result<std::optional<Resource>>> get_revision(Asker asker, const ResourceType& type,
                                                                         ResourceId id, Revision revision);
    boost::asio::awaitable<Result<Page>> list(ListQuery query);
    boost::asio::awaitable<Result<Page>> list_revisions(RevisionsQuery query);
    boost::asio::awaitable<Result<KeyStatus>> look_up(Asker asker, Keyed keyed);
    boost::asio::awaitable<Result<std::optional<Token>>> find_token(TokenDigest digest);
    boost::asio::awaitable<Result<void>> ping();

    /// The digest by which `ListQuery::matches` finds resources whose `member` holds `value`.
    [[nodiscard]] ValueDigest value_digest(const ResourceType& type, std::string_view member,
                                           const json::Value& value) const;
    [[nodiscard]] const Catalog& catalog() const;
    [[nodiscard]] const Secret& secret() const;
    /// Operations running at this moment (contract A5).
    [[nodiscard]] std::size_t running() const;

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

/// The resource as JSON text under `scopes`: all members, those the scopes show, or only `id` (contract S1). A
/// tombstone is `{"deleted":true,"id":…,"revision":…}` (contract K12).
[[nodiscard]] std::string represent(const ResourceType& type, const Resource& resource, const Scopes& scopes);

}  // namespace einmal
