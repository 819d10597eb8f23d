// A clock that stands still until the test moves it.
#pragma once

#include <einmal/env.hpp>

#include <atomic>
#include <chrono>

namespace einmal::test {

/// Starts at 2026-01-01T00:00:00Z. Thread-safe.
class ManualClock final : public Clock {
 public:
    [[nodiscard]] Timestamp now() const override { return now_.load(); }
    void set(Timestamp now) { now_.store(now); }
    void advance(std::chrono::milliseconds by) { now_.store(now_.load() + by); }

 private:
    std::atomic<Timestamp> now_{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
};

}  // namespace einmal::test
