// The one layer over SQLite's C interface: connections, prepared statements, and its failures as one exception type
// that never leaves src/store (Store and StoreAdmin turn it into Result). Nothing here knows a table.
#pragma once

#include <einmal/result.hpp>
#include <einmal/types.hpp>

#include <sqlite3.h>

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace einmal::store {

/// SQLite refused something. Thrown by Connection and Statement only.
class SqliteFailure final : public std::exception {
 public:
    /// `code` is an extended result code.
    SqliteFailure(int code, const std::string& doing, std::string_view message);
    [[nodiscard]] const char* what() const noexcept override { return reason_.c_str(); }
    /// The primary result code: SQLITE_BUSY, SQLITE_FULL …
    [[nodiscard]] int code() const { return code_ & 0xff; }
    /// Whether the storage as a whole is in trouble (busy, full, lost), rather than the statement or the rows it met.
    [[nodiscard]] bool concerns_storage() const;
    /// Errc::unavailable or Errc::corrupt.
    [[nodiscard]] Error error() const;

 private:
    int code_;
    std::string reason_;
};

enum class OpenMode { read_write, read_write_create };

/// One connection, used by one thread at a time. Movable; statements made of it must go first.
class Connection {
 public:
    /// `file` is a path, never a URI or `:memory:`. Waits for `busy_timeout` where SQLite itself waits for a lock.
    Connection(const std::string& file, OpenMode mode, std::chrono::milliseconds busy_timeout);

    /// How long SQLite waits for a lock; it looks every millisecond, because a busy server leaves no longer gaps.
    void set_busy_timeout(std::chrono::milliseconds time);
    /// Runs statements without parameters, for settings and schema steps.
    void execute(const std::string& sql);
    /// Does nothing when no transaction is open (SQLite ends some by itself). Never fails.
    void rollback() noexcept;

    [[nodiscard]] bool in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }
    /// Rows changed since the connection was opened; tells whether a transaction wrote anything.
    [[nodiscard]] std::int64_t changes_in_all() const { return sqlite3_total_changes64(handle_.get()); }
    [[nodiscard]] sqlite3* handle() const { return handle_.get(); }

 private:
    struct Close {
        void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
    };
    std::unique_ptr<std::chrono::milliseconds> busy_timeout_;  // SQLite knows its address
    std::unique_ptr<sqlite3, Close> handle_;
};

/// A prepared statement that lives as long as its owner. Usage:
///
///     auto row = find_.run(account, id);      // binds ?1, ?2
///     if (row.step()) use(row.integer(0));    // `row` resets the statement when it goes
///
/// What is bound to a parameter, and what `text` and `blob` return, is not copied: arguments outlive the Run, and views
/// end with the next step.
class Statement {
 public:
    class Run {
     public:
        explicit Run(sqlite3_stmt* statement) : statement_(statement) {}
        Run(const Run&) = delete;
        Run& operator=(const Run&) = delete;
        ~Run() { sqlite3_reset(statement_); }

        /// True when there is a row to look at.
        bool step();
        [[nodiscard]] bool is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
        [[nodiscard]] std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
        [[nodiscard]] std::string_view text(int column) const;
        [[nodiscard]] std::span<const std::byte> blob(int column) const;
        [[nodiscard]] Timestamp time(int column) const { return Timestamp(std::chrono::milliseconds(integer(column))); }
        [[nodiscard]] Revision revision(int column) const { return {static_cast<std::uint64_t>(integer(column))}; }
        /// Fails like a damaged database when the blob has another size.
        template <std::size_t Size>
        void fill(int column, std::array<std::byte, Size>& out) const {
            copy_blob(column, out);
        }

     private:
        void copy_blob(int column, std::span<std::byte> out) const;
        sqlite3_stmt* statement_;
    };

    Statement(Connection& connection, std::string_view sql);

    template <class... Values>
    [[nodiscard]] Run run(const Values&... values) {
        int parameter = 0;
        (bind(++parameter, values), ...);
        return Run(statement_.get());
    }

    /// Runs a statement that returns no row to its end.
    template <class... Values>
    void execute(const Values&... values) {
        run(values...).step();
    }

 private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };

    void bind(int parameter, std::int64_t value);
    void bind(int parameter, std::string_view text);
    void bind(int parameter, std::span<const std::byte> blob);
    void bind(int parameter, Revision revision) { bind(parameter, static_cast<std::int64_t>(revision.value)); }
    void bind(int parameter, Timestamp time) { bind(parameter, std::int64_t{time.time_since_epoch().count()}); }
    void bind(int parameter, const ResourceId& id) { bind(parameter, std::string_view(id.text)); }
    template <std::integral Integer>
    void bind(int parameter, Integer value) {
        bind(parameter, static_cast<std::int64_t>(value));
    }
    template <class Id>
        requires std::same_as<Id, AccountId> || std::same_as<Id, TokenId>
    void bind(int parameter, Id id) {
        bind(parameter, id.value);
    }
    template <class Digest>
        requires requires(const Digest& digest) { std::span<const std::byte>(digest.bytes); }
    void bind(int parameter, const Digest& digest) {
        bind(parameter, std::span<const std::byte>(digest.bytes));
    }

    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

}  // namespace einmal::store
