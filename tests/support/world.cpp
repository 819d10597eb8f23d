#include "support/world.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace einmal::test {
namespace {

bool canary_is_wanted() {
    const char* wish = std::getenv("EINMAL_TEST_CANARY");
    return wish != nullptr && std::string_view(wish) == "1";
}

std::string method_of(Verb verb) {
    switch (verb) {
        case Verb::create:
            return "POST";
        case Verb::patch:
            return "PATCH";
        case Verb::replace:
            return "PUT";
        case Verb::remove:
            return "DELETE";
    }
    throw std::logic_error("no such verb");
}

std::string media_type_of(Verb verb) {
    switch (verb) {
        case Verb::create:
        case Verb::replace:
            return "application/json";
        case Verb::patch:
            return "application/merge-patch+json";
        case Verb::remove:
            return "";
    }
    throw std::logic_error("no such verb");
}

}  // namespace

json::Value parsed(std::string_view text) {
    auto value = json::read(text);
    if (!value) throw std::logic_error("the test's own JSON is wrong: " + value.error().detail);
    return std::move(*value);
}

Precondition if_match(std::string_view field_value) {
    auto precondition = Precondition::parse({field_value});
    if (!precondition) throw std::logic_error("the test's own precondition is wrong: " + precondition.error());
    return std::move(*precondition);
}

void PrintTo(const Verdict& verdict, std::ostream* out) {
    if (verdict.outcome) PrintTo(*verdict.outcome, out);
    if (verdict.error) PrintTo(*verdict.error, out);
}

Verdict verdict_of(const Result<Answer>& answer) {
    if (answer) return answer->decision.outcome;
    return answer.error().code;
}

std::size_t count(const std::vector<Result<Answer>>& answers, const Verdict& verdict) {
    return static_cast<std::size_t>(
        std::ranges::count_if(answers, [&](const auto& answer) { return verdict_of(answer) == verdict; }));
}

World::World(const StoreKind& kind, Options options)
    : entropy(options.seed),
      opened(kind.open({runner.executor(), options.store, clock, entropy})),
      faults(remembering_or_not()),
      gate(faults),
      catalog(Catalog::load({}).value()),
      first(caller("first")),
      second(caller("second")),
      engine(std::make_unique<Engine>(runner.executor(), gate, catalog, options.engine, clock, entropy)) {}

World::~World() {
    gate.release();
    runner.run_until([this] { return engine->running() == 0; });
}

Store& World::remembering_or_not() {
    if (!canary_is_wanted()) return opened->store();
    forgetful = std::make_unique<ForgetfulStore>(opened->store());
    return *forgetful;
}

std::shared_ptr<const Caller> World::caller(const std::string& account, const std::string& scopes) {
    TokenDigest digest;
    entropy.fill(digest.bytes);
    const TokenId id = opened->admin().create_token(account, scopes, digest).value();
    const std::vector<Token> tokens = opened->admin().list_tokens().value();
    const auto token = std::ranges::find(tokens, id, &Token::id);
    if (token == tokens.end()) throw std::logic_error("a token that was made is not listed");
    auto parsed_scopes = Scopes::parse(scopes);
    if (!parsed_scopes) throw std::logic_error("the test's own scopes are wrong: " + parsed_scopes.error());
    return std::make_shared<const Caller>(Caller{{token->account, id}, std::move(*parsed_scopes)});
}

Command World::command(Verb verb, const ResourceType& type, std::string_view key) {
    Command command;
    command.verb = verb;
    command.caller = first;
    command.type = &type;
    if (!key.empty()) command.key = Key{std::string(key)};
    command.identity.method = method_of(verb);
    command.identity.route = "/v1/" + type.name.text + (verb == Verb::create ? "" : "/{id}");
    command.identity.path = "/v1/" + type.name.text;
    command.identity.media_type = media_type_of(verb);
    return command;
}

Command World::create(std::string_view type_name, std::string_view key, std::string_view body) {
    Command made = command(Verb::create, type(type_name), key);
    made.body = parsed(body);
    return made;
}

Command World::patch(const ResourceId& id, std::string_view key, std::string_view body) {
    Command made = command(Verb::patch, type_of(id), key);
    made.target = id;
    made.identity.path += "/" + id.text;
    made.body = parsed(body);
    return made;
}

Command World::replace(const ResourceId& id, std::string_view key, std::string_view body) {
    Command made = command(Verb::replace, type_of(id), key);
    made.target = id;
    made.identity.path += "/" + id.text;
    made.body = parsed(body);
    return made;
}

Command World::remove(const ResourceId& id, std::string_view key) {
    Command made = command(Verb::remove, type_of(id), key);
    made.target = id;
    made.identity.path += "/" + id.text;
    return made;
}

std::vector<Result<Answer>> World::execute_all(const std::vector<Command>& commands) {
    std::vector<Pending<Result<Answer>>> pending;
    for (const Command& each : commands) pending.push_back(start(each));
    return get_all(pending);
}

Resource World::created(std::string_view type_name, std::string_view body) {
    const auto answer = execute(create(type_name, "", body));
    if (verdict_of(answer) != Outcome::executed) throw std::runtime_error("a resource for the test was not created");
    return *answer->decision.resource;
}

std::optional<Resource> World::get(const ResourceId& id) {
    return runner.run(engine->get(first->asker, type_of(id), id)).value();
}

json::Value World::body(const ResourceId& id) {
    const auto resource = get(id);
    if (!resource) throw std::runtime_error(id.text + " does not exist");
    return parsed(resource->body);
}

std::vector<Resource> World::all(std::string_view type_name) {
    ListQuery query;
    query.asker = first->asker;
    query.type = type(type_name).name;
    query.limit = 10'000;
    return runner.run(engine->list(query)).value().items;
}

KeyStatus World::look_up(std::string_view key, std::string_view method, std::string_view route) {
    const Keyed keyed{Key{std::string(key)}, std::string(method), std::string(route)};
    return runner.run(engine->look_up(first->asker, keyed)).value();
}

Record World::record(std::string_view key, std::string_view method, std::string_view route) {
    const KeyStatus status = look_up(key, method, route);
    if (!status.record) throw std::runtime_error("there is no record under " + std::string(key));
    return *status.record;
}

const ResourceType& World::type(std::string_view name) const {
    const ResourceType* found = catalog.find(name);
    if (found == nullptr) throw std::logic_error("there is no type " + std::string(name));
    return *found;
}

const ResourceType& World::type_of(const ResourceId& id) const {
    for (const auto& [name, type] : catalog.types()) {
        if (id.text.starts_with(type.id_prefix)) return type;
    }
    throw std::logic_error("no type makes ids like " + id.text);
}

}  // namespace einmal::test
