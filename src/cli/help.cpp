#include "cli/help.hpp"

#include <iostream>
#include <sstream>

namespace einmal::cli {

namespace {

constexpr std::size_t columns = 80;
constexpr std::string_view indent = "        ";

std::string wrapped(const std::string& paragraph) {
    std::istringstream words(paragraph);
    std::string out;
    std::string line;
    for (std::string word; words >> word;) {
        if (!line.empty() && indent.size() + line.size() + 1 + word.size() > columns) {
            out += std::string(indent) + line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
    }
    return out + std::string(indent) + line + "\n";
}

ExitCode print_page(const CLI::App& program, const std::vector<std::string>& names) {
    const CLI::App* page = &program;
    std::string path = program.get_name();
    for (const std::string& name : names) {
        const auto found = page->get_subcommands([&](const CLI::App* below) { return below->get_name() == name; });
        if (found.empty()) {
            return fail(ExitCode::usage, "there is no command \"" + name + "\"; \"einmal help\" lists them");
        }
        page = found.front();
        path += " " + name;
    }
    // App::help would show the page of the command that was parsed, which is `help` itself.
    std::cout << page->get_formatter()->make_help(page, path, CLI::AppFormatMode::Normal) << std::flush;
    return ExitCode::done;
}

}  // namespace

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
    std::string out = "  " + make_option_name(option, is_positional);
    if (!is_positional && !option->get_option_text().empty()) out += " " + option->get_option_text();
    out += "\n";
    std::istringstream paragraphs(option->get_description());
    for (std::string paragraph; std::getline(paragraphs, paragraph);) out += wrapped(paragraph);
    return out;
}

void add_help(CLI::App& program, Chosen& chosen) {
    CLI::App* command = program.add_subcommand("help", "Show how a command is used");
    const auto names = std::make_shared<std::vector<std::string>>();
    command->add_option("command", *names, "For example `serve` or `token create`")->option_text("COMMAND");
    command->callback([=, &program, &chosen] { chosen = [=, &program] { return print_page(program, *names); }; });
}

}  // namespace einmal::cli
