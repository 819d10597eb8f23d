#include "http/headers.hpp"

#include "engine/key.hpp"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <charconv>

namespace einmal::http {
namespace {

using boost::beast::iequals;
using boost::beast::http::field;

constexpr std::size_t token_max = 512;
constexpr std::size_t request_id_max = 64;
constexpr std::size_t trace_parent_size = 55;

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alnum(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_tchar(char c) { return is_alnum(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (auto& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

template <class Name>
std::vector<std::string_view> lines_of(const Request& request, const Name& name) {
    std::vector<std::string_view> lines;
    const auto [begin, end] = request.equal_range(name);
    for (auto at = begin; at != end; ++at) lines.emplace_back(at->value().data(), at->value().size());
    return lines;
}

/// A cursor over `name [= token-or-quoted-string]` pieces with `;` and `,` between them (RFC 9110 §5.6).
class Pieces {
 public:
    explicit Pieces(std::string_view text) : rest_(text) {}

    [[nodiscard]] bool at_end() {
        rest_ = trimmed(rest_);
        return rest_.empty();
    }
    /// True when the next character is `c`; goes behind it.
    bool take(char c) {
        rest_ = trimmed(rest_);
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }
    /// Empty when there is no token here.
    std::string_view token() {
        rest_ = trimmed(rest_);
        const auto end = std::ranges::find_if_not(rest_, is_tchar);
        const auto size = static_cast<std::size_t>(end - rest_.begin());
        const auto found = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return found;
    }
    /// A token or a quoted string, unescaped; false when there is neither.
    bool value(std::string& out) {
        if (!take('"')) {
            out = token();
            return !out.empty();
        }
        out.clear();
        while (!rest_.empty()) {
            char c = rest_.front();
            rest_.remove_prefix(1);
            if (c == '"') return true;
            if (c == '\\') {
                if (rest_.empty()) return false;
                c = rest_.front();
                rest_.remove_prefix(1);
            }
            out += c;
        }
        return false;
    }

 private:
    std::string_view rest_;
};

/// One line of Prefer (RFC 7240 §2). The first `wait` counts; false when the line cannot be read.
bool read_preferences(std::string_view line, std::optional<std::string>& wait) {
    Pieces pieces(line);
    while (!pieces.at_end()) {
        if (pieces.take(',')) continue;
        const auto name = pieces.token();
        std::string value;
        if (name.empty() || (pieces.take('=') && !pieces.value(value))) return false;
        if (iequals(boost::beast::string_view(name.data(), name.size()), "wait") && !wait) wait = value;
        while (pieces.take(';')) {
            if (pieces.token().empty()) continue;
            if (pieces.take('=') && !pieces.value(value)) return false;
        }
        if (!pieces.at_end() && !pieces.take(',')) return false;
    }
    return true;
}

/// Digits only; beyond what an int holds it is as long as can be.
std::optional<std::chrono::seconds> read_seconds(std::string_view text) {
    if (text.empty() || !std::ranges::all_of(text, is_digit)) return std::nullopt;
    int seconds = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (read.ec != std::errc{}) seconds = std::numeric_limits<int>::max();
    return std::chrono::seconds{seconds};
}

bool is_hex(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
}

bool is_zero(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c == '0'; });
}

}  // namespace

std::vector<std::string_view> field_lines(const Request& request, field name) { return lines_of(request, name); }

std::vector<std::string_view> field_lines(const Request& request, std::string_view name) {
    return lines_of(request, boost::beast::string_view(name.data(), name.size()));
}

OrProblem<std::optional<Key>> read_key(const Request& request, bool required) {
    const auto lines = field_lines(request, "Idempotency-Key");
    if (lines.size() > 1)
        return Problem(ProblemCode::idempotency_key_invalid, "The Idempotency-Key field occurs more than once.");
    const bool blank = lines.empty() || trimmed(lines.front()).empty();
    if (blank && required)
        return Problem(ProblemCode::idempotency_key_required,
                       "Send an Idempotency-Key that names this operation, the same one with every attempt.");
    if (lines.empty()) return std::optional<Key>();
    auto key = engine::parse_key(lines.front());
    if (!key) return Problem(ProblemCode::idempotency_key_invalid, key.error());
    return std::optional<Key>(std::move(*key));
}

OrProblem<std::optional<Precondition>> read_precondition(const Request& request, field name) {
    const auto lines = field_lines(request, name);
    if (lines.empty()) return std::optional<Precondition>();
    auto read = Precondition::parse(lines);
    if (read) return std::optional<Precondition>(std::move(*read));
    const auto text = boost::beast::http::to_string(name);
    return Problem(ProblemCode::precondition_invalid,
                   std::string(text.data(), text.size()) + " cannot be read. " + read.error());
}

OrProblem<std::optional<std::chrono::seconds>> read_wait(const Request& request) {
    std::optional<std::string> wait;
    for (const auto line : field_lines(request, field::prefer)) {
        if (!read_preferences(line, wait))
            return Problem(ProblemCode::request_malformed, "The Prefer field cannot be read.");
    }
    if (!wait) return std::optional<std::chrono::seconds>();
    const auto seconds = read_seconds(*wait);
    if (!seconds)
        return Problem(ProblemCode::request_malformed, "The preference wait needs a whole number of seconds.");
    return std::optional<std::chrono::seconds>(seconds);
}

OrProblem<std::string> read_media_type(const Request& request) {
    const auto lines = field_lines(request, field::content_type);
    if (lines.empty()) return std::string();
    const auto refused = [](const char* why) { return Problem(ProblemCode::unsupported_media_type, why); };
    if (lines.size() > 1) return refused("The Content-Type field occurs more than once.");
    Pieces pieces(lines.front());
    const auto type = pieces.token();
    const bool slash = pieces.take('/');
    const auto subtype = pieces.token();
    if (type.empty() || !slash || subtype.empty()) return refused("The Content-Type field cannot be read.");
    while (!pieces.at_end()) {
        if (!pieces.take(';')) return refused("The Content-Type field cannot be read.");
        const auto name = pieces.token();
        if (name.empty()) continue;
        std::string value;
        if (!pieces.take('=') || !pieces.value(value)) return refused("The Content-Type field cannot be read.");
        if (lower(name) == "charset" && lower(value) != "utf-8") return refused("Only the charset utf-8 is taken.");
    }
    return lower(type) + '/' + lower(subtype);
}

std::optional<Problem> refuse_content_coding(const Request& request) {
    for (const auto line : field_lines(request, field::content_encoding)) {
        Pieces pieces(line);
        while (!pieces.at_end()) {
            if (pieces.take(',')) continue;
            const auto coding = pieces.token();
            if (lower(coding) == "identity") continue;
            return Problem(ProblemCode::unsupported_media_type, "Send the body without a content coding.")
                .with(field::accept_encoding, "identity");
        }
    }
    return std::nullopt;
}

std::optional<std::string_view> read_bearer_token(const Request& request) {
    const auto lines = field_lines(request, field::authorization);
    if (lines.size() != 1) return std::nullopt;
    constexpr std::string_view scheme = "bearer ";
    const auto value = trimmed(lines.front());
    if (value.size() <= scheme.size() || lower(value.substr(0, scheme.size())) != scheme) return std::nullopt;
    const auto token = trimmed(value.substr(scheme.size()));
    const auto body = token.substr(0, token.find_last_not_of('=') + 1);
    const auto is_token_char = [](char c) {
        return is_alnum(c) || std::string_view("-._~+/").find(c) != std::string_view::npos;
    };
    if (body.empty() || token.size() > token_max || !std::ranges::all_of(body, is_token_char)) return std::nullopt;
    return token;
}

std::optional<std::string_view> read_request_id(const Request& request) {
    const auto lines = field_lines(request, "X-Request-Id");
    if (lines.size() != 1 || lines.front().empty() || lines.front().size() > request_id_max) return std::nullopt;
    const auto is_harmless = [](char c) { return is_alnum(c) || c == '.' || c == '_' || c == '-'; };
    if (!std::ranges::all_of(lines.front(), is_harmless)) return std::nullopt;
    return lines.front();
}

std::optional<std::string_view> read_trace_parent(const Request& request) {
    const auto lines = field_lines(request, "traceparent");
    if (lines.size() != 1) return std::nullopt;
    const auto text = lines.front();
    if (text.size() < trace_parent_size || text[2] != '-' || text[35] != '-' || text[52] != '-') return std::nullopt;
    const auto version = text.substr(0, 2);
    const auto trace = text.substr(3, 32);
    const auto parent = text.substr(36, 16);
    if (!is_hex(version) || !is_hex(trace) || !is_hex(parent) || !is_hex(text.substr(53, 2))) return std::nullopt;
    if (version == "ff" || is_zero(trace) || is_zero(parent)) return std::nullopt;
    // A later version may be longer, but only behind another hyphen.
    const bool longer = text.size() > trace_parent_size;
    if (longer && (version == "00" || text[trace_parent_size] != '-' || text.size() > 256)) return std::nullopt;
    return text;
}

std::string_view trace_id_of(std::string_view trace_parent) {
    return trace_parent.empty() ? trace_parent : trace_parent.substr(3, 32);
}

}  // namespace einmal::http
