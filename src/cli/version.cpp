// `einmal version`: which program this is, for reports and for upgrades.
#include <iostream>

#include "cli/commands.hpp"

namespace einmal::cli {

void add_version(CLI::App& program, Chosen& chosen) {
    program.set_version_flag("--version", "einmal " EINMAL_VERSION, "Print the version");
    program.add_subcommand("version", "Print the version")->callback([&chosen] {
        chosen = [] {
            std::cout << "einmal " EINMAL_VERSION << std::endl;
            return ExitCode::done;
        };
    });
}

}  // namespace einmal::cli
