#include "http/cors.hpp"

#include <gtest/gtest.h>

#include <boost/beast/http/field.hpp>

namespace einmal::http {
namespace {

using boost::beast::http::field;
using boost::beast::http::verb;

Request preflight() {
    Request request;
    request.method(verb::options);
    request.set(field::origin, "https://app.example");
    request.set(field::access_control_request_method, "PATCH");
    return request;
}

// proves: H5, B27
TEST(Cors, OffSaysNothing) {
    const Cors cors("");
    Response response;
    cors.decorate(response);
    EXPECT_EQ(std::distance(response.begin(), response.end()), 0);
    EXPECT_FALSE(cors.is_preflight(preflight()));
}

// proves: H5
TEST(Cors, OneOriginVaries) {
    const Cors cors("https://app.example");
    Response response;
    cors.decorate(response);
    EXPECT_EQ(response[field::vary], "Origin");
    EXPECT_EQ(response[field::access_control_allow_origin], "https://app.example");
    Response private_response;
    private_response.set(field::vary, "Authorization");
    cors.decorate(private_response);
    EXPECT_EQ(private_response[field::vary], "Authorization, Origin");
}

// proves: H5
TEST(Cors, AllOriginsDoNotVary) {
    Response response;
    Cors("*").decorate(response);
    EXPECT_EQ(response[field::access_control_allow_origin], "*");
    EXPECT_EQ(response.count(field::vary), 0U);
}

// proves: H5
TEST(Cors, APreflightNamesOriginAndMethod) {
    const Cors cors("*");
    EXPECT_TRUE(cors.is_preflight(preflight()));
    auto request = preflight();
    request.erase(field::origin);
    EXPECT_FALSE(cors.is_preflight(request));
    request = preflight();
    request.erase(field::access_control_request_method);
    EXPECT_FALSE(cors.is_preflight(request));
    request = preflight();
    request.method(verb::get);
    EXPECT_FALSE(cors.is_preflight(request));
}

}  // namespace
}  // namespace einmal::http
