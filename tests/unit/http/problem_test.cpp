#include "http/problem.hpp"

#include <gtest/gtest.h>

#include <boost/beast/http/field.hpp>
#include <set>

namespace einmal::http {
namespace {

using boost::beast::http::field;

// proves: E3
TEST(ProblemCatalog, IsClosedAndInOrder) {
    std::set<std::string_view> names;
    for (const auto& entry : problem_catalog()) {
        EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
        EXPECT_EQ(&problem_entry(entry.code), &entry);
        EXPECT_EQ(find_problem(entry.name), &entry);
        EXPECT_GE(entry.status, 400);
        EXPECT_LT(entry.status, 600);
        EXPECT_FALSE(entry.title.empty());
        // Whoever may repeat the very same request does so with the same key.
        if (entry.retryable) {
            EXPECT_EQ(entry.next, NextStep::retry_same_key) << entry.name;
        }
        // Nothing was done, so a server's own failure may be repeated, but not a request it can never take.
        if (entry.status == 500 || entry.status == 503) {
            EXPECT_TRUE(entry.retryable) << entry.name;
        }
    }
    EXPECT_EQ(find_problem("conflict"), nullptr);
    EXPECT_EQ(find_problem(""), nullptr);
}

// proves: E1
TEST(Problem, HasAllItsMembers) {
    Problem problem(ProblemCode::precondition_failed, "A \"sentence\".");
    problem.current_revision = Revision{4};
    problem.changed = {"email", "tags"};
    const auto response = problem_response(std::move(problem).with(field::etag, "\"r4\""), "/v1/contacts/con_1", "id");
    EXPECT_EQ(response.result_int(), 412U);
    EXPECT_EQ(response[field::content_type], "application/problem+json");
    EXPECT_EQ(response[field::etag], "\"r4\"");
    EXPECT_EQ(response.body(),
              R"({"type":"/problems/PRECONDITION_FAILED/","title":"The resource has changed","status":412,)"
              R"("detail":"A \"sentence\".","instance":"/v1/contacts/con_1","code":"PRECONDITION_FAILED",)"
              R"("retryable":false,"next":"reread_and_merge","request_id":"id","current_revision":4,)"
              R"("changed":["email","tags"]})");
}

// proves: E1, P3, T4
TEST(Problem, DetailsAreListed) {
    Problem problem(ProblemCode::validation_failed, "x");
    problem.errors = {{"/a~1b", "type", "Must be \"text\"."}, {"", "required", "y"}};
    problem.member = "number";
    problem.other_id = "doc_1";
    const auto body = problem_response(problem, "", "").body();
    ASSERT_TRUE(json::read(body)) << body;
    EXPECT_NE(body.find(R"("errors":[{"pointer":"/a~1b","code":"type","detail":"Must be \"text\"."},)"
                        R"({"pointer":"","code":"required","detail":"y"}],"member":"number","other_id":"doc_1"})"),
              std::string::npos)
        << body;
    EXPECT_EQ(body.find("instance"), std::string::npos);
}

// proves: E1
TEST(Problem, AnInstanceThatIsNoReferenceIsLeftOut) {
    for (const char* path : {"/a b", "/\xff", "/a\n"})
        EXPECT_EQ(problem_response({ProblemCode::internal, "x"}, path, "id").body().find("instance"),
                  std::string::npos);
}

// proves: E1, K8
TEST(Problem, OperatingFailuresSayNothingOfTheInside) {
    const auto code = [](Errc errc) { return problem_of(Error{errc, "disk /dev/sda1 is full"}).code; };
    EXPECT_EQ(code(Errc::unavailable), ProblemCode::unavailable);
    EXPECT_EQ(code(Errc::outcome_unknown), ProblemCode::outcome_unknown);
    EXPECT_EQ(code(Errc::token_revoked), ProblemCode::unauthorized);
    EXPECT_EQ(code(Errc::configuration), ProblemCode::internal);
    EXPECT_EQ(code(Errc::corrupt), ProblemCode::internal);
    for (const auto errc : {Errc::unavailable, Errc::outcome_unknown, Errc::token_revoked, Errc::corrupt}) {
        const auto response = problem_response(problem_of(Error{errc, "disk /dev/sda1 is full"}), "/x", "id");
        EXPECT_EQ(response.body().find("sda1"), std::string::npos);
        EXPECT_EQ(response.count(field::retry_after), response.result_int() == 503 ? 1U : 0U);
        EXPECT_EQ(response.count(field::www_authenticate), response.result_int() == 401 ? 1U : 0U);
    }
}

// proves: P6, P7
TEST(Problem, UnreadableBodiesNameThePlace) {
    const auto syntax = problem_of(json::read("{\n\"a\":}").error());
    EXPECT_EQ(syntax.code, ProblemCode::json_invalid);
    EXPECT_EQ(syntax.line, 2U);
    EXPECT_NE(problem_response(syntax, "", "").body().find("\"line\":2,\"column\":"), std::string::npos);
    const auto number = problem_of(json::read(R"({"a":[1e400]})").error());
    EXPECT_EQ(number.code, ProblemCode::number_not_exact);
    ASSERT_EQ(number.errors.size(), 1U);
    EXPECT_EQ(number.errors[0].pointer, "/a/0");
    const auto nul = problem_of(json::read(R"({"a":"\u0000"})").error());
    EXPECT_EQ(nul.code, ProblemCode::validation_failed);
    ASSERT_EQ(nul.errors.size(), 1U);
    EXPECT_EQ(nul.errors[0].pointer, "/a");
}

}  // namespace
}  // namespace einmal::http
