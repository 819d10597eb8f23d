#include "http/head_check.hpp"

#include <gtest/gtest.h>

#include <string>

namespace einmal::http {
namespace {

/// "accepted", or the refusal's status.
std::string verdict(const std::string& head, HeadLimits limits = {}) {
    const auto checked = check_head(head, limits);
    if (std::holds_alternative<CheckedHead>(checked)) return "accepted";
    switch (std::get<HeadRefusal>(checked).refusal) {
        case Refusal::malformed:
            return "400";
        case Refusal::target_too_long:
            return "414";
        case Refusal::head_too_large:
            return "431";
        case Refusal::coding_unsupported:
            return "501";
        case Refusal::version_unsupported:
            return "505";
        case Refusal::timeout:
        case Refusal::body_too_large:
        case Refusal::expectation_failed:
        case Refusal::too_many_connections:
            break;
    }
    return "unexpected";
}

/// A sound POST with these lines added.
std::string post_with(const std::string& lines) {
    return "POST /v1/contacts HTTP/1.1\r\nHost: einmal.test\r\n" + lines + "\r\n";
}

CheckedHead accepted(const std::string& head) {
    const auto checked = check_head(head, {});
    EXPECT_TRUE(std::holds_alternative<CheckedHead>(checked)) << head;
    return std::get<CheckedHead>(checked);
}

// proves: H1
TEST(HeadCheck, ReadsASoundHead) {
    const std::string head =
        "PATCH /v1/contacts/con_1?x=%20 HTTP/1.1\r\nHost: [::1]:8080\r\nContent-Length: 12\r\n"
        "content-type:application/json\r\nX-Empty:\r\nX-Text: \xc3\xa4\t!\r\n\r\n";
    const CheckedHead checked = accepted(head);
    EXPECT_EQ(checked.method, "PATCH");
    EXPECT_EQ(checked.target, "/v1/contacts/con_1?x=%20");
    EXPECT_EQ(checked.framing.content_length, 12u);
    EXPECT_FALSE(checked.framing.chunked);
    EXPECT_TRUE(checked.framing.keep_alive);
    EXPECT_TRUE(checked.framing.has_body());
}

// proves: H2, B57
TEST(HeadCheck, RefusesDoubtfulContentLengths) {
    for (const char* value : {"", "+5", "-1", "0x5", "5, 5", "5,5", "5 5", "5.0", "abc", "18446744073709551616",
                              "99999999999999999999999", "5\t6", "\"5\""}) {
        EXPECT_EQ(verdict(post_with("Content-Length: " + std::string(value) + "\r\n")), "400") << value;
    }
    EXPECT_EQ(verdict(post_with("Content-Length: 5\r\nContent-Length: 5\r\n")), "400");
    EXPECT_EQ(verdict(post_with("Content-Length: 5\r\nCONTENT-LENGTH: 6\r\n")), "400");
    EXPECT_EQ(accepted(post_with("Content-Length: 18446744073709551615\r\n")).framing.content_length,
              18446744073709551615u);
    EXPECT_EQ(accepted(post_with("Content-Length: \t005 \r\n")).framing.content_length, 5u);
}

// proves: H2, B57
TEST(HeadCheck, RefusesDoubtfulTransferEncodings) {
    EXPECT_TRUE(accepted(post_with("Transfer-Encoding: chunked\r\n")).framing.chunked);
    EXPECT_TRUE(accepted(post_with("transfer-encoding:\tChunKed \r\n")).framing.chunked);
    for (const char* value : {"chunked, gzip", "chunked, chunked", "chunked,", "gzip, chunked, chunked", ""}) {
        EXPECT_EQ(verdict(post_with("Transfer-Encoding: " + std::string(value) + "\r\n")), "400") << value;
    }
    for (const char* value : {"gzip", "gzip, chunked", "xchunked", "identity", "chunked;q=1", "\"chunked\""}) {
        EXPECT_EQ(verdict(post_with("Transfer-Encoding: " + std::string(value) + "\r\n")), "501") << value;
    }
    EXPECT_EQ(verdict(post_with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n")), "400");
    EXPECT_EQ(verdict(post_with("Transfer-Encoding: chunked\r\nContent-Length: 0\r\n")), "400");
    EXPECT_EQ(verdict(post_with("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n")), "400");
    EXPECT_EQ(verdict("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), "400");
}

// proves: H2, B57
TEST(HeadCheck, RefusesLinesThatTwoReadersCouldSplitDifferently) {
    for (const char* lines : {"X: 1\nTransfer-Encoding: chunked\r\n", "X: 1\rY: 2\r\n", "X: 1\r\r\n",
                              "X: 1\r\n folded\r\n", "X: 1\r\n\tfolded\r\n", "Transfer-Encoding : chunked\r\n",
                              "Transfer-Encoding\t: chunked\r\n", ": value\r\n", "no colon\r\n", "X Y: 1\r\n",
                              "X\x01: 1\r\n", "X: \x7f\r\n", "X: \x01\r\n", "(X): 1\r\n", "\xc3\xa4: 1\r\n"}) {
        EXPECT_EQ(verdict(post_with(lines)), "400") << lines;
    }
    EXPECT_EQ(verdict(post_with(std::string("X: a\0b\r\n", 8))), "400");
    EXPECT_EQ(verdict("GET / HTTP/1.1\r\n Host: folded.into.the.request.line\r\n\r\n"), "400");
    EXPECT_EQ(verdict("GET / HTTP/1.1\nHost: x\n\n"), "400");
}

// proves: H2
TEST(HeadCheck, WantsExactlyOneHost) {
    EXPECT_EQ(verdict("GET / HTTP/1.1\r\n\r\n"), "400");
    EXPECT_EQ(verdict("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"), "400");
    EXPECT_EQ(verdict("GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"), "400");
    EXPECT_EQ(verdict("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"), "400");
    EXPECT_EQ(verdict("GET / HTTP/1.1\r\nHost:\r\n\r\n"), "accepted");
    EXPECT_EQ(verdict("GET / HTTP/1.0\r\n\r\n"), "accepted");
    EXPECT_EQ(verdict("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"), "400");
}

// proves: H2, H3
TEST(HeadCheck, RefusesBrokenRequestLines) {
    for (const char* line : {"",
                             "GET",
                             "GET /",
                             "GET  / HTTP/1.1",
                             "GET /  HTTP/1.1",
                             " GET / HTTP/1.1",
                             "GET / HTTP/1.1 ",
                             "G(T / HTTP/1.1",
                             "GET /a b HTTP/1.1",
                             "GET /\xc3\xa4 HTTP/1.1",
                             "GET /\x01 HTTP/1.1",
                             "GET /#x HTTP/1.1",
                             "GET / http/1.1",
                             "GET / HTTP/11",
                             "GET / HTTP/1.1x",
                             "GET relative HTTP/1.1",
                             "GET * HTTP/1.1",
                             "GET ftp://a/ HTTP/1.1",
                             "GET http:///x HTTP/1.1",
                             "GET http://a?x HTTP/1.1",
                             "CONNECT a:443 HTTP/1.1"}) {
        EXPECT_EQ(verdict(std::string(line) + "\r\nHost: x\r\n\r\n"), "400") << line;
    }
    for (const char* version : {"HTTP/0.9", "HTTP/1.2", "HTTP/2.0", "HTTP/3.0"}) {
        EXPECT_EQ(verdict("GET / " + std::string(version) + "\r\nHost: x\r\n\r\n"), "505") << version;
    }
    EXPECT_EQ(verdict(post_with("") + "GET / HTTP/1.1\r\n"), "400") << "bytes behind the head";
    EXPECT_EQ(verdict(""), "400");
}

// proves: H3
TEST(HeadCheck, LimitsTargetAndLines) {
    const auto get = [](std::size_t size) {
        return "GET /" + std::string(size - 1, 'a') + " HTTP/1.1\r\nHost: x\r\n\r\n";
    };
    EXPECT_EQ(verdict(get(100), {.target_max = 100}), "accepted");
    EXPECT_EQ(verdict(get(101), {.target_max = 100}), "414");
    EXPECT_EQ(verdict(post_with("A: 1\r\nB: 2\r\n"), {.lines_max = 3}), "accepted");
    EXPECT_EQ(verdict(post_with("A: 1\r\nB: 2\r\nC: 3\r\n"), {.lines_max = 3}), "431");
}

// proves: H1
TEST(HeadCheck, TakesTheOriginFormOutOfAbsoluteTargets) {
    const auto target = [](const std::string& text) {
        return std::string(accepted("GET " + text + " HTTP/1.1\r\nHost: x\r\n\r\n").target);
    };
    EXPECT_EQ(target("http://einmal.test/v1/contacts?limit=5"), "/v1/contacts?limit=5");
    EXPECT_EQ(target("HTTPS://einmal.test:8443/"), "/");
    EXPECT_EQ(target("http://einmal.test"), "/");
    EXPECT_EQ(std::string(accepted("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n").target), "*");
}

// proves: H1
TEST(HeadCheck, KnowsWhatBecomesOfTheConnection) {
    EXPECT_FALSE(accepted(post_with("Connection: close\r\n")).framing.keep_alive);
    EXPECT_FALSE(accepted(post_with("Connection: x, CLOSE\r\n")).framing.keep_alive);
    EXPECT_FALSE(accepted(post_with("Connection: keep-alive\r\nConnection: close\r\n")).framing.keep_alive);
    EXPECT_TRUE(accepted(post_with("Connection: closed\r\n")).framing.keep_alive);
    EXPECT_TRUE(accepted(post_with("Connection: ,, keep-alive,\r\n")).framing.keep_alive);
    EXPECT_EQ(verdict(post_with("Connection: x close\r\n")), "400");
    EXPECT_FALSE(accepted("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").framing.keep_alive);
}

// proves: H1
TEST(HeadCheck, ReadsExpect) {
    EXPECT_EQ(accepted(post_with("Expect: 100-Continue\r\n")).framing.expectation, Expectation::to_continue);
    EXPECT_EQ(accepted(post_with("Expect: 200-ok\r\n")).framing.expectation, Expectation::unknown);
    EXPECT_EQ(accepted(post_with("Expect: a\r\nExpect: 100-continue\r\n")).framing.expectation, Expectation::unknown);
    EXPECT_EQ(accepted("GET / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n").framing.expectation, Expectation::none);
}

// proves: H2
TEST(HeadScanner, FindsTheEndHoweverSlowlyBytesCome) {
    const std::string head = post_with("X: 1\r\n");
    const std::string bytes = head + "body";
    for (std::size_t step = 1; step <= bytes.size(); ++step) {
        HeadScanner scanner;
        std::size_t have = 0;
        HeadScanner::State state = HeadScanner::State::incomplete;
        while (state == HeadScanner::State::incomplete && have < bytes.size()) {
            have = std::min(have + step, bytes.size());
            state = scanner.scan(std::string_view(bytes).substr(0, have));
        }
        EXPECT_EQ(state, HeadScanner::State::complete) << step;
        EXPECT_EQ(scanner.size(), head.size()) << step;
    }
}

// proves: H2
TEST(HeadScanner, StopsAtABareLineFeed) {
    for (const char* bytes : {"\n", "GET / HTTP/1.1\n", "GET / HTTP/1.1\r\nHost: x\n", "GET / HTTP/1.1\r\n\n"}) {
        EXPECT_EQ(HeadScanner().scan(bytes), HeadScanner::State::malformed) << bytes;
    }
    EXPECT_EQ(HeadScanner().scan("GET / HTTP/1.1\r"), HeadScanner::State::incomplete);
}

}  // namespace
}  // namespace einmal::http
