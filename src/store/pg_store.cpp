#include "store/pg_store.hpp"

#include "store/pg_admin.hpp"
#include "store/pg_change.hpp"
#include "store/pg_create.hpp"
#include "store/pg_housekeeper.hpp"
#include "store/pg_pool.hpp"
#include "store/pg_read.hpp"
#include "store/pg_replays.hpp"
#include "store/pg_schema.hpp"
#include "store/pg_session.hpp"

#include <algorithm>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <memory>
#include <utility>

namespace einmal::store {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

// How long creates that travel together wait for one key among them: longer than a commit takes. Whoever still waits
// then goes on alone, so that the others need not wait with it.
constexpr milliseconds batch_patience{100};

PgTarget target_of(const std::string& address, const StoreOptions& options) {
    const milliseconds patience = std::max(options.busy_timeout, milliseconds{1});
    return {.address = address,
            .patience = patience,
            .lock_patience = std::clamp(options.lock_wait, milliseconds{1}, batch_patience)};
}

class PgStore final : public Store {
 public:
    PgStore(const std::string& address, const asio::any_io_executor& executor, const StoreOptions& options,
            const Secret& secret)
        : secret_(secret),
          pool_(std::make_shared<PgPool>(executor, target_of(address, options), options)),
          replays_(std::make_shared<PgReplays>(executor, pool_)),
          creates_(std::make_shared<PgCreates>(executor, pool_, options)),
          changes_(executor, pool_, *replays_, options),
          reader_(pool_),
          housekeeper_(std::make_shared<PgHousekeeper>(executor, pool_, replays_, options)) {
        housekeeper_->start();
    }
    ~PgStore() override { housekeeper_->stop(); }

    asio::awaitable<Result<Decision>> transact(Reads reads, Decide decide) override {
        auto created = co_await creates_->run(reads, decide);
        if (created) co_return *std::move(created);
        co_return co_await changes_.run(std::move(reads), std::move(decide));
    }

    asio::awaitable<Result<std::optional<Resource>>> read(Asker asker, ResourceId id) override {
        return reader_.read(asker, std::move(id));
    }

    asio::awaitable<Result<std::optional<Resource>>> read_revision(Asker asker, ResourceId id,
                                                                   Revision revision) override {
        return reader_.read_revision(asker, std::move(id), revision);
    }

    asio::awaitable<Result<Page>> list(ListQuery query) override { return reader_.list(std::move(query)); }

    asio::awaitable<Result<Page>> list_revisions(RevisionsQuery query) override {
        return reader_.list_revisions(std::move(query));
    }

    asio::awaitable<Result<std::optional<Record>>> find_record(Asker asker, KeyDigest key) override {
        // What is read must include what was counted here.
        if (replays_->has_counted(asker.account, key)) co_await replays_->flush();
        co_return co_await reader_.find_record(asker, key);
    }

    asio::awaitable<Result<std::optional<Token>>> find_token(TokenDigest digest) override {
        return reader_.find_token(digest);
    }

    asio::awaitable<Result<void>> ping() override { return reader_.ping(); }

    asio::awaitable<void> close() override {
        housekeeper_->stop();
        co_await replays_->flush();
    }

    [[nodiscard]] const Secret& secret() const override { return secret_; }

 private:
    const Secret secret_;
    const std::shared_ptr<PgPool> pool_;
    const std::shared_ptr<PgReplays> replays_;
    const std::shared_ptr<PgCreates> creates_;
    PgChanges changes_;
    PgReader reader_;
    const std::shared_ptr<PgHousekeeper> housekeeper_;
};

}  // namespace

Result<OpenedStore> open_pg_store(const std::string& address, asio::any_io_executor executor,
                                  const StoreOptions& options, Entropy& entropy) {
    try {
        auto session = std::make_unique<PgSession>(address);
        if (auto refused = prepare_pg_database(*session, PgPreparing::when_needed, entropy)) return *std::move(refused);
        const auto secret = load_pg_secret(*session);
        if (!secret) return secret.error();
        OpenedStore opened;
        opened.store = std::make_unique<PgStore>(address, executor, options, *secret);
        opened.admin = make_pg_admin(std::move(session));
        return opened;
    } catch (const PgError& error) {
        return error.error();
    }
}

}  // namespace einmal::store
