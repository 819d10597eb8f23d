// The thin driver: asks the table of running operations, lets the store run the decision, clears up doubt. Everything
// that can be decided without waiting is in decide, prepare and change.
#include <einmal/engine.hpp>

#include "base/digest.hpp"
#include "engine/change.hpp"
#include "engine/decide.hpp"
#include "engine/key.hpp"
#include "engine/prepare.hpp"
#include "engine/running.hpp"

#include <algorithm>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>

namespace einmal {

namespace asio = boost::asio;
using engine::Operation;
using engine::Running;

namespace {

// How often a doubtful commit is asked again by key before the client is told that it is in doubt.
constexpr int clarification_attempts = 3;

Decision decision_of(Outcome outcome) {
    Decision decision;
    decision.outcome = outcome;
    return decision;
}

/// After doubt, the record of a create that carries this very operation's id is its own: the answer is no replay.
void recognise_own_commit(const Operation& operation, Decision& decision) {
    const bool own = decision.outcome == Outcome::replayed && operation.verb == Verb::create &&
                     decision.record->resource == operation.fresh_id;
    if (own) decision.outcome = Outcome::executed;
}

/// The names of top-level members that differ, as far as the caller may see them (contract R5).
std::vector<std::string> changed_members(const ResourceType& type, const Scopes& scopes, const json::Object& then,
                                         const json::Object& now) {
    std::vector<std::string> names;
    const auto visible = [&](const std::string& name) {
        const auto scope = type.scopes.find(name);
        return scope == type.scopes.end() || scopes.allow(scope->second);
    };
    for (const auto& member : now) {
        const auto* was = then.find(member.name);
        if ((was == nullptr || *was != member.value) && visible(member.name)) names.push_back(member.name);
    }
    for (const auto& member : then)
        if (now.find(member.name) == nullptr && visible(member.name)) names.push_back(member.name);
    std::ranges::sort(names);
    return names;
}

}  // namespace

class Engine::Impl {
 public:
    // Constant after construction, but for the digest's context and the table, which only the executor touches.
    asio::any_io_executor executor;
    Store& store;
    const Catalog& catalog;
    EngineOptions options;
    const Clock& clock;
    Entropy& entropy;
    base::Hmac hmac{store.secret()};
    Running running;

    asio::awaitable<Result<Decision>> commit(std::shared_ptr<const Operation> operation);
    asio::awaitable<Result<Answer>> commit_in_turn(std::shared_ptr<const Operation> operation,
                                                   std::optional<std::chrono::seconds> wait);
    asio::awaitable<std::vector<std::string>> changed_since(const Operation& operation, const Caller& caller,
                                                            const Resource& current);
};

/// Contract K9 and the named doubt: apply again, the key decides. Without a key there is nothing to ask by.
asio::awaitable<Result<Decision>> Engine::Impl::commit(std::shared_ptr<const Operation> operation) {
    Error doubt{Errc::outcome_unknown, {}};
    for (int attempt = 0; attempt < clarification_attempts; ++attempt) {
        Decide decide = [operation](const Snapshot& snapshot) { return engine::decide(*operation, snapshot); };
        auto decision = co_await store.transact(operation->reads, std::move(decide));
        if (decision && attempt > 0) recognise_own_commit(*operation, *decision);
        if (decision) co_return decision;
        const bool unknown = decision.error().code == Errc::outcome_unknown;
        if (!unknown && attempt == 0) co_return decision;
        doubt.reason = decision.error().reason;
        if (!operation->reads.key) break;
    }
    co_return doubt;
}

/// Contract K5: one operation at a time under a key; others are refused or wait for it.
asio::awaitable<Result<Answer>> Engine::Impl::commit_in_turn(std::shared_ptr<const Operation> operation,
                                                             std::optional<std::chrono::seconds> wait) {
    const auto& key = *operation->reads.key;
    const auto patience = wait ? std::min(*wait, options.wait_max) : std::chrono::seconds{0};
    const auto deadline = std::chrono::steady_clock::now() + patience;
    Answer answer;
    auto begun = running.begin(key, operation->fingerprint);
    while (begun == Running::Begun::same && std::chrono::steady_clock::now() < deadline) {
        answer.waited = patience;
        co_await running.wait(key, deadline);
        begun = running.begin(key, operation->fingerprint);
    }
    switch (begun) {
        case Running::Begun::mismatch:
            answer.decision = decision_of(Outcome::payload_mismatch);
            co_return answer;
        case Running::Begun::same:
            answer.decision = decision_of(Outcome::in_progress);
            co_return answer;
        case Running::Begun::started:
            break;
    }
    const Running::Turn turn(running, key);
    auto decision = co_await commit(operation);
    if (!decision) co_return decision.error();
    answer.decision = std::move(*decision);
    co_return answer;
}

asio::awaitable<std::vector<std::string>> Engine::Impl::changed_since(const Operation& operation, const Caller& caller,
                                                                      const Resource& current) {
    std::vector<std::string> none;
    const auto revision = operation.if_match ? operation.if_match->single_revision() : std::nullopt;
    if (!revision || *revision >= current.revision || !caller.scopes.allow(operation.type->name.text + ":read"))
        co_return none;
    const auto earlier = co_await store.read_revision(operation.reads.asker, current.id, *revision);
    if (!earlier || !*earlier) co_return none;
    const auto then = engine::stored_body(**earlier);
    const auto now = engine::stored_body(current);
    if (!then || !now) co_return none;
    co_return changed_members(*operation.type, caller.scopes, *then->if_object(), *now->if_object());
}

Engine::Engine(asio::any_io_executor executor, Store& store, const Catalog& catalog, EngineOptions options,
               const Clock& clock, Entropy& entropy)
    : impl_(std::make_unique<Impl>(std::move(executor), store, catalog, options, clock, entropy)) {}

Engine::~Engine() = default;

asio::awaitable<Result<Answer>> Engine::execute(Command command) {
    // What has been accepted is carried out, whoever gives up on the answer (contract K10).
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    const auto wait = command.wait;
    const auto caller = command.caller;
    const engine::Sources sources{impl_->catalog, impl_->options,        impl_->clock,
                                  impl_->entropy, impl_->store.secret(), impl_->hmac};
    const auto operation = std::make_shared<const Operation>(engine::prepare(std::move(command), sources));
    Result<Answer> answer = Answer{};
    if (operation->reads.key) {
        answer = co_await impl_->commit_in_turn(operation, wait);
    } else if (auto decision = co_await impl_->commit(operation)) {
        answer->decision = std::move(*decision);
    } else {
        answer = decision.error();
    }
    if (answer && answer->decision.outcome == Outcome::precondition_failed)
        answer->changed = co_await impl_->changed_since(*operation, *caller, *answer->decision.resource);
    co_await asio::this_coro::reset_cancellation_state();
    co_return answer;
}

asio::awaitable<Result<std::optional<Resource>>> Engine::get(Asker asker, const ResourceType& type, ResourceId id) {
    auto found = co_await impl_->store.read(asker, std::move(id));
    const bool absent = found && *found && ((*found)->deleted || (*found)->type != type.name);
    if (absent) found->reset();
    co_return found;
}

asio::awaitable<Result<std::optional<Resource>>> Engine::get_revision(Asker asker, const ResourceType& type,
                                                                      ResourceId id, Revision revision) {
    auto current = co_await get(asker, type, id);
    if (!current || !*current || (*current)->revision == revision) co_return current;
    co_return co_await impl_->store.read_revision(asker, std::move(id), revision);
}

asio::awaitable<Result<Page>> Engine::list(ListQuery query) { return impl_->store.list(std::move(query)); }

asio::awaitable<Result<Page>> Engine::list_revisions(RevisionsQuery query) {
    return impl_->store.list_revisions(std::move(query));
}

asio::awaitable<Result<KeyStatus>> Engine::look_up(Asker asker, Keyed keyed) {
    const auto digest = engine::key_digest(impl_->hmac, {asker.account, keyed.key.text, keyed.method, keyed.route});
    KeyStatus status;
    status.in_progress = impl_->running.contains(digest);
    auto record = co_await impl_->store.find_record(asker, digest);
    if (!record) co_return record.error();
    status.record = std::move(*record);
    if (status.record) status.in_progress = false;
    co_return status;
}

asio::awaitable<Result<std::optional<Token>>> Engine::find_token(TokenDigest digest) {
    return impl_->store.find_token(digest);
}

asio::awaitable<Result<void>> Engine::ping() { return impl_->store.ping(); }

ValueDigest Engine::value_digest(const ResourceType& type, std::string_view member, const json::Value& value) const {
    return engine::value_digest(impl_->hmac, type.name.text, member, value);
}

const Catalog& Engine::catalog() const { return impl_->catalog; }

const Secret& Engine::secret() const { return impl_->store.secret(); }

std::size_t Engine::running() const { return impl_->running.size(); }

}  // namespace einmal
