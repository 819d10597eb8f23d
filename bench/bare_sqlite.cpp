// The rows of one fresh POST, written by SQLite alone: one thread, prepared statements, so many operations per commit,
// every commit durable. What remains between this and `einmal serve` is the price of everything that is not the
// database. It writes what the server's tables end up with; the two random indexes, of keys and of values, it writes at
// once, as one would without a layer above them.
#include <sqlite3.h>
#include <CLI/CLI.hpp>

#include <sys/resource.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>
#include <sstream>
#include <string>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view body =
    R"({"custom":{"source":"fair"},"email":"ada@example.org","name":"Ada Lovelace","phone":"+49 30 1234567",)"
    R"("tags":["customer","berlin"]})";

void check(int result, sqlite3* database) {
    if (result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW) return;
    std::cerr << "bare_sqlite: " << sqlite3_errmsg(database) << '\n';
    std::exit(1);
}

struct Close {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, Close>;

/// One INSERT whose parameters are bound in order.
class Insert {
 public:
    Insert(sqlite3* database, const char* sql) : database_(database) {
        sqlite3_stmt* statement = nullptr;
        check(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr), database);
        statement_.reset(statement);
    }

    template <class... Values>
    void run(const Values&... values) {
        int index = 0;
        (bind(++index, values), ...);
        check(sqlite3_step(statement_.get()), database_);
        sqlite3_reset(statement_.get());
    }

 private:
    void bind(int index, std::int64_t value) { sqlite3_bind_int64(statement_.get(), index, value); }
    void bind(int index, std::string_view text) {
        sqlite3_bind_text(statement_.get(), index, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
    }
    template <std::size_t N>
    void bind(int index, const std::array<std::uint64_t, N>& blob) {
        sqlite3_bind_blob(statement_.get(), index, blob.data(), sizeof blob, SQLITE_STATIC);
    }

    sqlite3* database_;
    std::unique_ptr<sqlite3_stmt, Close> statement_;
};

Database open(const std::string& file, const std::string& schema) {
    sqlite3* handle = nullptr;
    check(sqlite3_open(file.c_str(), &handle), handle);
    Database database(handle);
    std::ifstream in(schema);
    std::stringstream sql;
    sql << "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536;" << in.rdbuf();
    check(sqlite3_exec(handle, sql.str().c_str(), nullptr, nullptr, nullptr), handle);
    return database;
}

class Writer {
 public:
    explicit Writer(sqlite3* database) : database_(database) {}

    void commit(int operations) {
        check(sqlite3_exec(database_, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), database_);
        for (int i = 0; i < operations; ++i) post();
        check(sqlite3_exec(database_, "COMMIT", nullptr, nullptr, nullptr), database_);
    }

 private:
    void post() {
        const std::int64_t now = 1'800'000'000'000 + ++count_;
        std::array<char, 48> id{};
        std::snprintf(id.data(), id.size(), "con_%08lld%014llx", static_cast<long long>(count_),
                      static_cast<unsigned long long>(chance_() >> 8));
        const std::string_view id_text(id.data(), 26);
        const std::array digest{chance_(), chance_()};
        resource_.run(std::int64_t{1}, id_text, std::int64_t{1}, std::int64_t{1}, now, now, std::int64_t{0}, body);
        value_.run(std::array{chance_(), chance_()}, std::int64_t{1}, id_text);
        record_.run(std::int64_t{1}, digest, std::array{chance_(), chance_(), chance_(), chance_()}, std::int64_t{201},
                    std::int64_t{1}, id_text, std::int64_t{1}, now, now, now + 86'400'000, std::int64_t{0});
        event_.run(std::int64_t{1}, id_text, std::string_view("contacts.created"), id_text, std::int64_t{1}, now);
        key_.run(digest, count_);
    }

    sqlite3* database_;
    Insert resource_{database_, "INSERT INTO resources VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)"};
    Insert value_{database_, "INSERT INTO member_index VALUES (?, ?, ?)"};
    Insert record_{database_, "INSERT INTO records VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"};
    Insert event_{database_, "INSERT INTO events VALUES (NULL, ?, ?, ?, ?, ?, ?)"};
    Insert key_{database_, "INSERT INTO key_index VALUES (?, ?)"};
    std::mt19937_64 chance_{42};
    std::int64_t count_ = 0;
};

double cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "Writes the rows of fresh POSTs with SQLite alone; prints operations per second and CPU µs per operation"};
    std::string file;
    std::string schema;
    int batch = 1;
    int seconds = 5;
    app.add_option("--file", file, "a database that does not exist yet")->required()->check(CLI::NonexistentPath);
    app.add_option("--schema", schema, "the schema to create")->required()->check(CLI::ExistingFile);
    app.add_option("--batch", batch, "operations per commit")->check(CLI::Range(1, 10'000));
    app.add_option("--seconds", seconds, "how long")->check(CLI::Range(1, 600));
    CLI11_PARSE(app, argc, argv);

    const auto database = open(file, schema);
    Writer writer(database.get());
    const auto begin = Clock::now();
    const auto end = begin + std::chrono::seconds(seconds);
    const auto cpu_begin = cpu_seconds();
    std::int64_t done = 0;
    for (; Clock::now() < end; done += batch) writer.commit(batch);
    const std::chrono::duration<double> took = Clock::now() - begin;
    const auto count = static_cast<double>(done);
    std::printf("%.0f %.1f\n", count / took.count(), (cpu_seconds() - cpu_begin) / count * 1e6);
    return 0;
}
