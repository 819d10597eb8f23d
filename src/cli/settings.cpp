#include "cli/settings.hpp"

#include "cli/exit.hpp"

#include <unistd.h>

#include <toml++/toml.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <utility>

namespace einmal::cli {

namespace {

constexpr std::string_view variable_prefix = "EINMAL_";
constexpr std::string_view config_variable = "EINMAL_CONFIG";

Error configuration(std::string reason) { return {Errc::configuration, std::move(reason)}; }

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
            diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, changed}));
        }
    }
    return row[b.size()];
}

/// `; did you mean X?` when a known name is near, otherwise where the names are listed.
template <class NameOf>
std::string suggestion(std::string_view unknown, NameOf name_of) {
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(2, unknown.size() / 4) + 1;
    for (const Setting& setting : settings_table()) {
        const std::string name = name_of(setting);
        const std::size_t distance = edit_distance(unknown, name);
        if (distance < best_distance) {
            best_distance = distance;
            best = name;
        }
    }
    if (best.empty()) return "; \"einmal serve --help\" lists all settings";
    return "; did you mean " + best + "?";
}

const Setting* find_setting(std::string_view name) {
    const std::vector<Setting>& table = settings_table();
    const auto found = std::find_if(table.begin(), table.end(), [&](const Setting& s) { return s.name == name; });
    return found == table.end() ? nullptr : &*found;
}

/// The text of a TOML value as a flag would have it; nothing for dates, arrays and tables.
std::optional<std::string> plain_text(const toml::node& node) {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* number = node.as_integer()) return std::to_string(number->get());
    if (const auto* number = node.as_floating_point()) return rate_text(number->get());
    if (const auto* word = node.as_boolean()) return std::string(word->get() ? "true" : "false");
    return std::nullopt;
}

Result<void> apply(InForce& in_force, const Setting& setting, std::string_view text, const std::string& where,
                   std::string source) {
    if (std::optional<std::string> refusal = setting.set(in_force.settings, text)) {
        return configuration(where + ": " + *refusal);
    }
    in_force.sources[setting.name] = std::move(source);
    return {};
}

Result<void> apply_entry(InForce& in_force, std::string_view key, const toml::node& node, const std::string& file) {
    static const Settings defaults;
    const std::string line = file + ":" + std::to_string(node.source().begin.line);
    const Setting* setting = find_setting(key);
    if (setting == nullptr) {
        return configuration(line + ": there is no setting \"" + std::string(key) + "\"" +
                             suggestion(key, [](const Setting& s) { return std::string(s.name); }));
    }
    const std::string where = line + ": " + std::string(key);
    const std::optional<std::string> text = plain_text(node);
    if (!text) {
        return configuration(where + ": the value is no text, number or boolean, for example " +
                             setting->shown(defaults));
    }
    return apply(in_force, *setting, *text, where, "file " + line);
}

/// Nothing when it is missing, a directory, or not ours to read.
std::optional<std::string> read_file(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::string text;
    std::array<char, 4096> block{};
    while (stream.read(block.data(), block.size()), stream.gcount() > 0) {
        text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    }
    if (!stream.eof()) return std::nullopt;
    return text;
}

Result<void> apply_file(InForce& in_force, const std::filesystem::path& path) {
    const std::string file = path.string();
    const std::optional<std::string> text = read_file(path);
    if (!text) return configuration(file + ": the configuration file cannot be read");
    try {
        const toml::table table = toml::parse(*text, file);
        for (const auto& [key, node] : table) {
            if (Result<void> applied = apply_entry(in_force, key.str(), node, file); !applied) return applied;
        }
    } catch (const toml::parse_error& error) {
        return configuration(file + ":" + std::to_string(error.source().begin.line) + ": this is no TOML: " +
                             std::string(error.description()) + "; a right line is busy-timeout = \"5s\"");
    }
    return {};
}

Result<void> apply_variables(InForce& in_force, const std::map<std::string, std::string>& variables) {
    std::map<std::string, std::string> left = variables;
    left.erase(std::string(config_variable));
    for (const Setting& setting : settings_table()) {
        const auto given = left.find(setting.variable());
        if (given == left.end()) continue;
        if (Result<void> applied = apply(in_force, setting, given->second, given->first, "variable " + given->first);
            !applied) {
            return applied;
        }
        left.erase(given);
    }
    if (left.empty()) return {};
    const std::string& unknown = left.begin()->first;
    return configuration(unknown + ": no setting has this variable" +
                         suggestion(unknown, [](const Setting& s) { return s.variable(); }));
}

Result<void> check_together(const Settings& settings) {
    if (settings.tls_cert.empty() != settings.tls_key.empty()) {
        const bool no_key = settings.tls_key.empty();
        return configuration(std::string(no_key ? "tls-cert" : "tls-key") + ": needs " +
                             (no_key ? "tls-key" : "tls-cert") +
                             " beside it, for example --tls-cert server.pem --tls-key server.key");
    }
    if (settings.http.target_max >= settings.http.head_max) {
        return configuration(
            "max-target: must be smaller than max-head, of which it is a part, for example 8KiB and 16KiB");
    }
    return {};
}

}  // namespace

std::string Setting::flag() const { return "--" + std::string(name); }

std::string Setting::variable() const {
    std::string out(variable_prefix);
    for (const char c : name) out += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return out;
}

std::map<std::string, std::string> einmal_variables() {
    std::map<std::string, std::string> found;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view line(*entry);
        const std::size_t equals = line.find('=');
        if (!line.starts_with(variable_prefix) || equals == std::string_view::npos) continue;
        found.emplace(line.substr(0, equals), line.substr(equals + 1));
    }
    return found;
}

Result<InForce> settings_in_force(const Given& given) {
    InForce in_force;
    std::filesystem::path file = given.config_file;
    const auto variable = given.variables.find(std::string(config_variable));
    if (file.empty() && variable != given.variables.end()) file = variable->second;
    if (!file.empty()) {
        if (Result<void> applied = apply_file(in_force, file); !applied) return applied.error();
    }
    if (Result<void> applied = apply_variables(in_force, given.variables); !applied) return applied.error();
    for (const Setting& setting : settings_table()) {
        const auto flag = given.flags.find(std::string(setting.name));
        if (flag == given.flags.end()) continue;
        if (Result<void> applied = apply(in_force, setting, flag->second, setting.flag(), "flag " + setting.flag());
            !applied) {
            return applied.error();
        }
    }
    if (Result<void> checked = check_together(in_force.settings); !checked) return checked.error();
    return in_force;
}

std::string dump(const InForce& in_force) {
    std::string out;
    for (const Setting& setting : settings_table()) {
        const auto source = in_force.sources.find(setting.name);
        out += std::string(setting.name) + " = " + setting.shown(in_force.settings) + "  # " +
               (source == in_force.sources.end() ? "default" : one_line(source->second)) + "\n";
    }
    return out;
}

}  // namespace einmal::cli
