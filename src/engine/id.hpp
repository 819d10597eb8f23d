// New ids: in order of time, so that a database appends them, and impossible to guess.
#pragma once

#include <einmal/env.hpp>
#include <einmal/types.hpp>

#include <string>
#include <string_view>

namespace einmal::engine {

/// `prefix` + 8 characters of milliseconds + 14 of chance (83 bits), all 0-9A-Za-z: ids of one prefix sort by time.
[[nodiscard]] std::string new_id(std::string_view prefix, Timestamp now, Entropy& entropy);

}  // namespace einmal::engine
