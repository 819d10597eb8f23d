// Log lines through spdlog: it knows the time, the terminal's colours and the lock; the words of a line are made here,
// so that no field can break out of its line or its quotes.
#include "base/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/ansicolor_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <cmath>
#include <einmal/json.hpp>
#include <memory>
#include <string>
#include <utility>

namespace einmal::base {
namespace {

constexpr const char* text_pattern = "%Y-%m-%dT%H:%M:%S.%eZ %^%-7l%$ %v";
constexpr const char* json_pattern = R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})";

struct Sink {
    LogFormat format = LogFormat::text;
    std::unique_ptr<spdlog::logger> logger;
};

spdlog::level::level_enum spdlog_level(LogLevel level) {
    switch (level) {
        case LogLevel::debug:
            return spdlog::level::debug;
        case LogLevel::info:
            return spdlog::level::info;
        case LogLevel::warning:
            return spdlog::level::warn;
        case LogLevel::error:
            return spdlog::level::err;
    }
    return spdlog::level::err;
}

Sink make_sink(LogLevel level, LogFormat format) {
    spdlog::sink_ptr out;
    if (format == LogFormat::json) {
        out = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    } else {
        out = std::make_shared<spdlog::sinks::ansicolor_stderr_sink_mt>();
    }
    auto logger = std::make_unique<spdlog::logger>("einmal", std::move(out));
    logger->set_level(spdlog_level(level));
    logger->set_formatter(std::make_unique<spdlog::pattern_formatter>(
        format == LogFormat::json ? json_pattern : text_pattern, spdlog::pattern_time_type::utc));
    return {format, std::move(logger)};
}

/// Never destroyed: another thread may still log while the program ends.
Sink& sink() {
    static Sink& current = *new Sink(make_sink(LogLevel::info, LogFormat::text));
    return current;
}

/// The length of the UTF-8 sequence that `text` begins with, 0 when it begins with none (RFC 3629 §4).
std::size_t utf8_length(std::string_view text) {
    const auto byte = [text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto follows = [&byte](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
        return byte(i) >= low && byte(i) <= high;
    };
    const unsigned lead = byte(0);
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        const bool second = follows(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF);
        return second && follows(2) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const bool second = follows(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF);
        return second && follows(2) && follows(3) ? 4 : 0;
    }
    return 0;
}

/// Appends a JSON string; bytes that are no UTF-8 become U+FFFD, so that the line stays readable for every reader.
void append_quoted(std::string_view text, std::string& line) {
    std::string clean;
    clean.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        clean += length > 0 ? text.substr(0, length) : std::string_view("\xEF\xBF\xBD");
        text.remove_prefix(length > 0 ? length : 1);
    }
    json::write_string(clean, line);
}

/// Whether a word can stand in a text line without quotes.
bool is_plain_word(std::string_view text) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/+@%,";
    return !text.empty() && text.find_first_not_of(plain) == std::string_view::npos;
}

struct AppendField {
    LogFormat format;
    std::string& line;

    void operator()(std::string_view value) const {
        if (format == LogFormat::text && is_plain_word(value)) {
            line += value;
        } else {
            append_quoted(value, line);
        }
    }
    void operator()(std::int64_t value) const { line += std::to_string(value); }
    void operator()(double value) const {
        line += std::isfinite(value) ? json::to_text(json::Value(value)) : std::string("null");
    }
    void operator()(bool value) const { line += value ? "true" : "false"; }
};

std::string text_line(std::string_view event, std::initializer_list<LogField> fields) {
    std::string line(event);
    for (const LogField& field : fields) {
        line += ' ';
        line += field.name;
        line += '=';
        std::visit(AppendField{LogFormat::text, line}, field.value);
    }
    return line;
}

/// The members behind time and level; the pattern closes the object.
std::string json_members(std::string_view event, std::initializer_list<LogField> fields) {
    std::string line = R"("event":)";
    append_quoted(event, line);
    for (const LogField& field : fields) {
        line += ',';
        append_quoted(field.name, line);
        line += ':';
        std::visit(AppendField{LogFormat::json, line}, field.value);
    }
    return line;
}

}  // namespace

std::optional<LogLevel> parse_log_level(std::string_view word) {
    if (word == "debug") return LogLevel::debug;
    if (word == "info") return LogLevel::info;
    if (word == "warning") return LogLevel::warning;
    if (word == "error") return LogLevel::error;
    return std::nullopt;
}

void configure_log(LogLevel level, LogFormat format) { sink() = make_sink(level, format); }

bool log_enabled(LogLevel level) { return sink().logger->should_log(spdlog_level(level)); }

void log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
    if (!log_enabled(level)) return;
    const Sink& to = sink();
    to.logger->log(spdlog_level(level),
                   to.format == LogFormat::json ? json_members(event, fields) : text_line(event, fields));
}

}  // namespace einmal::base
