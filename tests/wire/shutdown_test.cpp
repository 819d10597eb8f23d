// Starting where it cannot be, and stopping in good order.
#include "wire/raw_client.hpp"
#include "wire/recording_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace einmal::wire {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

bool connects(std::uint16_t port) {
    try {
        RawClient client(port);
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

// proves: H4
TEST(Shutdown, FinishesAndAnswersWhatWasAccepted) {
    RecordingServer server;
    RawClient idle(server.port());
    RawClient busy(server.port());
    RawClient sending(server.port());
    idle.send(request_text("GET", "/"));
    EXPECT_EQ(idle.read_response()->status, 200);
    busy.send(request_text("POST", "/gate"));
    sending.send("POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhello");
    ASSERT_TRUE(server.handler().wait_for_admitted(3));

    auto done = server.shutdown();
    EXPECT_TRUE(idle.closed_silently(5000ms));
    EXPECT_FALSE(connects(server.port()));
    sending.send("world");
    const auto sent = sending.read_response();
    EXPECT_EQ(sent->body, "helloworld");
    EXPECT_TRUE(sent->closes);
    EXPECT_EQ(done.wait_for(100ms), std::future_status::timeout);
    server.handler().open_gate();
    const auto answer = busy.read_response();
    EXPECT_EQ(answer->status, 200);
    EXPECT_TRUE(answer->closes);
    busy.finish_sending();
    sending.finish_sending();
    EXPECT_EQ(done.wait_for(5s), std::future_status::ready);
    EXPECT_EQ(server.connections(), 0u);
}

// proves: H4
TEST(Shutdown, AnswersARequestThatHadArrived) {
    RecordingServer server;
    RawClient client(server.port());
    client.send(request_text("GET", "/first"));
    EXPECT_EQ(client.read_response()->status, 200);
    server.distract(100ms);
    client.send(request_text("GET", "/second"));
    auto done = server.shutdown();
    const auto answer = client.read_response();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200);
    EXPECT_TRUE(answer->closes);
    client.finish_sending();
    EXPECT_EQ(done.wait_for(5s), std::future_status::ready);
}

// proves: H4, K10
TEST(Shutdown, IsBoundedAndStillLetsAnOperationComplete) {
    RecordingServer server({.shutdown_timeout = 200ms});
    RawClient busy(server.port());
    busy.send(request_text("POST", "/gate"));
    ASSERT_TRUE(server.handler().wait_for_begun(1));
    auto done = server.shutdown();
    EXPECT_EQ(done.wait_for(5s), std::future_status::ready);
    EXPECT_EQ(busy.read_to_end(), "");
    server.handler().open_gate();
    EXPECT_TRUE(server.handler().wait_for_finished(1));
}

// proves: H4
TEST(Shutdown, OfAServerWithoutConnectionsIsImmediate) {
    RecordingServer server;
    EXPECT_EQ(server.shutdown().wait_for(5s), std::future_status::ready);
}

// proves: A4
TEST(Listening, SaysWhatIsWrong) {
    boost::asio::io_context io(1);
    RecordingHandler handler;
    http::Server first(io.get_executor(), handler, {});
    const auto port = first.listen("127.0.0.1", 0);
    ASSERT_TRUE(port);
    EXPECT_GT(*port, 0);

    http::Server second(io.get_executor(), handler, {});
    const auto taken = second.listen("127.0.0.1", *port);
    ASSERT_FALSE(taken);
    EXPECT_EQ(taken.error().code, Errc::unavailable);
    EXPECT_THAT(taken.error().reason, HasSubstr("127.0.0.1:" + std::to_string(*port)));
    EXPECT_THAT(taken.error().reason, HasSubstr("another program"));

    for (const char* address : {"", "not-an-address", "256.0.0.1", "192.0.2.1"}) {
        http::Server server(io.get_executor(), handler, {});
        const auto refused = server.listen(address, 0);
        ASSERT_FALSE(refused) << address;
        EXPECT_EQ(refused.error().code, Errc::configuration) << address;
        EXPECT_THAT(refused.error().reason, HasSubstr(address));
    }
}

}  // namespace
}  // namespace einmal::wire
