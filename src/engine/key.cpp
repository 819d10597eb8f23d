#include "engine/key.hpp"

#include "base/digest.hpp"

#include <algorithm>

namespace einmal::engine {

namespace {

boost::system::result<Key, std::string> refused(const char* sentence) {
    return {boost::system::in_place_error, sentence};
}

constexpr std::size_t key_max = 255;

// One letter in front of each kind of digest, so that no input of one kind can equal one of another.
constexpr std::string_view key_domain = "K";
constexpr std::string_view value_domain = "V";

bool is_visible_ascii(char c) { return c > ' ' && c < '\x7f'; }

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_parameter_key_char(char c) {
    return is_lower(c) || is_digit(c) || c == '_' || c == '-' || c == '.' || c == '*';
}

std::size_t skip(std::string_view text, std::size_t at, bool (*wanted)(char)) {
    while (at < text.size() && wanted(text[at])) ++at;
    return at;
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Reads an RFC 8941 String that begins at `at`. Returns the place behind its closing quote, or npos when it is broken.
std::size_t read_quoted(std::string_view text, std::size_t at, std::string& out) {
    for (++at; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"') return at + 1;
        if (c == '\\') {
            ++at;
            if (at == text.size() || (text[at] != '"' && text[at] != '\\')) return std::string_view::npos;
        } else if (c != ' ' && !is_visible_ascii(c)) {
            return std::string_view::npos;
        }
        out.push_back(text[at]);
    }
    return std::string_view::npos;
}

/// A parameter's value: a String, or a run of characters that a token, number, byte sequence or boolean may have.
std::size_t skip_parameter_value(std::string_view text, std::size_t at) {
    std::string ignored;
    if (at < text.size() && text[at] == '"') return read_quoted(text, at, ignored);
    const auto end =
        skip(text, at, [](char c) { return is_visible_ascii(c) && c != ';' && c != ',' && c != '"' && c != '\\'; });
    return end == at ? std::string_view::npos : end;
}

/// Whether the rest of the field is a list of parameters, RFC 8941 §3.1.2.
bool are_parameters(std::string_view text, std::size_t at) {
    while (at < text.size()) {
        if (text[at] != ';') return false;
        at = skip(text, at + 1, [](char c) { return c == ' '; });
        if (at == text.size() || !(is_lower(text[at]) || text[at] == '*')) return false;
        at = skip(text, at, is_parameter_key_char);
        if (at < text.size() && text[at] == '=') at = skip_parameter_value(text, at + 1);
        if (at == std::string_view::npos) return false;
    }
    return true;
}

boost::system::result<Key, std::string> parse_quoted(std::string_view field_value) {
    std::string text;
    const auto end = read_quoted(field_value, 0, text);
    if (end == std::string_view::npos)
        return refused(
            "The quoted key is not closed, has a broken escape, or holds characters other than printable ASCII.");
    if (!are_parameters(field_value, end)) return refused("Something other than parameters follows the quoted key.");
    return check_key(std::move(text));
}

template <class Digest>
Digest shortened(const base::Sha256& whole) {
    Digest digest;
    std::copy_n(whole.begin(), digest.bytes.size(), digest.bytes.begin());
    return digest;
}

}  // namespace

boost::system::result<Key, std::string> parse_key(std::string_view field_value) {
    const auto begin = skip(field_value, 0, is_blank);
    auto end = field_value.size();
    while (end > begin && is_blank(field_value[end - 1])) --end;
    const auto value = field_value.substr(begin, end - begin);
    if (!value.empty() && value.front() == '"') return parse_quoted(value);
    const bool bare =
        std::ranges::all_of(value, [](char c) { return is_visible_ascii(c) && c != '"' && c != '\\' && c != ','; });
    if (!bare) return refused("An unquoted key is visible ASCII without blank, comma, quote and backslash.");
    return check_key(std::string(value));
}

boost::system::result<Key, std::string> check_key(std::string text) {
    if (text.empty()) return refused("The key is empty.");
    if (text.size() > key_max) return refused("The key has more than 255 characters.");
    if (!std::ranges::all_of(text, [](char c) { return c == ' ' || is_visible_ascii(c); }))
        return refused("The key holds characters other than printable ASCII.");
    if (std::ranges::all_of(text, is_blank)) return refused("The key is blank.");
    return Key{std::move(text)};
}

KeyDigest key_digest(base::Hmac& hmac, const KeyPlace& place) {
    hmac.update(key_domain).update(std::as_bytes(std::span(&place.account.value, 1)));
    hmac.update_framed(place.key).update_framed(place.method).update_framed(place.route);
    return shortened<KeyDigest>(hmac.finish());
}

ValueDigest value_digest(base::Hmac& hmac, std::string_view type, std::string_view member, const json::Value& value) {
    hmac.update(value_domain).update_framed(type).update_framed(member).update_framed(json::to_text(value));
    return shortened<ValueDigest>(hmac.finish());
}

}  // namespace einmal::engine
