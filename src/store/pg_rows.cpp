#include "store/pg_rows.hpp"

namespace einmal::store {
namespace {

constexpr int resource_columns = 7;

}  // namespace

Resource pg_resource_from(const PgRows& rows, int row) {
    Resource resource;
    resource.id.text = rows.text(row, 0);
    resource.type.text = rows.text(row, 1);
    resource.revision = rows.revision(row, 2);
    resource.created_at = rows.time(row, 3);
    resource.updated_at = rows.time(row, 4);
    resource.deleted = rows.boolean(row, 5);
    resource.body = rows.text(row, 6);
    return resource;
}

Record pg_record_from(const PgRows& rows, int row) {
    Record record;
    rows.fill(row, resource_columns, record.fingerprint.bytes);
    record.status = static_cast<int>(rows.integer(row, resource_columns + 1));
    record.type.text = rows.text(row, resource_columns + 2);
    record.resource.text = rows.text(row, resource_columns + 3);
    record.revision = rows.revision(row, resource_columns + 4);
    record.created_at = rows.time(row, resource_columns + 5);
    record.completed_at = rows.time(row, resource_columns + 6);
    record.expires_at = rows.time(row, resource_columns + 7);
    record.replays = static_cast<std::uint64_t>(rows.integer(row, resource_columns + 8));
    return record;
}

Token pg_token_from(const PgRows& rows, int row) {
    Token token;
    token.id.value = rows.integer(row, 0);
    token.account.value = rows.integer(row, 1);
    token.account_name = rows.text(row, 2);
    token.scopes = rows.text(row, 3);
    token.created_at = rows.time(row, 4);
    if (!rows.is_null(row, 5)) token.revoked_at = rows.time(row, 5);
    return token;
}

std::vector<std::span<const std::byte>> bytes_of(const std::vector<ValueDigest>& digests) {
    std::vector<std::span<const std::byte>> all;
    all.reserve(digests.size());
    for (const ValueDigest& digest : digests) all.emplace_back(digest.bytes);
    return all;
}

}  // namespace einmal::store
