// What is JSON here and what is not, and what a refusal says (contract P6, P8).
#include <einmal/json.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace einmal::json {
namespace {

using namespace std::string_literals;
using Kind = ReadError::Kind;

::testing::AssertionResult is_read_as(std::string_view text, std::string_view canonical) {
    const auto value = read(text);
    if (!value) return ::testing::AssertionFailure() << text << " was refused: " << value.error().detail;
    if (to_text(*value) == canonical) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << text << " was read as " << to_text(*value);
}

::testing::AssertionResult is_refused(std::string_view text, Kind kind, const Limits& limits = {}) {
    const auto value = read(text, limits);
    if (value) return ::testing::AssertionFailure() << text << " was read as " << to_text(*value);
    if (value.error().kind == kind) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << text << " was refused for another reason: " << value.error().detail;
}

/// `kind line:column pointer`
std::string refusal_of(std::string_view text, const Limits& limits = {}) {
    const auto value = read(text, limits);
    if (value) return "read as " + to_text(*value);
    const ReadError& error = value.error();
    std::string kind;
    switch (error.kind) {
        case Kind::syntax:
            kind = "syntax";
            break;
        case Kind::number_not_exact:
            kind = "number_not_exact";
            break;
        case Kind::nul_character:
            kind = "nul_character";
            break;
    }
    return kind + ' ' + std::to_string(error.line) + ':' + std::to_string(error.column) + ' ' + error.pointer;
}

std::string repeated(std::string_view part, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) text += part;
    return text;
}

// proves: P6
TEST(JsonRead, TakesEveryKindOfValue) {
    EXPECT_TRUE(is_read_as("null", "null"));
    EXPECT_TRUE(is_read_as("true", "true"));
    EXPECT_TRUE(is_read_as("false", "false"));
    EXPECT_TRUE(is_read_as("17", "17"));
    EXPECT_TRUE(is_read_as("\"\"", "\"\""));
    EXPECT_TRUE(is_read_as("[]", "[]"));
    EXPECT_TRUE(is_read_as("{}", "{}"));
    EXPECT_TRUE(is_read_as(" \t\r\n[ 1 , [ ] , { } , \"a\" ] \t\r\n", R"([1,[],{},"a"])"));
    EXPECT_TRUE(is_read_as(R"({"b":{"d":[null],"c":""},"a":[{"x":1},{"x":2}]})",
                           R"({"a":[{"x":1},{"x":2}],"b":{"c":"","d":[null]}})"));
}

// proves: P6
TEST(JsonRead, UnderstandsEveryEscape) {
    EXPECT_TRUE(is_read_as(R"("\"\\\/\b\f\n\r\t")", R"("\"\\/\b\f\n\r\t")"));
    EXPECT_TRUE(is_read_as(R"("\u0041\u00e4\u20AC\uD83D\uDE00")", "\"Aä€😀\""));
    EXPECT_TRUE(is_read_as(R"("\u001f\u007f\uFFFF")", "\"\\u001f\x7f\xEF\xBF\xBF\""));
    EXPECT_TRUE(is_read_as(R"({"\u0061":1,"a\\":2})", R"({"a":1,"a\\":2})"));
}

// proves: P6
TEST(JsonRead, RefusesWhatIsNoJson) {
    for (const std::string_view text : {"",
                                        " ",
                                        "nul",
                                        "nulls",
                                        "True",
                                        "NaN",
                                        "Infinity",
                                        "-Infinity",
                                        "undefined",
                                        "'a'",
                                        "a",
                                        "[",
                                        "]",
                                        "[1",
                                        "[1,",
                                        "[1,]",
                                        "[,1]",
                                        "[1 2]",
                                        "[1;2]",
                                        "{",
                                        "}",
                                        "{]",
                                        "[}",
                                        "{\"a\"",
                                        "{\"a\":",
                                        "{\"a\":1",
                                        "{\"a\":1,",
                                        "{\"a\":1,}",
                                        "{\"a\" 1}",
                                        "{\"a\",1}",
                                        "{a:1}",
                                        "{1:1}",
                                        "{,}",
                                        "{\"a\":1 \"b\":2}",
                                        "[1]]",
                                        "1 2",
                                        "1,",
                                        "{}{}",
                                        "// x\n1",
                                        "/* x */1",
                                        "1/**/",
                                        "\f1",
                                        "\v1",
                                        "\xC2\xA0"
                                        "1",
                                        "\"",
                                        "\"a",
                                        "\"\\\"",
                                        "\"\\x41\"",
                                        "\"\\a\"",
                                        "\"\\\"\"\"",
                                        "\"\\u\"",
                                        "\"\\u12\"",
                                        "\"\\u123g\"",
                                        "\"\\U0041\"",
                                        "\"a\nb\"",
                                        "\"\t\"",
                                        "\"\x1F\"",
                                        "[\"a\"",
                                        "[\"a\" \"b\"]",
                                        "{\"a\":\"b\"\"c\"}"}) {
        EXPECT_TRUE(is_refused(text, Kind::syntax));
    }
}

// proves: P6
TEST(JsonRead, RefusesWhatIsNoNumber) {
    for (const std::string_view text :
         {"-",    "+1",   "01",  "-01",  "00",    "0x1",  ".5",    "-.5",  "1.",   "-1.",
          "1.e5", "1e",   "1e+", "1E-",  "1e1.5", "1..5", "1e5e5", "--1",  "1-",   "1_000",
          "1,5",  "[1.]", "[-]", "[01]", "[+1]",  "[1e]", "[.5]",  "[0.]", "[-a]", "١"}) {
        EXPECT_TRUE(is_refused(text, Kind::syntax));
    }
}

// proves: P6
TEST(JsonRead, RefusesAByteOrderMarkAndAnythingBehindTheValue) {
    EXPECT_TRUE(is_refused("\xEF\xBB\xBF{}", Kind::syntax));
    EXPECT_TRUE(is_refused("\xFE\xFF\0{\0}"s, Kind::syntax));
    EXPECT_TRUE(is_refused("{\0}\0"s, Kind::syntax));
    EXPECT_TRUE(is_refused("{}\0"s, Kind::syntax));
    EXPECT_TRUE(is_refused("\0"s, Kind::syntax));
    EXPECT_TRUE(is_refused("\0{}"s, Kind::syntax));
    EXPECT_TRUE(is_refused("1\0"s, Kind::syntax));
    EXPECT_TRUE(is_refused("[\0]"s, Kind::syntax));
    EXPECT_TRUE(is_refused("\"a\0\""s, Kind::syntax));
    EXPECT_TRUE(is_refused("{} x", Kind::syntax));
    EXPECT_TRUE(is_refused("{}\xEF\xBB\xBF", Kind::syntax));
}

// proves: P6
TEST(JsonRead, RefusesHalfASurrogatePair) {
    for (const std::string_view text :
         {R"("\ud800")", R"("\uDBFF")", R"("\udc00")", R"("\uDFFF")", R"("\ud800\ud800")", R"("\ud800\u0041")",
          R"("\ud800A")", R"("\ud800\n")", R"("\udc00\ud800")", R"("\uD83D\uDE0")", R"({"\ud800":1})", R"(["\udc00"])",
          "\"\xED\xA0\x80\"", "\"\xED\xBF\xBF\"", "\"\xED\xA0\xBD\xED\xB8\x80\"", "{\"\xED\xA0\x80\":1}",
          "\"\\n\xED\xA0\x80\""}) {
        EXPECT_TRUE(is_refused(text, Kind::syntax));
    }
}

/// By the table of RFC 3629 §4, written differently from any decoder: decode, then ask whether it is the right form.
bool is_utf8_character(std::string_view bytes) {
    const auto at = [bytes](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    for (std::size_t i = 1; i < bytes.size(); ++i) {
        if (at(i) >> 6 != 2) return false;
    }
    const unsigned mask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    const unsigned lead[] = {0, 0x00, 0xC0, 0xE0, 0xF0};
    const unsigned least[] = {0, 0x20, 0x80, 0x800, 0x10000};
    const std::size_t size = bytes.size();
    if ((at(0) & ~mask[size]) != lead[size]) return false;
    unsigned code = at(0) & mask[size];
    for (std::size_t i = 1; i < size; ++i) code = code << 6 | (at(i) & 0x3FU);
    return code >= least[size] && code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF);
}

bool is_utf8(std::string_view bytes) {
    while (!bytes.empty()) {
        std::size_t size = 1;
        while (size <= 4 && (size > bytes.size() || !is_utf8_character(bytes.substr(0, size)))) ++size;
        if (size > 4) return false;
        bytes.remove_prefix(size);
    }
    return true;
}

// proves: P6
TEST(JsonRead, TakesExactlyTheCharactersOfUtf8) {
    const std::string marks = "\x20\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xFF";
    const auto check = [](const std::string& character) {
        const bool right = is_utf8(character);
        for (const auto& text : {'"' + character + '"', "\"\\n" + character + '"', "{\"" + character + "\":0}"}) {
            ASSERT_EQ(read(text).has_value(), right) << text;
        }
    };
    for (unsigned lead = 0x80; lead <= 0xFF; ++lead) {
        const std::string one(1, static_cast<char>(lead));
        check(one);
        for (const char second : marks) {
            check(one + second);
            for (const char third : marks) {
                check(one + second + third);
                for (const char fourth : marks) check(one + second + third + fourth);
            }
        }
    }
}

// proves: P6
TEST(JsonRead, KeepsLongStringsWithEscapesAtEveryPosition) {
    // The parser unescapes through a buffer of some thousand bytes; a character may lie across its end.
    for (std::size_t before = 4080; before < 4100; ++before) {
        for (const std::string_view character : {"\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) {
            const std::string filler(before, 'x');
            const std::string expected = "\n" + filler + std::string(character) + filler;
            const auto value = read("\"\\n" + filler + std::string(character) + filler + '"');
            ASSERT_TRUE(value.has_value());
            ASSERT_EQ(*value->if_string(), expected);
            ASSERT_FALSE(read("\"\\n" + filler + std::string(character.substr(0, character.size() - 1)) + "x\""));
        }
    }
}

// proves: P6
TEST(JsonRead, RefusesANameThatOccursTwice) {
    EXPECT_EQ(refusal_of(R"({"a":1,"a":1})"), "syntax 1:8 /a");
    EXPECT_EQ(refusal_of(R"({"a":1,"b":2,"a":3})"), "syntax 1:14 /a");
    EXPECT_EQ(refusal_of(R"({"":1,"":1})"), "syntax 1:7 /");
    EXPECT_EQ(refusal_of(R"([0,{"x":{"b":1,"a":{},"b":2}}])"), "syntax 1:23 /1/x/b");
    EXPECT_EQ(refusal_of("{\"z\":[\n{\"q\":1,\n  \"q\":1}]}"), "syntax 3:3 /z/0/q");
    // The first of several, by its place in the text.
    EXPECT_EQ(refusal_of(R"({"z":{"n":1,"n":1},"a":1,"a":1})"), "syntax 1:13 /z/n");
    EXPECT_EQ(refusal_of(R"({"b":1,"b":1,"a":1,"a":1})"), "syntax 1:8 /b");
    EXPECT_EQ(refusal_of(R"({"a":1,"a":1,"b":1,"b":1,"b":1})"), "syntax 1:8 /a");
}

// proves: P6
TEST(JsonRead, RefusesANameThatOccursTwiceInAnotherSpelling) {
    EXPECT_EQ(refusal_of(R"({"a":1,"\u0061":2})"), "syntax 1:8 /a");
    EXPECT_EQ(refusal_of(R"({"\u0061":1,"a":2})"), "syntax 1:13 /a");
    EXPECT_EQ(refusal_of("{\"\xF0\x9F\x98\x80\":1,\"\\ud83d\\ude00\":2}"), "syntax 1:11 /\xF0\x9F\x98\x80");
    EXPECT_EQ(refusal_of(R"({"a/b":1,"a\/b":2})"), "syntax 1:10 /a~1b");
    EXPECT_EQ(refusal_of(R"({"\"\\":1,"\u0022\u005c":2})"), "syntax 1:11 /\"\\");
}

// proves: P6
TEST(JsonRead, TellsNamesApartThatOnlyLookAlike) {
    EXPECT_TRUE(
        is_read_as(R"({"a":1,"A":2,"\u00e4":3,"a\u0308":4})", "{\"A\":2,\"a\":1,\"a\xCC\x88\":4,\"\xC3\xA4\":3}"));
    EXPECT_TRUE(is_read_as(R"({"a":{"a":{"a":1}}})", R"({"a":{"a":{"a":1}}})"));
    EXPECT_TRUE(is_read_as(R"([{"a":1},{"a":1}])", R"([{"a":1},{"a":1}])"));
}

// proves: P6
TEST(JsonRead, FindsTheTwinAmongManyNames) {
    std::string text = "{";
    for (int i = 0; i < 20'000; ++i) text += "\"n" + std::to_string(i * 7919 % 20'000) + "\":0,";
    EXPECT_TRUE(read(text + "\"last\":0}").has_value());
    EXPECT_EQ(refusal_of(text + "\"n12345\":0}"), "syntax 1:" + std::to_string(text.size() + 1) + " /n12345");
}

// proves: P6
TEST(JsonRead, NamesTheLineAndColumnOfASyntaxError) {
    EXPECT_EQ(refusal_of(""), "syntax 1:1 ");
    EXPECT_EQ(refusal_of("x"), "syntax 1:1 ");
    EXPECT_EQ(refusal_of("{\n  \"a\": 1,\n  \"b\": x\n}"), "syntax 3:8 ");
    EXPECT_EQ(refusal_of("[1,\r\n2,\r\n]"), "syntax 3:1 ");
    EXPECT_EQ(refusal_of("[\"\xC3\xA4\",x]"), "syntax 1:7 ");
    EXPECT_EQ(refusal_of("{}\n\n{}"), "syntax 3:1 ");
    EXPECT_EQ(refusal_of("[1,\n2"), "syntax 2:2 ");
}

// proves: P6
TEST(JsonRead, RefusesU0000InAStringOrAName) {
    EXPECT_EQ(refusal_of(R"("\u0000")"), "nul_character 1:1 ");
    EXPECT_EQ(refusal_of(R"(["a","b\u0000c"])"), "nul_character 1:6 /1");
    EXPECT_EQ(refusal_of(R"({"x":{"a":1,"b\u0000":2}})"), "nul_character 1:13 /x");
    EXPECT_EQ(refusal_of("{\"a\":\n{\"b\":[0, \"\\u0000\"]}}"), "nul_character 2:10 /a/b/1");
    EXPECT_EQ(refusal_of(R"(["\"\\\u0000"])"), "nul_character 1:2 /0");
    EXPECT_EQ(refusal_of(R"(["\u0000","\u0000"])"), "nul_character 1:2 /0");
    EXPECT_TRUE(is_read_as(R"("\\u0000")", R"("\\u0000")"));
    EXPECT_TRUE(is_refused(R"({"a\u0000":1,"a\u0000":2})", Kind::syntax));
}

// proves: P6, P7
TEST(JsonRead, PointsAtTheNumberThatIsNotExact) {
    EXPECT_EQ(refusal_of("18446744073709551616"), "number_not_exact 1:1 ");
    EXPECT_EQ(refusal_of("{\"custom\":\n {\"n\":[1,\n  -1e400]}}"), "number_not_exact 3:3 /custom/n/1");
    EXPECT_EQ(refusal_of(R"({"a~b/c":1e999999999999})"), "number_not_exact 1:10 /a~0b~1c");
    EXPECT_EQ(refusal_of(R"([[],{},"x",true,0.1234567890123456789,1e400])"), "number_not_exact 1:17 /4");
    EXPECT_EQ(refusal_of(R"([1e400,"\u0000"])"), "number_not_exact 1:2 /0");
    EXPECT_EQ(refusal_of(R"(["\u0000",1e400])"), "nul_character 1:2 /0");
    EXPECT_EQ(refusal_of(R"([1e400,1e999999999999])"), "number_not_exact 1:2 /0");
}

// proves: P6
TEST(JsonRead, SyntaxWinsOverAValueThatCannotBeKept) {
    EXPECT_TRUE(is_refused("[1e400,]", Kind::syntax));
    EXPECT_TRUE(is_refused("[\"\\u0000\",}", Kind::syntax));
    EXPECT_TRUE(is_refused("1e400 x", Kind::syntax));
    EXPECT_TRUE(is_refused("[1e999999999999,]", Kind::syntax));
    EXPECT_TRUE(is_refused("[1e999999999999,true9999999999]", Kind::syntax));
    EXPECT_TRUE(is_refused("[1e999999999999,1e9999999999.5]", Kind::syntax));
    EXPECT_EQ(refusal_of(R"({"n":1e999999999999,"a":1,"a":1})"), "syntax 1:27 /a");
    EXPECT_TRUE(is_refused(R"({"n":1e400,"a":1,"a":1})", Kind::syntax));
}

// proves: P7
TEST(JsonRead, AHugeExponentLeavesTheStringsAroundItAlone) {
    EXPECT_TRUE(is_read_as(
        R"(["e99999999999\"e99999999999",0e99999999999,"\\",1e00000000000002,{"\\e99999999999":0E-9999999999}])",
        R"(["e99999999999\"e99999999999",0,"\\",100,{"\\e99999999999":0}])"));
    EXPECT_EQ(refusal_of("[0e99999999999,\n1e99999999999]"), "number_not_exact 2:1 /1");
}

// proves: P6, P8
TEST(JsonRead, BoundsTheDepth) {
    for (const auto& [open, close] : {std::pair{"[", "]"}, std::pair{"{\"a\":", "}"}}) {
        const std::string inner = std::string_view(open) == "[" ? "" : "1";
        EXPECT_TRUE(read(repeated(open, 64) + inner + repeated(close, 64)).has_value());
        EXPECT_TRUE(is_refused(repeated(open, 65) + inner + repeated(close, 65), Kind::syntax));
    }
    EXPECT_TRUE(is_refused(repeated("[", 1'000'000), Kind::syntax));
    EXPECT_TRUE(is_refused(repeated("{\"a\":[", 200'000), Kind::syntax));
    EXPECT_TRUE(read("[[[1]]]", {.depth = 3}).has_value());
    EXPECT_TRUE(is_refused("[[[1]]]", Kind::syntax, {.depth = 2}));
    EXPECT_TRUE(read("1", {.depth = 0}).has_value());
    EXPECT_TRUE(is_refused("[]", Kind::syntax, {.depth = 0}));
    EXPECT_EQ(refusal_of(" [\n[[[[]", {.depth = 3}), "syntax 2:3 ");
}

// proves: P8
TEST(JsonRead, BoundsTheNumberOfValues) {
    EXPECT_TRUE(read(R"([1,"a",{"n":null}])", {.values = 5}).has_value());
    EXPECT_EQ(refusal_of(R"([1,"a",{"n":null}])", {.values = 4}), "syntax 1:13 /2/n");
    EXPECT_EQ(refusal_of(R"([1,"a",{"n":null}])", {.values = 3}), "syntax 1:8 /2");
    EXPECT_EQ(refusal_of(R"([1,"\"a",-2.5])", {.values = 2}), "syntax 1:4 /1");
    EXPECT_EQ(refusal_of(R"([1,"\"a",-2.5])", {.values = 3}), "syntax 1:10 /2");
    EXPECT_EQ(refusal_of("[1,5\"", {.values = 2}), "syntax 1:4 /1");
    EXPECT_EQ(refusal_of("[\"a\",5\"", {.values = 2}), "syntax 1:6 /1");
    EXPECT_TRUE(read("[" + repeated("1,", 99'998) + "1]").has_value());
    EXPECT_TRUE(is_refused("[" + repeated("1,", 99'999) + "1]", Kind::syntax));
}

// proves: P8
TEST(JsonRead, NeverQuotesAValueInARefusal) {
    for (const std::string_view text :
         {R"({"a":secret})", R"({"a":"secret)", R"(["secret\u0000"])", R"(["secret" 1e4])"}) {
        const auto value = read(text);
        ASSERT_FALSE(value.has_value());
        EXPECT_EQ(value.error().detail.find("secret"), std::string::npos);
        EXPECT_FALSE(value.error().detail.empty());
    }
}

}  // namespace
}  // namespace einmal::json
