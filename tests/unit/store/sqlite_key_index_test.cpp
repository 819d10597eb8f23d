// The two layers of the key index on a real database: what is in memory, what has been merged, and what a rollback, a
// restart and a cleaner do to both.
#include "store/sqlite_key_index.hpp"

#include "store/sqlite_schema.hpp"
#include "support/seeded_entropy.hpp"
#include "support/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace einmal::store {
namespace {

KeyDigest digest_of(std::uint64_t number) {
    KeyDigest digest;
    // Spread over the whole range, as real digests are.
    number *= 0x9e3779b97f4a7c15ULL;
    for (std::size_t i = 0; i < 8; ++i) digest.bytes[i] = static_cast<std::byte>(number >> (8 * i));
    return digest;
}

class SqliteKeyIndex : public testing::Test {
 protected:
    // Small, so that a few keys freeze a layer.
    static constexpr KeyIndex::Limits limits{.share = 1'000'000, .young_min = 10, .young_max = 10};

    void SetUp() override { reopen(); }

    void reopen() { index_ = std::make_unique<KeyIndex>(connection_, limits); }

    /// Adds a record with its key, as the store does, within the open transaction.
    void put(std::uint64_t number, std::int64_t record_id) {
        Statement insert(connection_, "INSERT INTO records VALUES (?1, 1, ?2, x'00', 201, 1, 'con_1', 1, 0, 0, 0, 0)");
        insert.execute(record_id, digest_of(number));
        index_->put(digest_of(number), record_id);
    }

    void commit(auto work) {
        connection_.execute("BEGIN");
        work();
        connection_.execute("COMMIT");
        index_->committed();
    }

    void put_committed(std::uint64_t first, std::uint64_t last) {
        commit([&] {
            for (auto number = first; number <= last; ++number) put(number, static_cast<std::int64_t>(number));
        });
    }

    void merge_all() {
        for (int i = 0; i < 100 && index_->merging(); ++i) commit([&] { index_->merge(4); });
        ASSERT_FALSE(index_->merging());
    }

    std::int64_t rows_in_table() {
        Statement count(connection_, "SELECT count(*) FROM key_index");
        auto row = count.run();
        row.step();
        return row.integer(0);
    }

    void expect_all(std::uint64_t first, std::uint64_t last) {
        for (auto number = first; number <= last; ++number)
            EXPECT_EQ(index_->find(digest_of(number)), static_cast<std::int64_t>(number)) << number;
        EXPECT_EQ(index_->find(digest_of(last + 1000)), std::nullopt);
    }

    test::TemporaryDirectory directory_;
    test::SeededEntropy entropy_{1};
    Connection connection_{open_database(directory_.file("einmal.db"), Preparing::when_needed, entropy_).value()};
    std::unique_ptr<KeyIndex> index_;
};

// proves: K3
TEST_F(SqliteKeyIndex, FindsKeysInEveryLayer) {
    put_committed(1, 10);
    put_committed(11, 13);
    ASSERT_TRUE(index_->merging());
    expect_all(1, 13);
    commit([&] { index_->merge(4); });
    EXPECT_GT(rows_in_table(), 0);
    ASSERT_TRUE(index_->merging());
    expect_all(1, 13);
    merge_all();
    EXPECT_EQ(rows_in_table(), 10);
    EXPECT_EQ(index_->in_memory(), 3U);
    expect_all(1, 13);
}

// proves: K9
TEST_F(SqliteKeyIndex, RollbackTakesBackWhatMemoryHeld) {
    put_committed(1, 3);
    connection_.execute("BEGIN");
    put(4, 4);
    put(1, 5);
    connection_.execute("ROLLBACK");
    index_->rolled_back();
    expect_all(1, 3);
    EXPECT_EQ(index_->find(digest_of(4)), std::nullopt);
}

// proves: K9
TEST_F(SqliteKeyIndex, RollbackOfAMergeLosesNoKey) {
    put_committed(1, 12);
    ASSERT_TRUE(index_->merging());
    connection_.execute("BEGIN");
    index_->merge(1000);
    connection_.execute("ROLLBACK");
    index_->rolled_back();
    expect_all(1, 12);
    merge_all();
    expect_all(1, 12);
}

// proves: K9
TEST_F(SqliteKeyIndex, RestartAtAnyPointOfAMergeKnowsEveryKey) {
    put_committed(1, 12);
    for (int slices = 0; slices < 6; ++slices) {
        for (int i = 0; i < slices && index_->merging(); ++i) commit([&] { index_->merge(3); });
        reopen();
        expect_all(1, 12);
    }
    merge_all();
    put_committed(13, 14);
    reopen();
    expect_all(1, 14);
    EXPECT_EQ(index_->newest(), 14);
}

// proves: K11
TEST_F(SqliteKeyIndex, KeyUsedAgainLeadsToItsNewRecordInEveryLayer) {
    put_committed(1, 12);
    merge_all();
    commit([&] { put(1, 100); });
    EXPECT_EQ(index_->find(digest_of(1)), 100);
    put_committed(201, 212);
    merge_all();
    EXPECT_EQ(index_->find(digest_of(1)), 100);
    reopen();
    EXPECT_EQ(index_->find(digest_of(1)), 100);
}

// proves: K11
TEST_F(SqliteKeyIndex, MergeSweepsOutWhatTheCleanerRemoved) {
    put_committed(1, 10);
    merge_all();
    ASSERT_EQ(rows_in_table(), 10);
    commit([&] { connection_.execute("DELETE FROM records WHERE record_id <= 8"); });
    index_->set_smallest_record(9);
    put_committed(21, 30);
    merge_all();
    EXPECT_EQ(rows_in_table(), 12);
    expect_all(9, 10);
    expect_all(21, 30);
}

}  // namespace
}  // namespace einmal::store
