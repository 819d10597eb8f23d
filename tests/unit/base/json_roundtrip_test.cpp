// What was read is written, and what was written is read, for values nobody thought of (contract P7).
#include <einmal/json.hpp>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace einmal::json {
namespace {

using rc::Gen;

void append_utf8(char32_t code, std::string& out) {
    const auto tail = [&out, code](int shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xC0 | (code >> 6));
        tail(0);
    } else if (code < 0x10000) {
        out += static_cast<char>(0xE0 | (code >> 12));
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xF0 | (code >> 18));
        tail(12);
        tail(6);
        tail(0);
    }
}

/// Without U+0000, which is refused, and without surrogates, which are no characters.
Gen<std::string> any_text() {
    const auto any_character =
        rc::gen::suchThat(rc::gen::weightedOneOf<char32_t>({{6, rc::gen::inRange<char32_t>(1, 0x80)},
                                                            {2, rc::gen::inRange<char32_t>(0x80, 0x3000)},
                                                            {1, rc::gen::inRange<char32_t>(0x3000, 0x110000)}}),
                          [](char32_t code) { return code < 0xD800 || code > 0xDFFF; });
    return rc::gen::map(rc::gen::container<std::vector<char32_t>>(any_character), [](const auto& codes) {
        std::string text;
        for (const char32_t code : codes) append_utf8(code, text);
        return text;
    });
}

Gen<double> any_finite() {
    const auto from_bits = [](std::uint64_t bits) { return std::bit_cast<double>(bits); };
    return rc::gen::suchThat(rc::gen::map(rc::gen::inRange<std::uint64_t>(0, UINT64_MAX), from_bits),
                             [](double value) { return std::isfinite(value); });
}

template <class Kind>
Gen<Value> as_value(Gen<Kind> gen) {
    return rc::gen::map(std::move(gen), [](Kind held) { return Value(std::move(held)); });
}

Gen<Value> any_scalar() {
    return rc::gen::oneOf(rc::gen::just(Value()), as_value(rc::gen::arbitrary<bool>()),
                          as_value(rc::gen::inRange<std::int64_t>(INT64_MIN, INT64_MAX)),
                          as_value(rc::gen::inRange<std::uint64_t>(0, UINT64_MAX)), as_value(any_finite()),
                          as_value(any_text()));
}

Gen<Value> any_value(int depth) {
    if (depth == 0) return any_scalar();
    const auto object_of = [](const std::vector<std::pair<std::string, Value>>& members) {
        Object object;
        for (const auto& [name, value] : members) object.set(name, value);
        return Value(std::move(object));
    };
    const auto inner = rc::gen::resize(8, any_value(depth - 1));
    const auto members =
        rc::gen::container<std::vector<std::pair<std::string, Value>>>(rc::gen::pair(any_text(), inner));
    return rc::gen::oneOf(any_scalar(), as_value(rc::gen::container<Array>(inner)), rc::gen::map(members, object_of));
}

// proves: P6, P7
TEST(JsonRoundtrip, EveryValueComesBack) {
    ASSERT_TRUE(rc::check("read(write(value)) == value", [] {
        const Value value = *any_value(3);
        const std::string text = to_text(value);
        const auto again = read(text);
        RC_ASSERT(again.has_value());
        RC_ASSERT(*again == value);
        RC_ASSERT(to_text(*again) == text);
        RC_CLASSIFY(value.is_object(), "object");
        RC_CLASSIFY(value.is_array(), "array");
    }));
}

/// The same value in other words: blanks, escapes and the order of members are free.
void write_loosely(const Value& value, std::string& out) {
    const auto blank = [] { return *rc::gen::element(std::string(), std::string(" "), std::string("\n\t")); };
    const auto text = [](const std::string& held) {
        std::string quoted = "\"";
        for (const char c : held) {
            const bool control = static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
            const bool ascii = static_cast<unsigned char>(c) < 0x80;
            if (control || (ascii && *rc::gen::arbitrary<bool>())) {
                constexpr std::string_view hex = "0123456789ABCDEF";
                quoted += "\\u00";
                quoted += hex[static_cast<unsigned char>(c) >> 4];
                quoted += hex[static_cast<unsigned char>(c) & 15];
            } else {
                quoted += c;
            }
        }
        return quoted + '"';
    };
    if (const Object* object = value.if_object()) {
        std::vector<Member> members(object->begin(), object->end());
        if (*rc::gen::arbitrary<bool>()) std::reverse(members.begin(), members.end());
        out += '{' + blank();
        for (std::size_t i = 0; i < members.size(); ++i) {
            out += (i == 0 ? "" : ",") + text(members[i].name) + blank() + ':';
            write_loosely(members[i].value, out);
        }
        out += '}' + blank();
    } else if (const Array* array = value.if_array()) {
        out += '[' + blank();
        for (std::size_t i = 0; i < array->size(); ++i) {
            if (i > 0) out += ',' + blank();
            write_loosely((*array)[i], out);
        }
        out += ']';
    } else if (const std::string* held = value.if_string()) {
        out += blank() + text(*held) + blank();
    } else {
        out += blank() + to_text(value) + blank();
    }
}

// proves: P6, K4, B35
TEST(JsonRoundtrip, EverySpellingIsTheSameValue) {
    ASSERT_TRUE(rc::check("a loosely written text is read as its value", [] {
        const Value value = *any_value(2);
        std::string text;
        write_loosely(value, text);
        const auto again = read(text);
        RC_ASSERT(again.has_value());
        RC_ASSERT(*again == value);
    }));
}

// proves: P8
TEST(JsonRoundtrip, AnyBytesAreReadOrRefused) {
    ASSERT_TRUE(rc::check("no text of JSON's own characters does harm", [] {
        const auto pieces = rc::gen::elementOf(std::vector<std::string>{
            "{",      "}", "[", "]",  ",",  ":",    "\"",   "\\", "\\u00", "a",    "\"a\"",
            "\"b\":", "1", "-", ".5", "e9", "true", "null", " ",  "\xC3",  "\xA4", std::string(1, '\0')});
        std::string text;
        for (const auto& piece : *rc::gen::container<std::vector<std::string>>(pieces)) text += piece;
        const auto value = read(text);
        if (value) {
            RC_ASSERT(*read(to_text(*value)) == *value);
        } else {
            RC_ASSERT(value.error().line >= 1U);
            RC_ASSERT(value.error().column >= 1U);
            RC_ASSERT(value.error().column <= text.size() + 1);
        }
    }));
}

}  // namespace
}  // namespace einmal::json
