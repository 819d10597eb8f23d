#include "http/openapi.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "http/problem_catalog.hpp"

namespace einmal::http {
namespace {

class OpenApi : public testing::Test {
 protected:
    const json::Object& members(const json::Value& value, const char* name) {
        const auto* object = value.if_object();
        const auto* found = object != nullptr ? object->find(name) : nullptr;
        if (found == nullptr || found->if_object() == nullptr)
            throw std::runtime_error(std::string("no object ") + name);
        return *found->if_object();
    }

    const Catalog catalog = Catalog::load({}).value();
    const Router router{catalog};
    const json::Value document = json::read(openapi_document(router, {})).value();
};

/// Calls `visit` with every value in the tree.
void walk(const json::Value& value, const std::function<void(const json::Value&)>& visit) {
    visit(value);
    if (const auto* object = value.if_object())
        for (const auto& member : *object) walk(member.value, visit);
    if (const auto* array = value.if_array())
        for (const auto& item : *array) walk(item, visit);
}

// proves: T5
TEST_F(OpenApi, DescribesExactlyTheRoutesThereAre) {
    std::set<std::string> routed;
    for (const auto& route : router.routes()) {
        for (const auto method : route.methods) {
            std::string name = boost::beast::http::to_string(method);
            for (auto& c : name) c = static_cast<char>(std::tolower(c));
            routed.insert(name + ' ' + route.pattern);
        }
    }
    std::set<std::string> described;
    for (const auto& path : members(document, "paths"))
        for (const auto& operation : *path.value.if_object()) described.insert(operation.name + ' ' + path.name);
    EXPECT_EQ(described, routed);
    EXPECT_EQ(routed.size(), 5U * 12U + 14U);
}

// proves: T5
TEST_F(OpenApi, EveryReferenceLeadsSomewhere) {
    std::size_t references = 0;
    walk(document, [&](const json::Value& value) {
        const auto* object = value.if_object();
        const auto* reference = object != nullptr ? object->find("$ref") : nullptr;
        if (reference == nullptr) return;
        ++references;
        const auto& text = *reference->if_string();
        ASSERT_TRUE(text.starts_with("#/components/")) << text;
        const auto slash = text.find('/', 13);
        const auto& kind = members(document.if_object()->find("components")[0], text.substr(13, slash - 13).c_str());
        EXPECT_NE(kind.find(text.substr(slash + 1)), nullptr) << text;
    });
    EXPECT_GT(references, 100U);
}

// proves: T5
TEST_F(OpenApi, OperationIdsAreUnique) {
    std::set<std::string> ids;
    for (const auto& path : members(document, "paths"))
        for (const auto& operation : *path.value.if_object())
            EXPECT_TRUE(ids.insert(json::to_text(*operation.value.if_object()->find("operationId"))).second);
}

// proves: T5, E3
TEST_F(OpenApi, KnowsEveryProblem) {
    const auto text = json::to_text(document);
    for (const auto& entry : problem_catalog())
        EXPECT_NE(text.find('"' + std::string(entry.name) + '"'), std::string::npos);
    const auto& contacts = members(members(document, "paths").find("/v1/contacts")[0], "post");
    const auto& responses = *contacts.find("responses")->if_object();
    for (const char* status : {"201", "400", "401", "403", "409", "413", "415", "422", "429", "503", "default"})
        EXPECT_NE(responses.find(status), nullptr) << status;
}

// proves: T5, P4
TEST_F(OpenApi, MarksWhatBelongsToTheServer) {
    const auto& schemas = members(*document.if_object()->find("components"), "schemas");
    const auto& properties = members(*schemas.find("charges"), "properties");
    for (const char* member : {"id", "revision", "created_at", "updated_at", "status", "provider_id", "failure"}) {
        const auto* schema = properties.find(member);
        ASSERT_NE(schema, nullptr) << member;
        EXPECT_EQ(*schema->if_object()->find("readOnly"), json::Value(true)) << member;
    }
    EXPECT_EQ(properties.find("amount")->if_object()->find("readOnly"), nullptr);
    EXPECT_EQ(json::to_text(*schemas.find("charges.representation")->if_object()->find("required")), R"(["id"])");
}

}  // namespace
}  // namespace einmal::http
