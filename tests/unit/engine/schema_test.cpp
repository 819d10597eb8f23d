#include "engine/schema.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace einmal {
namespace {

using namespace std::chrono_literals;

json::Value value(std::string_view text) {
    auto read = json::read(text);
    EXPECT_TRUE(read.has_value()) << text << ": " << (read ? "" : read.error().detail);
    return read ? *read : json::Value();
}

Schema schema(std::string_view text) {
    auto compiled = Schema::compile(value(text));
    if (!compiled) {
        ADD_FAILURE() << text << ": " << compiled.error().pointer << " " << compiled.error().detail;
        return *Schema::compile(json::Value(true));
    }
    return std::move(*compiled);
}

/// `pointer code` of every error.
std::vector<std::string> faults(const Schema& by, const json::Value& instance) {
    std::vector<std::string> faults;
    for (const FieldError& error : by.validate(instance)) {
        faults.push_back(error.pointer + " " + error.code);
        EXPECT_TRUE(error.detail.ends_with('.')) << error.detail;
    }
    return faults;
}

std::vector<std::string> faults(std::string_view by, std::string_view instance) {
    return faults(schema(by), value(instance));
}

using Faults = std::vector<std::string>;

void expect_valid(std::string_view by, std::initializer_list<std::string_view> instances) {
    for (const std::string_view instance : instances) {
        EXPECT_EQ(faults(by, instance), Faults{}) << by << " with " << instance;
    }
}

void expect_fault(std::string_view by, std::string_view code, std::initializer_list<std::string_view> instances) {
    for (const std::string_view instance : instances) {
        EXPECT_EQ(faults(by, instance), Faults{" " + std::string(code)}) << by << " with " << instance;
    }
}

// proves: P3
TEST(Schema, TypeIsChecked) {
    expect_valid(R"({"type": "string"})", {R"("")"});
    expect_fault(R"({"type": "string"})", "type", {"1", "null", "{}", "[]", "true"});
    expect_fault(R"({"type": "object"})", "type", {"1", "null", "[]", R"("")"});
    expect_fault(R"({"type": "array"})", "type", {"{}", "null"});
    expect_fault(R"({"type": "boolean"})", "type", {"0", R"("true")"});
    expect_fault(R"({"type": "null"})", "type", {"0", R"("")", "false"});
    expect_fault(R"({"type": "number"})", "type", {R"("5")", "null"});
    expect_valid(R"({"type": ["string", "null"]})", {"null", R"("a")"});
    expect_fault(R"({"type": ["string", "null"]})", "type", {"0"});
}

// proves: P7
TEST(Schema, AnIntegerIsANumberWithoutFractionHoweverItIsSpelled) {
    expect_valid(R"({"type": "integer"})",
                 {"4990", "4990.0", "4.99e3", "-0", "9223372036854775808", "18446744073709551615"});
    expect_fault(R"({"type": "integer"})", "type", {"49.9", "1e-3", R"("4990")"});
    expect_valid(R"({"type": "number"})", {"4990", "49.9", "18446744073709551615"});
}

// proves: P7
TEST(Schema, LimitsOfNumbersAreExact) {
    expect_valid(R"({"maximum": 9007199254740992})", {"9007199254740992", R"("text")", "null"});
    expect_fault(R"({"maximum": 9007199254740992})", "maximum", {"9007199254740993", "1e300"});
    expect_fault(R"({"minimum": 9007199254740993})", "minimum", {"9007199254740992"});
    expect_fault(R"({"exclusiveMaximum": 1})", "maximum", {"1", "1.0", "1.5"});
    expect_valid(R"({"exclusiveMaximum": 1})", {"0.9999999999999999"});
    expect_fault(R"({"exclusiveMinimum": 0})", "minimum", {"0", "-0", "-1e-300"});
    expect_valid(R"({"exclusiveMinimum": 0})", {"1e-300"});
    expect_valid(R"({"multipleOf": 0.01})", {"0.07", "1234567.89", R"("a")"});
    expect_fault(R"({"multipleOf": 0.01})", "multiple_of", {"0.075"});
    expect_valid(R"({"const": 9007199254740992})", {"9007199254740992.0"});
    expect_fault(R"({"const": 9007199254740992})", "const", {"9007199254740993"});
}

// proves: P3
TEST(Schema, LengthsCountCharactersNotBytes) {
    expect_valid(R"({"minLength": 2, "maxLength": 3})", {R"("äö")", R"("äöü")", R"("😀😀😀")", "17", "[]"});
    expect_fault(R"({"minLength": 2})", "min_length", {R"("")", R"("ä")", R"("😀")"});
    expect_fault(R"({"maxLength": 3})", "max_length", {R"("abcd")", R"("äöüß")"});
    expect_fault(R"({"maxLength": 0})", "max_length", {R"("a")"});
}

// proves: P3
TEST(Schema, PatternsSearchAnywhereUnlessAnchored) {
    expect_valid(R"({"pattern": "[0-9]+"})", {R"("ab1c")", "5"});
    expect_fault(R"({"pattern": "^[0-9]+$"})", "pattern", {R"("ab1c")", R"("1\n")", R"("")"});
    expect_valid(R"({"pattern": "^.$"})", {R"("ä")", R"("😀")"});
    expect_valid(R"({"pattern": "^\\p{Lu}"})", {R"("Ärger")"});
}

// proves: P3
TEST(Schema, FormatsAreCheckedOnStringsOnly) {
    expect_valid(R"({"format": "date"})", {R"("2024-02-29")", "5", "null"});
    expect_fault(R"({"format": "date"})", "format", {R"("2023-02-29")"});
    expect_fault(R"({"format": "email"})", "format", {R"("nobody")"});
}

// proves: P3
TEST(Schema, EnumsCompareWholeValues) {
    expect_valid(R"({"enum": ["a", 1, null, [1, {"b": 2}]]})", {R"("a")", "1.0", "null", R"([1, {"b": 2.0}])"});
    expect_fault(R"({"enum": ["a", 1, null, [1, {"b": 2}]]})", "enum", {R"("A")", "true", R"([{"b": 2}, 1])", "[]"});
}

// proves: P3
TEST(Schema, PointersNameTheMemberThatIsWrong) {
    constexpr std::string_view by = R"({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "items": {"type": "array", "items": {"type": "object", "properties": {"text": {"type": "string"}},
                      "required": ["text"], "additionalProperties": false}},
            "a/b~c": {"type": "string"}
        },
        "required": ["name", "items"],
        "additionalProperties": false
    })";
    EXPECT_EQ(faults(by, "{}"), (Faults{"/items required", "/name required"}));
    EXPECT_EQ(faults(by, R"({"name": 1, "items": [{"text": "x"}, {"text": 5}, {}, {"text": "y", "z": 1}], "odd": 1,
                            "a/b~c": null, "x/y": 1})"),
              (Faults{"/a~1b~0c type", "/items/1/text type", "/items/2/text required", "/items/3/z additional_property",
                      "/name type", "/odd additional_property", "/x~1y additional_property"}));
    EXPECT_EQ(faults(by, "[]"), Faults{" type"});
}

// proves: P3
TEST(Schema, DetailsSayWhatIsWantedAndNeverQuoteTheValue) {
    const Schema by = schema(R"({
        "properties": {
            "a": {"type": ["integer", "null"]}, "b": {"enum": ["open", "done"]}, "c": {"maxLength": 1},
            "d": {"minimum": 5}, "e": {"format": "email"}, "f": {"pattern": "^x"}, "g": {"const": 1}, "h": false,
            "i": {"anyOf": [{"type": "null"}]}, "j": {"not": {}}, "k": {"maxItems": 0}, "l": {"multipleOf": 2}
        },
        "additionalProperties": false
    })");
    const json::Value secret = value(R"({"a": "hush", "b": "hush", "c": "hush", "d": 4, "e": "hush", "f": "hush",
        "g": "hush", "h": "hush", "i": "hush", "j": "hush", "k": ["hush"], "l": 77, "hushed": "hush"})");
    const std::vector<FieldError> errors = by.validate(secret);
    EXPECT_EQ(errors.size(), 13U);
    for (const FieldError& error : errors) {
        EXPECT_EQ(error.detail.find("hush"), std::string::npos) << error.detail;
        EXPECT_EQ(error.detail.find("77"), std::string::npos) << error.detail;
    }
    EXPECT_EQ(errors.at(0).detail, "The value must be an integer or null.");
    EXPECT_EQ(errors.at(1).detail, R"(The value must be one of: "open", "done".)");
    EXPECT_EQ(errors.at(2).detail, "The text must have at most 1 character.");
    EXPECT_EQ(errors.at(3).detail, "The number must be at least 5.");
}

// proves: P2, B29
TEST(Schema, NullsInArraysAreValuesLikeOthers) {
    expect_valid(R"({"properties": {"custom": {"type": "object"}}})",
                 {R"({"custom": {"list": ["a", null, "b"], "objs": [{"k": null}]}})"});
    EXPECT_EQ(faults(R"({"properties": {"tags": {"items": {"type": "string"}}}})", R"({"tags": ["a", null, "b"]})"),
              Faults{"/tags/1 type"});
}

TEST(Schema, ListsAreChecked) {
    expect_fault(R"({"minItems": 1})", "min_items", {"[]"});
    expect_fault(R"({"maxItems": 1})", "max_items", {"[1, 2]"});
    expect_valid(R"({"maxItems": 1, "minItems": 1})", {"[1]", "{}", R"("ab")"});
    expect_fault(R"({"uniqueItems": true})", "unique_items", {"[1, 1.0]", R"([{"a": 1, "b": 2}, {"b": 2, "a": 1}])"});
    expect_valid(R"({"uniqueItems": true})", {R"([1, "1", [1], true])", R"(["1,2", "1", "2"])"});
    expect_valid(R"({"uniqueItems": false})", {"[1, 1]"});
    EXPECT_EQ(faults(R"({"prefixItems": [{"type": "string"}], "items": {"type": "integer"}})", R"([1, "a", 2])"),
              (Faults{"/0 type", "/1 type"}));
    expect_valid(R"({"prefixItems": [{"type": "string"}]})", {R"(["a", 1])", "[]"});
    expect_fault(R"({"contains": {"type": "integer"}})", "contains", {R"(["a"])", "[]"});
    expect_valid(R"({"contains": {"type": "integer"}, "maxContains": 1})", {R"(["a", 1])"});
    expect_fault(R"({"contains": {"type": "integer"}, "maxContains": 1})", "contains", {"[1, 2]"});
    expect_valid(R"({"contains": {"type": "integer"}, "minContains": 0})", {"[]"});
}

TEST(Schema, ObjectsAreChecked) {
    expect_fault(R"({"minProperties": 1})", "min_properties", {"{}"});
    expect_fault(R"({"maxProperties": 1})", "max_properties", {R"({"a": 1, "b": 2})"});
    EXPECT_EQ(faults(R"({"patternProperties": {"^n_": {"type": "integer"}}, "additionalProperties": false})",
                     R"({"n_a": 1, "n_b": "x", "other": 1})"),
              (Faults{"/n_b type", "/other additional_property"}));
    EXPECT_EQ(faults(R"({"additionalProperties": {"type": "string"}})", R"({"a": 1, "b": "x"})"), Faults{"/a type"});
    EXPECT_EQ(faults(R"({"propertyNames": {"maxLength": 2}})", R"({"abc": 1, "ab": 1})"), Faults{"/abc property_name"});
    EXPECT_EQ(faults(R"({"dependentRequired": {"a": ["b"]}})", R"({"a": 1})"), Faults{"/b required"});
    expect_valid(R"({"dependentRequired": {"a": ["b"]}})", {R"({"b": 1})", R"({"a": 1, "b": 1})", "5"});
    EXPECT_EQ(faults(R"({"dependentSchemas": {"a": {"required": ["c"]}}})", R"({"a": 1})"), Faults{"/c required"});
}

TEST(Schema, CombinationsAreChecked) {
    expect_fault(R"({"anyOf": [{"type": "string"}, {"minimum": 5, "type": "number"}]})", "any_of", {"1", "null"});
    expect_valid(R"({"anyOf": [{"type": "string"}, {"minimum": 5}]})", {R"("a")", "6"});
    expect_fault(R"({"oneOf": [{"type": "integer"}, {"minimum": 5}]})", "one_of", {"6", "1.5"});
    expect_valid(R"({"oneOf": [{"type": "integer"}, {"minimum": 5}]})", {"4", "5.5"});
    expect_fault(R"({"not": {"type": "string"}})", "not", {R"("a")"});
    EXPECT_EQ(faults(R"({"allOf": [{"required": ["a"]}, {"required": ["b"]}]})", "{}"),
              (Faults{"/a required", "/b required"}));
    constexpr std::string_view conditional =
        R"({"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}})";
    EXPECT_EQ(faults(conditional, R"({"a": 1})"), Faults{"/b required"});
    EXPECT_EQ(faults(conditional, "{}"), Faults{"/c required"});
    expect_valid(conditional, {R"({"a": 1, "b": 1})", R"({"c": 1})"});
    expect_fault("false", "not_allowed", {"1", "{}"});
    expect_valid("true", {"1", "{}"});
}

TEST(Schema, ReferencesWithinTheFileAreFollowed) {
    constexpr std::string_view tree = R"({
        "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}, "required": ["id"]}},
        "properties": {"root": {"$ref": "#/$defs/node"}, "same": {"$ref": "#/properties/root"}}
    })";
    EXPECT_EQ(faults(tree, R"({"root": {"id": 1, "next": {"next": {"id": 3}}}, "same": {}})"),
              (Faults{"/root/next/id required", "/same/id required"}));
    EXPECT_EQ(faults(R"({"properties": {"a": {"$ref": "#"}, "b": {"type": "string"}}})", R"({"a": {"a": {"b": 1}}})"),
              Faults{"/a/a/b type"});
}

// proves: P8
TEST(Schema, ErrorsAreFewHoweverMuchIsWrong) {
    const Schema by = schema(R"({"items": {"type": "string"}})");
    json::Array many(50'000, json::Value(1));
    EXPECT_EQ(by.validate(json::Value(std::move(many))).size(), Schema::max_errors);
    json::Array names(100);
    for (std::size_t i = 0; i < names.size(); ++i) {
        names[i] = "m" + std::to_string(i);
    }
    json::Object required;
    required.set("required", std::move(names));
    EXPECT_EQ(Schema::compile(json::Value(std::move(required)))->validate(json::Value(json::Object())).size(),
              Schema::max_errors);
}

// proves: P8
TEST(Schema, LongTextsNeitherCrashNorStallAPattern) {
    const Schema by = schema(R"({"pattern": "^(a|aa)*(a|b)*$"})");
    const std::string as(1'000'000, 'a');
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(by.validate(json::Value(as)).empty());
    EXPECT_EQ(by.validate(json::Value(as + "!")).size(), 1U);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
}

// proves: P8
TEST(Schema, DeepValuesAreCheckedToTheirBottom) {
    std::string deep;
    for (int i = 0; i < 63; ++i) {
        deep += "[";
    }
    const std::string text = deep + "\"x\"" + std::string(63, ']');
    EXPECT_EQ(faults(R"({"type": ["array", "integer"], "items": {"$ref": "#"}})", text).size(), 1U);
}

TEST(Schema, ManyThreadsMayCheckAtOnce) {
    const Schema by = schema(R"({"properties": {"a": {"pattern": "^(x|y)+$"}, "b": {"format": "email"}}})");
    const json::Value good = value(R"({"a": "xyxy", "b": "ada@example.org"})");
    const json::Value bad = value(R"({"a": "xyz", "b": "ada"})");
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int k = 0; k < 500; ++k) {
                EXPECT_TRUE(by.validate(good).empty());
                EXPECT_EQ(by.validate(bad).size(), 2U);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

TEST(Schema, ScalarIsTheOneKindAMemberTakes) {
    const Schema by = schema(R"({
        "$defs": {"text": {"type": "string"}},
        "properties": {"s": {"type": "string"}, "i": {"type": "integer"}, "n": {"type": "number"},
            "b": {"type": "boolean"}, "r": {"$ref": "#/$defs/text"}, "two": {"type": ["string", "integer"]},
            "list": {"type": "array"}, "any": {}, "null": {"type": "null"}, "never": false}
    })");
    EXPECT_EQ(by.scalar("s"), Schema::Scalar::string);
    EXPECT_EQ(by.scalar("i"), Schema::Scalar::integer);
    EXPECT_EQ(by.scalar("n"), Schema::Scalar::number);
    EXPECT_EQ(by.scalar("b"), Schema::Scalar::boolean);
    EXPECT_EQ(by.scalar("r"), Schema::Scalar::string);
    for (const char* member : {"two", "list", "any", "null", "never", "missing"}) {
        EXPECT_EQ(by.scalar(member), std::nullopt) << member;
    }
}

}  // namespace
}  // namespace einmal
