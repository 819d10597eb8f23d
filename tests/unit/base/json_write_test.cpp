// The canonical text (contract K4).
#include <einmal/json.hpp>

#include <gtest/gtest.h>

#include <string>

namespace einmal::json {
namespace {

using namespace std::string_literals;

std::string string_text(std::string_view text) {
    std::string out;
    write_string(text, out);
    return out;
}

// proves: K4
TEST(JsonWrite, HasNoBlanksAndSortedMembers) {
    Object inner;
    inner.set("z", nullptr);
    inner.set("y", Array{true, false, Array{}, Object{}});
    Object outer;
    outer.set("b", std::move(inner));
    outer.set("a", "x y");
    outer.set("", 0.5);
    EXPECT_EQ(to_text(outer), R"({"":0.5,"a":"x y","b":{"y":[true,false,[],{}],"z":null}})");
}

// proves: K4
TEST(JsonWrite, EscapesOnlyWhatMustBe) {
    EXPECT_EQ(string_text("\"\\/'<>&"), R"("\"\\/'<>&")");
    EXPECT_EQ(string_text("\b\t\n\f\r"), R"("\b\t\n\f\r")");
    EXPECT_EQ(string_text("\x01\x0B\x1F\x7F"), "\"\\u0001\\u000b\\u001f\x7F\"");
    EXPECT_EQ(string_text("\0a"s), R"("\u0000a")");
    EXPECT_EQ(string_text("\xC3\xA4\xE2\x80\xA8\xF0\x9F\x98\x80"), "\"\xC3\xA4\xE2\x80\xA8\xF0\x9F\x98\x80\"");
    EXPECT_EQ(string_text(""), "\"\"");
    EXPECT_EQ(string_text("a\nb\nc"), R"("a\nb\nc")");
}

// proves: K4
TEST(JsonWrite, EscapesNamesLikeStrings) {
    Object object;
    object.set("a\n\"", 1);
    EXPECT_EQ(to_text(object), R"({"a\n\"":1})");
}

TEST(JsonWrite, AppendsToWhatIsThere) {
    std::string out = "x";
    write(Value(1), out);
    write_string("y", out);
    EXPECT_EQ(out, "x1\"y\"");
}

// proves: K4, B35
TEST(JsonWrite, EqualValuesAreEqualTexts) {
    const std::string canonical = R"({"A":1,"b":{"c":200,"d":0.5},"😀":"ä"})";
    for (const char* text :
         {R"({"A":1,"b":{"c":200,"d":0.5},"😀":"ä"})", R"( {"😀" : "ä", "b":{"d":5e-1,"c":2e2}, "A":1.0})",
          R"({"\u0041":1e0,"\ud83d\ude00":"\u00e4","b":{"c":200.00,"d":0.50}})"}) {
        EXPECT_EQ(to_text(read(text).value()), canonical);
    }
    EXPECT_NE(to_text(read("[1,2]").value()), to_text(read("[2,1]").value()));
}

}  // namespace
}  // namespace einmal::json
