#include "store/pg_verify.hpp"

#include <array>
#include <string_view>

namespace einmal::store {
namespace {

constexpr int most_of_a_kind = 100;

/// A question whose every row is a fault: `sentence` begins with what its first column names.
struct Check {
    std::string_view sql;
    std::string_view sentence;
};

// What a record, an event or a value names must exist in its own account.
constexpr std::array checks{
    Check{"SELECT 'a record of ' || k.id FROM records AS k WHERE NOT EXISTS (SELECT 1 FROM resources AS r WHERE "
          "r.account_id = k.account_id AND r.id = k.id AND r.type = k.type AND r.revision >= k.revision)",
          " names a resource, or a state of it, that never was"},
    Check{"SELECT 'a record of ' || id FROM records WHERE status NOT BETWEEN 200 AND 299", " remembers a refusal"},
    Check{"SELECT 'event ' || e.event_id FROM events AS e WHERE NOT EXISTS (SELECT 1 FROM resources AS r WHERE "
          "r.account_id = e.account_id AND r.id = e.id AND r.revision >= e.revision)",
          " names a resource, or a state of it, that never was"},
    Check{"SELECT r.id FROM resources AS r LEFT JOIN (SELECT account_id, id, count(*) AS changes FROM events GROUP BY "
          "account_id, id) AS e USING (account_id, id) WHERE coalesce(e.changes, 0) <> r.revision",
          " has not one event per revision"},
    Check{"SELECT v.id FROM unique_values AS v WHERE NOT EXISTS (SELECT 1 FROM resources AS r WHERE r.account_id = "
          "v.account_id AND r.id = v.id AND NOT r.deleted)",
          " is gone but holds a unique value"},
    Check{"SELECT v.id FROM member_index AS v WHERE NOT EXISTS (SELECT 1 FROM resources AS r WHERE r.account_id = "
          "v.account_id AND r.id = v.id AND NOT r.deleted)",
          " is gone but holds an indexed value"},
    Check{"SELECT kept.id FROM (SELECT account_id, id, min(revision) AS first, max(revision) AS last, count(*) AS "
          "states FROM revisions GROUP BY account_id, id) AS kept LEFT JOIN resources AS r ON r.account_id = "
          "kept.account_id AND r.id = kept.id AND NOT r.deleted WHERE r.revision IS DISTINCT FROM last + 1 OR last - "
          "first + 1 <> states",
          " has gaps in its earlier states, or states of something gone"},
    Check{"SELECT 'token ' || token_id FROM tokens WHERE account_id NOT IN (SELECT account_id FROM accounts)",
          " belongs to no account"},
    Check{"SELECT 'the database' WHERE NOT EXISTS (SELECT 1 FROM meta WHERE name = 'secret' AND length(value) = 32)",
          " has lost its secret"},
};

void run(PgSession& session, const Check& check, std::vector<std::string>& findings) {
    const std::string limit = " LIMIT " + std::to_string(most_of_a_kind + 1);
    const PgRows rows = session.run(std::string(check.sql) + limit);
    for (int row = 0; row < rows.size(); ++row) {
        if (row == most_of_a_kind) {
            findings.push_back("more than " + std::to_string(most_of_a_kind) + " of this kind");
            return;
        }
        findings.push_back(std::string(rows.text(row, 0)) + std::string(check.sentence));
    }
}

}  // namespace

std::vector<std::string> verify_pg_database(PgSession& session) {
    std::vector<std::string> findings;
    for (const Check& check : checks) run(session, check, findings);
    return findings;
}

}  // namespace einmal::store
