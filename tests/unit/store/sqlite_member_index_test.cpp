// The two layers of the index of member values on a real database, seen as a reader sees them: whatever has been
// applied, rolled back or restarted in between, a reader finds exactly what was committed.
#include "store/sqlite_member_index.hpp"
#include "store/sqlite_lists.hpp"
#include "store/sqlite_member_changes.hpp"
#include "store/sqlite_schema.hpp"
#include "support/seeded_entropy.hpp"
#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace einmal::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ValueDigest digest_of(std::uint64_t number) {
    ValueDigest digest;
    // Spread over the whole range, as real digests are.
    number *= 0x9e3779b97f4a7c15ULL;
    for (std::size_t i = 0; i < 8; ++i) digest.bytes[i] = static_cast<std::byte>(number >> (8 * i));
    return digest;
}

/// A connection that reads, with all that a reader keeps from one transaction to the next.
class Reader {
 public:
    explicit Reader(const std::string& file) : connection_(file, OpenMode::read_write, std::chrono::seconds{1}) {}

    void begin() { connection_.execute("BEGIN"); }
    void end() { connection_.execute("COMMIT"); }

    std::vector<std::string> list(AccountId account, const ValueDigest& value, std::size_t limit = 1000) {
        ListQuery query;
        query.asker.account = account;
        query.type = {"contacts"};
        query.matches = {value};
        query.limit = limit;
        std::vector<std::string> ids;
        for (const Resource& resource : lists_.page(query).items) ids.push_back(resource.id.text);
        return ids;
    }

 private:
    Connection connection_;
    TypeTable types_{connection_};
    ResourceFinder resources_{connection_};
    Lists lists_{connection_, types_, resources_};
};

class SqliteMemberIndex : public testing::Test {
 protected:
    // Small, so that a few changes freeze a layer.
    static constexpr MemberIndex::Limits limits{.share = 1'000'000, .young_min = 10, .young_max = 10};
    static constexpr AccountId account{1};

    void SetUp() override {
        connection_.execute("INSERT INTO types VALUES (1, 'contacts')");
        connection_.execute("INSERT INTO type_prefixes VALUES (1, 'con_')");
        reopen();
    }

    void reopen() { index_ = std::make_unique<MemberIndex>(connection_, limits); }

    void make_resource(const std::string& id) {
        Statement(connection_, "INSERT INTO resources VALUES (NULL, 1, ?1, 1, 1, 0, 0, 0, '{}')").execute(id);
    }

    void commit(auto work) {
        connection_.execute("BEGIN");
        work();
        connection_.execute("COMMIT");
        index_->committed();
    }

    void roll_back(auto work) {
        connection_.execute("BEGIN");
        work();
        connection_.execute("ROLLBACK");
        index_->rolled_back();
    }

    /// Resources con_00 … each with a value of its own.
    void add_committed(int first, int last) {
        commit([&] {
            for (int i = first; i <= last; ++i) {
                make_resource(id_of(i));
                index_->add(account, digest_of(static_cast<std::uint64_t>(i)), {id_of(i)});
            }
        });
    }

    static std::string id_of(int number) {
        return "con_" + std::string(number < 10 ? "0" : "") + std::to_string(number);
    }

    void merge_all() {
        for (int i = 0; i < 100 && index_->merging(); ++i) commit([&] { index_->merge(3); });
        ASSERT_FALSE(index_->merging());
    }

    std::int64_t rows(const std::string& table) {
        Statement count(connection_, "SELECT count(*) FROM " + table);
        auto row = count.run();
        row.step();
        return row.integer(0);
    }

    std::vector<std::string> listed(int value) {
        reader_->begin();
        auto ids = reader_->list(account, digest_of(static_cast<std::uint64_t>(value)));
        reader_->end();
        return ids;
    }

    void expect_all(int first, int last) {
        for (int i = first; i <= last; ++i) EXPECT_THAT(listed(i), ElementsAre(id_of(i)));
    }

    test::TemporaryDirectory directory_;
    test::SeededEntropy entropy_{1};
    Connection connection_{open_database(directory_.file("einmal.db"), Preparing::when_needed, entropy_).value()};
    std::unique_ptr<MemberIndex> index_;
    std::unique_ptr<Reader> reader_ = std::make_unique<Reader>(directory_.file("einmal.db"));
};

// proves: T3
TEST_F(SqliteMemberIndex, FindsValuesInEveryLayer) {
    add_committed(1, 10);
    ASSERT_TRUE(index_->merging());
    add_committed(11, 13);
    expect_all(1, 13);
    commit([&] { index_->merge(4); });
    EXPECT_EQ(rows("member_index"), 4);
    expect_all(1, 13);
    merge_all();
    EXPECT_EQ(rows("member_index"), 10);
    EXPECT_EQ(rows("member_changes"), 3);
    expect_all(1, 13);
    EXPECT_THAT(listed(14), IsEmpty());
}

// proves: T3
TEST_F(SqliteMemberIndex, WhatWasGivenUpIsNotListedWhereverItStands) {
    add_committed(1, 10);
    merge_all();
    commit([&] {
        index_->remove(account, digest_of(1), {id_of(1)});
        index_->remove(account, digest_of(2), {id_of(2)});
        index_->add(account, digest_of(2), {id_of(2)});
        index_->add(account, digest_of(3), {id_of(1)});
    });
    const auto check = [&] {
        EXPECT_THAT(listed(1), IsEmpty());
        EXPECT_THAT(listed(2), ElementsAre(id_of(2)));
        EXPECT_THAT(listed(3), ElementsAre(id_of(1), id_of(3)));
    };
    check();
    add_committed(20, 29);
    merge_all();
    EXPECT_EQ(rows("member_changes"), 0);
    check();
}

// proves: K9
TEST_F(SqliteMemberIndex, RollbackTakesBackChangesAndMerges) {
    add_committed(1, 9);
    roll_back([&] { index_->add(account, digest_of(50), {id_of(1)}); });
    EXPECT_THAT(listed(50), IsEmpty());
    add_committed(10, 12);
    ASSERT_TRUE(index_->merging());
    roll_back([&] { index_->merge(1000); });
    EXPECT_EQ(rows("member_index"), 0);
    commit([&] { index_->merge(1000); });
    EXPECT_EQ(rows("member_index"), 12);
    roll_back([&] { index_->merge(1000); });
    EXPECT_EQ(rows("member_changes"), 12);
    merge_all();
    EXPECT_EQ(rows("member_changes"), 0);
    expect_all(1, 12);
}

// proves: K9
TEST_F(SqliteMemberIndex, RestartAtAnyPointOfAMergeLosesNothing) {
    add_committed(1, 12);
    for (int step = 0; index_->merging(); ++step) {
        ASSERT_LT(step, 100);
        commit([&] { index_->merge(step % 7 == 6 ? 1000 : 5); });
        if (step % 3 == 2) reopen();
        expect_all(1, 12);
    }
    EXPECT_EQ(rows("member_index"), 12);
    EXPECT_EQ(rows("member_changes"), 0);
    reopen();
    add_committed(13, 14);
    expect_all(1, 14);
}

// proves: T3
TEST_F(SqliteMemberIndex, AReaderSeesItsSnapshotWhateverIsMergedMeanwhile) {
    add_committed(1, 10);
    Reader late(directory_.file("einmal.db"));
    late.begin();
    EXPECT_THAT(late.list(account, digest_of(1)), ElementsAre(id_of(1)));
    merge_all();
    commit([&] { index_->remove(account, digest_of(2), {id_of(2)}); });
    EXPECT_THAT(late.list(account, digest_of(2)), ElementsAre(id_of(2)));
    late.end();
    late.begin();
    EXPECT_THAT(late.list(account, digest_of(1)), ElementsAre(id_of(1)));
    EXPECT_THAT(late.list(account, digest_of(2)), IsEmpty());
    late.end();
}

// proves: S2
TEST_F(SqliteMemberIndex, OneAccountsValuesAreNotAnothers) {
    add_committed(1, 1);
    commit([&] { index_->remove({2}, digest_of(1), {id_of(1)}); });
    expect_all(1, 1);
    reader_->begin();
    EXPECT_THAT(reader_->list({2}, digest_of(1)), IsEmpty());
    reader_->end();
}

// proves: T3
TEST_F(SqliteMemberIndex, AgreesWithASetUnderChance) {
    constexpr int resources = 12;
    constexpr int values = 4;
    std::mt19937 chance(7);
    const auto below = [&](int end) { return static_cast<int>(chance() % static_cast<unsigned>(end)); };
    commit([&] {
        for (int i = 0; i < resources; ++i) make_resource(id_of(i));
    });
    std::set<std::pair<int, std::string>> truth;
    for (int round = 0; round < 600; ++round) {
        auto after = truth;
        const auto work = [&] {
            for (int changes = below(4); changes > 0; --changes) {
                const int value = below(values);
                const std::string id = id_of(below(resources));
                const auto digest = digest_of(static_cast<std::uint64_t>(value));
                if (after.erase({value, id}) > 0) {
                    index_->remove(account, digest, {id});
                } else {
                    after.emplace(value, id);
                    index_->add(account, digest, {id});
                }
            }
            index_->merge(static_cast<std::size_t>(below(6)));
        };
        if (below(5) == 0) {
            roll_back(work);
        } else {
            commit(work);
            truth = after;
        }
        if (below(20) == 0) reopen();
        if (below(3) != 0) continue;
        for (int value = 0; value < values; ++value) {
            std::vector<std::string> expected;
            for (const auto& [held, id] : truth)
                if (held == value) expected.push_back(id);
            ASSERT_EQ(listed(value), expected) << "round " << round << ", value " << value;
        }
    }
}

}  // namespace
}  // namespace einmal::store
