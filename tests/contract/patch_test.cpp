// What PATCH, PUT and POST make of their bodies, as it is kept by the store (contract P2–P5, P7).
#include "contract/contract_test.hpp"

#include <string>

namespace einmal::test {
namespace {

// proves: P2, B28, B29
TEST_P(Contract, MergePatchFollowsItsStandard) {
    struct Case {
        std::string_view before, patch, after;  // values of `custom`
    };
    // RFC 7396, Appendix A, as far as target and result are objects, and the nested cases that went wrong elsewhere.
    const std::vector<Case> cases{
        {R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
        {R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
        {R"({"a":"b"})", R"({"a":null})", R"({})"},
        {R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
        {R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
        {R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
        {R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
        {R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
        {R"({"e":null})", R"({"a":1})", R"({"a":1})"},
        {R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
        {R"({"a":["x"]})", R"({"a":["a",null,"b"],"o":[{"k":null}]})", R"({"a":["a",null,"b"],"o":[{"k":null}]})"},
        {R"({"x":1})", R"({"x":{"y":null}})", R"({"x":{}})"},
    };
    World world(GetParam(), {});
    for (const Case& each : cases) {
        const Resource contact = world.created("contacts", R"({"name":"A","custom":)" + std::string(each.before) + "}");
        const auto answer = world.execute(world.patch(contact.id, "", R"({"custom":)" + std::string(each.patch) + "}"));
        ASSERT_EQ(verdict_of(answer), Outcome::executed) << each.patch;
        EXPECT_EQ(*world.body(contact.id).if_object()->find("custom"), parsed(each.after)) << each.patch;
    }
}

// proves: P3, B31
TEST_P(Contract, PatchThatIsNoObjectOrBreaksTheSchemaChangesNothing) {
    World world(GetParam(), {});
    const Resource contact = world.created("contacts", R"({"name":"Anna"})");
    for (const std::string_view body : {"null", R"("bar")", "42", "[]", R"({"name":null})", R"({"name":7})",
                                        R"({"unheard_of":1})", R"({"email":"no address"})"}) {
        const auto answer = world.execute(world.patch(contact.id, "", body));
        EXPECT_EQ(verdict_of(answer), Outcome::invalid) << body;
        EXPECT_FALSE(answer->decision.errors.empty()) << body;
    }
    const auto now = world.get(contact.id);
    EXPECT_EQ(now->revision, Revision{1});
    EXPECT_EQ(now->body, contact.body);
    EXPECT_EQ(world.opened->events().size(), 1U);
}

// proves: P4, B34
TEST_P(Contract, ServerOwnedMembersCannotBeChanged) {
    World world(GetParam(), {});
    const Resource contact = world.created("contacts", R"({"name":"Anna"})");
    for (const std::string_view body : {R"({"revision":99})", R"({"revision":null})", R"({"id":"con_other"})",
                                        R"({"created_at":"1970-01-01T00:00:00Z"})", R"({"updated_at":null})"}) {
        EXPECT_EQ(verdict_of(world.execute(world.patch(contact.id, "", body))), Outcome::read_only_member) << body;
    }
    EXPECT_EQ(world.get(contact.id)->revision, Revision{1});

    json::Value sent_back = parsed(represent(world.type("contacts"), contact, world.first->scopes));
    sent_back.if_object()->set("name", "Bert");
    Command with_everything = world.patch(contact.id, "", json::to_text(sent_back));
    ASSERT_EQ(verdict_of(world.execute(with_everything)), Outcome::executed);
    EXPECT_EQ(world.body(contact.id), parsed(R"({"name":"Bert"})"));
    EXPECT_EQ(world.get(contact.id)->revision, Revision{2});
}

// proves: P4
TEST_P(Contract, ReadOnlyMembersOfATypeBelongToTheServer) {
    World world(GetParam(), {});
    constexpr std::string_view charge = R"({"reference":"B-1042","amount":4990,"currency":"EUR"})";
    const Resource made = world.created("charges", charge);
    EXPECT_EQ(*parsed(made.body).if_object()->find("status"), json::Value("pending"));
    EXPECT_EQ(verdict_of(world.execute(world.patch(made.id, "", R"({"status":"succeeded"})"))),
              Outcome::read_only_member);
    EXPECT_EQ(verdict_of(world.execute(world.patch(made.id, "", R"({"status":"pending","description":"d"})"))),
              Outcome::executed);
    ASSERT_EQ(verdict_of(world.execute(world.replace(made.id, "", charge))), Outcome::executed);
    EXPECT_EQ(*world.body(made.id).if_object()->find("status"), json::Value("pending"));
}

// proves: P5
TEST_P(Contract, NullMeansAbsentInEveryBody) {
    World world(GetParam(), {});
    const Resource made = world.created("contacts", R"({"name":"Anna","notes":null,"custom":{"a":null,"b":[null]}})");
    EXPECT_EQ(parsed(made.body), parsed(R"({"name":"Anna","custom":{"b":[null]}})"));
    ASSERT_EQ(verdict_of(world.execute(world.replace(made.id, "", R"({"name":"Anna","phone":null,"tags":["t"]})"))),
              Outcome::executed);
    EXPECT_EQ(world.body(made.id), parsed(R"({"name":"Anna","tags":["t"]})"));
}

// proves: P7, B30
TEST_P(Contract, NumbersAndTextComeBackAsTheyWereSent) {
    World world(GetParam(), {});
    const std::string custom =
        R"({"n":9007199254740993,"m":12345678901234567890,"d":0.1,"e":1e2,"x":-5e-324,"t":"\u0001\u00e9\ud83d\ude00"})";
    const Resource made = world.created("contacts", R"({"name":"Anna","custom":)" + custom + "}");
    ASSERT_EQ(verdict_of(world.execute(world.patch(made.id, "", R"({"name":"x"})"))), Outcome::executed);
    const json::Value kept = world.body(made.id);
    EXPECT_EQ(json::to_text(*kept.if_object()->find("custom")), json::to_text(parsed(custom)));
    EXPECT_EQ(*kept.if_object()->find("custom")->if_object()->find("n"), json::Value(std::int64_t{9007199254740993}));
}

}  // namespace
}  // namespace einmal::test
