#include "cli/exit.hpp"

#include <iostream>

namespace einmal::cli {

namespace {

ExitCode code_of(Errc code) {
    switch (code) {
        case Errc::unavailable:
        case Errc::outcome_unknown:
            return ExitCode::unavailable;
        case Errc::token_revoked:
        case Errc::corrupt:
            return ExitCode::refused;
        case Errc::configuration:
            return ExitCode::usage;
    }
    return ExitCode::unavailable;
}

}  // namespace

std::string one_line(std::string_view text) {
    std::string line(text);
    for (char& c : line) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    }
    return line;
}

ExitCode fail(ExitCode code, std::string_view sentence) {
    std::cerr << "einmal: " + one_line(sentence) + "\n" << std::flush;
    return code;
}

ExitCode fail(const Error& error) { return fail(code_of(error.code), error.reason); }

}  // namespace einmal::cli
