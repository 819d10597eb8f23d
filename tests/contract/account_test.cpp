// Accounts do not see each other, and a revoked token does nothing more (contract S1, S2).
#include "contract/contract_test.hpp"

#include <string>

namespace einmal::test {
namespace {

constexpr std::string_view anna = R"({"name":"Anna"})";

Command as(std::shared_ptr<const Caller> caller, Command command) {
    command.caller = std::move(caller);
    return command;
}

// proves: S2
TEST_P(Contract, AnotherAccountsResourceDoesNotExist) {
    World world(GetParam(), {});
    const ResourceId id = world.created("contacts", anna).id;
    ASSERT_EQ(verdict_of(world.execute(world.patch(id, "", R"({"name":"B"})"))), Outcome::executed);
    const Asker other = world.second->asker;
    const ResourceType& contacts = world.type("contacts");

    EXPECT_FALSE(world.runner.run(world.engine->get(other, contacts, id)).value().has_value());
    EXPECT_FALSE(world.runner.run(world.opened->store().read(other, id)).value().has_value());
    EXPECT_FALSE(world.runner.run(world.engine->get_revision(other, contacts, id, {1})).value().has_value());
    EXPECT_FALSE(world.runner.run(world.opened->store().read_revision(other, id, {1})).value().has_value());
    EXPECT_TRUE(world.runner.run(world.engine->list_revisions({other, id, {}, 10})).value().items.empty());
    ListQuery all;
    all.asker = other;
    all.type = contacts.name;
    all.limit = 10;
    EXPECT_TRUE(world.runner.run(world.engine->list(all)).value().items.empty());
    all.updated_since = Timestamp{};
    EXPECT_TRUE(world.runner.run(world.engine->list(all)).value().items.empty());

    EXPECT_EQ(verdict_of(world.execute(as(world.second, world.patch(id, "", anna)))), Outcome::not_found);
    EXPECT_EQ(verdict_of(world.execute(as(world.second, world.replace(id, "", anna)))), Outcome::not_found);
    EXPECT_EQ(verdict_of(world.execute(as(world.second, world.remove(id, "k1")))), Outcome::not_found);
    EXPECT_EQ(world.get(id)->revision, Revision{2});
}

// proves: S2, T4
TEST_P(Contract, UniqueValuesReferencesAndFiltersStopAtTheAccount) {
    World world(GetParam(), {});
    const ResourceId contact = world.created("contacts", R"({"name":"A","email":"a@example.org"})").id;
    world.created("companies", R"({"name":"A","vat_id":"DE1"})");

    const auto same_value = world.create("companies", "k1", R"({"name":"B","vat_id":"DE1"})");
    EXPECT_EQ(verdict_of(world.execute(as(world.second, same_value))), Outcome::executed);
    const auto foreign_reference =
        world.create("tasks", "k2", R"({"title":"T","contact_id":")" + contact.text + R"("})");
    EXPECT_EQ(verdict_of(world.execute(as(world.second, foreign_reference))), Outcome::invalid);

    ListQuery by_email;
    by_email.asker = world.second->asker;
    by_email.type = TypeName{"contacts"};
    by_email.matches = {world.engine->value_digest(world.type("contacts"), "email", "a@example.org")};
    by_email.limit = 10;
    EXPECT_TRUE(world.runner.run(world.engine->list(by_email)).value().items.empty());
}

// proves: S1
TEST_P(Contract, RevokedTokenDoesNothingMore) {
    World world(GetParam(), {});
    const ResourceId id = world.created("contacts", anna).id;
    const auto doomed = world.caller("first");
    ASSERT_EQ(verdict_of(world.execute(as(doomed, world.create("contacts", "k1", anna)))), Outcome::executed);
    EXPECT_TRUE(world.opened->admin().revoke_token(doomed->asker.token).value());
    EXPECT_FALSE(world.opened->admin().revoke_token(doomed->asker.token).value());

    EXPECT_EQ(verdict_of(world.execute(as(doomed, world.create("contacts", "k2", anna)))), Errc::token_revoked);
    EXPECT_EQ(verdict_of(world.execute(as(doomed, world.create("contacts", "k1", anna)))), Errc::token_revoked);
    EXPECT_EQ(verdict_of(world.execute(as(doomed, world.patch(id, "", R"({"name":"B"})")))), Errc::token_revoked);
    EXPECT_EQ(verdict_of(world.execute(as(doomed, world.remove(id, "k3")))), Errc::token_revoked);
    const Asker asker = doomed->asker;
    Store& store = world.opened->store();
    EXPECT_EQ(world.runner.run(store.read(asker, id)).error().code, Errc::token_revoked);
    EXPECT_EQ(world.runner.run(store.read_revision(asker, id, {1})).error().code, Errc::token_revoked);
    EXPECT_EQ(world.runner.run(store.list({asker, {"contacts"}, {}, {}, {}, 10})).error().code, Errc::token_revoked);
    EXPECT_EQ(world.runner.run(store.list_revisions({asker, id, {}, 10})).error().code, Errc::token_revoked);
    EXPECT_EQ(world.runner.run(store.find_record(asker, KeyDigest{})).error().code, Errc::token_revoked);

    EXPECT_EQ(world.all("contacts").size(), 2U);
    EXPECT_EQ(world.get(id)->revision, Revision{1});
    EXPECT_EQ(world.record("k1", "POST", "/v1/contacts").replays, 0U);
}

// proves: S1
TEST_P(Contract, TokenRevokedWhileItsRequestIsOnTheWayIsRefused) {
    World world(GetParam(), {});
    const auto doomed = world.caller("first");
    world.gate.hold_next(GateStore::Where::before_effect);
    const auto pending = world.start(as(doomed, world.create("contacts", "k1", anna)));
    world.runner.run_until([&] { return world.gate.held() == 1; });
    ASSERT_TRUE(world.opened->admin().revoke_token(doomed->asker.token).value());
    world.gate.release();
    EXPECT_EQ(verdict_of(pending.get()), Errc::token_revoked);
    EXPECT_TRUE(world.all("contacts").empty());
}

// proves: S1
TEST_P(Contract, TokensAreFoundByDigestAndListedWithoutIt) {
    World world(GetParam(), {});
    TokenDigest digest;
    digest.bytes.fill(std::byte{7});
    StoreAdmin& admin = world.opened->admin();
    const TokenId id = admin.create_token("third", "contacts:read tasks:write", digest).value();
    auto found = world.runner.run(world.engine->find_token(digest)).value();
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->id, id);
    EXPECT_EQ(found->account_name, "third");
    EXPECT_EQ(found->scopes, "contacts:read tasks:write");
    EXPECT_EQ(found->created_at, world.clock.now());
    EXPECT_FALSE(found->revoked_at.has_value());
    EXPECT_NE(found->account, world.first->asker.account);

    TokenDigest second_digest;
    second_digest.bytes.fill(std::byte{8});
    ASSERT_TRUE(admin.create_token("third", "*", second_digest).has_value());
    EXPECT_EQ(world.runner.run(world.engine->find_token(second_digest)).value()->account, found->account);

    world.clock.advance(std::chrono::seconds{1});
    ASSERT_TRUE(admin.revoke_token(id).value());
    found = world.runner.run(world.engine->find_token(digest)).value();
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->revoked_at, world.clock.now());
    EXPECT_EQ(admin.list_tokens()->size(), 4U);
    digest.bytes.fill(std::byte{9});
    EXPECT_FALSE(world.runner.run(world.engine->find_token(digest)).value().has_value());
    EXPECT_FALSE(admin.revoke_token(TokenId{999}).value());
}

}  // namespace
}  // namespace einmal::test
