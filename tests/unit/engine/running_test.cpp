#include "engine/running.hpp"

#include <gtest/gtest.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <optional>

namespace einmal::engine {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

Fingerprint fingerprint_of(unsigned char first) {
    Fingerprint fingerprint;
    fingerprint.bytes[0] = std::byte{first};
    return fingerprint;
}

// proves: K5, B14
TEST(Running, TellsSameFromOtherWhileItRuns) {
    Running running;
    EXPECT_EQ(running.begin(KeyDigest{}, fingerprint_of(1)), Running::Begun::started);
    {
        const Running::Turn turn(running, KeyDigest{});
        EXPECT_EQ(running.begin(KeyDigest{}, fingerprint_of(1)), Running::Begun::same);
        EXPECT_EQ(running.begin(KeyDigest{}, fingerprint_of(2)), Running::Begun::mismatch);
        EXPECT_EQ(running.size(), 1U);
    }
    EXPECT_FALSE(running.contains(KeyDigest{}));
    EXPECT_EQ(running.begin(KeyDigest{}, fingerprint_of(2)), Running::Begun::started);
}

boost::asio::awaitable<void> wait_and_count(Running& running, steady_clock::time_point deadline, int& done) {
    co_await running.wait(KeyDigest{}, deadline);
    ++done;
}

// proves: K5
TEST(Running, WakesEveryoneWhenTheTurnEnds) {
    boost::asio::io_context context;
    Running running;
    (void)running.begin(KeyDigest{}, fingerprint_of(1));
    std::optional<Running::Turn> turn(std::in_place, running, KeyDigest{});
    int done = 0;
    for (int i = 0; i < 3; ++i)
        boost::asio::co_spawn(context, wait_and_count(running, steady_clock::now() + hours{1}, done),
                              boost::asio::detached);
    context.poll();
    EXPECT_EQ(done, 0);
    turn.reset();
    context.restart();
    context.run_for(milliseconds{2000});
    EXPECT_EQ(done, 3);
}

// proves: K5
TEST(Running, PatienceEnds) {
    boost::asio::io_context context;
    Running running;
    (void)running.begin(KeyDigest{}, fingerprint_of(1));
    const Running::Turn turn(running, KeyDigest{});
    int done = 0;
    boost::asio::co_spawn(context, wait_and_count(running, steady_clock::now() + milliseconds{20}, done),
                          boost::asio::detached);
    context.run_for(milliseconds{2000});
    EXPECT_EQ(done, 1);
    EXPECT_TRUE(running.contains(KeyDigest{}));
}

}  // namespace
}  // namespace einmal::engine
