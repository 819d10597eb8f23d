// The ordinary life of a connection, and clients that leave in the middle of it.
#include "wire/raw_client.hpp"
#include "wire/recording_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

namespace einmal::wire {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

// proves: H1
TEST(Session, KeepsTheConnectionForManyRequests) {
    RecordingServer server;
    RawClient client(server.port());
    for (int i = 0; i < 50; ++i) {
        const std::string body = "body " + std::to_string(i);
        client.send(request_text("POST", "/x", "Content-Length: " + std::to_string(body.size()) + "\r\n", body));
        const auto answer = client.read_response();
        ASSERT_TRUE(answer);
        EXPECT_EQ(answer->status, 200);
        EXPECT_EQ(answer->body, body);
        EXPECT_FALSE(answer->closes);
        EXPECT_EQ(answer->fields.at("server"), "einmal");
        const std::string& date = answer->fields.at("date");
        std::tm parsed{};
        ASSERT_NE(::strptime(date.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parsed), nullptr) << date;
        EXPECT_EQ(date.size(), 29u) << date;
        EXPECT_NEAR(static_cast<double>(::timegm(&parsed)), static_cast<double>(std::time(nullptr)), 5) << date;
    }
    EXPECT_EQ(server.connections(), 1u);
}

// proves: H1
TEST(Session, AnswersPipelinedRequestsInOrder) {
    RecordingServer server;
    RawClient client(server.port());
    std::string requests;
    for (int i = 0; i < 200; ++i) {
        const std::string body = std::to_string(i);
        if (i % 3 == 0) {
            requests += request_text("POST", "/x", "Content-Length: " + std::to_string(body.size()) + "\r\n", body);
        } else {
            requests += request_text("POST", "/x", "Transfer-Encoding: chunked\r\n",
                                     std::to_string(body.size()) + "\r\n" + body + "\r\n0\r\n\r\n");
        }
    }
    client.send(requests);
    for (int i = 0; i < 200; ++i) {
        const auto answer = client.read_response();
        ASSERT_TRUE(answer) << i;
        EXPECT_EQ(answer->body, std::to_string(i));
    }
}

// proves: H1
TEST(Session, AnswersHeadAndEmptyAnswersWithoutABody) {
    RecordingServer server;
    RawClient client(server.port());
    client.send(request_text("HEAD", "/large"));
    const auto head = client.read_response(true);
    EXPECT_EQ(head->status, 200);
    EXPECT_EQ(head->fields.at("content-length"), std::to_string(3 * 1024 * 1024));

    client.send(request_text("HEAD", "/refused"));
    EXPECT_EQ(client.read_response(true)->fields.at("content-length"), "12");

    client.send(request_text("DELETE", "/empty"));
    const auto empty = client.read_response();
    EXPECT_EQ(empty->status, 204);
    EXPECT_FALSE(empty->fields.contains("content-length"));

    client.send(request_text("GET", "/unchanged"));
    const auto unchanged = client.read_response();
    EXPECT_EQ(unchanged->status, 304);
    EXPECT_FALSE(unchanged->fields.contains("content-length"));

    client.send(request_text("POST", "/x"));
    const auto answer = client.read_response();
    EXPECT_EQ(answer->status, 200) << "a stray body would stand before this answer";
    EXPECT_EQ(answer->fields.at("content-length"), "0");
}

// proves: H1
TEST(Session, SendsLargeAnswersWhole) {
    RecordingServer server;
    RawClient client(server.port());
    client.send(request_text("GET", "/large") + request_text("GET", "/small"));
    std::this_thread::sleep_for(50ms);  // the socket's buffers fill up before anything is read
    EXPECT_EQ(client.read_response()->body, std::string(3 * 1024 * 1024, 'x'));
    EXPECT_EQ(client.read_response()->status, 200);
}

// proves: H1
TEST(Session, ClosesWhenTheClientAsksForIt) {
    RecordingServer server;
    RawClient client(server.port());
    client.send(request_text("GET", "/last", "Connection: close\r\n") + request_text("DELETE", "/ignored"));
    const auto answer = client.read_response();
    EXPECT_TRUE(answer->closes);
    EXPECT_EQ(client.read_to_end(), "");
    EXPECT_THAT(server.handler().begun(), ElementsAre("GET /last"));

    RawClient old(server.port());
    old.send("GET /old HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_TRUE(old.read_response()->closes);
    EXPECT_EQ(old.read_to_end(), "");
}

// proves: H1
TEST(Session, AcceptsAbsoluteTargetsAndEmptyLinesBeforeARequest) {
    RecordingServer server;
    RawClient client(server.port());
    client.send("\r\n\r\nGET http://einmal.test/a?b=c HTTP/1.1\r\nHost: einmal.test\r\n\r\n\r\n" +
                request_text("OPTIONS", "*"));
    EXPECT_EQ(client.read_response()->status, 200);
    EXPECT_EQ(client.read_response()->status, 200);
    EXPECT_THAT(server.handler().begun(), ElementsAre("GET /a?b=c", "OPTIONS *"));
}

// proves: H1, R9
TEST(Session, SendsContinueOnlyForARequestThatMayGoOn) {
    RecordingServer server({.body_max = 100});
    RawClient client(server.port());
    client.send(request_text("POST", "/x", "Content-Length: 5\r\nExpect: 100-continue\r\n"));
    EXPECT_EQ(client.read_response()->status, 100);
    client.send("hello");
    EXPECT_EQ(client.read_response()->body, "hello");

    client.send(request_text("POST", "/x", "Content-Length: 5\r\nExpect: 100-continue\r\n", "hello"));
    EXPECT_EQ(client.read_response()->status, 200) << "the body was there: nothing to wait for";

    RawClient refused(server.port());
    refused.send(request_text("POST", "/refused", "Content-Length: 5\r\nExpect: 100-continue\r\n"));
    EXPECT_EQ(refused.read_response()->status, 401);
    EXPECT_EQ(refused.read_to_end(), "");

    RawClient large(server.port());
    large.send(request_text("POST", "/x", "Content-Length: 101\r\nExpect: 100-continue\r\n"));
    EXPECT_EQ(large.read_response()->status, 413);
    EXPECT_EQ(large.read_to_end(), "");
}

// proves: R9
TEST(Session, AuthenticatesBeforeItJudgesTheBody) {
    RecordingServer server({.body_max = 100});
    RawClient client(server.port());
    client.send(request_text("POST", "/refused", "Content-Length: 1000000\r\n"));
    const auto answer = client.read_response();
    ASSERT_TRUE(answer);
    for (int i = 0; i < 10; ++i) {
        EXPECT_TRUE(client.send(std::string(100'000, 'x'))) << "a reset can destroy the answer on its way";
        std::this_thread::sleep_for(10ms);
    }
    EXPECT_EQ(answer->status, 401);
    EXPECT_TRUE(answer->closes);
    client.finish_sending();
    EXPECT_EQ(client.read_to_end(), "");
}

// proves: S1
TEST(Session, KeepsTheConnectionAfterARefusalWithoutABody) {
    RecordingServer server;
    RawClient client(server.port());
    client.send(request_text("GET", "/refused"));
    EXPECT_EQ(client.read_response()->status, 401);
    client.send(request_text("GET", "/welcome"));
    EXPECT_EQ(client.read_response()->status, 200);
}

// proves: H3
TEST(Session, ConnectionThatFailsHarmsNoOther) {
    RecordingServer server;
    RawClient other(server.port());
    other.send(request_text("GET", "/a"));
    EXPECT_EQ(other.read_response()->status, 200);
    RawClient broken(server.port());
    broken.send(request_text("GET", "/broken"));
    EXPECT_EQ(broken.read_to_end(), "");
    other.send(request_text("GET", "/b"));
    EXPECT_EQ(other.read_response()->status, 200);
    EXPECT_TRUE(server.wait_for_connections(1));
}

// proves: K10
TEST(Session, CompletesAnOperationWhoseClientHasGone) {
    RecordingServer server;
    for (const bool reset : {false, true}) {
        RawClient client(server.port());
        client.send(request_text("POST", "/gate", "Content-Length: 5\r\n", "hello"));
        ASSERT_TRUE(server.handler().wait_for_begun(reset ? 2 : 1));
        if (reset) {
            client.reset();
        } else {
            client.finish_sending();
        }
    }
    std::this_thread::sleep_for(50ms);
    EXPECT_THAT(server.handler().finished(), IsEmpty());
    server.handler().open_gate();
    EXPECT_TRUE(server.handler().wait_for_finished(2));
    EXPECT_TRUE(server.wait_for_connections(0));
}

// proves: K10
TEST(Session, NeverStartsAnOperationWhoseBodyIsIncomplete) {
    RecordingServer server;
    for (const char* request : {"POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhello",
                                "POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
                                "POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
                                "POST /x HTTP/1.1\r\nHost: x\r\n"}) {
        RawClient client(server.port());
        client.send(request);
        client.finish_sending();
        EXPECT_EQ(client.read_to_end(), "") << request;
    }
    EXPECT_THAT(server.handler().begun(), IsEmpty());
    EXPECT_TRUE(server.wait_for_connections(0));
}

// proves: H1
TEST(Session, AnswersAClientThatHasFinishedSending) {
    RecordingServer server;
    RawClient client(server.port());
    client.send(request_text("POST", "/x", "Content-Length: 5\r\n", "hello"));
    client.finish_sending();
    EXPECT_EQ(client.read_response()->body, "hello");
    EXPECT_EQ(client.read_to_end(), "");
}

}  // namespace
}  // namespace einmal::wire
