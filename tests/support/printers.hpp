// How GoogleTest shows the project's values when a test fails.
#pragma once

#include <einmal/decision.hpp>
#include <einmal/result.hpp>
#include <einmal/types.hpp>

#include <ostream>
#include <string_view>

namespace einmal {

[[nodiscard]] std::string_view name_of(Outcome outcome);
[[nodiscard]] std::string_view name_of(Errc code);

void PrintTo(Outcome outcome, std::ostream* out);
void PrintTo(Errc code, std::ostream* out);
void PrintTo(const Error& error, std::ostream* out);
void PrintTo(const Revision& revision, std::ostream* out);
void PrintTo(const ResourceId& id, std::ostream* out);

}  // namespace einmal
