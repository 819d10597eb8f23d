// `einmal backup` (contract A7): a consistent copy of a store, while a server works on it.
#include <einmal/open.hpp>

#include "cli/commands.hpp"

namespace einmal::cli {

namespace {

ExitCode backup(const Given& given, const std::string& file) {
    Result<InForce> in_force = settings_in_force(given);
    if (!in_force) return fail(in_force.error());
    Result<std::unique_ptr<StoreAdmin>> admin = open_admin(in_force->settings.store, false);
    if (!admin) return fail(admin.error());
    const Result<void> copied = (*admin)->backup(file);
    return copied ? ExitCode::done : fail(copied.error());
}

}  // namespace

void add_backup(CLI::App& program, Chosen& chosen) {
    CLI::App* command = program.add_subcommand("backup", "Copy the store to a new file, also while it is served");
    const auto given = add_setting_flags(*command, {"store"});
    const auto file = std::make_shared<std::string>();
    command->add_option("file", *file, "The copy; must not exist yet")->required()->option_text("FILE");
    command->callback([=, &chosen] { chosen = [=] { return backup(*given, *file); }; });
}

}  // namespace einmal::cli
