// A store that passes every call on to another one; what decorators for tests have in common.
#pragma once

#include <einmal/store.hpp>

#include <utility>

namespace einmal::test {

/// The inner store outlives it.
class StoreDecorator : public Store {
 public:
    explicit StoreDecorator(Store& inner) : inner_(inner) {}

    boost::asio::awaitable<Result<Decision>> transact(Reads reads, Decide decide) override {
        return inner_.transact(std::move(reads), std::move(decide));
    }
    boost::asio::awaitable<Result<std::optional<Resource>>> read(Asker asker, ResourceId id) override {
        return inner_.read(asker, std::move(id));
    }
    boost::asio::awaitable<Result<std::optional<Resource>>> read_revision(Asker asker, ResourceId id,
                                                                          Revision revision) override {
        return inner_.read_revision(asker, std::move(id), revision);
    }
    boost::asio::awaitable<Result<Page>> list(ListQuery query) override { return inner_.list(std::move(query)); }
    boost::asio::awaitable<Result<Page>> list_revisions(RevisionsQuery query) override {
        return inner_.list_revisions(std::move(query));
    }
    boost::asio::awaitable<Result<std::optional<Record>>> find_record(Asker asker, KeyDigest key) override {
        return inner_.find_record(asker, key);
    }
    boost::asio::awaitable<Result<std::optional<Token>>> find_token(TokenDigest digest) override {
        return inner_.find_token(digest);
    }
    boost::asio::awaitable<Result<void>> ping() override { return inner_.ping(); }
    boost::asio::awaitable<void> close() override { return inner_.close(); }
    [[nodiscard]] const Secret& secret() const override { return inner_.secret(); }

 protected:
    [[nodiscard]] Store& inner() { return inner_; }

 private:
    Store& inner_;
};

}  // namespace einmal::test
