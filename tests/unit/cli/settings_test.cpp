// The settings: where they may be given, what wins, and what is refused with which words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "cli/settings.hpp"
#include "support/temporary_directory.hpp"

namespace einmal::cli {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

class SettingsTest : public testing::Test {
 protected:
    std::filesystem::path write(const std::string& text) {
        const std::filesystem::path file = directory_.file("einmal.toml");
        std::ofstream(file) << text;
        return file;
    }

    /// The reason why these settings are refused.
    static std::string refusal(const Given& given) {
        const Result<InForce> in_force = settings_in_force(given);
        if (in_force) return "(accepted)";
        EXPECT_EQ(in_force.error().code, Errc::configuration);
        return in_force.error().reason;
    }

    std::string refusal_of_file(const std::string& text) {
        return refusal({.flags = {}, .variables = {}, .config_file = write(text)});
    }

    test::TemporaryDirectory directory_;
};

/// A value, other than the default, that each kind of setting accepts.
std::string other_value(const Setting& setting) {
    if (setting.kind == "DURATION") return "7s";
    if (setting.kind == "SIZE") return setting.name == "max-head" ? "32KiB" : "2KiB";
    if (setting.kind == "COUNT") return "7";
    if (setting.kind == "NUMBER") return "2.5";
    if (setting.kind == "BOOL") return "true";
    if (setting.name == "listen") return "127.0.0.1:0";
    if (setting.name == "store") return "memory:";
    if (setting.name == "cors-origin") return "https://app.example";
    if (setting.name == "log-level") return "error";
    if (setting.name == "log-format") return "json";
    return "some/path";
}

// proves: A1
TEST_F(SettingsTest, EverySettingIsTakenFromFlagVariableAndFileAndShowsItsSource) {
    for (const Setting& setting : settings_table()) {
        const std::string name(setting.name);
        const std::string value = other_value(setting);
        // The certificate and its key are only accepted together.
        const bool pair = name.starts_with("tls-");
        const std::string partner = name == "tls-cert" ? "tls-key" : "tls-cert";

        Given by_flag{.flags = {{name, value}}, .variables = {}, .config_file = {}};
        if (pair) by_flag.flags[partner] = "p";
        Given by_variable{.flags = {}, .variables = {{setting.variable(), value}}, .config_file = {}};
        if (pair) by_variable.flags[partner] = "p";
        std::string line = name + " = " + toml_string(value) + "\n";
        if (pair) line += partner + " = \"p\"\n";
        const Given by_file{.flags = {}, .variables = {}, .config_file = write(line)};

        const Given* const ways[] = {&by_flag, &by_variable, &by_file};
        std::string first_shown;
        for (const Given* way : ways) {
            const Result<InForce> in_force = settings_in_force(*way);
            ASSERT_TRUE(in_force.has_value()) << name << ": " << in_force.error().reason;
            const std::string shown = setting.shown(in_force->settings);
            EXPECT_NE(shown, setting.shown(Settings{})) << name;
            if (first_shown.empty()) first_shown = shown;
            EXPECT_EQ(shown, first_shown) << name;
            EXPECT_TRUE(in_force->sources.contains(setting.name)) << name;
        }
    }
}

// proves: A1
TEST_F(SettingsTest, FlagWinsOverVariableOverFileOverDefault) {
    const std::filesystem::path file = write("busy-timeout = \"1s\"\nreaders = 3\nmax-body = \"2MiB\"\n");
    const Result<InForce> in_force =
        settings_in_force({.flags = {{"busy-timeout", "3s"}},
                           .variables = {{"EINMAL_BUSY_TIMEOUT", "2s"}, {"EINMAL_READERS", "4"}},
                           .config_file = file});
    ASSERT_TRUE(in_force.has_value()) << in_force.error().reason;
    EXPECT_EQ(in_force->settings.storage.busy_timeout, 3s);
    EXPECT_EQ(in_force->settings.storage.readers, 4U);
    EXPECT_EQ(in_force->settings.http.body_max, 2U << 20U);
    EXPECT_EQ(in_force->settings.engine.retention, 24h);
    EXPECT_EQ(in_force->sources.at("busy-timeout"), "flag --busy-timeout");
    EXPECT_EQ(in_force->sources.at("readers"), "variable EINMAL_READERS");
    EXPECT_EQ(in_force->sources.at("max-body"), "file " + file.string() + ":3");
    EXPECT_FALSE(in_force->sources.contains("retention"));
}

// proves: A1
TEST_F(SettingsTest, ADumpReadsBackAsAFileWithTheSameSettings) {
    const Result<InForce> first =
        settings_in_force({.flags = {{"rate-limit", "2.5"}, {"cors-origin", "*"}, {"log-requests", "true"}},
                           .variables = {{"EINMAL_TYPES", "a \"b\"\\c"}},
                           .config_file = {}});
    ASSERT_TRUE(first.has_value()) << first.error().reason;
    const Result<InForce> second =
        settings_in_force({.flags = {}, .variables = {}, .config_file = write(dump(*first))});
    ASSERT_TRUE(second.has_value()) << second.error().reason;
    for (const Setting& setting : settings_table()) {
        EXPECT_EQ(setting.shown(first->settings), setting.shown(second->settings)) << setting.name;
    }
    EXPECT_THAT(dump(*first), HasSubstr("rate-limit = 2.5  # flag --rate-limit\n"));
    EXPECT_THAT(dump(*first), HasSubstr("retention = \"24h\"  # default\n"));
}

// proves: A1, A4
TEST_F(SettingsTest, AWordNobodyKnowsIsRefusedWithTheOneThatWasMeant) {
    EXPECT_THAT(refusal_of_file("readers = 2\nbusy_timeout = \"5s\"\n"),
                testing::AllOf(HasSubstr("einmal.toml:2: there is no setting \"busy_timeout\""),
                               HasSubstr("did you mean busy-timeout?")));
    EXPECT_EQ(refusal({.flags = {}, .variables = {{"EINMAL_RETENTON", "24h"}}, .config_file = {}}),
              "EINMAL_RETENTON: no setting has this variable; did you mean EINMAL_RETENTION?");
    EXPECT_THAT(refusal({.flags = {}, .variables = {{"EINMAL_QQQQQQQQQQQQ", "1"}}, .config_file = {}}),
                HasSubstr("\"einmal serve --help\" lists all settings"));
    EXPECT_THAT(refusal_of_file("[http]\nreaders = 2\n"), HasSubstr("einmal.toml:1: there is no setting \"http\""));
}

// proves: A4
TEST_F(SettingsTest, ABadValueIsRefusedWhereverItStandsEvenWhenAnotherOverridesIt) {
    EXPECT_THAT(refusal({.flags = {{"busy-timeout", "5x"}}, .variables = {}, .config_file = {}}),
                testing::AllOf(StartsWith("--busy-timeout: \"5x\" is no duration"), HasSubstr("for example 5s")));
    EXPECT_THAT(
        refusal({.flags = {{"max-body", "2MiB"}}, .variables = {{"EINMAL_MAX_BODY", "1MB"}}, .config_file = {}}),
        StartsWith("EINMAL_MAX_BODY: \"1MB\" is no size"));
    EXPECT_THAT(refusal_of_file("\nmax-connections = -1\n"), HasSubstr("einmal.toml:2: max-connections: \"-1\""));
    EXPECT_THAT(refusal_of_file("readers = [1, 2]\n"), HasSubstr("readers: the value is no text, number or boolean"));
    EXPECT_THAT(refusal_of_file("wait-max = \"1500ms\"\n"), HasSubstr("wait-max: must be whole seconds"));
    EXPECT_THAT(refusal_of_file("log-level = \"loud\"\n"), HasSubstr("debug, info, warning or error"));
    EXPECT_THAT(refusal_of_file("cors-origin = \"https://a.example/path\"\n"), HasSubstr("is no origin"));
}

// proves: A4
TEST_F(SettingsTest, ARefusedStoreAddressIsNotRepeatedBecauseItMayHoldAPassword) {
    const std::string reason =
        refusal({.flags = {{"store", "postgress://me:secret@db/einmal"}}, .variables = {}, .config_file = {}});
    EXPECT_THAT(reason, StartsWith("--store: "));
    EXPECT_THAT(reason, HasSubstr("for example sqlite:einmal.db"));
    EXPECT_THAT(reason, testing::Not(HasSubstr("secret")));
    EXPECT_THAT(refusal({.flags = {{"store", "sqlite:"}}, .variables = {}, .config_file = {}}),
                StartsWith("--store: "));
    const Result<InForce> accepted =
        settings_in_force({.flags = {{"store", "postgres://me:secret@db/einmal"}}, .variables = {}, .config_file = {}});
    ASSERT_TRUE(accepted.has_value());
    EXPECT_THAT(dump(*accepted), testing::AllOf(HasSubstr("db/einmal"), testing::Not(HasSubstr("secret"))));
}

// proves: A4
TEST_F(SettingsTest, AFileThatCannotBeReadOrIsNoTomlIsRefused) {
    EXPECT_THAT(refusal({.flags = {}, .variables = {}, .config_file = directory_.file("missing.toml")}),
                HasSubstr("missing.toml: the configuration file cannot be read"));
    EXPECT_THAT(refusal({.flags = {}, .variables = {{"EINMAL_CONFIG", directory_.path().string()}}, .config_file = {}}),
                HasSubstr("the configuration file cannot be read"));
    EXPECT_THAT(refusal_of_file("readers = 2\nlisten 127.0.0.1\n"), HasSubstr("einmal.toml:2: this is no TOML"));
    EXPECT_THAT(refusal_of_file("readers = 2\nreaders = 2\n"), HasSubstr("einmal.toml:2: this is no TOML"));
    EXPECT_EQ(refusal_of_file(""), "(accepted)");
}

TEST_F(SettingsTest, SettingsThatOnlyMakeSenseTogetherAreCheckedTogether) {
    EXPECT_THAT(refusal({.flags = {{"tls-cert", "a.pem"}}, .variables = {}, .config_file = {}}),
                StartsWith("tls-cert: needs tls-key beside it"));
    EXPECT_THAT(refusal({.flags = {{"tls-key", "a.key"}}, .variables = {}, .config_file = {}}),
                StartsWith("tls-key: needs tls-cert beside it"));
    EXPECT_THAT(refusal({.flags = {{"max-head", "4KiB"}}, .variables = {}, .config_file = {}}),
                StartsWith("max-target: must be smaller than max-head"));
}

}  // namespace
}  // namespace einmal::cli
