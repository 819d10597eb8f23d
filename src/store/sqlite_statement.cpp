#include "store/sqlite_statement.hpp"

#include <algorithm>
#include <thread>

namespace einmal::store {
namespace {

[[noreturn]] void fail(sqlite3* handle, int code, const std::string& doing) {
    throw SqliteFailure(code, doing, handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code));
}

void check_bind(sqlite3_stmt* statement, int code) {
    if (code != SQLITE_OK) fail(sqlite3_db_handle(statement), code, "cannot bind a parameter");
}

}  // namespace

SqliteFailure::SqliteFailure(int code, const std::string& doing, std::string_view message)
    : code_(code), reason_(doing + ": " + std::string(message) + " (SQLite " + std::to_string(code) + ")") {}

bool SqliteFailure::concerns_storage() const {
    switch (code()) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_FULL:
        case SQLITE_IOERR:
        case SQLITE_READONLY:
        case SQLITE_CANTOPEN:
        case SQLITE_PERM:
        case SQLITE_AUTH:
        case SQLITE_NOLFS:
        case SQLITE_NOMEM:
        case SQLITE_INTERRUPT:
        case SQLITE_PROTOCOL:
            return true;
        default:
            return false;  // SQLite's codes are an open list of integers
    }
}

Error SqliteFailure::error() const { return {concerns_storage() ? Errc::unavailable : Errc::corrupt, reason_}; }

Connection::Connection(const std::string& file, OpenMode mode, std::chrono::milliseconds busy_timeout) {
    // Debian's SQLite reads names that begin with "file:" as URIs and ":memory:" as no file; a path is neither.
    const std::string path = file.starts_with('/') ? file : "./" + file;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    if (mode == OpenMode::read_write_create) flags |= SQLITE_OPEN_CREATE;
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
    handle_.reset(handle);
    if (code != SQLITE_OK) fail(handle, code, "cannot open " + file);
    set_busy_timeout(busy_timeout);
}

void Connection::set_busy_timeout(std::chrono::milliseconds time) {
    busy_timeout_ = std::make_unique<std::chrono::milliseconds>(time);
    sqlite3_busy_handler(
        handle_.get(),
        [](void* timeout, int polls) {
            if (polls >= static_cast<std::chrono::milliseconds*>(timeout)->count()) return 0;
            std::this_thread::sleep_for(std::chrono::milliseconds{1});
            return 1;
        },
        busy_timeout_.get());
}

void Connection::execute(const std::string& sql) {
    const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) fail(handle_.get(), code, "cannot run " + sql.substr(0, sql.find('\n')));
}

void Connection::rollback() noexcept {
    if (in_transaction()) sqlite3_exec(handle_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

Statement::Statement(Connection& connection, std::string_view sql) {
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v3(connection.handle(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    statement_.reset(statement);
    if (code != SQLITE_OK) fail(connection.handle(), code, "cannot prepare a statement");
}

void Statement::bind(int parameter, std::int64_t value) {
    check_bind(statement_.get(), sqlite3_bind_int64(statement_.get(), parameter, value));
}

void Statement::bind(int parameter, std::string_view text) {
    // An empty view may have no address, which SQLite would read as NULL.
    const char* data = text.empty() ? "" : text.data();
    check_bind(statement_.get(),
               sqlite3_bind_text64(statement_.get(), parameter, data, text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void Statement::bind(int parameter, std::span<const std::byte> blob) {
    check_bind(statement_.get(),
               sqlite3_bind_blob64(statement_.get(), parameter, blob.data(), blob.size(), SQLITE_STATIC));
}

bool Statement::Run::step() {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    fail(sqlite3_db_handle(statement_), code, "cannot run a statement");
}

std::string_view Statement::Run::text(int column) const {
    const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    if (data == nullptr) return {};
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

std::span<const std::byte> Statement::Run::blob(int column) const {
    const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(statement_, column));
    if (data == nullptr) return {};
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

void Statement::Run::copy_blob(int column, std::span<std::byte> out) const {
    const auto stored = blob(column);
    if (stored.size() != out.size()) throw SqliteFailure(SQLITE_CORRUPT, "cannot read a row", "a digest of wrong size");
    std::ranges::copy(stored, out.begin());
}

}  // namespace einmal::store
