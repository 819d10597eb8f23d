#include "store/pg_read.hpp"

#include "store/pg_rows.hpp"
#include "store/write_rules.hpp"

#include <algorithm>
#include <boost/asio/use_awaitable.hpp>
#include <limits>
#include <utility>

namespace einmal::store {
namespace {

namespace asio = boost::asio;

std::vector<PgCall> one(Sql statement, PgParams params) {
    std::vector<PgCall> calls;
    calls.push_back({statement, std::move(params)});
    return calls;
}

std::optional<Resource> first_resource(const PgRows& rows) {
    if (rows.empty()) return std::nullopt;
    return pg_resource_from(rows, 0);
}

/// One row more than asked for shows whether there is more.
Page page_from(const PgRows& rows, std::size_t limit) {
    Page page;
    const auto found = static_cast<std::size_t>(rows.size());
    page.more = found > limit;
    for (std::size_t row = 0; row < std::min(found, limit); ++row) {
        page.items.push_back(pg_resource_from(rows, static_cast<int>(row)));
    }
    return page;
}

std::int64_t one_more(std::size_t limit) { return static_cast<std::int64_t>(limit) + 1; }

PgCall list_call(const ListQuery& query) {
    // Every id is greater than the empty one, so this is where a first page begins.
    ListPosition from;
    if (query.updated_since) from.updated_at = *query.updated_since;
    if (query.after && (!query.updated_since || query.after->updated_at >= from.updated_at)) from = *query.after;

    PgParams params;
    params.integer(query.asker.account.value).text(query.type.text);
    if (query.matches.empty()) {
        params.text(from.id.text).integer(one_more(query.limit));
        if (!query.updated_since) return {Sql::list_by_id, std::move(params)};
        return {Sql::list_by_update, std::move(params.time(from.updated_at))};
    }
    auto rest = bytes_of(query.matches);
    rest.erase(rest.begin());
    params.bytes(query.matches.front().bytes).text(from.id.text).byte_strings(rest).integer(one_more(query.limit));
    if (!query.updated_since) return {Sql::list_by_value, std::move(params)};
    return {Sql::list_by_value_and_update, std::move(params.time(from.updated_at))};
}

}  // namespace

asio::awaitable<Result<std::vector<PgRows>>> PgReader::ask(std::vector<PgCall> calls) {
    bool died_at_rest = false;
    auto rows = co_await ask_once(calls, died_at_rest);
    // Nothing is lost by asking once more.
    if (died_at_rest) rows = co_await ask_once(std::move(calls), died_at_rest);
    co_return rows;
}

/// Gives its connection back before it ends: a dead one must not take the place of its successor.
asio::awaitable<Result<std::vector<PgRows>>> PgReader::ask_once(std::vector<PgCall> calls, bool& died_at_rest) {
    auto lease = co_await pool_->acquire();
    if (!lease) co_return lease.error();
    const bool rested = lease->rested();
    PgAnswers answers = co_await lease->exchange(std::move(calls));
    died_at_rest = rested && answers.failure && answers.failure->lost;
    if (answers.failure) co_return error_of(*answers.failure);
    co_return std::move(answers.rows);
}

/// The answers to `calls` alone, or the refusal of the asker.
asio::awaitable<Result<std::vector<PgRows>>> PgReader::ask_for(Asker asker, std::vector<PgCall> calls) {
    PgParams who;
    who.integer(asker.account.value).integer(asker.token.value);
    calls.push_back({Sql::may_ask, std::move(who)});
    auto rows = co_await ask(std::move(calls));
    if (!rows) co_return rows;
    if (!rows->back().boolean(0, 0)) co_return token_revoked();
    rows->pop_back();
    co_return rows;
}

asio::awaitable<Result<std::optional<Resource>>> PgReader::read(Asker asker, ResourceId id) {
    PgParams params;
    params.integer(asker.account.value).text(id.text);
    const auto rows = co_await ask_for(asker, one(Sql::find_resource, std::move(params)));
    if (!rows) co_return rows.error();
    co_return first_resource(rows->front());
}

asio::awaitable<Result<std::optional<Resource>>> PgReader::read_revision(Asker asker, ResourceId id,
                                                                         Revision revision) {
    PgParams params;
    params.integer(asker.account.value).text(id.text).revision(revision);
    const auto rows = co_await ask_for(asker, one(Sql::find_revision, std::move(params)));
    if (!rows) co_return rows.error();
    co_return first_resource(rows->front());
}

asio::awaitable<Result<Page>> PgReader::list(ListQuery query) {
    std::vector<PgCall> calls;
    calls.push_back(list_call(query));
    const auto rows = co_await ask_for(query.asker, std::move(calls));
    if (!rows) co_return rows.error();
    co_return page_from(rows->front(), query.limit);
}

asio::awaitable<Result<Page>> PgReader::list_revisions(RevisionsQuery query) {
    PgParams params;
    params.integer(query.asker.account.value).text(query.id.text);
    params.integer(query.before ? static_cast<std::int64_t>(query.before->value)
                                : std::numeric_limits<std::int64_t>::max());
    params.integer(one_more(query.limit));
    const auto rows = co_await ask_for(query.asker, one(Sql::list_revisions, std::move(params)));
    if (!rows) co_return rows.error();
    co_return page_from(rows->front(), query.limit);
}

asio::awaitable<Result<std::optional<Record>>> PgReader::find_record(Asker asker, KeyDigest key) {
    PgParams params;
    params.integer(asker.account.value).bytes(key.bytes);
    std::vector<PgCall> calls = one(Sql::find_record, std::move(params));
    calls.push_back({Sql::now, {}});
    const auto rows = co_await ask_for(asker, std::move(calls));
    if (!rows) co_return rows.error();
    std::optional<Record> record;
    if (!rows->front().empty()) record = pg_record_from(rows->front(), 0);
    // Expiry is judged here, never by whether the cleaner came by (contract K11).
    if (record && record->expires_at <= rows->back().time(0, 0)) record.reset();
    co_return record;
}

asio::awaitable<Result<std::optional<Token>>> PgReader::find_token(TokenDigest digest) {
    PgParams params;
    params.bytes(digest.bytes);
    const auto rows = co_await ask(one(Sql::find_token, std::move(params)));
    if (!rows) co_return rows.error();
    if (rows->front().empty()) co_return std::nullopt;
    co_return pg_token_from(rows->front(), 0);
}

asio::awaitable<Result<void>> PgReader::ping() {
    const auto rows = co_await ask(one(Sql::can_write, {}));
    if (!rows) co_return rows.error();
    if (!rows->front().boolean(0, 0)) co_return Error{Errc::unavailable, "the database server cannot be written to"};
    co_return Result<void>();
}

}  // namespace einmal::store
