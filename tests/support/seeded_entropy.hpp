// Chance that can be repeated: the same seed gives the same ids, tokens and secrets.
#pragma once

#include <einmal/env.hpp>

#include <cstdint>
#include <mutex>
#include <random>

namespace einmal::test {

/// Thread-safe.
class SeededEntropy final : public Entropy {
 public:
    explicit SeededEntropy(std::uint64_t seed) : engine_(seed) {}

    void fill(std::span<std::byte> out) override {
        const std::lock_guard lock(mutex_);
        for (std::byte& byte : out) byte = static_cast<std::byte>(engine_() & 0xffU);
    }

 private:
    std::mutex mutex_;
    std::mt19937_64 engine_;  // guarded by mutex_
};

}  // namespace einmal::test
