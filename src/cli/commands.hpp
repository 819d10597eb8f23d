// What all sub-commands share: how they enter the command line, and the flags that stand for settings. One file per
// sub-command; main.cpp lists them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "cli/exit.hpp"
#include "cli/settings.hpp"

namespace einmal::cli {

/// What the command line came to; empty when it named no command.
using Chosen = std::function<ExitCode()>;

/// Each adds one sub-command, which puts itself into `chosen` when it is named. `chosen` outlives the parsing.
void add_serve(CLI::App& program, Chosen& chosen);
void add_token(CLI::App& program, Chosen& chosen);
void add_backup(CLI::App& program, Chosen& chosen);
void add_verify(CLI::App& program, Chosen& chosen);
void add_version(CLI::App& program, Chosen& chosen);

/// Adds `--config` and the flags of the settings that are named, or of all when none is named. What is given on the
/// command line is in the result once it has been parsed.
[[nodiscard]] std::shared_ptr<Given> add_setting_flags(CLI::App& command, const std::vector<std::string_view>& names);

}  // namespace einmal::cli
