// How a command ends: its exit code and the one line on stderr that explains every code but 0 (contract A4).
#pragma once

#include <einmal/result.hpp>

#include <string>
#include <string_view>

namespace einmal::cli {

enum class ExitCode {
    done = 0,
    refused = 1,       ///< a definite no: there is no such token, the store is not sound
    usage = 2,         ///< command line, settings or files are wrong; the same call fails again
    unavailable = 75,  ///< the outcome is not known, or the same call may succeed later
};

/// The text with every control character as a blank.
[[nodiscard]] std::string one_line(std::string_view text);

/// Writes `einmal: <sentence>` to stderr, as one line, and returns the code.
ExitCode fail(ExitCode code, std::string_view sentence);

/// The same for an operating failure, whose kind decides the code.
ExitCode fail(const Error& error);

}  // namespace einmal::cli
