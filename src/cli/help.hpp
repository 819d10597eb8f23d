// The help pages: each option on a line of its own, its explanation below, wrapped for a terminal of 80 columns.
#pragma once

#include <string>

#include "cli/commands.hpp"

namespace einmal::cli {

class HelpFormatter : public CLI::Formatter {
 public:
    std::string make_option(const CLI::Option* option, bool is_positional) const override;
};

/// `einmal help [COMMAND]`, the same pages as `--help`.
void add_help(CLI::App& program, Chosen& chosen);

}  // namespace einmal::cli
