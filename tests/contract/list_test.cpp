// Lists (contract T2, T3): order, pages, filters.
#include "contract/contract_test.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace einmal::test {
namespace {

ListQuery contacts(const World& world, std::size_t limit) {
    ListQuery query;
    query.asker = world.first->asker;
    query.type = TypeName{"contacts"};
    query.limit = limit;
    return query;
}

Page page(World& world, const ListQuery& query) { return world.runner.run(world.engine->list(query)).value(); }

std::vector<ResourceId> ids_in(const Page& found) {
    std::vector<ResourceId> ids;
    for (const Resource& resource : found.items) ids.push_back(resource.id);
    return ids;
}

/// Creates so many contacts, a millisecond apart, and returns their ids.
std::vector<ResourceId> make_contacts(World& world, std::size_t count) {
    std::vector<ResourceId> ids;
    for (std::size_t i = 0; i < count; ++i) {
        ids.push_back(world.created("contacts", R"({"name":"C"})").id);
        world.clock.advance(std::chrono::milliseconds{1});
    }
    return ids;
}

// proves: T2, T3
TEST_P(Contract, ListGoesThroughAllLiveResourcesInOrderOfId) {
    World world(GetParam(), {});
    auto ids = make_contacts(world, 7);
    world.created("companies", R"({"name":"no contact"})");
    ASSERT_EQ(verdict_of(world.execute(world.remove(ids[3], "k1"))), Outcome::executed);
    ids.erase(ids.begin() + 3);
    EXPECT_TRUE(std::ranges::is_sorted(ids));

    ListQuery query = contacts(world, 4);
    const Page first = page(world, query);
    EXPECT_EQ(ids_in(first), std::vector<ResourceId>(ids.begin(), ids.begin() + 4));
    EXPECT_TRUE(first.more);
    query.after = ListPosition{first.items.back().updated_at, first.items.back().id};
    const Page second = page(world, query);
    EXPECT_EQ(ids_in(second), std::vector<ResourceId>(ids.begin() + 4, ids.end()));
    EXPECT_FALSE(second.more);
}

// proves: T3
TEST_P(Contract, LastPageThatIsJustFullHasNoMore) {
    World world(GetParam(), {});
    make_contacts(world, 4);
    EXPECT_FALSE(page(world, contacts(world, 4)).more);
    EXPECT_TRUE(page(world, contacts(world, 3)).more);
    EXPECT_TRUE(page(world, contacts(world, 1)).more);
}

// proves: T3
TEST_P(Contract, PagesAreStableWhileOthersInsertAndDelete) {
    World world(GetParam(), {});
    const auto ids = make_contacts(world, 20);
    std::set<ResourceId> seen;
    ListQuery query = contacts(world, 3);
    for (bool more = true; more;) {
        const Page found = page(world, query);
        for (const Resource& resource : found.items) EXPECT_TRUE(seen.insert(resource.id).second) << "seen twice";
        more = found.more;
        if (!found.items.empty()) query.after = ListPosition{found.items.back().updated_at, found.items.back().id};
        if (seen.size() == 6) {
            ASSERT_EQ(verdict_of(world.execute(world.remove(ids[0], "k1"))), Outcome::executed);
            ASSERT_EQ(verdict_of(world.execute(world.remove(ids[5], "k2"))), Outcome::executed);
            make_contacts(world, 2);
        }
    }
    for (const ResourceId& id : ids) EXPECT_TRUE(seen.contains(id)) << "left out";
    EXPECT_EQ(seen.size(), 22U);
}

// proves: T2, T3
TEST_P(Contract, ListByIndexedMembersNeedsAllOfThemToMatch) {
    World world(GetParam(), {});
    const ResourceType& type = world.type("contacts");
    const ResourceId acme = world.created("companies", R"({"name":"Acme"})").id;
    const ResourceId both =
        world.created("contacts", R"({"name":"A","email":"a@example.org","company_id":")" + acme.text + R"("})").id;
    const ResourceId email_only = world.created("contacts", R"({"name":"B","email":"a@example.org"})").id;
    const ResourceId company_only = world.created("contacts", R"({"name":"C","company_id":")" + acme.text + R"("})").id;
    world.created("contacts", R"({"name":"D","email":"d@example.org"})");
    const auto by_email = world.engine->value_digest(type, "email", "a@example.org");
    const auto by_company = world.engine->value_digest(type, "company_id", acme.text);
    const auto found = [&](std::vector<ValueDigest> matches) {
        ListQuery query = contacts(world, 100);
        query.matches = std::move(matches);
        return ids_in(page(world, query));
    };
    const auto sorted = [](std::vector<ResourceId> ids) {
        std::ranges::sort(ids);
        return ids;
    };
    EXPECT_EQ(found({by_email}), sorted({both, email_only}));
    EXPECT_EQ(found({by_company}), sorted({both, company_only}));
    EXPECT_EQ(found({by_email, by_company}), std::vector<ResourceId>{both});
    EXPECT_EQ(found({by_company, by_email}), std::vector<ResourceId>{both});
    EXPECT_TRUE(found({world.engine->value_digest(type, "email", "z@example.org")}).empty());

    ASSERT_EQ(verdict_of(world.execute(world.patch(both, "", R"({"email":"new@example.org"})"))), Outcome::executed);
    EXPECT_EQ(found({by_email}), std::vector<ResourceId>{email_only});
    EXPECT_EQ(found({world.engine->value_digest(type, "email", "new@example.org")}), std::vector<ResourceId>{both});
    ASSERT_EQ(verdict_of(world.execute(world.patch(both, "", R"({"company_id":null})"))), Outcome::executed);
    EXPECT_EQ(found({by_company}), std::vector<ResourceId>{company_only});
    ASSERT_EQ(verdict_of(world.execute(world.remove(email_only, "k1"))), Outcome::executed);
    EXPECT_TRUE(found({by_email}).empty());
}

// proves: T3
TEST_P(Contract, PagesOfAFilteredListGoOnBehindTheLastItem) {
    World world(GetParam(), {});
    std::vector<ResourceId> ids;
    for (int i = 0; i < 7; ++i) {
        ids.push_back(world.created("contacts", R"({"name":"A","email":"a@example.org"})").id);
        world.created("contacts", R"({"name":"B","email":"b@example.org"})");
        world.clock.advance(std::chrono::milliseconds{1});
    }
    ListQuery query = contacts(world, 3);
    query.matches = {world.engine->value_digest(world.type("contacts"), "email", "a@example.org")};
    std::vector<ResourceId> seen;
    for (bool more = true; more;) {
        const Page found = page(world, query);
        for (const Resource& resource : found.items) seen.push_back(resource.id);
        query.after = ListPosition{found.items.back().updated_at, found.items.back().id};
        more = found.more;
    }
    EXPECT_EQ(seen, ids);
}

// proves: T2, T3
TEST_P(Contract, ListSinceATimeIsInOrderOfChange) {
    World world(GetParam(), {});
    const auto ids = make_contacts(world, 5);
    world.clock.advance(std::chrono::seconds{1});
    const Timestamp since = world.clock.now();
    ASSERT_EQ(verdict_of(world.execute(world.patch(ids[4], "", R"({"name":"X"})"))), Outcome::executed);
    world.clock.advance(std::chrono::seconds{1});
    // Two changes at the same instant are told apart by id.
    ASSERT_EQ(verdict_of(world.execute(world.patch(ids[2], "", R"({"name":"X"})"))), Outcome::executed);
    ASSERT_EQ(verdict_of(world.execute(world.patch(ids[0], "", R"({"name":"X"})"))), Outcome::executed);

    ListQuery query = contacts(world, 2);
    query.updated_since = since;
    const Page first = page(world, query);
    EXPECT_EQ(ids_in(first), (std::vector<ResourceId>{ids[4], ids[0]}));
    EXPECT_TRUE(first.more);
    query.after = ListPosition{first.items.back().updated_at, first.items.back().id};
    const Page second = page(world, query);
    EXPECT_EQ(ids_in(second), std::vector<ResourceId>{ids[2]});
    EXPECT_FALSE(second.more);

    ListQuery later = contacts(world, 10);
    later.updated_since = since + std::chrono::milliseconds{1};
    EXPECT_EQ(ids_in(page(world, later)), (std::vector<ResourceId>{ids[0], ids[2]}));
    ASSERT_EQ(verdict_of(world.execute(world.remove(ids[0], "k1"))), Outcome::executed);
    EXPECT_EQ(ids_in(page(world, later)), std::vector<ResourceId>{ids[2]});
}

// proves: T2, T3
TEST_P(Contract, TimeAndIndexedMembersFilterTogether) {
    World world(GetParam(), {});
    const ResourceId old = world.created("contacts", R"({"name":"A","email":"a@example.org"})").id;
    world.clock.advance(std::chrono::seconds{1});
    const Timestamp since = world.clock.now();
    const ResourceId young = world.created("contacts", R"({"name":"A","email":"a@example.org"})").id;
    world.created("contacts", R"({"name":"B","email":"b@example.org"})");
    ListQuery query = contacts(world, 10);
    query.matches = {world.engine->value_digest(world.type("contacts"), "email", "a@example.org")};
    EXPECT_EQ(ids_in(page(world, query)), (std::vector<ResourceId>{old, young}));
    query.updated_since = since;
    EXPECT_EQ(ids_in(page(world, query)), std::vector<ResourceId>{young});
}

}  // namespace
}  // namespace einmal::test
