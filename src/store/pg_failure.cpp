#include "store/pg_failure.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace einmal::store {
namespace {

// PostgreSQL's documentation, appendix A.
constexpr std::string_view unique_violation = "23505";
constexpr std::string_view serialization_failure = "40001";
constexpr std::string_view deadlock_detected = "40P01";
constexpr std::string_view lock_not_available = "55P03";
constexpr std::string_view query_canceled = "57014";
constexpr std::string_view read_only_transaction = "25006";
constexpr std::string_view class_insufficient_resources = "53";
constexpr std::string_view class_internal_error = "XX";
constexpr std::array going_away{std::string_view("57P01"), std::string_view("57P02"), std::string_view("57P03"),
                                std::string_view("57P05"), std::string_view("25P03")};

// Two operations under one key, or with one unique value, are told apart by these.
constexpr std::array raced_constraints{std::string_view("records_pkey"), std::string_view("unique_values_pkey")};

std::string field(const PGresult& result, int code) {
    const char* text = PQresultErrorField(&result, code);
    return text == nullptr ? std::string() : std::string(text);
}

bool ends_the_connection(std::string_view severity, std::string_view sqlstate) {
    return severity == "FATAL" || severity == "PANIC" || sqlstate.starts_with("08") ||
           std::ranges::find(going_away, sqlstate) != going_away.end();
}

}  // namespace

PgFailure failure_of(const pg_result& result) {
    PgFailure failure;
    failure.sqlstate = field(result, PG_DIAG_SQLSTATE);
    failure.constraint = field(result, PG_DIAG_CONSTRAINT_NAME);
    failure.message = field(result, PG_DIAG_MESSAGE_PRIMARY);
    if (failure.message.empty()) failure.message = "the connection to the database was lost";
    failure.lost =
        failure.sqlstate.empty() || ends_the_connection(field(result, PG_DIAG_SEVERITY_NONLOCALIZED), failure.sqlstate);
    return failure;
}

PgFailure connection_lost(std::string message) {
    PgFailure failure;
    failure.lost = true;
    failure.message = std::move(message);
    return failure;
}

bool is_lost_race(const PgFailure& failure) {
    if (failure.lost) return false;
    if (failure.sqlstate == serialization_failure || failure.sqlstate == deadlock_detected) return true;
    return failure.sqlstate == unique_violation &&
           std::ranges::find(raced_constraints, failure.constraint) != raced_constraints.end();
}

bool is_lock_timeout(const PgFailure& failure) { return !failure.lost && failure.sqlstate == lock_not_available; }

bool is_contradiction(const PgFailure& failure) {
    return !failure.lost && failure.sqlstate == unique_violation && !is_lost_race(failure);
}

bool is_wrong_server(const PgFailure& failure) { return failure.sqlstate == read_only_transaction; }

Error error_of(const PgFailure& failure) {
    if (is_contradiction(failure))
        return {Errc::corrupt, "what was to be stored exists already: " + failure.constraint};
    if (!failure.lost && failure.sqlstate.starts_with(class_internal_error)) return {Errc::corrupt, failure.message};
    if (failure.sqlstate == query_canceled) return {Errc::unavailable, "the database took too long"};
    if (is_lock_timeout(failure)) return {Errc::unavailable, "another transaction held a lock for too long"};
    if (is_wrong_server(failure)) return {Errc::unavailable, "the database server cannot be written to"};
    if (failure.sqlstate.starts_with(class_insufficient_resources)) {
        return {Errc::unavailable, "the database server has no room: " + failure.message};
    }
    return {Errc::unavailable, failure.message};
}

Error error_of_commit(const PgFailure& failure) {
    if (failure.lost) return {Errc::outcome_unknown, failure.message};
    return error_of(failure);
}

std::string without_address(std::string words) {
    // `connection to server at "db" (10.0.0.1), port 5432 failed: FATAL:  the database system is starting up`, once per
    // host; or `could not translate host name "db" to address: …`.
    for (const std::string_view mark : {std::string_view(" failed: "), std::string_view(" to address: ")}) {
        if (const auto found = words.rfind(mark); found != std::string::npos) words.erase(0, found + mark.size());
    }
    words.erase(std::min(words.find('\n'), words.size()));
    for (const std::string_view hint : {std::string_view("\""), std::string_view("://")}) {
        // Whatever is quoted is somebody's name, at best.
        if (words.find(hint) != std::string::npos && !words.starts_with("FATAL:")) return "libpq refused its address";
    }
    return words;
}

}  // namespace einmal::store
