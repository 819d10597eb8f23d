#include "store/pg_schema.hpp"

#include "base/embedded.hpp"

#include <charconv>
#include <span>
#include <string>
#include <string_view>

namespace einmal::store {

std::span<const base::EmbeddedFile> postgres_schema_steps();  // made by einmal_embed

namespace {

constexpr std::string_view duplicate_table = "42P07";
constexpr std::string_view duplicate_object = "42710";
constexpr std::string_view duplicate_function = "42723";
constexpr std::string_view unique_violation = "23505";

/// `0001.sql` → 1
std::int64_t version_of(const base::EmbeddedFile& step) {
    std::int64_t version = 0;
    std::from_chars(step.name.data(), step.name.data() + step.name.size(), version);
    return version;
}

/// 0 when the steps have not begun.
std::int64_t version_in(PgSession& session) {
    const PgRows exists = session.run("SELECT to_regclass('schema_steps') IS NOT NULL");
    if (!exists.boolean(0, 0)) return 0;
    return session.run("SELECT coalesce(max(version), 0) FROM schema_steps").integer(0, 0);
}

std::optional<Error> reason_to_refuse(PgSession& session, std::int64_t version, PgPreparing preparing) {
    const std::int64_t newest = newest_pg_schema_version();
    if (version > newest) {
        return Error{Errc::configuration, "the database has schema version " + std::to_string(version) +
                                              ", made by a newer einmal; this one knows versions up to " +
                                              std::to_string(newest)};
    }
    if (session.run("SELECT current_setting('server_encoding')").text(0, 0) != "UTF8") {
        return Error{Errc::configuration, "the database cannot keep every character: make it with ENCODING 'UTF8'"};
    }
    if (preparing == PgPreparing::when_needed || version == newest) return std::nullopt;
    if (version == 0) return Error{Errc::configuration, "there is no store in the database"};
    return Error{Errc::configuration, "the database has an older schema version; start the server once to upgrade it"};
}

/// The table is also the lock: whoever has it decides what is still to be done. Even IF NOT EXISTS can collide with
/// somebody who makes the same table in this moment; then it is there.
void make_steps_table(PgSession& session) {
    try {
        session.run(
            "CREATE TABLE IF NOT EXISTS schema_steps (version bigint PRIMARY KEY, made_at timestamptz NOT NULL "
            "DEFAULT now())");
    } catch (const PgError& error) {
        const std::string& state = error.failure().sqlstate;
        if (state != unique_violation && state != duplicate_object && state != duplicate_table) throw;
    }
}

void add_secret(PgSession& session, Entropy& entropy) {
    Secret secret;
    entropy.fill(secret.bytes);
    PgParams params;
    params.bytes(secret.bytes);
    session.run("INSERT INTO meta (name, value) VALUES ('secret', $1::bytea)", params);
}

void apply_steps(PgSession& session, Entropy& entropy) {
    session.run("LOCK TABLE schema_steps IN ACCESS EXCLUSIVE MODE");
    // Somebody else may have been faster.
    const std::int64_t version = version_in(session);
    for (const auto& step : postgres_schema_steps()) {
        if (version_of(step) <= version) continue;
        session.run_script(std::string(step.text));
        PgParams params;
        params.integer(version_of(step));
        session.run("INSERT INTO schema_steps (version) VALUES ($1::bigint)", params);
    }
    if (version == 0) add_secret(session, entropy);
}

}  // namespace

std::int64_t newest_pg_schema_version() { return version_of(postgres_schema_steps().back()); }

std::optional<Error> prepare_pg_database(PgSession& session, PgPreparing preparing, Entropy& entropy) {
    const std::int64_t version = version_in(session);
    if (auto refused = reason_to_refuse(session, version, preparing)) return refused;
    if (version == newest_pg_schema_version()) return std::nullopt;
    make_steps_table(session);
    try {
        session.run("BEGIN");
        apply_steps(session, entropy);
        session.run("COMMIT");
        return std::nullopt;
    } catch (const PgError& error) {
        session.roll_back();
        const std::string& state = error.failure().sqlstate;
        if (state != duplicate_table && state != duplicate_function) throw;
        return Error{Errc::configuration, "the database holds tables of another program: " + error.error().reason};
    }
}

Result<Secret> load_pg_secret(PgSession& session) {
    const PgRows rows = session.run("SELECT value FROM meta WHERE name = 'secret'");
    Secret secret;
    if (rows.empty() || rows.text(0, 0).size() != secret.bytes.size()) {
        return Error{Errc::corrupt, "the database has lost its secret; restore a backup"};
    }
    rows.fill(0, 0, secret.bytes);
    return secret;
}

}  // namespace einmal::store
