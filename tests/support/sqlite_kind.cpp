// The SQLite store in a directory of the test's own. The outbox is read through a connection beside the store, so that
// a test sees what is committed, not what the store believes.
#include "support/store_kind.hpp"
#include "support/temporary_directory.hpp"

#include <sqlite3.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace einmal::test {
namespace {

struct CloseConnection {
    void operator()(sqlite3* connection) const { sqlite3_close(connection); }
};
struct FinalizeStatement {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

std::string text_of(sqlite3_stmt* statement, int column) {
    return reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
}

class SqliteTestStore final : public TestStore {
 public:
    explicit SqliteTestStore(const Surroundings& around)
        : opened_(
              open_store("sqlite:" + file_, around.executor, around.options, around.clock, around.entropy).value()) {}

    Store& store() override { return *opened_.store; }
    StoreAdmin& admin() override { return *opened_.admin; }

    std::vector<Event> events() override {
        sqlite3* connection = nullptr;
        const int opened = sqlite3_open_v2(file_.c_str(), &connection, SQLITE_OPEN_READONLY, nullptr);
        const std::unique_ptr<sqlite3, CloseConnection> closing(connection);
        sqlite3_stmt* statement = nullptr;
        if (opened != SQLITE_OK ||
            sqlite3_prepare_v2(connection, "SELECT event_id, type, id, revision, time FROM events ORDER BY event_row",
                               -1, &statement, nullptr) != SQLITE_OK) {
            throw std::runtime_error(sqlite3_errmsg(connection));
        }
        const std::unique_ptr<sqlite3_stmt, FinalizeStatement> finalizing(statement);
        std::vector<Event> events;
        while (sqlite3_step(statement) == SQLITE_ROW) {
            const auto revision = static_cast<std::uint64_t>(sqlite3_column_int64(statement, 3));
            const Timestamp time{std::chrono::milliseconds{sqlite3_column_int64(statement, 4)}};
            events.push_back({text_of(statement, 0), text_of(statement, 1), {text_of(statement, 2)}, {revision}, time});
        }
        return events;
    }

 private:
    TemporaryDirectory directory_;
    std::string file_ = directory_.file("einmal.db");
    OpenedStore opened_;
};

}  // namespace

StoreKind sqlite_store_kind() {
    return {"sqlite", [](const Surroundings& around) { return std::make_unique<SqliteTestStore>(around); }};
}

}  // namespace einmal::test
