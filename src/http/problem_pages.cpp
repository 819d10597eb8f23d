#include "http/problem_pages.hpp"

#include <boost/beast/http/field.hpp>

#include <optional>
#include <string>

namespace einmal::http {
namespace {

using boost::beast::http::field;

/// The words of the pages themselves.
struct Words {
    std::string_view tag;
    std::string_view title;
    std::string_view intro;
    std::string_view happened;
    std::string_view done;
    std::string_view next;
    std::string_view example;
    std::string_view status;
    std::string_view retryable;
    std::string_view yes;
    std::string_view no;
    std::string_view all;
    std::string_view unknown;
    std::string_view unknown_text;
};

constexpr Words english{"en",
                        "Problems",
                        "Every error of this server is one of these. An answer that is no success has had no effect.",
                        "What happened",
                        "Was anything done?",
                        "What to do now",
                        "Example",
                        "Status",
                        "May the same request succeed later?",
                        "yes",
                        "no",
                        "All problems",
                        "There is no such problem",
                        "No error of this server has this code."};
constexpr Words german{
    "de",
    "Probleme",
    "Jeder Fehler dieses Servers ist einer von diesen. Eine Antwort, die kein Erfolg ist, hatte keine "
    "Wirkung.",
    "Was ist geschehen?",
    "Wurde etwas ausgeführt?",
    "Was ist zu tun?",
    "Beispiel",
    "Status",
    "Kann dieselbe Anfrage später gelingen?",
    "ja",
    "nein",
    "Alle Probleme",
    "Dieses Problem gibt es nicht",
    "Kein Fehler dieses Servers hat diesen Code."};

const Words& words_of(Language language) { return language == Language::german ? german : english; }

constexpr std::string_view style =
    "<style>:root{color-scheme:light dark}body{font:1.05rem/1.6 system-ui,sans-serif;max-width:44rem;margin:3rem auto;"
    "padding:0 1.25rem}h1{line-height:1.25;font-size:1.8rem;margin:.2rem 0 1rem}h2{font-size:1.05rem;margin:1.8rem 0 "
    ".3rem}"
    "p{margin:.3rem 0}code,pre{font:.92rem/1.55 ui-monospace,monospace}pre{padding:1rem;border:1px solid #8886;"
    "border-radius:.5rem;overflow-x:auto}dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem "
    "1rem;margin:1rem 0}"
    "dt{opacity:.7}dd{margin:0}ul{padding:0;list-style:none}li{padding:.45rem 0;border-bottom:1px solid #8883}"
    "li span{display:block;opacity:.8}a{color:LinkText}nav{opacity:.85}</style>";

void append_escaped(std::string& out, std::string_view text) {
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += c;
        }
    }
}

std::string begin_page(const Words& words, std::string_view title) {
    std::string out = "<!doctype html>\n<html lang=\"";
    out += words.tag;
    out +=
        "\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\"><title>";
    append_escaped(out, title);
    out += " · Einmal</title>";
    out += style;
    out += "</head><body><main>\n";
    return out;
}

Response page(unsigned status, Language language, std::string body) {
    body += "</main></body></html>\n";
    Response response;
    response.result(status);
    response.set(field::content_type, "text/html; charset=utf-8");
    response.set(field::content_language, language == Language::german ? "de" : "en");
    response.set(field::vary, "Accept-Language");
    response.set(field::cache_control, "public, max-age=300");
    response.set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
    response.set("X-Content-Type-Options", "nosniff");
    response.body() = std::move(body);
    return response;
}

void append_section(std::string& out, std::string_view heading, std::string_view text) {
    out += "<h2>";
    append_escaped(out, heading);
    out += "</h2>\n<p>";
    append_escaped(out, text);
    out += "</p>\n";
}

void append_facts(std::string& out, const Words& words, const ProblemEntry& entry) {
    out += "<dl><dt>code</dt><dd><code>";
    out += entry.name;
    out += "</code></dd><dt>";
    out += words.status;
    out += "</dt><dd>" + std::to_string(entry.status) + "</dd><dt>";
    append_escaped(out, words.retryable);
    out += "</dt><dd>";
    out += entry.retryable ? words.yes : words.no;
    out += "</dd><dt>next</dt><dd><code>";
    out += to_text(entry.next);
    out += "</code></dd></dl>\n";
}

Response unknown_page(Language language) {
    const auto& words = words_of(language);
    auto out = begin_page(words, words.unknown);
    out += "<nav><a href=\"/problems/\">";
    out += words.all;
    out += "</a></nav>\n<h1>";
    append_escaped(out, words.unknown);
    out += "</h1>\n<p>";
    append_escaped(out, words.unknown_text);
    out += "</p>\n";
    return page(404, language, std::move(out));
}

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// `q=0.7` in thousandths (RFC 9110 §12.4.2); nothing when it is no weight.
std::optional<int> read_weight(std::string_view text) {
    if (text.size() < 3 || (text[0] != 'q' && text[0] != 'Q') || text[1] != '=') return std::nullopt;
    const auto number = text.substr(2);
    if (number.size() > 5 || (number[0] != '0' && number[0] != '1')) return std::nullopt;
    if (number.size() > 1 && number[1] != '.') return std::nullopt;
    int weight = (number[0] - '0') * 1000;
    for (std::size_t i = 2, worth = 100; i < number.size(); ++i, worth /= 10) {
        if (number[i] < '0' || number[i] > '9') return std::nullopt;
        weight += (number[i] - '0') * static_cast<int>(worth);
    }
    return weight <= 1000 ? std::optional<int>(weight) : std::nullopt;
}

/// What the field says of the language: its own range beats `*`. Negative when it says nothing.
struct Weights {
    int english = -1;
    int german = -1;
    int any = -1;
};

bool names(std::string_view range, char first, char second) {
    const auto is = [](char c, char letter) { return c == letter || c == letter - 'a' + 'A'; };
    return range.size() >= 2 && is(range[0], first) && is(range[1], second) && (range.size() == 2 || range[2] == '-');
}

}  // namespace

Language negotiate_language(std::string_view accept_language) {
    Weights weights;
    for (std::size_t at = 0; at <= accept_language.size();) {
        const auto end = std::min(accept_language.find(',', at), accept_language.size());
        const auto part = accept_language.substr(at, end - at);
        at = end + 1;
        const auto semicolon = std::min(part.find(';'), part.size());
        const auto range = trimmed(part.substr(0, semicolon));
        const bool weighted = semicolon < part.size();
        const auto weight = weighted ? read_weight(trimmed(part.substr(semicolon + 1))) : std::optional<int>(1000);
        if (!weight) continue;
        if (names(range, 'd', 'e')) weights.german = std::max(weights.german, *weight);
        if (names(range, 'e', 'n')) weights.english = std::max(weights.english, *weight);
        if (range == "*") weights.any = std::max(weights.any, *weight);
    }
    const int german_weight = weights.german >= 0 ? weights.german : weights.any;
    const int english_weight = weights.english >= 0 ? weights.english : weights.any;
    return german_weight > std::max(english_weight, 0) ? Language::german : Language::english;
}

Response problem_index_page(Language language) {
    const auto& words = words_of(language);
    auto out = begin_page(words, words.title);
    out += "<h1>";
    out += words.title;
    out += "</h1>\n<p>";
    append_escaped(out, words.intro);
    out += "</p>\n<ul>\n";
    for (const auto& entry : problem_catalog()) {
        out += "<li><a href=\"/problems/";
        out += entry.name;
        out += "/\"><code>" + std::to_string(entry.status) + ' ';
        out += entry.name;
        out += "</code></a><span>";
        append_escaped(out, problem_text(entry.code, language).title);
        out += "</span></li>\n";
    }
    out += "</ul>\n";
    return page(200, language, std::move(out));
}

Response problem_page(std::string_view name, Language language) {
    const auto* entry = find_problem(name);
    if (entry == nullptr) return unknown_page(language);
    const auto& words = words_of(language);
    const auto text = problem_text(entry->code, language);
    auto out = begin_page(words, text.title);
    out += "<nav><a href=\"/problems/\">";
    out += words.all;
    out += "</a></nav>\n<h1>";
    append_escaped(out, text.title);
    out += "</h1>\n";
    append_facts(out, words, *entry);
    append_section(out, words.happened, text.happened);
    append_section(out, words.done, text.done);
    append_section(out, words.next, text.next);
    out += "<h2>";
    out += words.example;
    out += "</h2>\n<pre>";
    append_escaped(out, problem_example(entry->code));
    out += "</pre>\n";
    return page(200, language, std::move(out));
}

}  // namespace einmal::http
