// Structured log lines on stderr: one line per event, text on a terminal, JSON otherwise (contract A1). Nothing secret
// or personal may be passed in: no keys, tokens, bodies or e-mail addresses. The only place that touches spdlog.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <variant>

namespace einmal::base {

enum class LogLevel { debug, info, warning, error };
enum class LogFormat { text, json };

/// `name` in snake_case.
struct LogField {
    std::string_view name;
    std::variant<std::string_view, std::int64_t, double, bool> value;
};

/// Nothing when the word is no level (`debug`, `info`, `warning`, `error`).
[[nodiscard]] std::optional<LogLevel> parse_log_level(std::string_view word);

/// Call once, before threads start. Without it, lines are text from `info` up.
void configure_log(LogLevel level, LogFormat format);

/// Whether a line of this level would be written; ask before building costly fields.
[[nodiscard]] bool log_enabled(LogLevel level);

/// Thread-safe. `event` is a short fixed phrase, its details are fields.
void log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields = {});

}  // namespace einmal::base
