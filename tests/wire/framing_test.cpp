// Requests whose end two readers could see in different places, each with a request hidden behind it.
#include "wire/raw_client.hpp"
#include "wire/recording_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace einmal::wire {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

const std::string hidden = "DELETE /contacts/con_1 HTTP/1.1\r\nHost: einmal.test\r\n\r\n";

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

/// Sends `bytes` with the hidden request behind it, at once or byte by byte, and returns the status of the only answer.
std::string answer_to(RecordingServer& server, const std::string& bytes, bool sliced) {
    RawClient client(server.port());
    if (sliced) {
        for (const char byte : bytes) {
            if (!client.send({&byte, 1})) break;
        }
        client.send(hidden);
    } else {
        client.send(bytes + hidden);
    }
    const std::string answers = client.read_to_end();
    EXPECT_EQ(count_of(answers, "HTTP/1.1 "), 1u) << bytes << "\n-- was answered with --\n" << answers;
    EXPECT_EQ(count_of(answers, "Connection: close\r\n"), 1u) << answers;
    return answers.size() > 12 ? answers.substr(9, 3) : answers;
}

struct Ambiguity {
    std::string bytes;
    std::string status;
};

void expect_refused(const std::vector<Ambiguity>& cases) {
    RecordingServer server;
    for (const auto& [bytes, status] : cases) {
        EXPECT_EQ(answer_to(server, bytes, false), status) << bytes;
        EXPECT_EQ(answer_to(server, bytes, true), status) << bytes;
    }
    EXPECT_THAT(server.handler().begun(), IsEmpty());
    RawClient client(server.port());
    client.send(request_text("GET", "/still-there"));
    EXPECT_EQ(client.read_response()->status, 200) << "refusals must leave the server as it was";
}

// proves: H2, B57
TEST(Framing, RequestHiddenBehindAmbiguousHeadNeverRuns) {
    const auto post = [](const std::string& lines) { return request_text("POST", "/contacts", lines); };
    expect_refused({
        {post("Content-Length: 0\r\nTransfer-Encoding: chunked\r\n") + "0\r\n\r\n", "400"},
        {post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n") + "0\r\n\r\n", "400"},
        {post("Transfer-Encoding: gzip\r\nContent-Length: 5\r\n") + "hello", "501"},
        {post("Content-Length: 5\r\nContent-Length: 5\r\n") + "hello", "400"},
        {post("Content-Length: 0\r\nContent-Length: 61\r\n"), "400"},
        {post("Content-Length: 5, 5\r\n") + "hello", "400"},
        {post("Content-Length: +5\r\n") + "hello", "400"},
        {post("Content-Length: -1\r\n"), "400"},
        {post("Content-Length: 0x0\r\n"), "400"},
        {post("Content-Length: 18446744073709551616\r\n"), "400"},
        {post("Content-Length : 5\r\n") + "hello", "400"},
        {post("Transfer-Encoding: chunked, gzip\r\n") + "0\r\n\r\n", "400"},
        {post("Transfer-Encoding: chunked, chunked\r\n") + "0\r\n\r\n", "400"},
        {post("Transfer-Encoding: xchunked\r\n") + "0\r\n\r\n", "501"},
        {post("Transfer-Encoding: gzip, chunked\r\n") + "0\r\n\r\n", "501"},
        {post("Transfer-Encoding : chunked\r\n") + "0\r\n\r\n", "400"},
        {post("Transfer-Encoding:\r\n chunked\r\n") + "0\r\n\r\n", "400"},
        {post("X: 1\r\n Content-Length: 5\r\n") + "hello", "400"},
        {post("X: 1\nContent-Length: 5\r\n") + "hello", "400"},
        {post("X: 1\rContent-Length: 5\r\n") + "hello", "400"},
        {"POST /contacts HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400"},
        {"POST /contacts HTTP/1.1\r\nContent-Length: 0\r\n\r\n", "400"},
        {"POST /contacts HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"},
        {"POST /contacts HTTP/1.1\nHost: a\nContent-Length: 0\n\n", "400"},
        {"POST /contacts HTTP/2.0\r\nHost: a\r\n\r\n", "505"},
        {"\r\n\r\n\r\nPOST /contacts HTTP/1.1\r\nHost: a\r\n\r\n", "400"},
    });
}

// proves: H2, B57
TEST(Framing, RequestHiddenBehindBrokenChunksNeverRuns) {
    const auto chunks = [](const std::string& body) {
        return request_text("POST", "/contacts", "Transfer-Encoding: chunked\r\n", body);
    };
    expect_refused({
        {chunks("5\nhello\r\n0\r\n\r\n"), "400"},
        {chunks("5\r\nhello\n0\r\n\r\n"), "400"},
        {chunks("5;x=\"\n\"\r\nhello\r\n0\r\n\r\n"), "400"},
        {chunks("5;\nhello\r\n0\r\n\r\n"), "400"},
        {chunks("0x5\r\nhello\r\n0\r\n\r\n"), "400"},
        {chunks("+5\r\nhello\r\n0\r\n\r\n"), "400"},
        {chunks("5 \r\nhello\r\n0\r\n\r\n"), "400"},
        {chunks("10000000000000005\r\nhello\r\n0\r\n\r\n"), "400"},
        {chunks("FFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n"), "413"},
        {chunks("5\r\nhello0\r\n\r\n"), "400"},
        {chunks("\r\n0\r\n\r\n"), "400"},
        {chunks("0\r\nX: 1\n\r\n"), "400"},
        {chunks("0\r\nno trailer field\r\n\r\n"), "400"},
    });
}

// proves: H2, R9
TEST(Framing, UnreadBodyOfARefusedRequestIsNeverARequest) {
    RecordingServer server;
    const std::string length = "Content-Length: " + std::to_string(hidden.size()) + "\r\n";
    EXPECT_EQ(answer_to(server, request_text("POST", "/refused", length), false), "401");
    EXPECT_EQ(answer_to(server, request_text("POST", "/refused", length), true), "401");
    EXPECT_EQ(answer_to(server, request_text("POST", "/refused", "Transfer-Encoding: chunked\r\n"), false), "401");
    EXPECT_EQ(answer_to(server, request_text("POST", "/refused", "Expect: 100-continue\r\n"), false), "401");
    EXPECT_EQ(answer_to(server, request_text("POST", "/contacts", "Content-Length: 99999999\r\n"), false), "413");
    EXPECT_EQ(answer_to(server, request_text("POST", "/contacts", "Expect: miracles\r\n"), false), "417");
    EXPECT_THAT(server.handler().begun(), IsEmpty());
    for (const auto& request : server.handler().admitted()) EXPECT_FALSE(request.starts_with("DELETE")) << request;
}

// proves: H1, H2
TEST(Framing, BodyThatLooksLikeARequestIsABody) {
    RecordingServer server;
    RawClient client(server.port());
    client.send(request_text("POST", "/a", "Content-Length: " + std::to_string(hidden.size()) + "\r\n", hidden));
    EXPECT_EQ(client.read_response()->body, hidden);
    client.send(request_text("POST", "/b", "Transfer-Encoding: chunked\r\n",
                             "1\r\nD\r\n" + std::string("2\r\nEL\r\n0\r\n\r\n")));
    EXPECT_EQ(client.read_response()->body, "DEL");
    EXPECT_THAT(server.handler().begun(), ElementsAre("POST /a", "POST /b"));
}

// proves: H1, H2
TEST(Framing, ChunkedBodyMayComeInAnySlices) {
    RecordingServer server;
    RawClient client(server.port());
    const std::string request = request_text("POST", "/sliced", "Transfer-Encoding: chunked\r\n",
                                             "5;name=\"value\"\r\nhello\r\n6\r\n world\r\n0\r\n\r\n");
    for (const char byte : request) client.send({&byte, 1});
    EXPECT_EQ(client.read_response()->body, "hello world");
    client.send(request + request);
    EXPECT_EQ(client.read_response()->body, "hello world");
    EXPECT_EQ(client.read_response()->body, "hello world");
}

// proves: H2
TEST(Framing, TrailersNeverBecomeFields) {
    RecordingServer server;
    RawClient client(server.port());
    client.send(request_text("POST", "/a", "Transfer-Encoding: chunked\r\n",
                             "2\r\nhi\r\n0\r\nX-Secret: late\r\nConnection: close\r\n\r\n"));
    const auto answer = client.read_response();
    EXPECT_EQ(answer->body, "hi");
    EXPECT_FALSE(answer->closes);
    EXPECT_THAT(server.handler().secrets(), IsEmpty());
    client.send(request_text("POST", "/b", "X-Secret: in time\r\n"));
    EXPECT_EQ(client.read_response()->status, 200);
    EXPECT_THAT(server.handler().secrets(), ElementsAre("in time"));
}

}  // namespace
}  // namespace einmal::wire
