// Every setting of `einmal serve` in one table (contract A1, A6): its flag, its variable and its key in the file all
// come from one name. Where a value is given more than once, flag wins over variable over file over default.
#pragma once

#include <einmal/options.hpp>
#include <einmal/result.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"
#include "cli/values.hpp"
#include "http/http_options.hpp"

namespace einmal::cli {

/// All settings, with their defaults.
struct Settings {
    ListenAddress listen;
    std::string store = "sqlite:einmal.db";
    std::string types;  ///< a directory, or empty for the built-in types alone
    EngineOptions engine;
    StoreOptions storage;
    http::HttpOptions http;
    std::string tls_cert;  ///< a file; empty, as the key then is, for plain HTTP
    std::string tls_key;
    base::LogLevel log_level = base::LogLevel::info;
    std::optional<base::LogFormat> log_format;  ///< unset: text on a terminal, JSON otherwise
};

/// One row of the table.
struct Setting {
    std::string_view name;  ///< `busy-timeout`: also the key in the file
    std::string_view kind;  ///< `DURATION`, `SIZE` …, for the help
    std::string_view help;  ///< what it does and why one would change it
    /// Takes the text over, or says in one sentence why it cannot.
    std::function<std::optional<std::string>(Settings&, std::string_view)> set;
    /// The value as a TOML literal, secrets masked.
    std::function<std::string(const Settings&)> shown;

    [[nodiscard]] std::string flag() const;      ///< `--busy-timeout`
    [[nodiscard]] std::string variable() const;  ///< `EINMAL_BUSY_TIMEOUT`
};

/// In the order of the documentation. Lives as long as the program.
[[nodiscard]] const std::vector<Setting>& settings_table();

/// What was given where, before anything is read into it.
struct Given {
    std::map<std::string, std::string> flags;      ///< name of the setting → text
    std::map<std::string, std::string> variables;  ///< all variables whose names begin with `EINMAL_`
    std::filesystem::path config_file;             ///< from `--config`; empty: see `EINMAL_CONFIG`
};

/// The settings in force and where each came from.
struct InForce {
    Settings settings;
    std::map<std::string_view, std::string>
        sources;  ///< name → `flag --listen`; a name that is missing has its default
};

/// The variables of this process that begin with `EINMAL_`.
[[nodiscard]] std::map<std::string, std::string> einmal_variables();

/// Puts file, variables and flags together. Every given value is checked, also one that another overrides. Fails with
/// Errc::configuration: which setting, where it stands, what is wrong with it, and a right value.
[[nodiscard]] Result<InForce> settings_in_force(const Given& given);

/// A TOML file with every setting in force, each with its source as a comment (contract A1, `--dump-config`).
[[nodiscard]] std::string dump(const InForce& in_force);

}  // namespace einmal::cli
