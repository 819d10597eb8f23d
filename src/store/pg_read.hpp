// Reads of single resources and lists: one exchange each, which also looks whether the token is still good.
#pragma once

#include "store/pg_pool.hpp"

#include <einmal/store.hpp>

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <vector>

namespace einmal::store {

class PgReader {
 public:
    explicit PgReader(std::shared_ptr<PgPool> pool) : pool_(std::move(pool)) {}

    boost::asio::awaitable<Result<std::optional<Resource>>> read(Asker asker, ResourceId id);
    boost::asio::awaitable<Result<std::optional<Resource>>> read_revision(Asker asker, ResourceId id,
                                                                          Revision revision);
    boost::asio::awaitable<Result<Page>> list(ListQuery query);
    boost::asio::awaitable<Result<Page>> list_revisions(RevisionsQuery query);
    boost::asio::awaitable<Result<std::optional<Record>>> find_record(Asker asker, KeyDigest key);
    boost::asio::awaitable<Result<std::optional<Token>>> find_token(TokenDigest digest);
    boost::asio::awaitable<Result<void>> ping();

 private:
    /// The answers to `calls`, all of them.
    boost::asio::awaitable<Result<std::vector<PgRows>>> ask(std::vector<PgCall> calls);
    boost::asio::awaitable<Result<std::vector<PgRows>>> ask_once(std::vector<PgCall> calls, bool& died_at_rest);
    boost::asio::awaitable<Result<std::vector<PgRows>>> ask_for(Asker asker, std::vector<PgCall> calls);

    const std::shared_ptr<PgPool> pool_;
};

}  // namespace einmal::store
