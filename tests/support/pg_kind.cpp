// The PostgreSQL store in a database of the test's own. Its time is the database's, so the test's clock is set there
// before each call; the store itself knows nothing of that.
#include "support/pg_cluster.hpp"
#include "support/store_decorator.hpp"
#include "support/store_kind.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace einmal::test {
namespace {

/// Carries the test's clock into the database.
class ClockCarrier {
 public:
    ClockCarrier(const std::string& address, const Clock& clock) : probe_(address), clock_(clock) { carry(); }

    void carry() {
        const Timestamp now = clock_.now();
        if (carried_ == now) return;
        probe_.run("UPDATE test_clock SET now = " + std::to_string(now.time_since_epoch().count()));
        carried_ = now;
    }
    [[nodiscard]] PgProbe& probe() { return probe_; }

 private:
    PgProbe probe_;
    const Clock& clock_;
    std::optional<Timestamp> carried_;
};

class ClockedStore final : public StoreDecorator {
 public:
    ClockedStore(Store& store, ClockCarrier& clock) : StoreDecorator(store), clock_(clock) {}

    boost::asio::awaitable<Result<Decision>> transact(Reads reads, Decide decide) override {
        clock_.carry();
        return StoreDecorator::transact(std::move(reads), std::move(decide));
    }
    boost::asio::awaitable<Result<std::optional<Record>>> find_record(Asker asker, KeyDigest key) override {
        clock_.carry();
        return StoreDecorator::find_record(asker, key);
    }

 private:
    ClockCarrier& clock_;
};

class ClockedAdmin final : public StoreAdmin {
 public:
    ClockedAdmin(StoreAdmin& inner, ClockCarrier& clock) : inner_(inner), clock_(clock) {}

    Result<TokenId> create_token(const std::string& account, const std::string& scopes, TokenDigest digest) override {
        clock_.carry();
        return inner_.create_token(account, scopes, digest);
    }
    Result<std::optional<TokenId>> create_first_token(const std::string& account, const std::string& scopes,
                                                      TokenDigest digest) override {
        clock_.carry();
        return inner_.create_first_token(account, scopes, digest);
    }
    Result<bool> revoke_token(TokenId id) override {
        clock_.carry();
        return inner_.revoke_token(id);
    }
    Result<std::vector<Token>> list_tokens() override { return inner_.list_tokens(); }
    Result<void> backup(const std::string& file) override { return inner_.backup(file); }
    Result<std::vector<std::string>> verify() override { return inner_.verify(); }

 private:
    StoreAdmin& inner_;
    ClockCarrier& clock_;
};

class PgTestStore final : public TestStore {
 public:
    explicit PgTestStore(const Surroundings& around)
        : clock_(database_.address(), around.clock),
          opened_(
              open_store(database_.address(), around.executor, around.options, around.clock, around.entropy).value()),
          store_(*opened_.store, clock_),
          admin_(*opened_.admin, clock_) {}

    Store& store() override { return store_; }
    StoreAdmin& admin() override { return admin_; }

    /// The outbox has no order of its own yet; transactions are numbered when they first write.
    std::vector<Event> events() override {
        std::vector<Event> events;
        for (const auto& row : clock_.probe().run("SELECT event_id, type, id, revision, time FROM events ORDER BY "
                                                  "xmin::text::bigint, revision")) {
            const Timestamp time{std::chrono::milliseconds{std::stoll(row[4])}};
            events.push_back({row[0], row[1], {row[2]}, {std::stoull(row[3])}, time});
        }
        return events;
    }

 private:
    PgDatabase database_{PgDatabase::Content::clocked_store};
    ClockCarrier clock_;
    OpenedStore opened_;
    ClockedStore store_;
    ClockedAdmin admin_;
};

}  // namespace

StoreKind postgres_store_kind() {
    return {"postgres", [](const Surroundings& around) { return std::make_unique<PgTestStore>(around); }};
}

}  // namespace einmal::test
