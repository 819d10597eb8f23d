#include "http/headers.hpp"

#include <gtest/gtest.h>

#include <boost/beast/http/field.hpp>

namespace einmal::http {
namespace {

using boost::beast::http::field;

Request with(std::initializer_list<std::pair<const char*, std::string>> fields) {
    Request request;
    for (const auto& [name, value] : fields) request.insert(name, value);
    return request;
}

ProblemCode code_of_key(const Request& request, bool required = true) {
    const auto key = read_key(request, required);
    EXPECT_FALSE(key);
    return key ? ProblemCode::internal : key.error().code;
}

// proves: K1, K2, B06
TEST(Headers, AKeyIsOneFieldLine) {
    EXPECT_EQ(read_key(with({{"idempotency-key", " pay-B-1042 "}}), true).value(), Key{"pay-B-1042"});
    EXPECT_EQ(read_key(with({{"Idempotency-Key", R"("pay-B-1042"; a=1)"}}), false).value(), Key{"pay-B-1042"});
    EXPECT_EQ(read_key(with({}), false).value(), std::nullopt);
    EXPECT_EQ(code_of_key(with({})), ProblemCode::idempotency_key_required);
    EXPECT_EQ(code_of_key(with({{"Idempotency-Key", ""}})), ProblemCode::idempotency_key_required);
    EXPECT_EQ(code_of_key(with({{"Idempotency-Key", " \t"}})), ProblemCode::idempotency_key_required);
    EXPECT_EQ(code_of_key(with({{"Idempotency-Key", " \t"}}), false), ProblemCode::idempotency_key_invalid);
    EXPECT_EQ(code_of_key(with({{"Idempotency-Key", "k"}, {"Idempotency-Key", "k"}})),
              ProblemCode::idempotency_key_invalid);
    EXPECT_EQ(code_of_key(with({{"Idempotency-Key", ""}, {"Idempotency-Key", ""}})),
              ProblemCode::idempotency_key_invalid);
    EXPECT_EQ(code_of_key(with({{"Idempotency-Key", "a,b"}})), ProblemCode::idempotency_key_invalid);
}

// proves: R2, R3
TEST(Headers, PreconditionsReachOverManyLines) {
    const auto read =
        read_precondition(with({{"If-Match", "\"r1\""}, {"If-Match", "W/\"r2\", \"r3\""}}), field::if_match);
    ASSERT_TRUE(read);
    EXPECT_EQ((*read)->tags.size(), 3U);
    EXPECT_EQ(read_precondition(with({}), field::if_match).value(), std::nullopt);
    EXPECT_EQ(read_precondition(with({{"If-Match", "r3"}}), field::if_match).error().code,
              ProblemCode::precondition_invalid);
    EXPECT_FALSE(read_precondition(with({{"If-None-Match", "*"}, {"If-None-Match", "*"}}), field::if_none_match));
}

// proves: K5
TEST(Headers, WaitIsFoundAmongPreferences) {
    const auto wait = [](std::initializer_list<std::pair<const char*, std::string>> fields) {
        return read_wait(with(fields));
    };
    using std::chrono::seconds;
    EXPECT_EQ(wait({}).value(), std::nullopt);
    EXPECT_EQ(wait({{"Prefer", "respond-async"}}).value(), std::nullopt);
    for (const char* text :
         {"wait=10", "WAIT = 10", "respond-async, wait=10", "a;b=\"x, wait=3\";c, wait=\"10\";d", "wait=10, wait=3"})
        EXPECT_EQ(wait({{"Prefer", text}}).value(), seconds{10}) << text;
    EXPECT_EQ(wait({{"Prefer", "return=minimal"}, {"Prefer", "wait=10"}}).value(), seconds{10});
    EXPECT_EQ(wait({{"Prefer", "foo=\"wait=3\""}}).value(), std::nullopt);
    EXPECT_GT(wait({{"Prefer", "wait=99999999999999999999"}}).value(), seconds{1'000'000});
    for (const char* text :
         {"wait", "wait=", "wait=-1", "wait=1.5", "wait=soon", "=3", "a b", "a=\"x", "wait=10;=", "\"wait\"=3"})
        EXPECT_FALSE(wait({{"Prefer", text}})) << text;
}

// proves: P1
TEST(Headers, MediaTypesAreComparedWithoutParameters) {
    const auto type = [](const char* text) { return read_media_type(with({{"Content-Type", text}})); };
    EXPECT_EQ(read_media_type(with({})).value(), "");
    for (const char* text : {"application/json", "Application/JSON", "application/json; charset=utf-8",
                             "application/json;charset=\"Utf-8\"", "application/json ; a=b;", "application/json;"})
        EXPECT_EQ(type(text).value(), "application/json") << text;
    EXPECT_EQ(type("application/merge-patch+json").value(), "application/merge-patch+json");
    for (const char* text :
         {"", "json", "application/", "application/json; charset=latin1", "application/json; charset",
          "application/json charset=utf-8", "application/json; charset=\"utf-8"})
        EXPECT_FALSE(type(text)) << text;
    EXPECT_FALSE(read_media_type(with({{"Content-Type", "a/b"}, {"Content-Type", "a/b"}})));
}

// proves: P1
TEST(Headers, OnlyIdentityIsDecoded) {
    EXPECT_FALSE(refuse_content_coding(with({})));
    EXPECT_FALSE(refuse_content_coding(with({{"Content-Encoding", "identity, Identity"}})));
    for (const char* coding : {"gzip", "identity, br", "\"x\""})
        EXPECT_TRUE(refuse_content_coding(with({{"Content-Encoding", coding}}))) << coding;
}

// proves: S1
TEST(Headers, BearerTokensHaveOneForm) {
    const auto token = [](const std::string& value) {
        const auto request = with({{"Authorization", value}});
        const auto read = read_bearer_token(request);
        return read ? std::string(*read) : std::string("none");
    };
    EXPECT_EQ(token("Bearer abc-._~+/=="), "abc-._~+/==");
    EXPECT_EQ(token("bEARER  abc "), "abc");
    for (const char* text :
         {"Bearer", "Bearer ", "Basic abc", "Bearer a b", "Bearer =", "Bearer a=b", "Bearerabc", "abc", ""})
        EXPECT_EQ(token(text), "none") << text;
    EXPECT_EQ(token("Bearer " + std::string(512, 'a')).size(), 512U);
    EXPECT_EQ(token("Bearer " + std::string(513, 'a')), "none");
    EXPECT_FALSE(read_bearer_token(with({{"Authorization", "Bearer a"}, {"Authorization", "Bearer a"}})));
}

// proves: E1
TEST(Headers, OnlyHarmlessRequestIdsAreEchoed) {
    EXPECT_EQ(read_request_id(with({{"X-Request-Id", "aZ0._-"}})), "aZ0._-");
    for (const auto& text :
         {std::string(), std::string("a b"), std::string("a\"b"), std::string(65, 'a'), std::string("\xc3\xa9")})
        EXPECT_EQ(read_request_id(with({{"X-Request-Id", text}})), std::nullopt) << text;
    EXPECT_EQ(read_request_id(with({{"X-Request-Id", "a"}, {"X-Request-Id", "a"}})), std::nullopt);
}

TEST(Headers, TraceParentsAreReadStrictly) {
    const std::string valid = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const auto is_valid = [](const std::string& text) {
        return read_trace_parent(with({{"traceparent", text}})).has_value();
    };
    EXPECT_TRUE(is_valid(valid));
    EXPECT_EQ(trace_id_of(valid), "0af7651916cd43dd8448eb211c80319c");
    EXPECT_EQ(trace_id_of(""), "");
    EXPECT_TRUE(is_valid("cc" + valid.substr(2) + "-what-the-future-brings"));
    for (const auto& broken :
         {std::string(), valid.substr(1), valid + "0", valid + "-00", "ff" + valid.substr(2),
          "cc" + valid.substr(2) + "x", std::string("00-00000000000000000000000000000000-b7ad6b7169203331-01"),
          std::string("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01"),
          std::string("00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01"),
          std::string("00-0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331-01"),
          std::string("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0g")})
        EXPECT_FALSE(is_valid(broken)) << broken;
    EXPECT_FALSE(read_trace_parent(with({{"traceparent", valid}, {"traceparent", valid}})));
}

}  // namespace
}  // namespace einmal::http
