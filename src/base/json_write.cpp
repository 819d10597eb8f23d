// Writes the canonical text of a value (contract K4, after RFC 8785): no blanks, members in the order they are held,
// strings with the fewest escapes, numbers in the one form that reads back as the same value (contract P7).
#include <einmal/json.hpp>

#include <array>
#include <charconv>

#include "base/json_number.hpp"

namespace einmal::json {
namespace {

// Bytes that most resources fit into: growing by doubling costs a handful of allocations for each text.
constexpr std::size_t usual_size = 240;

bool needs_escape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

void append_escape(char c, std::string& out) {
    constexpr std::string_view hex = "0123456789abcdef";
    out += '\\';
    switch (c) {
        case '"':
        case '\\':
            out += c;
            return;
        case '\b':
            out += 'b';
            return;
        case '\t':
            out += 't';
            return;
        case '\n':
            out += 'n';
            return;
        case '\f':
            out += 'f';
            return;
        case '\r':
            out += 'r';
            return;
        default:
            out += "u00";
            out += hex[static_cast<unsigned char>(c) >> 4];
            out += hex[static_cast<unsigned char>(c) & 15];
    }
}

struct Writer {
    std::string& out;

    void operator()(std::nullptr_t) const { out += "null"; }
    void operator()(bool value) const { out += value ? "true" : "false"; }
    void operator()(std::int64_t value) const { append_integer(value); }
    void operator()(std::uint64_t value) const { append_integer(value); }
    void operator()(double value) const { append_double(value, out); }
    void operator()(const std::string& value) const { write_string(value, out); }

    void operator()(const Array& array) const {
        out += '[';
        bool first = true;
        for (const Value& item : array) {
            if (!first) out += ',';
            first = false;
            std::visit(*this, item.storage());
        }
        out += ']';
    }

    void operator()(const Object& object) const {
        out += '{';
        bool first = true;
        for (const Member& member : object) {
            if (!first) out += ',';
            first = false;
            write_string(member.name, out);
            out += ':';
            std::visit(*this, member.value.storage());
        }
        out += '}';
    }

 private:
    template <class Integer>
    void append_integer(Integer value) const {
        std::array<char, 24> text{};
        out.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr);
    }
};

}  // namespace

void write(const Value& value, std::string& out) { std::visit(Writer{out}, value.storage()); }

void write_string(std::string_view text, std::string& out) {
    out += '"';
    std::size_t written = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!needs_escape(text[i])) continue;
        out += text.substr(written, i - written);
        append_escape(text[i], out);
        written = i + 1;
    }
    out += text.substr(written);
    out += '"';
}

std::string to_text(const Value& value) {
    std::string out;
    out.reserve(usual_size);
    write(value, out);
    return out;
}

}  // namespace einmal::json
