#include "http/head_check.hpp"

#include <array>
#include <charconv>

namespace einmal::http {
namespace {

constexpr std::array<bool, 256> characters(bool (*is_member)(unsigned)) {
    std::array<bool, 256> table{};
    for (unsigned byte = 0; byte < table.size(); ++byte) table[byte] = is_member(byte);
    return table;
}

constexpr bool is_alphanumeric(unsigned byte) {
    return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

constexpr auto token_characters = characters([](unsigned byte) {
    return is_alphanumeric(byte) ||
           (byte < 128 && std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(byte)) != std::string_view::npos);
});
constexpr auto target_characters = characters([](unsigned byte) { return byte > 0x20 && byte < 0x7f && byte != '#'; });
constexpr auto value_characters =
    characters([](unsigned byte) { return byte == '\t' || (byte >= 0x20 && byte != 0x7f); });
constexpr auto host_characters = characters([](unsigned byte) {
    return is_alphanumeric(byte) ||
           (byte < 128 &&
            std::string_view("-._~!$&'()*+;=:[]%").find(static_cast<char>(byte)) != std::string_view::npos);
});

std::size_t span_of(const std::array<bool, 256>& table, std::string_view text) {
    std::size_t length = 0;
    while (length < text.size() && table[static_cast<unsigned char>(text[length])]) ++length;
    return length;
}

bool consists_of(const std::array<bool, 256>& table, std::string_view text) {
    return span_of(table, text) == text.size();
}

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// `word` in lower case.
bool equals_ignoring_case(std::string_view text, std::string_view word) {
    if (text.size() != word.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (lower(text[i]) != word[i]) return false;
    }
    return true;
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

/// Takes the next member off the front of a comma-separated list.
std::string_view next_member(std::string_view& list) {
    const std::size_t comma = list.find(',');
    const std::string_view member = trim(list.substr(0, comma));
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    return member;
}

HeadRefusal malformed(std::string_view detail) { return {Refusal::malformed, detail}; }

struct Field {
    std::string_view name;
    std::string_view value;
};

std::optional<Field> split_field(std::string_view line) {
    const std::size_t name = span_of(token_characters, line);
    if (name == 0 || name == line.size() || line[name] != ':') return std::nullopt;
    const std::string_view value = line.substr(name + 1);
    if (!consists_of(value_characters, value)) return std::nullopt;
    return Field{line.substr(0, name), trim(value)};
}

/// Goes through one head line by line; `refusal` says why it stopped early.
class HeadReader {
 public:
    HeadReader(std::string_view head, const HeadLimits& limits) : rest_(head), limits_(limits) {}

    std::variant<CheckedHead, HeadRefusal> read() {
        const auto request_line = next_line();
        if (!request_line) return malformed("The request line does not end in CRLF.");
        std::optional<HeadRefusal> refusal = read_request_line(*request_line);
        for (std::size_t lines = 0; !refusal; ++lines) {
            const auto line = next_line();
            if (!line) return malformed("A line of the head does not end in CRLF.");
            if (line->empty()) break;
            if (lines == limits_.lines_max) return HeadRefusal{Refusal::head_too_large, "Too many header lines."};
            refusal = read_field(*line);
        }
        if (!refusal) refusal = judge();
        if (refusal) return *refusal;
        return head_;
    }

 private:
    std::optional<std::string_view> next_line() {
        const std::size_t end = rest_.find('\n');
        if (end == std::string_view::npos || end == 0 || rest_[end - 1] != '\r') return std::nullopt;
        const std::string_view line = rest_.substr(0, end - 1);
        rest_.remove_prefix(end + 1);
        return line;
    }

    std::optional<HeadRefusal> read_request_line(std::string_view line) {
        const std::size_t method = span_of(token_characters, line);
        if (method == 0 || method == line.size() || line[method] != ' ') {
            return malformed("The request line does not start with a method and one blank.");
        }
        head_.method = line.substr(0, method);
        line.remove_prefix(method + 1);
        const std::size_t target = span_of(target_characters, line);
        if (target > limits_.target_max) return HeadRefusal{Refusal::target_too_long, "The target is too long."};
        if (target == 0 || target == line.size() || line[target] != ' ') {
            return malformed("The target is empty or has characters that must be percent-encoded.");
        }
        head_.raw_target = line.substr(0, target);
        if (auto refusal = read_version(line.substr(target + 1))) return refusal;
        return read_target();
    }

    std::optional<HeadRefusal> read_version(std::string_view text) {
        const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
        if (text.size() != 8 || !text.starts_with("HTTP/") || !is_digit(text[5]) || text[6] != '.' ||
            !is_digit(text[7])) {
            return malformed("The request line does not end in an HTTP version.");
        }
        if (text != "HTTP/1.1" && text != "HTTP/1.0") {
            return HeadRefusal{Refusal::version_unsupported, "This server speaks HTTP/1.1."};
        }
        version_11_ = text == "HTTP/1.1";
        return std::nullopt;
    }

    /// Origin form, `*` with OPTIONS, or absolute form, of which the origin form is taken (RFC 9112 §3.2).
    std::optional<HeadRefusal> read_target() {
        std::string_view target = head_.raw_target;
        head_.target = target;
        if (target.front() == '/' || (target == "*" && head_.method == "OPTIONS")) return std::nullopt;
        const std::size_t scheme = target.find("://");
        if (scheme == std::string_view::npos || !(equals_ignoring_case(target.substr(0, scheme), "http") ||
                                                  equals_ignoring_case(target.substr(0, scheme), "https"))) {
            return malformed("The target is neither a path nor an http URL.");
        }
        target.remove_prefix(scheme + 3);
        const std::size_t authority = span_of(host_characters, target);
        if (authority == 0) return malformed("The URL in the request line has no host.");
        head_.target = authority == target.size() ? std::string_view("/") : target.substr(authority);
        if (head_.target.front() != '/') return malformed("The URL in the request line is malformed.");
        return std::nullopt;
    }

    std::optional<HeadRefusal> read_field(std::string_view line) {
        if (line.front() == ' ' || line.front() == '\t') return malformed("A header line is folded.");
        const auto field = split_field(line);
        if (!field) return malformed("A header line is not a name, a colon and a value.");
        // The length tells most names apart before a character is compared.
        switch (field->name.size()) {
            case 4:
                if (equals_ignoring_case(field->name, "host")) return read_host(field->value);
                break;
            case 6:
                if (equals_ignoring_case(field->name, "expect")) read_expect(field->value);
                break;
            case 10:
                if (equals_ignoring_case(field->name, "connection")) return read_connection(field->value);
                break;
            case 14:
                if (equals_ignoring_case(field->name, "content-length")) return read_content_length(field->value);
                break;
            case 17:
                if (equals_ignoring_case(field->name, "transfer-encoding")) return read_coding(field->value);
                break;
            default:
                break;
        }
        return std::nullopt;
    }

    std::optional<HeadRefusal> read_host(std::string_view value) {
        if (has_host_) return malformed("There is more than one Host.");
        has_host_ = true;
        if (!consists_of(host_characters, value)) return malformed("Host is no host and port.");
        return std::nullopt;
    }

    void read_expect(std::string_view value) {
        const bool known = equals_ignoring_case(value, "100-continue");
        if (head_.framing.expectation == Expectation::unknown || !known) {
            head_.framing.expectation = Expectation::unknown;
        } else {
            head_.framing.expectation = Expectation::to_continue;
        }
    }

    std::optional<HeadRefusal> read_connection(std::string_view list) {
        while (!list.empty()) {
            const std::string_view member = next_member(list);
            if (!consists_of(token_characters, member)) return malformed("Connection is no list of words.");
            if (equals_ignoring_case(member, "close")) head_.framing.keep_alive = false;
        }
        return std::nullopt;
    }

    /// One line, digits only, within 64 bits. RFC 9110 §8.6 allows folding equal values into one; refusing is safer.
    std::optional<HeadRefusal> read_content_length(std::string_view value) {
        if (head_.framing.content_length) return malformed("There is more than one Content-Length.");
        std::uint64_t length = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
        if (error != std::errc{} || end != value.data() + value.size()) {
            return malformed("Content-Length is no decimal number.");
        }
        head_.framing.content_length = length;
        return std::nullopt;
    }

    std::optional<HeadRefusal> read_coding(std::string_view list) {
        if (head_.framing.chunked) return malformed("There is more than one Transfer-Encoding.");
        if (equals_ignoring_case(list, "chunked")) {
            head_.framing.chunked = true;
            return std::nullopt;
        }
        if (list.empty() || equals_ignoring_case(next_member(list), "chunked") ||
            list.find(',') != std::string_view::npos) {
            return malformed("Transfer-Encoding must be chunked, once and alone.");
        }
        return HeadRefusal{Refusal::coding_unsupported, "The only transfer coding here is chunked."};
    }

    std::optional<HeadRefusal> judge() {
        Framing& framing = head_.framing;
        if (!rest_.empty()) return malformed("There are bytes behind the head.");
        if (framing.chunked && framing.content_length) {
            return malformed("Content-Length and Transfer-Encoding exclude each other.");
        }
        if (framing.chunked && !version_11_) return malformed("HTTP/1.0 has no Transfer-Encoding.");
        if (version_11_ && !has_host_) return malformed("Host is missing.");
        if (!version_11_) {
            framing.keep_alive = false;
            framing.expectation = Expectation::none;
        }
        return std::nullopt;
    }

    std::string_view rest_;
    const HeadLimits& limits_;
    CheckedHead head_;
    bool version_11_ = false;
    bool has_host_ = false;
};

}  // namespace

HeadScanner::State HeadScanner::scan(std::string_view bytes) {
    for (;;) {
        const std::size_t end = bytes.find('\n', seen_);
        if (end == std::string_view::npos) {
            seen_ = bytes.size();
            return State::incomplete;
        }
        if (end == line_start_ || bytes[end - 1] != '\r') return State::malformed;
        const bool empty_line = end == line_start_ + 1;
        line_start_ = seen_ = end + 1;
        if (empty_line) return State::complete;
    }
}

std::variant<CheckedHead, HeadRefusal> check_head(std::string_view head, const HeadLimits& limits) {
    return HeadReader(head, limits).read();
}

bool is_field_line(std::string_view line) { return split_field(line).has_value(); }

}  // namespace einmal::http
