#include "store/sqlite_schema.hpp"

#include "base/embedded.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <optional>
#include <span>
#include <system_error>

namespace einmal::store {

std::span<const base::EmbeddedFile> sqlite_schema_steps();  // made by einmal_embed

namespace {

struct Identity {
    std::int64_t application = 0;
    std::int64_t version = 0;
    bool empty = false;
};

std::int64_t number(Connection& connection, std::string_view sql) {
    Statement statement(connection, sql);
    auto row = statement.run();
    return row.step() ? row.integer(0) : 0;
}

Identity identity_of(Connection& connection) {
    return {number(connection, "PRAGMA application_id"), number(connection, "PRAGMA user_version"),
            number(connection, "SELECT count(*) FROM sqlite_schema") == 0};
}

/// `0001.sql` → 1
std::int64_t version_of(const base::EmbeddedFile& step) {
    std::int64_t version = 0;
    std::from_chars(step.name.data(), step.name.data() + step.name.size(), version);
    return version;
}

/// The database holds a secret and other people's data, so nobody else may read it. SQLite gives its other files the
/// same mode.
std::optional<Error> make_private_file(const std::string& file) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor >= 0) {
        ::close(descriptor);
        return std::nullopt;
    }
    if (errno == EEXIST) return std::nullopt;
    return Error{Errc::unavailable, "cannot make " + file + ": " + std::generic_category().message(errno)};
}

void apply_steps(Connection& connection, const Identity& identity, Entropy& entropy) {
    connection.execute("BEGIN IMMEDIATE");
    // Somebody else may have been faster.
    const std::int64_t version = number(connection, "PRAGMA user_version");
    for (const auto& step : sqlite_schema_steps()) {
        if (version_of(step) > version) connection.execute(std::string(step.text));
    }
    if (version == 0) {
        Secret secret;
        entropy.fill(secret.bytes);
        Statement(connection, "INSERT INTO meta (name, value) VALUES ('secret', ?1)").execute(secret);
    }
    connection.execute("PRAGMA user_version = " + std::to_string(newest_schema_version()));
    if (identity.application != application_id) {
        connection.execute("PRAGMA application_id = " + std::to_string(application_id));
    }
    connection.execute("COMMIT");
}

std::optional<Error> reason_to_refuse(const std::string& file, const Identity& identity, Preparing preparing) {
    const bool is_new = identity.empty && identity.version == 0 && identity.application == 0;
    if (!is_new && identity.application != application_id) {
        return Error{Errc::configuration, file + " is a database of another program"};
    }
    if (identity.version > newest_schema_version()) {
        return Error{Errc::configuration, file + " has schema version " + std::to_string(identity.version) +
                                              ", made by a newer einmal; this one knows versions up to " +
                                              std::to_string(newest_schema_version())};
    }
    if (preparing == Preparing::when_needed || identity.version == newest_schema_version()) return std::nullopt;
    if (is_new) return Error{Errc::configuration, "there is no store in " + file};
    return Error{Errc::configuration, file + " has an older schema version; start the server once to upgrade it"};
}

Result<Connection> open_checked(const std::string& file, Preparing preparing, Entropy& entropy) {
    Connection connection(file, OpenMode::read_write, patience_for_locks);
    // SQLite falls back to reading when it may not write.
    if (sqlite3_db_readonly(connection.handle(), "main") == 1) {
        return Error{Errc::unavailable, file + " is not writable"};
    }
    const Identity identity = identity_of(connection);
    if (auto refused = reason_to_refuse(file, identity, preparing)) return *std::move(refused);
    if (identity.empty) connection.execute("PRAGMA page_size = 4096");
    {
        Statement to_wal(connection, "PRAGMA journal_mode = WAL");
        auto row = to_wal.run();
        if (!row.step() || row.text(0) != "wal") {
            return Error{Errc::unavailable, file + " lies on a file system that cannot share memory (WAL mode)"};
        }
    }
    connection.execute("PRAGMA synchronous = FULL");
    if (identity.version < newest_schema_version()) {
        try {
            apply_steps(connection, identity, entropy);
        } catch (...) {
            connection.rollback();
            throw;
        }
    }
    return connection;
}

}  // namespace

std::int64_t newest_schema_version() { return version_of(sqlite_schema_steps().back()); }

bool needs_preparing(const std::string& file) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return true;
    try {
        Connection connection(file, OpenMode::read_write, patience_for_locks);
        return identity_of(connection).version < newest_schema_version();
    } catch (const SqliteFailure&) {
        return false;
    }
}

Result<Connection> open_database(const std::string& file, Preparing preparing, Entropy& entropy) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) {
        if (preparing == Preparing::refused) return Error{Errc::configuration, "there is no database " + file};
        if (auto failed = make_private_file(file)) return *std::move(failed);
    }
    try {
        return open_checked(file, preparing, entropy);
    } catch (const SqliteFailure& failure) {
        return opening_error(file, failure);
    }
}

Result<Secret> load_secret(Connection& connection) {
    Statement find(connection, "SELECT value FROM meta WHERE name = 'secret'");
    auto row = find.run();
    Secret secret;
    if (!row.step() || row.blob(0).size() != secret.bytes.size()) {
        return Error{Errc::corrupt, "the database has lost its secret; restore a backup"};
    }
    row.fill(0, secret.bytes);
    return secret;
}

Error opening_error(const std::string& file, const SqliteFailure& failure) {
    if (failure.code() == SQLITE_NOTADB) return {Errc::configuration, file + " is no SQLite database"};
    Error error = failure.error();
    error.reason = file + ": " + error.reason;
    return error;
}

}  // namespace einmal::store
