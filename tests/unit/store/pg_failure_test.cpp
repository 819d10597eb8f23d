// What each refusal of the server means for an operation (contract K8, K9).
#include "store/pg_failure.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace einmal::store {
namespace {

PgFailure refused(const std::string& sqlstate, const std::string& constraint = {}) {
    PgFailure failure;
    failure.sqlstate = sqlstate;
    failure.constraint = constraint;
    failure.message = "said the server";
    return failure;
}

// proves: K5, K9
TEST(PgFailure, OnlyWhoeverIsFasterMakesARace) {
    EXPECT_TRUE(is_lost_race(refused("40001")));
    EXPECT_TRUE(is_lost_race(refused("40P01")));
    EXPECT_TRUE(is_lost_race(refused("23505", "records_pkey")));
    EXPECT_TRUE(is_lost_race(refused("23505", "unique_values_pkey")));
    EXPECT_FALSE(is_lost_race(refused("23505", "resources_pkey")));
    EXPECT_FALSE(is_lost_race(refused("55P03")));
    EXPECT_FALSE(is_lost_race(refused("57014")));
    EXPECT_FALSE(is_lost_race(connection_lost("gone")));
    EXPECT_TRUE(is_lock_timeout(refused("55P03")));
    EXPECT_TRUE(is_contradiction(refused("23505", "events_pkey")));
    EXPECT_FALSE(is_contradiction(refused("23505", "records_pkey")));
    EXPECT_TRUE(is_wrong_server(refused("25006")));
}

TEST(PgFailure, BecomesAnErrorThatSaysWhetherSomethingWasDone) {
    struct Case {
        PgFailure failure;
        Errc asking;
        Errc committing;
    };
    const std::vector<Case> cases{
        {connection_lost("gone"), Errc::unavailable, Errc::outcome_unknown},
        {refused("55P03"), Errc::unavailable, Errc::unavailable},
        {refused("57014"), Errc::unavailable, Errc::unavailable},
        {refused("53100"), Errc::unavailable, Errc::unavailable},
        {refused("25006"), Errc::unavailable, Errc::unavailable},
        {refused("23505", "resources_pkey"), Errc::corrupt, Errc::corrupt},
        {refused("XX001"), Errc::corrupt, Errc::corrupt},
        {refused("42P01"), Errc::unavailable, Errc::unavailable},
    };
    for (const Case& each : cases) {
        EXPECT_EQ(error_of(each.failure).code, each.asking) << each.failure.sqlstate;
        EXPECT_EQ(error_of_commit(each.failure).code, each.committing) << each.failure.sqlstate;
    }
}

TEST(PgFailure, ReasonsHoldNoAddress) {
    EXPECT_EQ(
        without_address("connection to server at \"db.example\" (10.0.0.1), port 5432 failed: Connection refused\n\tIs "
                        "the server running on that host and accepting TCP/IP connections?\n"),
        "Connection refused");
    EXPECT_EQ(
        without_address("connection to server at \"10.0.0.1\", port 1 failed: Connection refused\n\tIs it?\nconnection "
                        "to server at \"10.0.0.2\", port 2 failed: FATAL:  the database system is starting up\n"),
        "FATAL:  the database system is starting up");
    EXPECT_EQ(without_address("could not translate host name \"db.example\" to address: Name or service not known\n"),
              "Name or service not known");
    EXPECT_EQ(without_address("invalid port number: \"secret@db\"\n"), "libpq refused its address");
    EXPECT_EQ(without_address("invalid URI: postgres://user:secret@db\n"), "libpq refused its address");
}

}  // namespace
}  // namespace einmal::store
