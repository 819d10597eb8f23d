// The program's command line, as a shell sees it: what it prints, where, and with which exit code it ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "support/process.hpp"
#include "support/temporary_directory.hpp"

namespace einmal::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

bool one_line(const std::string& text) {
    return std::count(text.begin(), text.end(), '\n') == 1 && text.ends_with('\n') && text.starts_with("einmal: ");
}

class CliSettingsTest : public testing::Test {
 protected:
    /// Runs `einmal` with these arguments in the test's own directory.
    Finished einmal(std::vector<std::string> arguments, std::map<std::string, std::string> variables = {}) {
        return run({.arguments = std::move(arguments),
                    .directory = directory_.path(),
                    .variables = std::move(variables),
                    .wrapper = {},
                    .output = -1});
    }

    TemporaryDirectory directory_;
};

// proves: A4
TEST_F(CliSettingsTest, AWrongCommandLineEndsWith2AndOneLine) {
    const std::vector<std::string> wrong[] = {{},
                                              {"bake"},
                                              {"serve", "--busy-timeout", "5x"},
                                              {"serve", "--no-such-flag"},
                                              {"serve", "--listen"},
                                              {"serve", "surplus"},
                                              {"token"},
                                              {"token", "create", "--account", "a"},
                                              {"token", "create", "--account", "a", "--scopes", "contacts:fly"},
                                              {"token", "create", "--account", "a", "--scopes", "contact:read"},
                                              {"token", "create", "--account", "", "--scopes", "*"},
                                              {"token", "revoke", "seven"},
                                              {"token", "revoke"},
                                              {"backup"},
                                              {"serve", "--tls-cert", "only.pem"},
                                              {"help", "bake"}};
    for (const std::vector<std::string>& arguments : wrong) {
        const Finished finished = einmal(arguments);
        EXPECT_EQ(finished.ending, (Ending{2, 0})) << testing::PrintToString(arguments) << finished.errors;
        EXPECT_TRUE(one_line(finished.errors)) << testing::PrintToString(arguments) << finished.errors;
        EXPECT_EQ(finished.output, "") << testing::PrintToString(arguments);
    }
    EXPECT_TRUE(std::filesystem::is_empty(directory_.path())) << "a refused command made a file";
}

// proves: A4
TEST_F(CliSettingsTest, ABadSettingIsNamedWithItsProblemAndARightValue) {
    EXPECT_EQ(einmal({"serve", "--busy-timeout", "5x"}).errors,
              "einmal: --busy-timeout: \"5x\" is no duration: write a whole number and one of ms, s, m, h, d, for "
              "example 5s\n");
    EXPECT_EQ(
        einmal({"verify"}, {{"EINMAL_MAX_BODY", "big\nthing"}}).errors,
        "einmal: EINMAL_MAX_BODY: \"big thing\" is no size: write a whole number and one of B, KiB, MiB, GiB, for "
        "example 1MiB\n");
}

// proves: A1, A4
TEST_F(CliSettingsTest, AMistypedVariableOrKeyIsRefused) {
    const Finished variable = einmal({"serve", "--dump-config"}, {{"EINMAL_LISTN", "127.0.0.1:0"}});
    EXPECT_EQ(variable.ending, (Ending{2, 0}));
    EXPECT_THAT(variable.errors, AllOf(HasSubstr("EINMAL_LISTN"), HasSubstr("did you mean EINMAL_LISTEN?")));

    std::ofstream(directory_.file("e.toml")) << "listen = \"127.0.0.1:0\"\nretension = \"24h\"\n";
    const Finished key = einmal({"serve", "--dump-config", "--config", "e.toml"});
    EXPECT_EQ(key.ending, (Ending{2, 0}));
    EXPECT_THAT(key.errors, AllOf(StartsWith("einmal: e.toml:2: "), HasSubstr("did you mean retention?")));
}

// proves: A1
TEST_F(CliSettingsTest, DumpConfigShowsWhatWinsAndWhereItCameFrom) {
    std::ofstream(directory_.file("e.toml")) << "retention = \"1h\"\nbusy-timeout = \"1s\"\nreaders = 3\n";
    const Finished finished = einmal({"serve", "--dump-config", "--config", "e.toml", "--busy-timeout", "3s"},
                                     {{"EINMAL_BUSY_TIMEOUT", "2s"}, {"EINMAL_READERS", "4"}});
    EXPECT_EQ(finished.ending, (Ending{0, 0})) << finished.errors;
    EXPECT_EQ(finished.errors, "");
    EXPECT_THAT(finished.output, AllOf(HasSubstr("retention = \"1h\"  # file e.toml:1\n"),
                                       HasSubstr("busy-timeout = \"3s\"  # flag --busy-timeout\n"),
                                       HasSubstr("readers = 4  # variable EINMAL_READERS\n"),
                                       HasSubstr("max-body = \"1MiB\"  # default\n")));

    // What it printed is a file that it takes.
    std::ofstream(directory_.file("dumped.toml")) << finished.output;
    const Finished again = einmal({"serve", "--dump-config"}, {{"EINMAL_CONFIG", "dumped.toml"}});
    EXPECT_EQ(again.ending, (Ending{0, 0})) << again.errors;
    EXPECT_THAT(again.output, HasSubstr("busy-timeout = \"3s\"  # file dumped.toml:"));
}

// proves: A1
TEST_F(CliSettingsTest, HelpAndVersionGoToStdout) {
    const Finished help = einmal({"help"});
    EXPECT_EQ(help.ending, (Ending{0, 0}));
    for (const char* command : {"serve", "token", "backup", "verify", "version"}) {
        EXPECT_THAT(help.output, HasSubstr(command));
    }
    EXPECT_EQ(einmal({"help", "serve"}).output, einmal({"serve", "--help"}).output);
    EXPECT_THAT(einmal({"help", "token", "create"}).output, HasSubstr("--scopes"));
    EXPECT_THAT(einmal({"version"}).output, StartsWith("einmal 0."));
    EXPECT_EQ(einmal({"version"}).output, einmal({"--version"}).output);
}

/// The names of settings that a text speaks of: what follows `prefix` at the start of a line, up to the end of the
/// word.
std::vector<std::string> names_in(const std::string& text, const std::string& prefix) {
    std::vector<std::string> names;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(prefix)) continue;
        const std::size_t end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", prefix.size());
        names.push_back(line.substr(prefix.size(), end - prefix.size()));
    }
    return names;
}

// proves: A1, H3
TEST_F(CliSettingsTest, HelpDumpAndDocumentationKnowTheSameSettingsWithTheSameDefaults) {
    const std::string dumped = einmal({"serve", "--dump-config"}).output;
    const std::string help = einmal({"serve", "--help"}).output;
    std::ifstream file(EINMAL_SOURCE_DIR "/docs/configuration.md");
    const std::string documentation{std::istreambuf_iterator<char>(file), {}};

    const std::vector<std::string> settings = names_in(dumped, "");
    EXPECT_GT(settings.size(), 20U);
    std::vector<std::string> flags = names_in(help, "  --");
    for (const char* other : {"config", "dump-config"}) {
        EXPECT_EQ(std::erase(flags, other), 1) << other;
    }
    EXPECT_EQ(flags, settings);
    EXPECT_EQ(names_in(documentation, "| `"), settings);

    std::istringstream lines(dumped);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t equals = line.find(" = ");
        const std::string value = line.substr(equals + 3, line.find("  # ") - equals - 3);
        EXPECT_THAT(documentation, HasSubstr("| `" + line.substr(0, equals) + "` | `" + value + "` |"));
    }
}

}  // namespace
}  // namespace einmal::test
