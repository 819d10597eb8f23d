// Time and chance enter only through these two doors, so that a test or a simulation can replay a run.
#pragma once

#include <einmal/types.hpp>

#include <span>

namespace einmal {

/// Wall-clock time. Thread-safe.
class Clock {
 public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual Timestamp now() const = 0;
};

/// Unpredictable bytes, for ids, tokens and secrets. Thread-safe.
class Entropy {
 public:
    virtual ~Entropy() = default;
    virtual void fill(std::span<std::byte> out) = 0;
};

/// The machine's clock and the operating system's random source. Live as long as the program.
[[nodiscard]] const Clock& system_clock();
[[nodiscard]] Entropy& system_entropy();

}  // namespace einmal
