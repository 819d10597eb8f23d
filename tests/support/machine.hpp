// What tests ask of the machine that they run on, and of whoever runs them.
#pragma once

#include <cstdint>

namespace einmal::test {

/// A port of 127.0.0.1 that nobody listens on at this moment. Throws std::runtime_error when there is none.
[[nodiscard]] std::uint16_t free_port();

/// Whether `./dev test --long` was asked for.
[[nodiscard]] bool is_long_run();

}  // namespace einmal::test
