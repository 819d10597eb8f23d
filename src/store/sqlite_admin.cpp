#include "store/sqlite_admin.hpp"

#include "store/sqlite_backup.hpp"
#include "store/sqlite_rows.hpp"
#include "store/sqlite_schema.hpp"
#include "store/sqlite_server_lock.hpp"
#include "store/sqlite_verify.hpp"

#include <optional>
#include <utility>

namespace einmal::store {
namespace {

class SqliteAdmin final : public StoreAdmin {
 public:
    SqliteAdmin(Connection connection, const Clock& clock) : connection_(std::move(connection)), clock_(clock) {}

    Result<TokenId> create_token(const std::string& account, const std::string& scopes, TokenDigest digest) override {
        return in_transaction<TokenId>("BEGIN IMMEDIATE", [&]() -> Result<TokenId> {
            if (exists(digest)) return Error{Errc::configuration, "this token exists already"};
            return insert_token(account, scopes, digest);
        });
    }

    Result<std::optional<TokenId>> create_first_token(const std::string& account, const std::string& scopes,
                                                      TokenDigest digest) override {
        return in_transaction<std::optional<TokenId>>("BEGIN IMMEDIATE", [&]() -> Result<std::optional<TokenId>> {
            Statement any(connection_, "SELECT 1 FROM tokens LIMIT 1");
            if (any.run().step()) return std::optional<TokenId>();
            return std::optional(insert_token(account, scopes, digest));
        });
    }

    Result<bool> revoke_token(TokenId id) override {
        return in_transaction<bool>("BEGIN IMMEDIATE", [&]() -> Result<bool> {
            const auto before = connection_.changes_in_all();
            Statement(connection_, "UPDATE tokens SET revoked_at = ?2 WHERE token_id = ?1 AND revoked_at IS NULL")
                .execute(id, clock_.now());
            return connection_.changes_in_all() != before;
        });
    }

    Result<std::vector<Token>> list_tokens() override {
        return in_transaction<std::vector<Token>>("BEGIN", [&]() -> Result<std::vector<Token>> {
            Statement all(connection_, "SELECT " + std::string(token_columns) +
                                           " FROM tokens JOIN accounts USING (account_id) ORDER BY token_id");
            auto row = all.run();
            std::vector<Token> tokens;
            while (row.step()) tokens.push_back(token_from(row));
            return tokens;
        });
    }

    Result<void> backup(const std::string& file) override {
        try {
            return back_up(connection_, file);
        } catch (const SqliteFailure& failure) {
            return failure.error();
        }
    }

    Result<std::vector<std::string>> verify() override {
        return in_transaction<std::vector<std::string>>(
            "BEGIN", [&]() -> Result<std::vector<std::string>> { return verify_database(connection_, clock_.now()); });
    }

 private:
    template <class T, class Work>
    Result<T> in_transaction(const char* begin, const Work& work) {
        try {
            connection_.execute(begin);
            Result<T> result = work();
            if (result) connection_.execute("COMMIT");
            connection_.rollback();
            return result;
        } catch (const SqliteFailure& failure) {
            connection_.rollback();
            return failure.error();
        }
    }

    TokenId insert_token(const std::string& account, const std::string& scopes, const TokenDigest& digest) {
        Statement(connection_, "INSERT OR IGNORE INTO accounts (name) VALUES (?1)").execute(std::string_view(account));
        Statement(connection_,
                  "INSERT INTO tokens (account_id, digest, scopes, created_at) "
                  "SELECT account_id, ?2, ?3, ?4 FROM accounts WHERE name = ?1")
            .execute(std::string_view(account), digest, std::string_view(scopes), clock_.now());
        return TokenId{sqlite3_last_insert_rowid(connection_.handle())};
    }

    bool exists(const TokenDigest& digest) {
        Statement find(connection_, "SELECT 1 FROM tokens WHERE digest = ?1");
        return find.run(digest).step();
    }

    Connection connection_;
    const Clock& clock_;
};

}  // namespace

Result<std::unique_ptr<StoreAdmin>> open_sqlite_admin(const std::string& file, bool create, const Clock& clock,
                                                      Entropy& entropy) {
    std::optional<ServerLock> lock;
    if (create && needs_preparing(file)) {
        auto acquired = ServerLock::acquire(file);
        if (!acquired) return acquired.error();
        lock.emplace(*std::move(acquired));
    }
    auto connection = open_database(file, lock ? Preparing::when_needed : Preparing::refused, entropy);
    if (!connection) return connection.error();
    std::unique_ptr<StoreAdmin> admin = std::make_unique<SqliteAdmin>(*std::move(connection), clock);
    return admin;
}

}  // namespace einmal::store
