// The machine's own clock and random source. Random bytes come from the kernel in blocks, one block per thread, so that
// the id of a resource costs no system call.
#include <einmal/env.hpp>

#include <pthread.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "base/assert.hpp"

namespace einmal {
namespace {

class SystemClock final : public Clock {
 public:
    [[nodiscard]] Timestamp now() const override {
        return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    }
};

/// Counts the forks this process came from, so that parent and child never hand out the same block.
class ForkCount {
 public:
    ForkCount() {
        pthread_atfork(nullptr, nullptr, [] { count_.fetch_add(1, std::memory_order_relaxed); });
    }
    [[nodiscard]] unsigned get() const { return count_.load(std::memory_order_relaxed); }

 private:
    static inline std::atomic<unsigned> count_{0};
};

class SystemEntropy final : public Entropy {
 public:
    void fill(std::span<std::byte> out) override {
        thread_local Block block;
        const unsigned forks = forks_.get();
        while (!out.empty()) {
            if (block.left == 0 || block.forks != forks) refill(block, forks);
            const std::size_t count = std::min(out.size(), block.left);
            const auto from = block.bytes.end() - static_cast<std::ptrdiff_t>(block.left);
            const auto to = from + static_cast<std::ptrdiff_t>(count);
            std::copy(from, to, out.begin());
            std::fill(from, to, std::byte{});  // what was handed out may be a secret: keep no copy
            block.left -= count;
            out = out.subspan(count);
        }
    }

 private:
    /// 256 bytes is what getrandom(2) promises to deliver whole and uninterrupted.
    struct Block {
        std::array<std::byte, 256> bytes{};
        std::size_t left = 0;
        unsigned forks = 0;
    };

    static void refill(Block& block, unsigned forks) {
        const auto got = ::getrandom(block.bytes.data(), block.bytes.size(), 0);
        EINMAL_ASSERT(got == static_cast<ssize_t>(block.bytes.size()));
        block.left = block.bytes.size();
        block.forks = forks;
    }

    ForkCount forks_;
};

}  // namespace

const Clock& system_clock() {
    static const SystemClock clock;
    return clock;
}

Entropy& system_entropy() {
    static SystemEntropy entropy;
    return entropy;
}

}  // namespace einmal
