// The table itself: one row per setting. Names, ranges and reasons stand here and nowhere else.
#include <type_traits>

#include "cli/settings.hpp"

namespace einmal::cli {

namespace {

using std::chrono::milliseconds;
using namespace std::chrono_literals;

constexpr milliseconds at_once{0};
constexpr milliseconds longest = std::chrono::hours{24 * 365};

/// Stores a parsed value where `place` says, or hands its refusal on.
template <class Place, class T>
std::optional<std::string> take(Settings& settings, Place place, const Parsed<T>& parsed) {
    if (!parsed) return parsed.error();
    using Target = std::remove_reference_t<decltype(place(settings))>;
    if constexpr (std::is_same_v<Target, std::chrono::seconds>) {
        place(settings) = std::chrono::floor<std::chrono::seconds>(*parsed);
        if (place(settings) != *parsed) return "must be whole seconds, for example 30s";
    } else {
        place(settings) = *parsed;
    }
    return std::nullopt;
}

template <class Place>
Setting duration(std::string_view name, Place place, Range<milliseconds> range, std::string_view help) {
    return {name, "DURATION", help,
            [=](Settings& s, std::string_view text) { return take(s, place, parse_duration(text, range)); },
            [=](const Settings& s) { return toml_string(duration_text(place(s))); }};
}

template <class Place>
Setting size(std::string_view name, Place place, Range<std::size_t> range, std::string_view help) {
    return {name, "SIZE", help,
            [=](Settings& s, std::string_view text) { return take(s, place, parse_size(text, range)); },
            [=](const Settings& s) { return toml_string(size_text(place(s))); }};
}

template <class Place>
Setting count(std::string_view name, Place place, Range<std::size_t> range, std::string_view help) {
    return {name, "COUNT", help,
            [=](Settings& s, std::string_view text) { return take(s, place, parse_count(text, range)); },
            [=](const Settings& s) { return std::to_string(place(s)); }};
}

template <class Place>
Setting path(std::string_view name, std::string_view kind, Place place, std::string_view help) {
    return {name, kind, help,
            [=](Settings& s, std::string_view text) -> std::optional<std::string> {
                if (text.find('\0') != std::string_view::npos) return "a path cannot hold a NUL character";
                place(s) = std::string(text);
                return std::nullopt;
            },
            [=](const Settings& s) { return toml_string(place(s)); }};
}

std::optional<std::string> set_store(Settings& settings, std::string_view text) {
    const bool file = text.starts_with("sqlite:") && text.size() > std::string_view("sqlite:").size();
    const bool server = text.starts_with("postgres://") || text.starts_with("postgresql://");
    if (text != "memory:" && !file && !server) {
        return "no such kind of store: write sqlite:FILE, postgres://… or memory:, for example sqlite:einmal.db";
    }
    settings.store = std::string(text);
    return std::nullopt;
}

std::optional<std::string> set_cors_origin(Settings& settings, std::string_view text) {
    const std::size_t scheme = text.find("://");
    const bool origin = (text.starts_with("https://") || text.starts_with("http://")) && scheme + 3 < text.size() &&
                        text.find_first_of("/?#, ", scheme + 3) == std::string_view::npos;
    if (!text.empty() && text != "*" && !origin) {
        return "\"" + std::string(text) +
               "\" is no origin: write scheme and host without a path, for example "
               "https://app.example, or * for all";
    }
    settings.http.cors_origin = std::string(text);
    return std::nullopt;
}

std::string_view level_word(base::LogLevel level) {
    switch (level) {
        case base::LogLevel::debug:
            return "debug";
        case base::LogLevel::info:
            return "info";
        case base::LogLevel::warning:
            return "warning";
        case base::LogLevel::error:
            return "error";
    }
    return "info";
}

std::optional<std::string> set_log_level(Settings& settings, std::string_view text) {
    const std::optional<base::LogLevel> level = base::parse_log_level(text);
    if (!level) return "\"" + std::string(text) + "\" is no level: debug, info, warning or error, for example info";
    settings.log_level = *level;
    return std::nullopt;
}

std::optional<std::string> set_log_format(Settings& settings, std::string_view text) {
    if (text == "auto") {
        settings.log_format.reset();
    } else if (text == "text") {
        settings.log_format = base::LogFormat::text;
    } else if (text == "json") {
        settings.log_format = base::LogFormat::json;
    } else {
        return "\"" + std::string(text) + "\" is no format: auto, text or json, for example json";
    }
    return std::nullopt;
}

std::string shown_log_format(const Settings& settings) {
    if (!settings.log_format) return toml_string("auto");
    return toml_string(*settings.log_format == base::LogFormat::text ? "text" : "json");
}

void add_places(std::vector<Setting>& table) {
    table.push_back(
        {"listen", "ADDRESS:PORT",
         "Address and port to listen on; port 0 picks a free one. Only this machine by default, because the "
         "API holds personal data.",
         [](Settings& s, std::string_view text) {
             return take(s, [](auto& t) -> auto& { return t.listen; }, parse_listen(text));
         },
         [](const Settings& s) { return toml_string(listen_text(s.listen)); }});
    table.push_back(
        {"store", "STORE",
         "Where resources, keys and tokens are kept: sqlite:FILE, postgres://USER@HOST/DATABASE, or memory: "
         "which forgets all at the end.",
         set_store, [](const Settings& s) { return toml_string(masked_store(s.store)); }});
    table.push_back(path(
        "types", "DIR", [](auto& s) -> auto& { return s.types; },
        "Directory with resource types (*.json) that are added to the built-in ones or replace them; "
        "empty for the built-in types alone."));
}

void add_promises(std::vector<Setting>& table) {
    table.push_back(duration(
        "retention", [](auto& s) -> auto& { return s.engine.retention; }, {1ms, longest, 24h},
        "How long a key is remembered, from the completion of its operation. A day covers a client's "
        "longest outage; longer costs space."));
    table.push_back(duration(
        "wait-max", [](auto& s) -> auto& { return s.engine.wait_max; }, {at_once, 300s, 30s},
        "The longest `Prefer: wait=N` that is honoured, in whole seconds; proxies cut connections that "
        "wait longer."));
    table.push_back(duration(
        "busy-timeout", [](auto& s) -> auto& { return s.storage.busy_timeout; }, {at_once, 300s, 5s},
        "How long a write waits for the database's lock before it is answered 503. Long enough to sit "
        "out a backup tool, short enough that clients still wait."));
    table.push_back(duration(
        "cleaner-interval", [](auto& s) -> auto& { return s.storage.cleaner_interval; }, {at_once, longest, 1s},
        "How often expired keys are removed. 0s turns the removal off; an expired key is never "
        "honoured either way."));
    table.push_back(count(
        "cleaner-batch", [](auto& s) -> auto& { return s.storage.cleaner_batch; }, {1, 1'000'000, 512},
        "Expired keys removed per commit at most, so that a backlog never holds up a write."));
}

void add_throughput(std::vector<Setting>& table) {
    table.push_back(count(
        "batch-max", [](auto& s) -> auto& { return s.storage.batch_max; }, {1, 100'000, 256},
        "Operations that share one commit at most: more share a disk sync, fewer keep answers prompt."));
    table.push_back(count(
        "queue-max", [](auto& s) -> auto& { return s.storage.queue_max; }, {1, 10'000'000, 10'000},
        "Operations that may wait for the writer; beyond it requests are answered 503 before any work."));
    table.push_back(count(
        "readers", [](auto& s) -> auto& { return s.storage.readers; }, {1, 64, 2},
        "Connections that read beside the writer, one thread each; about as many as cores. SQLite only."));
    table.push_back(count(
        "pool-max", [](auto& s) -> auto& { return s.storage.pool_max; }, {1, 1000, 8},
        "Connections to the database server at most. All servers together must stay below its max_connections. "
        "PostgreSQL only."));
    table.push_back(duration(
        "lock-wait", [](auto& s) -> auto& { return s.storage.lock_wait; }, {1ms, 300s, 1s},
        "How long an operation waits for another server's under the same key before it is answered 409. "
        "PostgreSQL only."));
    table.push_back(
        {"rate-limit", "NUMBER",
         "Requests per second that one token may send, 0 for no limit. Protects the others from one client.",
         [](Settings& s, std::string_view text) {
             return take(s, [](auto& t) -> auto& { return t.http.rate_limit; }, parse_rate(text, {0, 1e6, 50}));
         },
         [](const Settings& s) { return rate_text(s.http.rate_limit); }});
}

void add_connection_limits(std::vector<Setting>& table) {
    constexpr std::size_t kib = 1024;
    table.push_back(size(
        "max-body", [](auto& s) -> auto& { return s.http.body_max; }, {1, 64 * kib * kib, kib * kib},
        "Largest request body: 413 beyond. A resource is a form, not a file."));
    table.push_back(size(
        "max-head", [](auto& s) -> auto& { return s.http.head_max; }, {kib, kib * kib, 16 * kib},
        "Largest request head: 431 beyond. Larger heads are cookies gone wrong or an attack."));
    table.push_back(size(
        "max-target", [](auto& s) -> auto& { return s.http.target_max; }, {64, 64 * kib, 8 * kib},
        "Longest path with query: 414 beyond. Below max-head, which it is a part of."));
    table.push_back(count(
        "max-connections", [](auto& s) -> auto& { return s.http.connections_max; }, {1, 1'000'000, 10'000},
        "Connections at a time: 503 beyond. Each costs some 20 KiB and a file descriptor."));
    table.push_back(duration(
        "header-timeout", [](auto& s) -> auto& { return s.http.head_timeout; }, {1ms, 1h, 10s},
        "From the first byte of a head to its end: 408 beyond. Slow senders must not hold connections "
        "for free."));
    table.push_back(duration(
        "body-timeout", [](auto& s) -> auto& { return s.http.body_timeout; }, {1ms, 1h, 30s},
        "From the end of the head to the end of the body: 408 beyond."));
    table.push_back(duration(
        "idle-timeout", [](auto& s) -> auto& { return s.http.idle_timeout; }, {1ms, 24h, 75s},
        "Between two requests on a connection: closed beyond. Longer than a proxy's own, so that the "
        "proxy closes first."));
    table.push_back(duration(
        "write-timeout", [](auto& s) -> auto& { return s.http.write_timeout; }, {1ms, 1h, 30s},
        "For a client to take an answer: closed beyond."));
    table.push_back(duration(
        "shutdown-timeout", [](auto& s) -> auto& { return s.http.shutdown_timeout; }, {at_once, 1h, 30s},
        "How long SIGTERM waits for requests that were accepted; what was answered is durable in any "
        "case. Below the grace period of your process manager."));
}

void add_edges(std::vector<Setting>& table) {
    table.push_back({"cors-origin", "ORIGIN",
                     "Origin whose scripts may read answers in a browser, * for all, empty for none.", set_cors_origin,
                     [](const Settings& s) { return toml_string(s.http.cors_origin); }});
    table.push_back(path(
        "tls-cert", "FILE", [](auto& s) -> auto& { return s.tls_cert; },
        "Certificate chain in PEM; together with tls-key it turns TLS on."));
    table.push_back(
        path("tls-key", "FILE", [](auto& s) -> auto& { return s.tls_key; }, "Private key of the certificate, in PEM."));
    table.push_back({"log-level", "LEVEL", "Least level that is logged to stderr: debug, info, warning or error.",
                     set_log_level, [](const Settings& s) { return toml_string(level_word(s.log_level)); }});
    table.push_back({"log-format", "FORMAT",
                     "text or json; auto is text on a terminal and JSON otherwise, because programs read it then.",
                     set_log_format, shown_log_format});
    table.push_back({"log-requests", "BOOL", "Whether each request gets a log line. Off, because it costs time.",
                     [](Settings& s, std::string_view text) {
                         return take(s, [](auto& t) -> auto& { return t.http.log_requests; }, parse_switch(text));
                     },
                     [](const Settings& s) { return std::string(s.http.log_requests ? "true" : "false"); }});
}

}  // namespace

const std::vector<Setting>& settings_table() {
    static const std::vector<Setting> table = [] {
        std::vector<Setting> rows;
        add_places(rows);
        add_promises(rows);
        add_throughput(rows);
        add_connection_limits(rows);
        add_edges(rows);
        return rows;
    }();
    return table;
}

}  // namespace einmal::cli
