#include "http/routes.hpp"

#include <gtest/gtest.h>

namespace einmal::http {
namespace {

// proves: K11
TEST(Routes, HttpDatesHaveTheFixedForm) {
    using std::chrono::milliseconds;
    EXPECT_EQ(to_http_date(Timestamp{milliseconds{784'111'777'000}}), "Sun, 06 Nov 1994 08:49:37 GMT");
    EXPECT_EQ(to_http_date(Timestamp{milliseconds{784'111'777'999}}), "Sun, 06 Nov 1994 08:49:37 GMT")
        << "never later than the expiry";
    EXPECT_EQ(to_http_date(Timestamp{}), "Thu, 01 Jan 1970 00:00:00 GMT");
    EXPECT_EQ(to_http_date(Timestamp{milliseconds{951'782'400'000}}), "Tue, 29 Feb 2000 00:00:00 GMT");
}

// proves: K4
TEST(Routes, ParametersAreKnownAndSingle) {
    Target target;
    target.parameters = {{"limit", "1"}, {"cursor", "x"}};
    EXPECT_FALSE(refuse_parameters(target, {"limit", "cursor"}));
    EXPECT_EQ(refuse_parameters(target, {"limit"})->code, ProblemCode::unknown_parameter);
    target.parameters.emplace_back("limit", "1");
    EXPECT_EQ(refuse_parameters(target, {"limit", "cursor"})->code, ProblemCode::parameter_invalid);
    EXPECT_EQ(*find_parameter(target, "cursor"), "x");
    EXPECT_EQ(find_parameter(target, "Cursor"), nullptr);
}

}  // namespace
}  // namespace einmal::http
