#include "store/sqlite_verify.hpp"

#include <array>
#include <string_view>

namespace einmal::store {
namespace {

constexpr int most_of_a_kind = 100;

/// A question whose every row is a fault: `sentence` begins with what its first column names.
struct Check {
    std::string_view sql;  ///< ?1 is now, in queries that need it
    std::string_view sentence;
    bool takes_now = false;
};

// What a record, an event or a value names must exist in its own account.
constexpr std::array checks{
    Check{"SELECT 'record ' || record_id FROM records WHERE NOT EXISTS (SELECT 1 FROM resources WHERE "
          "resources.account_id = records.account_id AND deleted IN (0, 1) AND resources.id = records.id AND "
          "resources.type_id = records.type_id AND resources.revision >= records.revision)",
          " names a resource, or a state of it, that never was"},
    Check{"SELECT 'record ' || record_id FROM records WHERE status NOT BETWEEN 200 AND 299", " remembers a refusal"},
    Check{"SELECT 'record ' || record_id FROM records WHERE expires_at > ?1 AND record_id <= ifnull((SELECT value FROM "
          "meta WHERE name = 'key_watermark'), 0) AND NOT EXISTS (SELECT 1 FROM key_index WHERE key_index.digest = "
          "records.digest AND key_index.record_id >= records.record_id)",
          " cannot be found by its key", true},
    Check{"SELECT 'record ' || min(record_id) FROM records WHERE expires_at > ?1 GROUP BY account_id, digest HAVING "
          "count(*) > 1",
          " is not the only one of its key that is in force", true},
    Check{"SELECT 'event ' || event_row FROM events WHERE NOT EXISTS (SELECT 1 FROM resources WHERE "
          "resources.account_id = events.account_id AND deleted IN (0, 1) AND resources.id = events.id AND "
          "resources.revision >= events.revision)",
          " names a resource, or a state of it, that never was"},
    Check{"SELECT resources.id FROM resources LEFT JOIN (SELECT account_id, id, count(*) AS changes FROM events GROUP "
          "BY account_id, id) USING (account_id, id) WHERE ifnull(changes, 0) <> revision",
          " has not one event per revision"},
    Check{"SELECT id FROM unique_values WHERE NOT EXISTS (SELECT 1 FROM resources WHERE resources.account_id = "
          "unique_values.account_id AND deleted = 0 AND resources.id = unique_values.id)",
          " is gone but holds a unique value"},
    Check{"SELECT id FROM member_index WHERE NOT EXISTS (SELECT 1 FROM resources WHERE resources.account_id = "
          "member_index.account_id AND deleted = 0 AND resources.id = member_index.id) AND NOT EXISTS (SELECT 1 FROM "
          "member_changes WHERE member_changes.id = member_index.id AND member_changes.digest = member_index.digest "
          "AND member_changes.account_id = member_index.account_id)",
          " is gone but holds an indexed value"},
    Check{
        "SELECT id FROM (SELECT account_id, digest, id, held, max(change_id) FROM member_changes GROUP BY account_id, "
        "digest, id) AS last WHERE held = 1 AND NOT EXISTS (SELECT 1 FROM resources WHERE resources.account_id = "
        "last.account_id AND deleted = 0 AND resources.id = last.id)",
        " is gone but holds an indexed value"},
    Check{
        "SELECT kept.id FROM (SELECT account_id, id, min(revision) AS first, max(revision) AS last, count(*) AS states "
        "FROM revisions GROUP BY account_id, id) AS kept LEFT JOIN resources ON resources.account_id = "
        "kept.account_id AND deleted = 0 AND resources.id = kept.id WHERE resources.revision IS NOT last + 1 OR "
        "last - first + 1 <> states",
        " has gaps in its earlier states, or states of something gone"},
    Check{"SELECT resources.id FROM resources WHERE NOT EXISTS (SELECT 1 FROM types JOIN type_prefixes USING (type_id) "
          "WHERE types.type_id = resources.type_id AND substr(resources.id, 1, length(prefix)) = prefix)",
          " is of a type that the database does not know"},
    Check{"SELECT 'token ' || token_id FROM tokens WHERE account_id NOT IN (SELECT account_id FROM accounts)",
          " belongs to no account"},
    Check{"SELECT 'the database' WHERE NOT EXISTS (SELECT 1 FROM meta WHERE name = 'secret' AND length(value) = 32)",
          " has lost its secret"},
};

void run_integrity_check(Connection& connection, std::vector<std::string>& findings) {
    Statement check(connection, "PRAGMA integrity_check(" + std::to_string(most_of_a_kind) + ")");
    auto row = check.run();
    while (row.step()) {
        if (row.text(0) != "ok") findings.push_back("SQLite: " + std::string(row.text(0)));
    }
}

void run(Connection& connection, const Check& check, Timestamp now, std::vector<std::string>& findings) {
    Statement statement(connection, check.sql);
    auto row = check.takes_now ? statement.run(now) : statement.run();
    for (int found = 0; row.step(); ++found) {
        if (found == most_of_a_kind) {
            findings.push_back("more than " + std::to_string(most_of_a_kind) + " of this kind");
            return;
        }
        findings.push_back(std::string(row.text(0)) + std::string(check.sentence));
    }
}

}  // namespace

std::vector<std::string> verify_database(Connection& connection, Timestamp now) {
    std::vector<std::string> findings;
    const auto guarded = [&](const auto& part) {
        try {
            part();
        } catch (const SqliteFailure& failure) {
            if (failure.concerns_storage()) throw;
            findings.emplace_back(failure.what());
        }
    };
    guarded([&] { run_integrity_check(connection, findings); });
    for (const Check& check : checks) guarded([&] { run(connection, check, now, findings); });
    return findings;
}

}  // namespace einmal::store
