// The built-in types, member by member, as the contract lists them.
#include <einmal/catalog.hpp>

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace einmal {
namespace {

using Faults = std::vector<std::string>;
using Names = std::set<std::string, std::less<>>;

const Catalog& catalog() {
    static const Catalog loaded = *Catalog::load("");
    return loaded;
}

const ResourceType& type(std::string_view name) { return *catalog().find(name); }

/// `pointer code` of every error.
Faults faults(std::string_view type_name, std::string_view body) {
    Faults faults;
    for (const FieldError& error : type(type_name).validate(*json::read(body))) {
        faults.push_back(error.pointer + " " + error.code);
    }
    return faults;
}

/// A JSON string of `count` letters.
std::string letters(std::size_t count) { return '"' + std::string(count, 'a') + '"'; }

Names members_of(std::string_view name) {
    Names names;
    for (const json::Member& member : *type(name).schema_document.if_object()->find("properties")->if_object()) {
        names.insert(member.name);
    }
    return names;
}

// proves: T1
TEST(BuiltinTypes, AreFiveWithTheirPrefixes) {
    std::map<std::string, std::string> prefixes;
    for (const auto& [name, declared] : catalog().types()) {
        EXPECT_EQ(declared.name.text, name);
        prefixes[name] = declared.id_prefix;
    }
    EXPECT_EQ(prefixes, (std::map<std::string, std::string>{{"contacts", "con_"},
                                                            {"companies", "com_"},
                                                            {"tasks", "tsk_"},
                                                            {"documents", "doc_"},
                                                            {"charges", "chg_"}}));
    EXPECT_EQ(catalog().find("invoices"), nullptr);
}

// proves: T6
TEST(BuiltinTypes, HaveTheMembersOfTheContract) {
    EXPECT_EQ(members_of("contacts"),
              (Names{"name", "email", "phone", "tags", "address", "company_id", "notes", "custom"}));
    EXPECT_EQ(members_of("companies"), (Names{"name", "vat_id", "website", "address", "tags", "custom"}));
    EXPECT_EQ(members_of("tasks"),
              (Names{"title", "description", "status", "due_on", "contact_id", "company_id", "custom"}));
    EXPECT_EQ(members_of("documents"),
              (Names{"kind", "number", "title", "contact_id", "company_id", "issued_on", "items", "total", "custom"}));
    EXPECT_EQ(members_of("charges"), (Names{"reference", "amount", "currency", "description", "contact_id", "custom",
                                            "status", "provider_id", "failure"}));
}

// proves: T1, T4, S1, R11, R12
TEST(BuiltinTypes, CarryTheKeywordsOfTheContract) {
    EXPECT_EQ(type("contacts").indexed, (Names{"email", "company_id"}));
    EXPECT_EQ(type("contacts").references.at("company_id").text, "companies");
    EXPECT_EQ(type("contacts").scopes, (std::map<std::string, std::string, std::less<>>{
                                           {"email", "contacts.private:read"}, {"phone", "contacts.private:read"}}));
    EXPECT_TRUE(type("contacts").unique.empty());
    EXPECT_EQ(type("companies").unique, Names{"vat_id"});
    EXPECT_EQ(type("tasks").indexed, Names{"status"});
    EXPECT_EQ(type("tasks").references.size(), 2U);
    EXPECT_EQ(type("documents").unique, Names{"number"});
    EXPECT_EQ(type("documents").references.size(), 2U);
    EXPECT_TRUE(type("charges").unique.empty());
    EXPECT_EQ(type("charges").read_only, (Names{"failure", "provider_id", "status"}));
    EXPECT_EQ(json::to_text(json::Value(type("charges").initial)), R"({"status":"pending"})");
    for (const auto& [name, declared] : catalog().types()) {
        EXPECT_FALSE(declared.require_if_match) << name;
        EXPECT_EQ(declared.keep_revisions, 20U) << name;
    }
}

// proves: T6, P3
TEST(BuiltinTypes, AskForWhatIsRequiredAndNothingElse) {
    EXPECT_EQ(faults("contacts", "{}"), Faults{"/name required"});
    EXPECT_EQ(faults("companies", "{}"), Faults{"/name required"});
    EXPECT_EQ(faults("tasks", "{}"), Faults{"/title required"});
    EXPECT_EQ(faults("documents", "{}"), Faults{"/kind required"});
    EXPECT_EQ(faults("charges", "{}"), (Faults{"/amount required", "/currency required", "/reference required"}));
    EXPECT_EQ(faults("contacts", R"({"name": "Ada"})"), Faults{});
    EXPECT_EQ(faults("companies", R"({"name": "Engines"})"), Faults{});
    EXPECT_EQ(faults("tasks", R"({"title": "Call"})"), Faults{});
    EXPECT_EQ(faults("documents", R"({"kind": "letter"})"), Faults{});
    EXPECT_EQ(faults("charges", R"({"reference": "B-1042", "amount": 4990, "currency": "EUR"})"), Faults{});
}

// proves: T6
TEST(BuiltinTypes, TakeEveryMember) {
    EXPECT_EQ(faults("contacts", R"({"name": "Ada", "email": "ada@example.org", "phone": "+49 30 1", "tags": ["a"],
        "address": {"street": "s", "zip": "z", "city": "c", "country": "d"}, "company_id": "com_1", "notes": "n",
        "custom": {}})"),
              Faults{});
    EXPECT_EQ(faults("companies", R"({"name": "E", "vat_id": "DE1", "website": "https://example.org", "address": {},
        "tags": [], "custom": {"a": 1}})"),
              Faults{});
    EXPECT_EQ(faults("tasks", R"({"title": "t", "description": "", "status": "in_progress", "due_on": "2026-01-31",
        "contact_id": "con_1", "company_id": "com_1", "custom": {}})"),
              Faults{});
    EXPECT_EQ(faults("documents", R"({"kind": "invoice", "number": "1", "title": "t", "contact_id": "con_1",
        "company_id": "com_1", "issued_on": "2026-01-31", "items": [{"text": "x", "quantity": 1.5, "unit_price": 10}],
        "total": {"amount": -15, "currency": "EUR"}, "custom": {}})"),
              Faults{});
    EXPECT_EQ(faults("charges", R"({"reference": "B", "amount": 1, "currency": "JPY", "description": "d",
        "contact_id": "con_1", "custom": {}, "status": "failed", "provider_id": "Z-9",
        "failure": {"code": "declined", "detail": "no"}})"),
              Faults{});
}

// proves: T6, P3
TEST(BuiltinTypes, RefuseWhatIsOutOfBounds) {
    EXPECT_EQ(faults("contacts", R"({"name": ""})"), Faults{"/name min_length"});
    EXPECT_EQ(faults("contacts", "{\"name\":" + letters(200) + "}"), Faults{});
    EXPECT_EQ(faults("contacts", "{\"name\":" + letters(201) + "}"), Faults{"/name max_length"});
    EXPECT_EQ(faults("contacts", R"({"name": "a", "notes": )" + letters(20'000) + "}"), Faults{});
    EXPECT_EQ(faults("contacts", R"({"name": "a", "notes": )" + letters(20'001) + "}"), Faults{"/notes max_length"});
    EXPECT_EQ(faults("contacts", R"({"name": "a", "email": "nobody"})"), Faults{"/email format"});
    EXPECT_EQ(faults("contacts", R"({"name": "a", "tags": ["x", 5, ""]})"),
              (Faults{"/tags/1 type", "/tags/2 min_length"}));
    EXPECT_EQ(faults("contacts", R"({"name": "a", "address": {"planet": "x"}})"),
              Faults{"/address/planet additional_property"});
    EXPECT_EQ(faults("contacts", R"({"name": "a", "nick": "x"})"), Faults{"/nick additional_property"});
    EXPECT_EQ(faults("companies", R"({"name": "a", "website": "example.org"})"), Faults{"/website format"});
    EXPECT_EQ(faults("tasks", R"({"title": "a", "status": "later"})"), Faults{"/status enum"});
    EXPECT_EQ(faults("tasks", R"({"title": "a", "due_on": "2026-02-30"})"), Faults{"/due_on format"});
    EXPECT_EQ(faults("documents", R"({"kind": "memo"})"), Faults{"/kind enum"});
    EXPECT_EQ(faults("documents", R"({"kind": "other", "items": [{}, {"text": "a", "price": 1}]})"),
              (Faults{"/items/0/text required", "/items/1/price additional_property"}));
    EXPECT_EQ(faults("documents", R"({"kind": "other", "total": {"amount": 1.5}})"),
              (Faults{"/total/currency required", "/total/amount type"}));
}

// proves: T6, P7
TEST(BuiltinTypes, AChargeIsAWholeNumberOfMinorUnitsInACurrency) {
    const auto charge = [](std::string_view amount, std::string_view currency) {
        return faults("charges", R"({"reference": "B-1042", "amount": )" + std::string(amount) + R"(, "currency": )" +
                                     std::string(currency) + "}");
    };
    for (const char* amount : {"1", "4990", "4990.0", "4.99e3", "9007199254740993", "9223372036854775807"}) {
        EXPECT_EQ(charge(amount, R"("EUR")"), Faults{}) << amount;
    }
    EXPECT_EQ(charge("0", R"("EUR")"), Faults{"/amount minimum"});
    EXPECT_EQ(charge("-4990", R"("EUR")"), Faults{"/amount minimum"});
    EXPECT_EQ(charge("49.90", R"("EUR")"), Faults{"/amount type"});
    EXPECT_EQ(charge(R"("4990")", R"("EUR")"), Faults{"/amount type"});
    for (const char* currency : {R"("eur")", R"("EURO")", R"("XYZ")", R"("")"}) {
        EXPECT_EQ(charge("1", currency), Faults{"/currency format"}) << currency;
    }
}

// proves: T6, B29
TEST(BuiltinTypes, CustomIsFree) {
    EXPECT_EQ(faults("contacts", R"({"name": "Ada", "custom": {"list": ["a", null, "b"], "objs": [{"k": null}],
        "id": 5, "deep": [[[{"x": 0.1}]]]}})"),
              Faults{});
    EXPECT_EQ(faults("contacts", R"({"name": "Ada", "custom": []})"), Faults{"/custom type"});
    EXPECT_EQ(faults("contacts", R"({"name": "Ada", "tags": ["a", null]})"), Faults{"/tags/1 type"});
}

// proves: T2
TEST(BuiltinTypes, FiltersAreTypedByTheSchema) {
    EXPECT_EQ(type("contacts").filter_value("email", "ada@example.org"), json::Value("ada@example.org"));
    EXPECT_EQ(type("contacts").filter_value("email", "nobody"), std::nullopt);
    EXPECT_EQ(type("tasks").filter_value("status", "open"), json::Value("open"));
    EXPECT_EQ(type("tasks").filter_value("status", "Open"), std::nullopt);
    EXPECT_EQ(type("tasks").filter_value("missing", "open"), std::nullopt);
    EXPECT_EQ(type("contacts").filter_value("tags", "a"), std::nullopt);
}

// proves: T5
TEST(BuiltinTypes, TheDocumentIsTheSchemaWithoutEinmalsKeywords) {
    for (const auto& [name, declared] : catalog().types()) {
        const json::Object& document = *declared.schema_document.if_object();
        EXPECT_EQ(document.find("x-einmal"), nullptr) << name;
        EXPECT_NE(document.find("title"), nullptr) << name;
        EXPECT_EQ(*document.find("additionalProperties"), json::Value(false)) << name;
        EXPECT_EQ(json::to_text(declared.schema_document).find("\"default\""), std::string::npos) << name;
    }
}

}  // namespace
}  // namespace einmal
