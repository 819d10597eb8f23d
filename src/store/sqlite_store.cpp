#include "store/sqlite_store.hpp"

#include "store/sqlite_admin.hpp"
#include "store/sqlite_reader.hpp"
#include "store/sqlite_schema.hpp"
#include "store/sqlite_server_lock.hpp"
#include "store/sqlite_writer.hpp"

#include <utility>

namespace einmal::store {
namespace {

namespace asio = boost::asio;

class SqliteStore final : public Store {
 public:
    SqliteStore(ServerLock lock, const Secret& secret, Connection connection, const std::string& file,
                asio::any_io_executor executor, const StoreOptions& options, const Clock& clock)
        : lock_(std::move(lock)),
          secret_(secret),
          executor_(std::move(executor)),
          writer_(std::move(connection), executor_, options, clock),
          readers_(file, executor_, options) {}

    asio::awaitable<Result<Decision>> transact(Reads reads, Decide decide) override {
        return submit<Decision>(writer_.queue(), executor_,
                                [reads = std::move(reads), decide = std::move(decide)](WriteSession& session) {
                                    return session.transact(reads, decide);
                                });
    }

    asio::awaitable<Result<std::optional<Record>>> find_record(Asker asker, KeyDigest key) override {
        return submit<std::optional<Record>>(writer_.queue(), executor_, [asker, key](WriteSession& session) {
            return session.find_record(asker, key);
        });
    }

    asio::awaitable<Result<void>> ping() override {
        return submit<void>(writer_.queue(), executor_, [](WriteSession& session) {
            session.pulse();
            return Result<void>();
        });
    }

    asio::awaitable<Result<std::optional<Resource>>> read(Asker asker, ResourceId id) override {
        return submit<std::optional<Resource>>(
            readers_.queue(), executor_,
            [asker, id = std::move(id)](ReadSession& session) { return session.read(asker, id); });
    }

    asio::awaitable<Result<std::optional<Resource>>> read_revision(Asker asker, ResourceId id,
                                                                   Revision revision) override {
        return submit<std::optional<Resource>>(readers_.queue(), executor_,
                                               [asker, id = std::move(id), revision](ReadSession& session) {
                                                   return session.read_revision(asker, id, revision);
                                               });
    }

    asio::awaitable<Result<Page>> list(ListQuery query) override {
        return submit<Page>(readers_.queue(), executor_,
                            [query = std::move(query)](ReadSession& session) { return session.list(query); });
    }

    asio::awaitable<Result<Page>> list_revisions(RevisionsQuery query) override {
        return submit<Page>(readers_.queue(), executor_,
                            [query = std::move(query)](ReadSession& session) { return session.list_revisions(query); });
    }

    asio::awaitable<Result<std::optional<Token>>> find_token(TokenDigest digest) override {
        return submit<std::optional<Token>>(readers_.queue(), executor_,
                                            [digest](ReadSession& session) { return session.find_token(digest); });
    }

    [[nodiscard]] const Secret& secret() const override { return secret_; }

 private:
    const ServerLock lock_;  // released last
    const Secret secret_;
    const asio::any_io_executor executor_;
    Writer writer_;
    Readers readers_;
};

}  // namespace

Result<OpenedStore> open_sqlite_store(const std::string& file, asio::any_io_executor executor,
                                      const StoreOptions& options, const Clock& clock, Entropy& entropy) {
    auto lock = ServerLock::acquire(file);
    if (!lock) return lock.error();
    auto connection = open_database(file, Preparing::when_needed, entropy);
    if (!connection) return connection.error();
    try {
        const auto secret = load_secret(*connection);
        if (!secret) return secret.error();
        auto admin = open_sqlite_admin(file, false, clock, entropy);
        if (!admin) return admin.error();
        OpenedStore opened;
        opened.store = std::make_unique<SqliteStore>(*std::move(lock), *secret, *std::move(connection), file,
                                                     std::move(executor), options, clock);
        opened.admin = *std::move(admin);
        return opened;
    } catch (const SqliteFailure& failure) {
        return opening_error(file, failure);
    }
}

}  // namespace einmal::store
