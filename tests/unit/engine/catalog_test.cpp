// Types from a directory: what is taken over, and how each mistake is answered.
#include <einmal/catalog.hpp>

#include <gtest/gtest.h>
#include <unistd.h>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

namespace einmal {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix_only = R"({"id_prefix": "inv_"})";

/// A declaration with one text, one integer and one list member.
std::string declaration(std::string_view x_einmal, std::string_view more = "") {
    return R"({"type": "object", "properties": {"title": {"type": "string"}, "count": {"type": "integer"},
               "tags": {"type": "array"}, "a/b": {"type": "string"}}, )" +
           std::string(more) + R"("x-einmal": )" + std::string(x_einmal) + "}";
}

class CatalogDirectory : public testing::Test {
 protected:
    void SetUp() override {
        static std::atomic<int> counter = 0;
        directory_ = fs::temp_directory_path() /
                     ("einmal_types_" + std::to_string(::getpid()) + "_" + std::to_string(counter++));
        fs::create_directories(directory_);
    }
    void TearDown() override { fs::remove_all(directory_); }

    void put(const std::string& file, const std::string& text) const { std::ofstream(directory_ / file) << text; }

    [[nodiscard]] Catalog load() const {
        auto catalog = Catalog::load(directory_);
        EXPECT_TRUE(catalog.has_value()) << (catalog ? "" : catalog.error().reason);
        return catalog ? std::move(*catalog) : *Catalog::load("");
    }

    /// The reason why the directory is refused, without its path.
    [[nodiscard]] std::string refusal() const {
        const auto catalog = Catalog::load(directory_);
        if (catalog) {
            return "";
        }
        const Error error = catalog.error();
        EXPECT_EQ(error.code, Errc::configuration);
        EXPECT_EQ(error.reason.find('\n'), std::string::npos);
        const std::string path = directory_.string() + "/";
        EXPECT_EQ(error.reason.find(path), 0U) << error.reason;
        return error.reason.substr(std::min(path.size(), error.reason.size()));
    }

    /// Declares `invoices` and expects the refusal to begin with `place` and to contain `words`.
    void expect_refused(const std::string& text, const std::string& place, const std::string& words) const {
        put("invoices.json", text);
        const std::string reason = refusal();
        EXPECT_TRUE(reason.starts_with("invoices.json" + place)) << reason;
        EXPECT_NE(reason.find(words), std::string::npos) << reason;
    }

    /// The same for a fault in `x-einmal`, given the keyword beside the prefix.
    void expect_keyword_refused(const std::string& keyword, const std::string& pointer,
                                const std::string& words) const {
        expect_refused(declaration(R"({"id_prefix": "inv_", )" + keyword + "}"), ": \"/x-einmal" + pointer + "\" ",
                       words);
    }

    fs::path directory_;
};

// proves: T1
TEST_F(CatalogDirectory, AFileAddsAType) {
    put("invoices.json", declaration(R"({"id_prefix": "inv_", "read_only": ["count"], "initial": {"count": 0},
        "unique": ["title"], "indexed": ["count", "title"], "references": {"title": "contacts", "a/b": "invoices"},
        "scopes": {"title": "invoices.private:read"}, "require_if_match": true, "keep_revisions": 3})"));
    const Catalog catalog = load();
    EXPECT_EQ(catalog.types().size(), 6U);
    const ResourceType& invoices = *catalog.find("invoices");
    EXPECT_EQ(invoices.name.text, "invoices");
    EXPECT_EQ(invoices.id_prefix, "inv_");
    EXPECT_TRUE(invoices.read_only.contains("count"));
    EXPECT_EQ(*invoices.initial.find("count"), json::Value(0));
    EXPECT_TRUE(invoices.unique.contains("title"));
    EXPECT_EQ(invoices.indexed.size(), 2U);
    EXPECT_EQ(invoices.references.at("title").text, "contacts");
    EXPECT_EQ(invoices.references.at("a/b").text, "invoices");
    EXPECT_EQ(invoices.scopes.at("title"), "invoices.private:read");
    EXPECT_TRUE(invoices.require_if_match);
    EXPECT_EQ(invoices.keep_revisions, 3U);
    EXPECT_EQ(invoices.schema_document.if_object()->find("x-einmal"), nullptr);
    EXPECT_TRUE(invoices.validate(*json::read(R"({"title": "x"})")).empty());
    EXPECT_EQ(invoices.validate(*json::read(R"({"title": 5})")).size(), 1U);
}

// proves: T1
TEST_F(CatalogDirectory, AFileReplacesABuiltinType) {
    put("contacts.json", declaration(R"({"id_prefix": "con_"})"));
    const Catalog catalog = load();
    EXPECT_EQ(catalog.types().size(), 5U);
    EXPECT_TRUE(catalog.find("contacts")->validate(*json::read("{}")).empty());
}

TEST_F(CatalogDirectory, OtherFilesAreLeftAlone) {
    put("README.md", "not a type");
    put("contacts.json.bak", "{");
    EXPECT_EQ(load().types().size(), 5U);
}

// proves: T2, P7
TEST_F(CatalogDirectory, FiltersOfNumbersAreNumbers) {
    put("invoices.json", R"({"type": "object", "properties": {"count": {"type": "integer"}, "share": {"type": "number"},
        "paid": {"type": "boolean"}}, "x-einmal": {"id_prefix": "inv_", "indexed": ["count", "paid", "share"]}})");
    const Catalog catalog = load();
    const ResourceType& invoices = *catalog.find("invoices");
    EXPECT_EQ(invoices.filter_value("count", "5"), json::Value(5));
    EXPECT_EQ(invoices.filter_value("count", "5.0"), json::Value(5));
    EXPECT_EQ(invoices.filter_value("share", "-0.5"), json::Value(-0.5));
    EXPECT_EQ(invoices.filter_value("paid", "true"), json::Value(true));
    EXPECT_EQ(invoices.filter_value("paid", "false"), json::Value(false));
    for (const char* text : {"", "five", "5.5", " 5", "5 ", "\"5\"", "05", "+5", "1e400", "5,6", "[5]"}) {
        EXPECT_EQ(invoices.filter_value("count", text), std::nullopt) << text;
    }
    for (const char* text : {"", "True", "1", "null"}) {
        EXPECT_EQ(invoices.filter_value("paid", text), std::nullopt) << text;
    }
}

// proves: T1, A4
TEST_F(CatalogDirectory, AMissingDirectoryIsAnError) {
    const auto missing = Catalog::load(directory_ / "nowhere");
    ASSERT_TRUE(missing.has_error());
    EXPECT_NE(missing.error().reason.find("no such directory"), std::string::npos);
    put("file", "");
    EXPECT_TRUE(Catalog::load(directory_ / "file").has_error());
}

// proves: T1
TEST_F(CatalogDirectory, FilesThatCannotBeReadAreErrors) {
    fs::create_directory(directory_ / "invoices.json");
    EXPECT_TRUE(refusal().starts_with("invoices.json: is no file"));
    fs::remove(directory_ / "invoices.json");
    fs::create_symlink(directory_ / "gone", directory_ / "invoices.json");
    EXPECT_TRUE(refusal().starts_with("invoices.json: is no file"));
    fs::remove(directory_ / "invoices.json");
    put("invoices.json", std::string(1'048'577, ' '));
    EXPECT_TRUE(refusal().starts_with("invoices.json: is larger than 1 MiB"));
}

// proves: T1, P6
TEST_F(CatalogDirectory, BrokenJsonIsNamedByLineAndColumn) {
    expect_refused("{\n  \"type\": object\n}", ":2:", "no JSON");
    expect_refused("", ":1:", "no JSON");
    expect_refused(R"({"type": "object", "type": "object"})", ":1:", "no JSON");
    expect_refused("[]", ": the declaration ", "JSON object");
}

// proves: T1
TEST_F(CatalogDirectory, TheNameOfTheFileMustBeATypesName) {
    for (const char* file :
         {"Invoices.json", "in-voices.json", "2invoices.json", "_invoices.json", "in.voices.json", "rechnungén.json",
          "events.json", "idempotency.json", "webhook_endpoints.json", "openapi.json.json", ".x.json"}) {
        put(file, declaration(prefix_only));
        EXPECT_TRUE(refusal().starts_with(std::string(file) + ": the ")) << refusal();
        fs::remove(directory_ / file);
    }
    put("a_2.json", declaration(prefix_only));
    EXPECT_NE(load().find("a_2"), nullptr);
}

// proves: T1
TEST_F(CatalogDirectory, PrefixesAreShortAndDifferent) {
    for (const char* prefix :
         {"\"inv\"", "\"i_\"", "\"Inv_\"", "\"inv1_\"", "\"invoices_\"", "\"in_v_\"", "\"\"", "5"}) {
        expect_refused(declaration(R"({"id_prefix": )" + std::string(prefix) + "}"), ": \"/x-einmal/id_prefix\" ",
                       "two to six letters");
    }
    expect_refused(declaration("{}"), ": \"/x-einmal\" ", "id_prefix");
    expect_refused(declaration("[]"), ": \"/x-einmal\" ", "id_prefix");
    expect_refused(R"({"type": "object", "properties": {}})", ": \"/x-einmal\" ", "id_prefix");
    expect_refused(declaration(R"({"id_prefix": "con_"})"), ": \"/x-einmal/id_prefix\" ", "\"contacts\"");
}

// proves: T1
TEST_F(CatalogDirectory, ATypeIsAnObjectWithProperties) {
    expect_refused(R"({"properties": {}, "x-einmal": {"id_prefix": "inv_"}})", ": \"/type\" ", "\"object\"");
    expect_refused(R"({"type": "array", "properties": {}, "x-einmal": {"id_prefix": "inv_"}})", ": \"/type\" ",
                   "\"object\"");
    expect_refused(R"({"type": ["object"], "properties": {}, "x-einmal": {"id_prefix": "inv_"}})", ": \"/type\" ",
                   "\"object\"");
    expect_refused(R"({"type": "object", "x-einmal": {"id_prefix": "inv_"}})", ": \"/properties\" ", "missing");
}

// proves: T1, P4
TEST_F(CatalogDirectory, MembersOfTheServerCannotBeDeclared) {
    for (const std::string name : {"id", "revision", "created_at", "updated_at"}) {
        expect_refused(
            R"({"type": "object", "properties": {")" + name + R"(": {}}, "x-einmal": {"id_prefix": "inv_"}})",
            ": \"/properties/" + name + "\" ", "belongs to the server");
    }
}

// proves: T1
TEST_F(CatalogDirectory, FaultsOfTheSchemaAreNamedByPointer) {
    expect_refused(R"({"type": "object", "properties": {"a": {"maxlength": 5}}, "x-einmal": {"id_prefix": "inv_"}})",
                   ": \"/properties/a/maxlength\" ", "does not check");
    expect_refused(R"({"type": "object", "properties": {"a": {"format": "phone"}}, "x-einmal": {"id_prefix": "inv_"}})",
                   ": \"/properties/a/format\" ", "does not check");
    expect_refused(R"({"type": "object", "properties": {"a": {"$ref": "x.json"}}, "x-einmal": {"id_prefix": "inv_"}})",
                   ": \"/properties/a/$ref\" ", "outside of this file");
}

// proves: T1
TEST_F(CatalogDirectory, KeywordsOfEinmalAreAClosedList) {
    expect_keyword_refused(R"("read-only": [])", "/read-only", "no keyword");
    expect_keyword_refused(R"("index": ["title"])", "/index", "no keyword");
}

// proves: T1, P4
TEST_F(CatalogDirectory, ReadOnlyAndInitialMembersMustBeDeclared) {
    expect_keyword_refused(R"("read_only": "title")", "/read_only", "list");
    expect_keyword_refused(R"("read_only": [5])", "/read_only/0", "name");
    expect_keyword_refused(R"("read_only": ["title", "missing"])", "/read_only/1", "\"missing\"");
    expect_keyword_refused(R"("read_only": ["title", "title"])", "/read_only/1", "twice");
    expect_keyword_refused(R"("initial": [])", "/initial", "object");
    expect_keyword_refused(R"("initial": {"missing": 1})", "/initial/missing", "\"missing\"");
    expect_keyword_refused(R"("initial": {"count": 1})", "/initial/count", "\"read_only\"");
    expect_keyword_refused(R"("read_only": ["count"], "initial": {"count": "x"})", "/initial/count", "not valid");
    expect_refused(
        declaration(R"({"id_prefix": "inv_", "read_only": ["count"]})", R"("required": ["title", "count"], )"),
        ": \"/required\" ", "\"count\"");
    put("invoices.json", declaration(R"({"id_prefix": "inv_", "read_only": ["count"], "initial": {"count": 0}})",
                                     R"("required": ["title", "count"], )"));
    EXPECT_EQ(refusal(), "");
}

// proves: T1, T4
TEST_F(CatalogDirectory, UniqueAndIndexedMembersHoldOneSimpleValue) {
    expect_keyword_refused(R"("unique": ["missing"])", "/unique/0", "\"missing\"");
    expect_keyword_refused(R"("unique": ["tags"])", "/unique", "exactly one of");
    expect_keyword_refused(R"("indexed": ["tags"])", "/indexed", "exactly one of");
    expect_keyword_refused(R"("indexed": {})", "/indexed", "list");
    for (const std::string name : {"limit", "cursor", "updated_since"}) {
        std::string text = R"({"type": "object", "properties": {")";
        text.append(name).append(R"(": {"type": "string"}}, "x-einmal": {"id_prefix": "inv_", "indexed": [")");
        text.append(name).append(R"("]}})");
        expect_refused(text, ": \"/x-einmal/indexed\" ", "parameter of every list");
    }
}

// proves: T1, T4
TEST_F(CatalogDirectory, ReferencesNameTypesThatExist) {
    expect_keyword_refused(R"("references": ["title"])", "/references", "object");
    expect_keyword_refused(R"("references": {"title": 5})", "/references/title", "string");
    expect_keyword_refused(R"("references": {"missing": "contacts"})", "/references/missing", "\"missing\"");
    expect_keyword_refused(R"("references": {"count": "contacts"})", "/references/count", "\"string\"");
    expect_keyword_refused(R"("references": {"a/b": "persons"})", "/references/a~1b", "\"persons\"");
}

// proves: T1, S1
TEST_F(CatalogDirectory, ScopesOfMembersAreScopesToRead) {
    for (const std::string scope :
         {"*", "invoices", "invoices.private:write", "invoices:read tasks:read", ":read", " a:read"}) {
        expect_keyword_refused(R"("scopes": {"title": ")" + scope + R"("})", "/scopes/title", "one scope to read");
    }
    expect_keyword_refused(R"("scopes": {"missing": "a:read"})", "/scopes/missing", "\"missing\"");
}

// proves: T1, R11, R12
TEST_F(CatalogDirectory, SwitchesAndCountsAreChecked) {
    expect_keyword_refused(R"("require_if_match": "yes")", "/require_if_match", "true or false");
    for (const char* count : {"-1", "1.5", "10001", "\"20\"", "null"}) {
        expect_keyword_refused(R"("keep_revisions": )" + std::string(count), "/keep_revisions", "from 0 to 10000");
    }
}

}  // namespace
}  // namespace einmal
