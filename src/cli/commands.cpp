#include "cli/commands.hpp"

#include <algorithm>

namespace einmal::cli {

namespace {

void add_flag_of(CLI::App& command, const Setting& setting, const std::shared_ptr<Given>& given) {
    const Settings defaults;
    const std::string help =
        std::string(setting.help) + "\nDefault " + setting.shown(defaults) + ", variable " + setting.variable();
    CLI::Option* option = command.add_option_function<std::string>(
        setting.flag(), [given, &setting](const std::string& text) { given->flags[std::string(setting.name)] = text; },
        help);
    option->option_text(std::string(setting.kind));
    // `--log-requests` alone means true.
    if (setting.kind == "BOOL") option->expected(0, 1);
}

}  // namespace

std::shared_ptr<Given> add_setting_flags(CLI::App& command, const std::vector<std::string_view>& names) {
    auto given = std::make_shared<Given>();
    given->variables = einmal_variables();
    command
        .add_option("--config", given->config_file,
                    "TOML file with settings, one `name = value` a line; flag wins over variable over file.\n"
                    "Default none, variable EINMAL_CONFIG")
        ->option_text("FILE");
    for (const Setting& setting : settings_table()) {
        if (names.empty() || std::find(names.begin(), names.end(), setting.name) != names.end()) {
            add_flag_of(command, setting, given);
        }
    }
    return given;
}

}  // namespace einmal::cli
