// Log lines as an operator and his tools see them (contract A1).
#include "base/log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <einmal/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace einmal::base {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class Log : public ::testing::Test {
 protected:
    ~Log() override { configure_log(LogLevel::info, LogFormat::text); }

    /// What one call writes to stderr.
    template <class Call>
    static std::string written(const Call& call) {
        ::testing::internal::CaptureStderr();
        call();
        return ::testing::internal::GetCapturedStderr();
    }
};

// proves: A1
TEST_F(Log, WritesOneJsonObjectALine) {
    configure_log(LogLevel::info, LogFormat::json);
    const std::string line = written([] {
        log(LogLevel::warning, "slow commit",
            {{"milliseconds", 1500}, {"rate", 0.5}, {"retried", true}, {"store", "sqlite"}});
    });
    EXPECT_THAT(line, MatchesRegex(R"re(\{"time":"[0-9-]{10}T[0-9:]{8}\.[0-9]{3}Z","level":"warning",)re"
                                   R"re("event":"slow commit","milliseconds":1500,"rate":0.5,"retried":true,)re"
                                   R"re("store":"sqlite"\})re"
                                   "\n"));
    EXPECT_TRUE(json::read(line).has_value());
}

// proves: A1
TEST_F(Log, NothingBreaksOutOfItsQuotes) {
    configure_log(LogLevel::info, LogFormat::json);
    const std::string evil =
        "a\"b\\c\nd\r\t\x01%v %s {} {0}\xFF\xC3(\xED\xA0\x80\xF4\x90\x80\x80 \xC3\xA4\xF0\x9F\x98\x80";
    const std::string line = written([&evil] { log(LogLevel::error, "a \"quote\"\n%v", {{"text", evil}}); });
    ASSERT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
    const auto value = json::read(line);
    ASSERT_TRUE(value.has_value()) << line;
    EXPECT_EQ(*value->if_object()->find("event"), json::Value("a \"quote\"\n%v"));
    const std::string bad = "\xEF\xBF\xBD";
    EXPECT_EQ(*value->if_object()->find("text"),
              json::Value("a\"b\\c\nd\r\t\x01%v %s {} {0}" + bad + bad + "(" + bad + bad + bad + bad + bad + bad + bad +
                          " \xC3\xA4\xF0\x9F\x98\x80"));
}

TEST_F(Log, ANumberThatIsNoneIsNull) {
    configure_log(LogLevel::info, LogFormat::json);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinite = std::numeric_limits<double>::infinity();
    const auto line = written([=] { log(LogLevel::info, "x", {{"a", nan}, {"b", -infinite}, {"c", 1e300}}); });
    EXPECT_THAT(line, EndsWith("\"a\":null,\"b\":null,\"c\":1e+300}\n"));
}

// proves: A1
TEST_F(Log, WritesTextForPeople) {
    configure_log(LogLevel::debug, LogFormat::text);
    const auto line = written([] {
        log(LogLevel::info, "listening",
            {{"url", "http://127.0.0.1:8080"}, {"note", "a b\n"}, {"empty", ""}, {"tls", false}});
    });
    EXPECT_THAT(line, MatchesRegex("[0-9-]{10}T[0-9:]{8}\\.[0-9]{3}Z info    listening "
                                   "url=http://127.0.0.1:8080 note=\"a b\\\\n\" empty=\"\" tls=false\n"));
}

TEST_F(Log, LeavesOutWhatIsBelowItsLevel) {
    configure_log(LogLevel::warning, LogFormat::text);
    EXPECT_FALSE(log_enabled(LogLevel::debug));
    EXPECT_FALSE(log_enabled(LogLevel::info));
    EXPECT_TRUE(log_enabled(LogLevel::warning));
    EXPECT_TRUE(log_enabled(LogLevel::error));
    EXPECT_EQ(written([] { log(LogLevel::info, "quiet"); }), "");
    EXPECT_THAT(written([] { log(LogLevel::error, "loud"); }), HasSubstr(" error   loud\n"));
}

// proves: A1
TEST_F(Log, ManyThreadsWriteWholeLines) {
    configure_log(LogLevel::info, LogFormat::json);
    const std::string filler(500, 'x');
    const std::string all = written([&filler] {
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&filler, i] {
                for (int n = 0; n < 50; ++n) log(LogLevel::info, filler, {{"thread", i}, {"n", n}});
            });
        }
        for (auto& thread : threads) thread.join();
    });
    std::istringstream lines(all);
    std::set<std::string> seen;
    for (std::string line; std::getline(lines, line);) {
        const auto value = json::read(line);
        ASSERT_TRUE(value.has_value()) << line;
        const json::Object& object = *value->if_object();
        EXPECT_EQ(*object.find("event"), json::Value(filler));
        seen.insert(json::to_text(*object.find("thread")) + '/' + json::to_text(*object.find("n")));
    }
    EXPECT_EQ(seen.size(), 200U);
}

// The time is UTC, wherever the machine stands.
TEST_F(Log, TellsTheTimeInUtc) {
    configure_log(LogLevel::info, LogFormat::json);
    ASSERT_EQ(setenv("TZ", "Pacific/Kiritimati", 1), 0);
    tzset();
    const auto now = std::chrono::floor<std::chrono::minutes>(std::chrono::system_clock::now());
    const auto line = written([] { log(LogLevel::info, "x"); });
    unsetenv("TZ");
    tzset();
    std::tm expected{};
    const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    gmtime_r(&seconds, &expected);
    char hour[32];
    std::strftime(hour, sizeof hour, "\"time\":\"%Y-%m-%dT%H:", &expected);
    EXPECT_THAT(line, HasSubstr(hour));
}

TEST_F(Log, KnowsItsLevelsByName) {
    EXPECT_EQ(parse_log_level("debug"), LogLevel::debug);
    EXPECT_EQ(parse_log_level("info"), LogLevel::info);
    EXPECT_EQ(parse_log_level("warning"), LogLevel::warning);
    EXPECT_EQ(parse_log_level("error"), LogLevel::error);
    for (const char* word : {"", "warn", "Info", "trace", "off"}) EXPECT_EQ(parse_log_level(word), std::nullopt);
}

}  // namespace
}  // namespace einmal::base
