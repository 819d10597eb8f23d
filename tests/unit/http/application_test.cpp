// The application on stores that fail in ways no client can provoke, and what it writes to the log.
#include "http/application.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/beast/http/field.hpp>

#include "base/digest.hpp"
#include "base/log.hpp"
#include "support/manual_clock.hpp"
#include "support/runner.hpp"
#include "support/seeded_entropy.hpp"
#include "support/store_decorator.hpp"
#include "support/store_kind.hpp"

namespace einmal::http {
namespace {

namespace asio = boost::asio;
using boost::beast::http::field;
using boost::beast::http::verb;
using testing::HasSubstr;
using testing::Not;

/// A store whose calls fail or throw as the test wants.
class AilingStore final : public test::StoreDecorator {
 public:
    using StoreDecorator::StoreDecorator;

    asio::awaitable<Result<std::optional<Resource>>> read(Asker asker, ResourceId id) override {
        if (throws) throw std::runtime_error("a library failed");
        return StoreDecorator::read(asker, std::move(id));
    }
    asio::awaitable<Result<std::optional<Token>>> find_token(TokenDigest digest) override {
        ++token_look_ups;
        if (failure) co_return *failure;
        co_return co_await inner().find_token(digest);
    }
    asio::awaitable<Result<void>> ping() override {
        if (failure) co_return *failure;
        co_return Result<void>();
    }

    std::optional<Error> failure;
    bool throws = false;
    int token_look_ups = 0;
};

class ApplicationTest : public testing::Test {
 protected:
    /// Admits and handles one request, as a session does.
    Response ask(verb method, const std::string& target,
                 std::initializer_list<std::pair<const char*, const char*>> fields = {}) {
        exchange = Exchange{};
        exchange.started = now;
        exchange.request.method(method);
        exchange.request.target(target);
        exchange.request.set(field::authorization, "Bearer secret-token");
        for (const auto& [name, value] : fields) exchange.request.insert(name, value);
        auto refused = runner.run(application.admit(exchange));
        return refused ? std::move(*refused) : runner.run(application.handle(exchange));
    }
    TokenId make_token(const std::string& scopes) {
        return opened->admin().create_token("account-name", scopes, TokenDigest{base::sha256("secret-token")}).value();
    }

    test::ManualClock clock;
    test::SeededEntropy entropy{1};
    test::Runner runner;
    Metrics metrics;
    std::unique_ptr<test::TestStore> opened =
        test::memory_store_kind().open({runner.executor(), StoreOptions{}, clock, entropy});
    AilingStore store{opened->store()};
    Catalog catalog = Catalog::load({}).value();
    Engine engine{runner.executor(), store, catalog, EngineOptions{}, clock, entropy};
    HttpOptions options = [] {
        HttpOptions logging;
        logging.log_requests = true;
        return logging;
    }();
    Application application{engine, options, EngineOptions{}, metrics, entropy};
    std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now();
    Exchange exchange;
};

// proves: A5
TEST_F(ApplicationTest, IsNotReadyWithoutItsStoreButAlive) {
    EXPECT_EQ(ask(verb::get, "/readyz").result_int(), 200U);
    store.failure = Error{Errc::unavailable, "the disk is gone"};
    const auto unready = ask(verb::get, "/readyz");
    EXPECT_EQ(unready.result_int(), 503U);
    EXPECT_EQ(unready[field::retry_after], "1");
    EXPECT_THAT(unready.body(), Not(HasSubstr("disk")));
    EXPECT_EQ(ask(verb::get, "/livez").result_int(), 200U);
}

// proves: S1, S3
TEST_F(ApplicationTest, ATokenThatCannotBeLookedUpIsNoUnknownToken) {
    make_token("*");
    store.failure = Error{Errc::unavailable, "the disk is gone"};
    EXPECT_EQ(ask(verb::get, "/v1/contacts").result_int(), 503U);
    store.failure.reset();
    EXPECT_EQ(ask(verb::get, "/v1/contacts").result_int(), 200U);
}

// proves: S1
TEST_F(ApplicationTest, KnownTokensAreRememberedForSecondsAndUnknownOnesNever) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(ask(verb::get, "/v1/nothing").result_int(), 401U);
    EXPECT_EQ(store.token_look_ups, 3);
    const auto id = make_token("*");
    for (int i = 0; i < 3; ++i) EXPECT_EQ(ask(verb::get, "/v1/nothing").result_int(), 404U);
    EXPECT_EQ(store.token_look_ups, 4);
    opened->admin().revoke_token(id).value();
    EXPECT_EQ(ask(verb::get, "/v1/contacts").result_int(), 401U) << "the store knows better than the memory";
    EXPECT_EQ(ask(verb::get, "/v1/nothing").result_int(), 401U) << "and the memory learns it";
}

// proves: S1
TEST_F(ApplicationTest, ARevokedTokenEndsWithinSecondsEvenWhereNoStoreIsAsked) {
    const auto id = make_token("*");
    EXPECT_EQ(ask(verb::get, "/v1/nothing").result_int(), 404U);
    opened->admin().revoke_token(id).value();
    now += std::chrono::seconds{5};
    EXPECT_EQ(ask(verb::get, "/v1/nothing").result_int(), 401U);
}

// proves: E1
TEST_F(ApplicationTest, WhatALibraryThrowsBecomesAnInternalProblem) {
    make_token("*");
    store.throws = true;
    const auto response = ask(verb::get, "/v1/contacts/con_1");
    EXPECT_EQ(response.result_int(), 500U);
    EXPECT_THAT(response.body(), HasSubstr("\"code\":\"INTERNAL\""));
    EXPECT_THAT(response.body(), Not(HasSubstr("library")));
}

// proves: S1
TEST_F(ApplicationTest, UnreadableScopesOfATokenAllowNothing) {
    make_token("contacts:read nonsense");
    EXPECT_EQ(ask(verb::get, "/v1/contacts").result_int(), 500U);
}

// proves: A5, S2
TEST_F(ApplicationTest, TheLogNamesTheRequestAndNobodysSecrets) {
    make_token("*");
    testing::internal::CaptureStderr();
    ask(verb::get, "/v1/contacts?email=erika@example.org",
        {{"traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}});
    ask(verb::get, "/v1/idempotency/secret-key?method=POST&route=/v1/contacts", {{"X-Request-Id", "my-id"}});
    store.throws = true;
    ask(verb::get, "/v1/contacts/con_1", {{"Idempotency-Key", "secret-key"}});
    const auto log = testing::internal::GetCapturedStderr();
    for (const char* part : {"/v1/idempotency/{key}", "/v1/contacts/{id}", "my-id", "0af7651916cd43dd8448eb211c80319c",
                             "status=500", "a library failed", "status=404"})
        EXPECT_THAT(log, HasSubstr(part));
    for (const char* secret : {"secret-key", "secret-token", "erika", "account-name"})
        EXPECT_THAT(log, Not(HasSubstr(secret)));
}

}  // namespace
}  // namespace einmal::http
