#include "store/pg_admin.hpp"

#include "store/pg_rows.hpp"
#include "store/pg_schema.hpp"
#include "store/pg_statements.hpp"
#include "store/pg_verify.hpp"

#include <optional>
#include <utility>

namespace einmal::store {
namespace {

const std::string all_at_one_instant = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

class PgAdmin final : public StoreAdmin {
 public:
    explicit PgAdmin(std::unique_ptr<PgSession> session) : session_(std::move(session)) {}

    Result<TokenId> create_token(const std::string& account, const std::string& scopes, TokenDigest digest) override {
        return in_pg_transaction<TokenId>(*session_, "BEGIN", [&] { return insert_token(account, scopes, digest); });
    }

    Result<std::optional<TokenId>> create_first_token(const std::string& account, const std::string& scopes,
                                                      TokenDigest digest) override {
        using Made = Result<std::optional<TokenId>>;
        return in_pg_transaction<std::optional<TokenId>>(*session_, "BEGIN", [&]() -> Made {
            // Two servers that start at once must not both find none.
            session_->run("LOCK TABLE tokens IN SHARE ROW EXCLUSIVE MODE");
            if (!session_->run("SELECT 1 FROM tokens LIMIT 1").empty()) return std::optional<TokenId>();
            const auto made = insert_token(account, scopes, digest);
            if (!made) return made.error();
            return std::optional(*made);
        });
    }

    Result<bool> revoke_token(TokenId id) override {
        return in_pg_transaction<bool>(*session_, "BEGIN", [&]() -> Result<bool> {
            PgParams params;
            params.integer(id.value);
            return session_
                       ->run(
                           "UPDATE tokens SET revoked_at = einmal_now() WHERE token_id = $1::bigint AND "
                           "revoked_at IS NULL",
                           params)
                       .changed() != 0;
        });
    }

    Result<std::vector<Token>> list_tokens() override {
        return in_pg_transaction<std::vector<Token>>(
            *session_, all_at_one_instant, [&]() -> Result<std::vector<Token>> {
                const PgRows rows = session_->run("SELECT " + std::string(pg_token_columns) +
                                                  " FROM tokens JOIN accounts USING (account_id) ORDER BY token_id");
                std::vector<Token> tokens;
                for (int row = 0; row < rows.size(); ++row) tokens.push_back(pg_token_from(rows, row));
                return tokens;
            });
    }

    Result<void> backup(const std::string&) override {
        return Error{Errc::configuration,
                     "a database on a PostgreSQL server is backed up with the server's own tools, for example pg_dump"};
    }

    Result<std::vector<std::string>> verify() override {
        return in_pg_transaction<std::vector<std::string>>(
            *session_, all_at_one_instant,
            [&]() -> Result<std::vector<std::string>> { return verify_pg_database(*session_); });
    }

 private:
    Result<TokenId> insert_token(const std::string& account, const std::string& scopes, const TokenDigest& digest) {
        PgParams name;
        name.text(account);
        session_->run("INSERT INTO accounts (name) VALUES ($1::text) ON CONFLICT (name) DO NOTHING", name);
        PgParams token;
        token.text(account).bytes(digest.bytes).text(scopes);
        const PgRows made = session_->run(
            "INSERT INTO tokens (account_id, digest, scopes, created_at) SELECT account_id, $2::bytea, $3::text, "
            "einmal_now() FROM accounts WHERE name = $1::text ON CONFLICT (digest) DO NOTHING RETURNING token_id",
            token);
        if (made.empty()) return Error{Errc::configuration, "this token exists already"};
        return TokenId{made.integer(0, 0)};
    }

    const std::unique_ptr<PgSession> session_;
};

}  // namespace

std::unique_ptr<StoreAdmin> make_pg_admin(std::unique_ptr<PgSession> session) {
    return std::make_unique<PgAdmin>(std::move(session));
}

Result<std::unique_ptr<StoreAdmin>> open_pg_admin(const std::string& address, bool create, Entropy& entropy) {
    try {
        auto session = std::make_unique<PgSession>(address);
        const auto preparing = create ? PgPreparing::when_needed : PgPreparing::refused;
        if (auto refused = prepare_pg_database(*session, preparing, entropy)) return *std::move(refused);
        return make_pg_admin(std::move(session));
    } catch (const PgError& error) {
        return error.error();
    }
}

}  // namespace einmal::store
