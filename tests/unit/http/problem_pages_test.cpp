#include "http/problem_pages.hpp"

#include <gtest/gtest.h>

#include <boost/beast/http/field.hpp>
#include <set>

namespace einmal::http {
namespace {

// proves: E2
TEST(ProblemPages, TheLanguageIsNegotiatedByWeight) {
    for (const char* german : {"de", "DE", "de-AT", "de, en", "en;q=0.8, de;q=0.9", "fr, de;q=0.1", "de;q=0.001",
                               "en;q=0, *", "de;q=1.000, en;q=0.999", " en ; q=0.5 ,\tde ; q=0.6", "xx,,de"}) {
        if (std::string_view(german) == "de, en") {
            EXPECT_EQ(negotiate_language(german), Language::english) << "equal weights: the server's first language";
            continue;
        }
        EXPECT_EQ(negotiate_language(german), Language::german) << german;
    }
    for (const char* english :
         {"", "en", "fr", "*", "en, de", "de;q=0", "de;q=0.5, en;q=0.5", "de;q=0.5, *;q=0.6", "de;q=2", "de;q=0.1234",
          "de;q=", "de;q=x", "der", "deutsch", "de;q=0, *", ";", "de;x=1"})
        EXPECT_EQ(negotiate_language(english), Language::english) << english;
}

// proves: E2, E3
TEST(ProblemPages, EveryCodeHasItsOwnTextInBothLanguages) {
    std::set<std::string_view> titles;
    for (const auto& entry : problem_catalog()) {
        const auto english = problem_text(entry.code, Language::english);
        const auto german = problem_text(entry.code, Language::german);
        EXPECT_EQ(english.title, entry.title) << "page and problem must say the same";
        for (const auto& text : {english, german}) {
            EXPECT_TRUE(titles.insert(text.title).second) << text.title;
            for (const auto sentence : {text.happened, text.done, text.next})
                EXPECT_TRUE(sentence.ends_with('.')) << sentence;
        }
        EXPECT_NE(problem_example(entry.code), "");
    }
}

// proves: E2
TEST(ProblemPages, ExamplesAreEscaped) {
    for (const auto& entry : problem_catalog()) {
        const auto page = problem_page(entry.name, Language::english).body();
        const auto begin = page.find("<pre>");
        const auto example = page.substr(begin + 5, page.find("</pre>") - begin - 5);
        EXPECT_EQ(example.find_first_of("<>\""), std::string::npos) << example;
    }
    EXPECT_EQ(problem_page("NOTHING", Language::german).result_int(), 404U);
    EXPECT_EQ(problem_index_page(Language::german).result_int(), 200U);
}

}  // namespace
}  // namespace einmal::http
