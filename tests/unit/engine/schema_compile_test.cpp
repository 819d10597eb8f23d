#include "engine/schema.hpp"

#include <gtest/gtest.h>
#include <string>

namespace einmal {
namespace {

/// `pointer: detail`, or nothing when the text is a schema.
std::string refusal(std::string_view text) {
    const auto compiled = Schema::compile(*json::read(text));
    return compiled ? "" : compiled.error().pointer + ": " + compiled.error().detail;
}

void expect_refused(std::string_view text, std::string_view pointer, std::string_view words) {
    const std::string reason = refusal(text);
    EXPECT_TRUE(reason.starts_with(std::string(pointer) + ": ")) << text << "\n" << reason;
    EXPECT_NE(reason.find(words), std::string::npos) << text << "\n" << reason;
}

// proves: T1
TEST(SchemaCompile, UnknownKeywordsAreRefusedWithAdvice) {
    expect_refused(R"({"properties": {"a": {"maxlength": 3}}})", "/properties/a/maxlength", "correct or remove");
    expect_refused(R"({"definitions": {}})", "/definitions", "$defs");
    expect_refused(R"({"dependencies": {}})", "/dependencies", "dependentRequired");
    expect_refused(R"({"additionalItems": false})", "/additionalItems", "prefixItems");
    expect_refused(R"({"unevaluatedProperties": false})", "/unevaluatedProperties", "additionalProperties");
    expect_refused(R"({"default": 1})", "/default", "fills in no values");
    expect_refused(R"({"readOnly": true})", "/readOnly", "read_only");
    expect_refused(R"({"items": {"x-einmal": {}}})", "/items/x-einmal", "top of the file");
    for (const char* keyword : {"$dynamicRef", "$anchor", "contentEncoding", "$vocabulary", "nullable", "id"}) {
        expect_refused("{\"" + std::string(keyword) + "\": \"x\"}", "/" + std::string(keyword), "does not check");
    }
}

// proves: T1
TEST(SchemaCompile, ValuesOfTheWrongKindAreRefused) {
    expect_refused("5", "", "object, true or false");
    expect_refused(R"({"type": "strnig"})", "/type", "one of array, boolean");
    expect_refused(R"({"type": ["string", 5]})", "/type/1", "one of array, boolean");
    expect_refused(R"({"type": []})", "/type", "at least one");
    expect_refused(R"({"enum": []})", "/enum", "at least one value");
    expect_refused(R"({"enum": "a"})", "/enum", "list");
    for (const char* keyword : {"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"}) {
        for (const char* wrong : {"-1", "1.5", "\"5\"", "null"}) {
            expect_refused("{\"" + std::string(keyword) + "\": " + wrong + "}", "/" + std::string(keyword),
                           "whole number");
        }
    }
    for (const char* keyword : {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}) {
        expect_refused("{\"" + std::string(keyword) + "\": true}", "/" + std::string(keyword), "number");
    }
    expect_refused(R"({"multipleOf": 0})", "/multipleOf", "above 0");
    expect_refused(R"({"multipleOf": -1})", "/multipleOf", "above 0");
    expect_refused(R"({"multipleOf": 1234567890123456789})", "/multipleOf", "17 digits");
    expect_refused(R"({"uniqueItems": 1})", "/uniqueItems", "true or false");
    expect_refused(R"({"required": "name"})", "/required", "list");
    expect_refused(R"({"required": ["a", 5]})", "/required/1", "string");
    expect_refused(R"({"required": ["a", "a"]})", "/required/1", "twice");
    expect_refused(R"({"properties": []})", "/properties", "object");
    expect_refused(R"({"properties": {"a": 5}})", "/properties/a", "schema");
    expect_refused(R"({"items": [{}]})", "/items", "schema");
    expect_refused(R"({"prefixItems": {}})", "/prefixItems", "list");
    expect_refused(R"({"allOf": []})", "/allOf", "at least one");
    expect_refused(R"({"anyOf": [{}, "x"]})", "/anyOf/1", "schema");
    expect_refused(R"({"dependentRequired": {"a": "b"}})", "/dependentRequired/a", "list");
    expect_refused(R"({"dependentRequired": []})", "/dependentRequired", "object");
    expect_refused(R"({"title": 5})", "/title", "string");
    expect_refused(R"({"deprecated": "yes"})", "/deprecated", "true or false");
    expect_refused(R"({"examples": "x"})", "/examples", "list");
}

// proves: T1
TEST(SchemaCompile, KeywordsWithoutEffectAreRefused) {
    expect_refused(R"({"then": {}})", "/then", "\"if\"");
    expect_refused(R"({"else": {}})", "/else", "\"if\"");
    expect_refused(R"({"minContains": 1})", "/minContains", "\"contains\"");
    expect_refused(R"({"maxContains": 1})", "/maxContains", "\"contains\"");
}

// proves: T1
TEST(SchemaCompile, UnknownFormatsAreRefused) {
    expect_refused(R"({"format": "hostname"})", "/format", "date, date-time, email, iso4217, uri");
    expect_refused(R"({"format": 5})", "/format", "string");
}

// proves: T1, P8
TEST(SchemaCompile, PatternsThatCannotBeMatchedSafelyAreRefused) {
    expect_refused(R"({"pattern": "("})", "/pattern", "no regular expression");
    expect_refused(R"({"pattern": "(a)\\1"})", "/pattern", "no regular expression");
    expect_refused(R"json({"pattern": "(?=a)"})json", "/pattern", "no regular expression");
    expect_refused(R"({"pattern": "((a{900}){900}){900}"})", "/pattern", "no regular expression");
    expect_refused(R"({"pattern": 5})", "/pattern", "string");
    expect_refused(R"({"patternProperties": {"[": {}}})", "/patternProperties/[", "no regular expression");
}

// proves: T1
TEST(SchemaCompile, ReferencesStayInTheFileAndEnd) {
    expect_refused(R"({"$ref": "https://example.org/schema"})", "/$ref", "outside of this file");
    expect_refused(R"({"$ref": "other.json#/a"})", "/$ref", "outside of this file");
    expect_refused(R"({"$ref": "#/$defs/missing"})", "/$ref", "no schema");
    expect_refused(R"({"$ref": "#name"})", "/$ref", "no schema");
    expect_refused(R"({"properties": {"a": {}}, "$ref": "#/properties"})", "/$ref", "no schema");
    EXPECT_NE(refusal(R"({"$ref": "#"})").find("refers to itself"), std::string::npos);
    EXPECT_NE(refusal(R"({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}}})")
                  .find("refers to itself"),
              std::string::npos);
    EXPECT_NE(refusal(R"({"allOf": [{"$ref": "#"}, {"$ref": "#"}, {"$ref": "#"}, {"$ref": "#"}]})").find("refers"),
              std::string::npos);
    EXPECT_EQ(refusal(R"({"properties": {"a": {"$ref": "#"}}, "items": {"$ref": "#"}})"), "");
}

// proves: P8
TEST(SchemaCompile, NestingForOneValueIsLimited) {
    const auto nested = [](int depth) {
        std::string text;
        for (int i = 1; i < depth; ++i) {
            text += R"({"not":)";
        }
        return text + "{}" + std::string(static_cast<std::size_t>(depth - 1), '}');
    };
    EXPECT_EQ(refusal(nested(16)), "");
    EXPECT_NE(refusal(nested(17)).find("more than 16 deep"), std::string::npos);
}

TEST(SchemaCompile, DraftAndIdStandAtTheTopOnly) {
    EXPECT_EQ(refusal(R"({"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.org/a"})"),
              "");
    expect_refused(R"({"$schema": "http://json-schema.org/draft-07/schema#"})", "/$schema", "2020-12");
    expect_refused(R"({"items": {"$id": "https://example.org/b"}})", "/items/$id", "top of the file");
    expect_refused(R"({"items": {"$schema": "x"}})", "/items/$schema", "top of the file");
}

TEST(SchemaCompile, AnnotationsAreAllowed) {
    EXPECT_EQ(refusal(R"({"title": "a", "description": "b", "$comment": "c", "deprecated": true, "examples": [1]})"),
              "");
}

TEST(SchemaCompile, TheFirstFaultIsReported) {
    expect_refused(R"({"properties": {"a": {"type": "x"}, "b": {"type": "y"}}})", "/properties/a/type", "one of");
}

}  // namespace
}  // namespace einmal
