#include "store/pg_statements.hpp"

namespace einmal::store {
namespace {

// What `pg_resource_from` reads, in its order.
const std::string columns = "r.id, r.type, r.revision, r.created_at, r.updated_at, r.deleted, r.body";

const std::string token_is_good =
    "EXISTS (SELECT 1 FROM tokens WHERE account_id = $1::bigint AND token_id = $2::bigint AND revoked_at IS NULL)";

// Of a list by value: the first value led to the rows, here are the others.
const std::string holds_the_rest =
    "NOT EXISTS (SELECT 1 FROM unnest($5::bytea[]) AS other (digest) WHERE NOT EXISTS (SELECT 1 FROM member_index AS o "
    "WHERE o.account_id = $1 AND o.digest = other.digest AND o.id = m.id))";

const std::string values_of_type =
    "FROM member_index AS m JOIN resources AS r ON r.account_id = m.account_id AND r.id = m.id "
    "WHERE m.account_id = $1::bigint AND m.digest = $3::bytea AND r.type = $2::text AND NOT r.deleted AND " +
    holds_the_rest;

// Fresh creates, each with a key, in one statement and so in one transaction. Whether an operation may run is decided
// by who gets the record: the row of its key is new, or was expired. Keys are taken in one order, so that two
// servers cannot wait for each other. `IN (…) IS TRUE` is answered from a hash table, whatever the planner thinks of
// the number of rows.
const std::string create = R"(
WITH clock AS MATERIALIZED (SELECT einmal_now() AS now),
input AS MATERIALIZED (
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::bytea[], $5::bigint[], $6::text[], $7::text[],
                         $8::text[], $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::bigint[],
                         $14::bigint[], $15::bigint[], $16::bigint[])
        WITH ORDINALITY AS i (account_id, token_id, digest, fingerprint, status, type, id, body, event_id, event_type,
                              resource_created, resource_updated, record_created, record_completed, record_expires,
                              event_time, n)
),
missing AS MATERIALIZED (
    SELECT ref.n FROM unnest($17::bigint[], $18::bigint[], $19::text[]) AS ref (n, account_id, id)
    WHERE NOT EXISTS (SELECT 1 FROM resources AS r
                      WHERE r.account_id = ref.account_id AND r.id = ref.id AND NOT r.deleted)
),
claimed AS (
    INSERT INTO records AS held (account_id, digest, fingerprint, status, type, id, revision, created_at, completed_at,
                                 expires_at, replays)
    SELECT i.account_id, i.digest, i.fingerprint, i.status, i.type, i.id, 1, now + i.record_created,
           now + i.record_completed, now + i.record_expires, 0
    FROM input AS i CROSS JOIN clock
    WHERE (i.n IN (SELECT n FROM missing)) IS NOT TRUE
      AND (SELECT true FROM tokens AS t
           WHERE t.account_id = i.account_id AND t.token_id = i.token_id AND t.revoked_at IS NULL)
    ORDER BY i.account_id, i.digest
    ON CONFLICT (account_id, digest) DO UPDATE
    SET fingerprint = excluded.fingerprint, status = excluded.status, type = excluded.type, id = excluded.id,
        revision = excluded.revision, created_at = excluded.created_at, completed_at = excluded.completed_at,
        expires_at = excluded.expires_at, replays = 0
    WHERE held.expires_at <= (SELECT now FROM clock)
    RETURNING id
),
made AS (
    INSERT INTO resources (account_id, id, type, revision, created_at, updated_at, deleted, body)
    SELECT i.account_id, i.id, i.type, 1, now + i.resource_created, now + i.resource_updated, false, i.body
    FROM input AS i CROSS JOIN clock WHERE (i.id IN (SELECT id FROM claimed)) IS TRUE
),
indexed AS (
    INSERT INTO member_index (account_id, digest, id)
    SELECT DISTINCT v.account_id, v.digest, v.id
    FROM unnest($20::bigint[], $21::bytea[], $22::text[]) AS v (account_id, digest, id)
    WHERE (v.id IN (SELECT id FROM claimed)) IS TRUE
),
told AS (
    INSERT INTO events (account_id, event_id, type, id, revision, time)
    SELECT i.account_id, i.event_id, i.event_type, i.id, 1, now + i.event_time
    FROM input AS i CROSS JOIN clock WHERE (i.id IN (SELECT id FROM claimed)) IS TRUE
)
SELECT now, claimed.id FROM clock LEFT JOIN claimed ON true)";

std::array<PgStatement, sql_count> make_statements() {
    std::array<PgStatement, sql_count> all;
    const auto put = [&all](Sql which, const char* name, std::string text) {
        all[static_cast<std::size_t>(which)] = {std::string("einmal_") + name, std::move(text)};
    };
    put(Sql::begin, "begin", "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
    put(Sql::commit, "commit", "COMMIT");
    put(Sql::roll_back, "roll_back", "ROLLBACK");

    put(Sql::may_ask, "may_ask", "SELECT " + token_is_good);
    put(Sql::may_ask_and_wait, "may_ask_and_wait",
        "SELECT " + token_is_good + ", set_config('lock_timeout', $3::text, true)");
    // Last in its exchange: what was waited for is over, and nothing that was read is younger than this.
    put(Sql::now, "now", "SELECT einmal_now()");
    put(Sql::lock_resource, "lock_resource",
        "SELECT " + columns + " FROM resources AS r WHERE r.account_id = $1::bigint AND r.id = $2::text FOR UPDATE");
    put(Sql::find_resource, "find_resource",
        "SELECT " + columns + " FROM resources AS r WHERE r.account_id = $1::bigint AND r.id = $2::text");
    put(Sql::find_record, "find_record",
        "SELECT " + columns +
            ", k.fingerprint, k.status, k.type, k.id, k.revision, k.created_at, k.completed_at, k.expires_at, "
            "k.replays FROM records AS k LEFT JOIN resources AS r ON r.account_id = k.account_id AND r.id = k.id "
            "WHERE k.account_id = $1::bigint AND k.digest = $2::bytea");
    put(Sql::find_references, "find_references",
        "SELECT EXISTS (SELECT 1 FROM resources AS r WHERE r.account_id = $1::bigint AND r.id = ref.id AND NOT "
        "r.deleted) FROM unnest($2::text[]) WITH ORDINALITY AS ref (id, n) ORDER BY n");
    put(Sql::find_unique_owners, "find_unique_owners",
        "SELECT (SELECT u.id FROM unique_values AS u WHERE u.account_id = $1::bigint AND u.digest = v.digest) "
        "FROM unnest($2::bytea[]) WITH ORDINALITY AS v (digest, n) ORDER BY n");
    put(Sql::find_revision, "find_revision",
        "SELECT " + columns +
            " FROM resources AS r WHERE r.account_id = $1::bigint AND r.id = $2::text AND r.revision = $3::bigint "
            "UNION ALL SELECT r.id, r.type, v.revision, r.created_at, v.updated_at, false, v.body FROM revisions AS v "
            "JOIN resources AS r ON r.account_id = v.account_id AND r.id = v.id WHERE v.account_id = $1 AND v.id = $2 "
            "AND v.revision = $3");
    put(Sql::list_revisions, "list_revisions",
        "SELECT " + columns +
            " FROM resources AS r WHERE r.account_id = $1::bigint AND r.id = $2::text AND NOT r.deleted AND "
            "r.revision < $3::bigint UNION ALL (SELECT r.id, r.type, v.revision, r.created_at, v.updated_at, false, "
            "v.body FROM revisions AS v JOIN resources AS r ON r.account_id = v.account_id AND r.id = v.id WHERE "
            "v.account_id = $1 AND v.id = $2 AND NOT r.deleted AND v.revision < $3 ORDER BY v.revision DESC "
            "LIMIT $4::bigint) ORDER BY revision DESC LIMIT $4");
    put(Sql::list_by_id, "list_by_id",
        "SELECT " + columns +
            " FROM resources AS r WHERE r.account_id = $1::bigint AND r.type = $2::text AND NOT r.deleted AND "
            "r.id > $3::text ORDER BY r.id LIMIT $4::bigint");
    put(Sql::list_by_update, "list_by_update",
        "SELECT " + columns +
            " FROM resources AS r WHERE r.account_id = $1::bigint AND r.type = $2::text AND NOT r.deleted AND "
            "(r.updated_at, r.id) > ($5::bigint, $3::text) ORDER BY r.updated_at, r.id LIMIT $4::bigint");
    put(Sql::list_by_value, "list_by_value",
        "SELECT " + columns + " " + values_of_type + " AND m.id > $4::text ORDER BY m.id LIMIT $6::bigint");
    put(Sql::list_by_value_and_update, "list_by_value_and_update",
        "SELECT " + columns + " " + values_of_type +
            " AND (r.updated_at, r.id) > ($7::bigint, $4::text) ORDER BY r.updated_at, r.id LIMIT $6::bigint");
    put(Sql::find_token, "find_token",
        "SELECT " + std::string(pg_token_columns) +
            " FROM tokens JOIN accounts USING (account_id) WHERE digest = "
            "$1::bytea");

    put(Sql::wait_for_key, "wait_for_key", "SELECT set_config('lock_timeout', $1::text, true)");
    put(Sql::remove_expired_record, "remove_expired_record",
        "DELETE FROM records WHERE account_id = $1::bigint AND digest = $2::bytea AND expires_at <= $3::bigint");
    put(Sql::insert_record, "insert_record",
        "INSERT INTO records (account_id, digest, fingerprint, status, type, id, revision, created_at, completed_at, "
        "expires_at, replays) VALUES ($1::bigint, $2::bytea, $3::bytea, $4::bigint, $5::text, $6::text, $7::bigint, "
        "$8::bigint, $9::bigint, $10::bigint, $11::bigint)");
    put(Sql::insert_resource, "insert_resource",
        "INSERT INTO resources (account_id, id, type, revision, created_at, updated_at, deleted, body) VALUES "
        "($1::bigint, $2::text, $3::text, $4::bigint, $5::bigint, $6::bigint, false, $7::text)");
    put(Sql::keep_revision, "keep_revision",
        "INSERT INTO revisions (account_id, id, revision, updated_at, body) SELECT account_id, id, revision, "
        "updated_at, body FROM resources WHERE account_id = $1::bigint AND id = $2::text");
    put(Sql::prune_revisions, "prune_revisions",
        "DELETE FROM revisions WHERE account_id = $1::bigint AND id = $2::text AND revision < $3::bigint");
    put(Sql::change_resource, "change_resource",
        "UPDATE resources SET revision = $3::bigint, updated_at = $4::bigint, deleted = $5::bigint <> 0, body = "
        "$6::text WHERE account_id = $1::bigint AND id = $2::text AND revision = $3::bigint - 1");
    put(Sql::remove_values, "remove_values",
        "DELETE FROM member_index WHERE account_id = $1::bigint AND digest = ANY ($2::bytea[]) AND id = $3::text");
    put(Sql::remove_uniques, "remove_uniques",
        "DELETE FROM unique_values WHERE account_id = $1::bigint AND digest = ANY ($2::bytea[]) AND id = $3::text");
    put(Sql::add_values, "add_values",
        "INSERT INTO member_index (account_id, digest, id) SELECT $1::bigint, digest, $3::text FROM "
        "unnest($2::bytea[]) AS v (digest) ON CONFLICT DO NOTHING");
    put(Sql::add_uniques, "add_uniques",
        "INSERT INTO unique_values (account_id, digest, id) SELECT DISTINCT $1::bigint, digest, $3::text FROM "
        "unnest($2::bytea[]) AS v (digest) ORDER BY digest");
    put(Sql::insert_event, "insert_event",
        "INSERT INTO events (account_id, event_id, type, id, revision, time) VALUES ($1::bigint, $2::text, $3::text, "
        "$4::text, $5::bigint, $6::bigint)");

    put(Sql::create, "create", create);

    // A record that took the key after the counted one expires later than it, so that it does not inherit its count.
    put(Sql::count_replays, "count_replays",
        "UPDATE records AS k SET replays = k.replays + c.replays FROM (SELECT * FROM unnest($1::bigint[], $2::bytea[], "
        "$3::bigint[], $4::bigint[]) AS c (account_id, digest, expires_at, replays)) AS c WHERE k.account_id = "
        "c.account_id AND k.digest = c.digest AND k.expires_at = c.expires_at");
    put(Sql::clean, "clean",
        "WITH expired AS MATERIALIZED (SELECT account_id, digest FROM records WHERE expires_at <= (SELECT "
        "einmal_now()) "
        "ORDER BY expires_at LIMIT $1::bigint FOR UPDATE SKIP LOCKED) DELETE FROM records AS k USING expired WHERE "
        "k.account_id = expired.account_id AND k.digest = expired.digest");
    put(Sql::can_write, "can_write",
        "SELECT NOT pg_is_in_recovery() AND NOT current_setting('transaction_read_only')::boolean");
    return all;
}

}  // namespace

const std::array<PgStatement, sql_count>& pg_statements() {
    static const std::array<PgStatement, sql_count> statements = make_statements();
    return statements;
}

}  // namespace einmal::store
