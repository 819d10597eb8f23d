// Every limit of HTTP from the outside: what is too large, too slow or too much.
#include "wire/raw_client.hpp"
#include "wire/recording_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

namespace einmal::wire {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;
using Clock = std::chrono::steady_clock;

std::string repeated_lines(std::size_t count) {
    std::string lines;
    for (std::size_t i = 0; i < count; ++i) lines += "X-Line: value\r\n";
    return lines;
}

// proves: H3
TEST(Limits, HeadAndTarget) {
    RecordingServer server({.head_max = 2000, .target_max = 1000});
    const auto status = [&](const std::string& request) {
        RawClient client(server.port());
        client.send(request);
        const auto answer = client.read_response();
        return answer ? answer->status : 0;
    };
    EXPECT_EQ(status(request_text("GET", "/" + std::string(999, 'a'))), 200);
    EXPECT_EQ(status(request_text("GET", "/" + std::string(1000, 'a'))), 414);
    EXPECT_EQ(status("GET /" + std::string(3000, 'a')), 414) << "no need to wait for its end";
    EXPECT_EQ(status(request_text("GET", "/", "X: " + std::string(1900, 'a') + "\r\n")), 200);
    EXPECT_EQ(status(request_text("GET", "/", "X: " + std::string(2000, 'a') + "\r\n")), 431);
    EXPECT_EQ(status("GET / HTTP/1.1\r\nX: " + std::string(3000, 'a')), 431) << "no need to wait for its end";
    EXPECT_EQ(status(request_text("GET", "/", repeated_lines(99))), 200);
    EXPECT_EQ(status(request_text("GET", "/", repeated_lines(100))), 431);
}

// proves: H3
TEST(Limits, Body) {
    RecordingServer server({.body_max = 100'000});
    const std::string fits(100'000, 'a');
    RawClient client(server.port());
    client.send(request_text("POST", "/x", "Content-Length: 100000\r\n", fits));
    EXPECT_EQ(client.read_response()->body, fits);
    client.send(request_text("POST", "/x", "Transfer-Encoding: chunked\r\n", "186A0\r\n" + fits + "\r\n0\r\n\r\n"));
    EXPECT_EQ(client.read_response()->body, fits);
    client.send(request_text("POST", "/x", "Content-Length: 100001\r\n", fits + "a"));
    EXPECT_EQ(client.read_response()->status, 413);
    EXPECT_EQ(client.read_to_end(), "");

    RawClient chunked(server.port());
    chunked.send(request_text("POST", "/x", "Transfer-Encoding: chunked\r\n", "186A0\r\n" + fits + "\r\n1\r\na\r\n"));
    EXPECT_EQ(chunked.read_response()->status, 413);
    EXPECT_EQ(chunked.read_to_end(), "");
}

/// Sends `bytes` one by one until the server answers or closes; returns everything it said.
std::string drip(RawClient& client, const std::string& bytes, std::chrono::milliseconds pause) {
    for (const char byte : bytes) {
        if (!client.send({&byte, 1})) break;
        std::this_thread::sleep_for(pause);
    }
    return client.read_to_end();
}

// proves: H3
TEST(Limits, SlowHeadIsNotHelpedByATrickle) {
    RecordingServer server({.head_timeout = 300ms});
    RawClient client(server.port());
    const auto start = Clock::now();
    const std::string answer = drip(client, request_text("GET", "/", "X: " + std::string(100, 'a') + "\r\n"), 20ms);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 408 ")) << answer;
    EXPECT_GE(Clock::now() - start, 300ms);
    EXPECT_THAT(server.handler().admitted(), IsEmpty());
}

// proves: H3
TEST(Limits, SlowHeadOfALaterRequestCountsFromItsFirstByte) {
    RecordingServer server({.head_timeout = 400ms});
    RawClient client(server.port());
    client.send(request_text("GET", "/"));
    EXPECT_EQ(client.read_response()->status, 200);
    std::this_thread::sleep_for(600ms);  // idle for longer than a head may take
    client.send("GET / HTTP/1.1\r\n");
    std::this_thread::sleep_for(150ms);
    client.send("Host: x\r\n\r\n");
    EXPECT_EQ(client.read_response()->status, 200);
    client.send("GET / HTTP/1.1\r\n");
    EXPECT_EQ(client.read_response()->status, 408);
    EXPECT_EQ(client.read_to_end(), "");
}

// proves: H3, K10
TEST(Limits, SlowBody) {
    RecordingServer server({.body_timeout = 300ms});
    RawClient sized(server.port());
    sized.send(request_text("POST", "/x", "Content-Length: 100\r\n"));
    EXPECT_TRUE(drip(sized, std::string(50, 'a'), 10ms).starts_with("HTTP/1.1 408 "));
    RawClient chunked(server.port());
    chunked.send(request_text("POST", "/x", "Transfer-Encoding: chunked\r\n", "64\r\n"));
    EXPECT_TRUE(drip(chunked, std::string(50, 'a'), 10ms).starts_with("HTTP/1.1 408 "));
    EXPECT_THAT(server.handler().begun(), IsEmpty());
}

// proves: H3
TEST(Limits, IdleConnectionsAreClosedWithoutAWord) {
    RecordingServer server({.head_timeout = 300ms, .idle_timeout = 300ms});
    RawClient fresh(server.port());
    EXPECT_TRUE(fresh.closed_silently(3000ms));
    RawClient used(server.port());
    used.send(request_text("GET", "/"));
    EXPECT_EQ(used.read_response()->status, 200);
    EXPECT_FALSE(used.closed_silently(150ms));
    EXPECT_TRUE(used.closed_silently(3000ms));
    EXPECT_TRUE(server.wait_for_connections(0));
}

// proves: H3
TEST(Limits, OperationsMayTakeLongerThanAnyTimeoutOfTheConnection) {
    RecordingServer server(
        {.head_timeout = 100ms, .body_timeout = 100ms, .idle_timeout = 100ms, .write_timeout = 100ms});
    RawClient client(server.port());
    client.send(request_text("POST", "/gate"));
    EXPECT_FALSE(client.closed_silently(500ms));
    server.handler().open_gate();
    EXPECT_EQ(client.read_response()->status, 200);
}

// proves: H3
TEST(Limits, ClientThatDoesNotTakeItsAnswerIsGivenUp) {
    RecordingServer server({.write_timeout = 300ms});
    RawClient client(server.port());
    client.send(request_text("GET", "/large") + request_text("GET", "/large") + request_text("GET", "/large"));
    EXPECT_TRUE(server.handler().wait_for_begun(1));
    EXPECT_TRUE(server.wait_for_connections(0));
}

// proves: H3
TEST(Limits, ConnectionBeyondTheMaximumIsToldSo) {
    RecordingServer server({.connections_max = 2});
    auto first = std::make_unique<RawClient>(server.port());
    RawClient second(server.port());
    ASSERT_TRUE(server.wait_for_connections(2));
    RawClient third(server.port());
    third.send(request_text("GET", "/third"));
    const auto refusal = third.read_response();
    ASSERT_TRUE(refusal);
    EXPECT_EQ(refusal->status, 503);
    EXPECT_TRUE(refusal->closes);
    EXPECT_EQ(third.read_to_end(), "");
    second.send(request_text("GET", "/second"));
    EXPECT_EQ(second.read_response()->status, 200);

    first.reset();
    ASSERT_TRUE(server.wait_for_connections(1));
    RawClient fourth(server.port());
    fourth.send(request_text("GET", "/fourth"));
    EXPECT_EQ(fourth.read_response()->status, 200);
    EXPECT_THAT(server.handler().begun(), testing::ElementsAre("GET /second", "GET /fourth"));
}

// The sanitizer of object types needs descriptors of its own and takes a shortage for a fault.
#ifndef __SANITIZE_ADDRESS__
// proves: H3
TEST(Limits, AcceptingSurvivesAShortageOfDescriptors) {
    RecordingServer server;
    RawClient client;
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const int lowest_free = ::dup(0);
    ::close(lowest_free);
    const rlimit none_left{.rlim_cur = static_cast<rlim_t>(lowest_free), .rlim_max = before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none_left), 0);
    client.connect(server.port());
    client.send(request_text("GET", "/patient"));
    std::this_thread::sleep_for(300ms);
    EXPECT_THAT(server.handler().begun(), IsEmpty());
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_EQ(client.read_response()->status, 200);
}
#endif

}  // namespace
}  // namespace einmal::wire
