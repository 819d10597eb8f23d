// `einmal verify` (contract A7): is what the store holds sound?
#include <einmal/open.hpp>

#include <iostream>

#include "cli/commands.hpp"

namespace einmal::cli {

namespace {

ExitCode verify(const Given& given) {
    Result<InForce> in_force = settings_in_force(given);
    if (!in_force) return fail(in_force.error());
    Result<std::unique_ptr<StoreAdmin>> admin = open_admin(in_force->settings.store, false);
    if (!admin) return fail(admin.error());
    const Result<std::vector<std::string>> findings = (*admin)->verify();
    if (!findings) return fail(findings.error());
    for (const std::string& finding : *findings) std::cout << one_line(finding) << '\n';
    if (findings->empty()) std::cout << "sound\n";
    std::cout << std::flush;
    if (findings->empty()) return ExitCode::done;
    return fail(ExitCode::refused, "the store is not sound: " + std::to_string(findings->size()) + " found");
}

}  // namespace

void add_verify(CLI::App& program, Chosen& chosen) {
    CLI::App* command =
        program.add_subcommand("verify", "Check the store, also while it is served; prints what is wrong");
    const auto given = add_setting_flags(*command, {"store"});
    command->callback([=, &chosen] { chosen = [=] { return verify(*given); }; });
}

}  // namespace einmal::cli
