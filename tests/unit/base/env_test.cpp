// The real clock and the real random source.
#include <einmal/env.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace einmal {
namespace {

using Draw = std::array<std::byte, 16>;

Draw draw() {
    Draw bytes{};
    system_entropy().fill(bytes);
    return bytes;
}

TEST(SystemClock, TellsTheTimeOfTheMachine) {
    const auto before = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    const Timestamp now = system_clock().now();
    const auto after = std::chrono::system_clock::now();
    EXPECT_LE(before, now);
    EXPECT_LE(now, after);
}

// proves: R10
TEST(SystemEntropy, NeverDrawsTheSameTwiceOverAllThreads) {
    std::set<Draw> seen;
    std::mutex mutex;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&seen, &mutex] {
            for (int n = 0; n < 1'000; ++n) {
                const Draw bytes = draw();
                const std::lock_guard lock(mutex);
                seen.insert(bytes);
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(seen.size(), 8'000U);
}

TEST(SystemEntropy, FillsAnyLengthEvenly) {
    for (const std::size_t length :
         {std::size_t{0}, std::size_t{1}, std::size_t{255}, std::size_t{257}, std::size_t{100'000}}) {
        std::vector<std::byte> bytes(length + 1, std::byte{0xA5});
        system_entropy().fill(std::span(bytes).first(length));
        EXPECT_EQ(bytes.back(), std::byte{0xA5});
        if (length < 100'000) continue;
        std::array<int, 256> counts{};
        for (const std::byte byte : std::span(bytes).first(length)) ++counts[std::to_integer<std::size_t>(byte)];
        // 390 expected, standard deviation 20: one run in a billion would be beyond seven of them.
        for (const int count : counts) EXPECT_NEAR(count, 390, 140);
    }
}

TEST(SystemEntropy, AChildProcessDoesNotRepeatItsParent) {
    draw();  // so that there is a rest that a fork would copy
    std::array<int, 2> pipe_ends{};
    ASSERT_EQ(pipe(pipe_ends.data()), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const Draw bytes = draw();
        const bool sent = write(pipe_ends[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
        _exit(sent ? 0 : 1);
    }
    const Draw own = draw();
    Draw other{};
    ASSERT_EQ(read(pipe_ends[0], other.data(), other.size()), static_cast<ssize_t>(other.size()));
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_NE(own, other);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
}

}  // namespace
}  // namespace einmal
