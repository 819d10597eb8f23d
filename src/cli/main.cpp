// The program `einmal`: reads the command line and runs one sub-command. Exit codes: contract A4.
#include <csignal>
#include <exception>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/help.hpp"

namespace {

using einmal::cli::Chosen;
using einmal::cli::ExitCode;

/// Asking for help or the version ends well; everything else that CLI11 throws is a wrong command line.
ExitCode end_of_parsing(const CLI::App& program, const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
        program.exit(error, std::cout, std::cerr);
        std::cout << std::flush;
        return ExitCode::done;
    }
    return einmal::cli::fail(ExitCode::usage, std::string(error.what()) + "; \"einmal help\" shows how");
}

ExitCode run(int argc, char** argv) {
    CLI::App program("Einmal: an HTTP API whose writes are safe to repeat and never silently overwritten.", "einmal");
    program.formatter(std::make_shared<einmal::cli::HelpFormatter>());
    program.require_subcommand(1);
    Chosen chosen;
    einmal::cli::add_serve(program, chosen);
    einmal::cli::add_token(program, chosen);
    einmal::cli::add_backup(program, chosen);
    einmal::cli::add_verify(program, chosen);
    einmal::cli::add_version(program, chosen);
    einmal::cli::add_help(program, chosen);
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return end_of_parsing(program, error);
    }
    return chosen();
}

}  // namespace

int main(int argc, char** argv) {
    // A reader of stdout that goes away must end nothing; writes then fail, and are looked at where it matters.
    std::signal(SIGPIPE, SIG_IGN);
    try {
        return static_cast<int>(run(argc, argv));
    } catch (const std::exception& error) {
        return static_cast<int>(einmal::cli::fail(ExitCode::unavailable, std::string("stopped by ") + error.what()));
    }
}
