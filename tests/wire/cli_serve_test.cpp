// `einmal serve` as a process: how it starts, what it says, how it refuses to start, and how it ends.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include "support/served.hpp"
#include "support/temporary_directory.hpp"

namespace einmal::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

class CliServeTest : public testing::Test {
 protected:
    Launch launch(std::vector<std::string> arguments) {
        return {.arguments = std::move(arguments),
                .directory = directory_.path(),
                .variables = {},
                .wrapper = {},
                .output = -1};
    }

    /// Starts a server that cannot start, and checks that it says why in one last line.
    void expect_refused(std::vector<std::string> flags, int code, const std::string& reason) {
        std::vector<std::string> arguments{"serve", "--listen", "127.0.0.1:0", "--log-level", "error"};
        arguments.insert(arguments.end(), flags.begin(), flags.end());
        const Finished finished = run(launch(arguments));
        EXPECT_EQ(finished.ending, (Ending{code, 0})) << finished.errors;
        EXPECT_EQ(finished.output, "");
        EXPECT_THAT(finished.errors, AllOf(StartsWith("einmal: "), HasSubstr(reason)));
        EXPECT_EQ(std::count(finished.errors.begin(), finished.errors.end(), '\n'), 1) << finished.errors;
    }

    void write(const std::string& name, const std::string& text) { std::ofstream(directory_.file(name)) << text; }

    TemporaryDirectory directory_;
};

// proves: A1, H4
TEST_F(CliServeTest, SaysWhereItListensAndEndsWith0OnSigterm) {
    Served server(directory_.path());
    EXPECT_EQ(server.process().output(),
              "einmal: listening on http://127.0.0.1:" + std::to_string(server.port()) + "\n");
    const auto created = server.post_contact("k", "Ada");
    ASSERT_TRUE(created.has_value());
    EXPECT_EQ(created->status, 201) << created->body;
    EXPECT_EQ(server.stop(), (Ending{0, 0})) << server.process().errors();
    EXPECT_THAT(server.process().output(), Not(HasSubstr("\neinmal"))) << "more than the one line";
}

// proves: A1
TEST_F(CliServeTest, ShowsAnIpv6AddressInBrackets) {
    Process process(launch({"serve", "--listen", "[::1]:0", "--store", "memory:"}));
    ASSERT_TRUE(process.port().has_value()) << process.errors();
    EXPECT_THAT(process.output(), MatchesRegex("einmal: listening on http://\\[::1\\]:[0-9]+\n"));
    process.signal(SIGINT);
    EXPECT_EQ(process.wait(), (Ending{0, 0}));
}

// proves: A2
TEST_F(CliServeTest, TheFirstStartWritesATokenForItsOwnerAndLaterStartsKeepIt) {
    std::string token;
    {
        Served server(directory_.path());
        token = server.token();
        EXPECT_THAT(token, MatchesRegex("ein_[A-Za-z0-9_-]+"));
        EXPECT_EQ(token.size(), 47U);
        struct stat status{};
        ASSERT_EQ(::stat(directory_.file("einmal.db.token").c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 07777U, 0600U);
        EXPECT_THAT(server.process().errors(), AllOf(HasSubstr("einmal.db.token"), Not(HasSubstr(token))));
        EXPECT_EQ(server.stop(), (Ending{0, 0}));
    }
    std::filesystem::remove(directory_.path() / "einmal.db.token");
    Served server(directory_.path());
    EXPECT_FALSE(std::filesystem::exists(directory_.path() / "einmal.db.token"));
    const auto listed = server.ask(
        {.method = "GET", .target = "/v1/contacts", .headers = {{"Authorization", "Bearer " + token}}, .body = ""});
    ASSERT_TRUE(listed.has_value());
    EXPECT_EQ(listed->status, 200);
}

// proves: H4
TEST_F(CliServeTest, ASignalDuringTheStartIsObeyedAndNotDeadly) {
    Process process(launch({"serve", "--listen", "127.0.0.1:0", "--store", "sqlite:" + directory_.file("einmal.db")}));
    // The lock is the first thing that a start leaves on the disk, well before the ready line.
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!std::filesystem::exists(directory_.file("einmal.db.lock"))) {
        ASSERT_LT(std::chrono::steady_clock::now(), deadline) << process.errors();
    }
    process.signal(SIGTERM);
    EXPECT_EQ(process.wait(), (Ending{0, 0}));
}

// proves: A2
TEST_F(CliServeTest, AStoreWithoutAFilePrintsItsTokenOnce) {
    Process process(launch({"serve", "--listen", "127.0.0.1:0", "--store", "memory:"}));
    const auto port = process.port();
    ASSERT_TRUE(port.has_value()) << process.errors();
    const std::string errors = process.errors();
    const std::size_t start = errors.find("ein_");
    ASSERT_NE(start, std::string::npos) << errors;
    EXPECT_EQ(errors.find("ein_", start + 1), std::string::npos);
    const auto listed = http(*port, {.method = "GET",
                                     .target = "/v1/contacts",
                                     .headers = {{"Authorization", "Bearer " + errors.substr(start, 47)}},
                                     .body = ""});
    ASSERT_TRUE(listed.has_value());
    EXPECT_EQ(listed->status, 200);
    EXPECT_TRUE(std::filesystem::is_empty(directory_.path()));
}

// proves: A1
TEST_F(CliServeTest, LogsAreOneJsonObjectPerLineWhenNobodyLooks) {
    Served server(directory_.path(), {"--log-requests=true"});
    ASSERT_TRUE(server.post_contact("secret-key", "Secret Name").has_value());
    EXPECT_EQ(server.stop(), (Ending{0, 0}));
    std::istringstream lines(server.process().errors());
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        EXPECT_THAT(line, AllOf(StartsWith("{"), testing::EndsWith("}"))) << line;
        EXPECT_THAT(line,
                    AllOf(Not(HasSubstr("secret-key")), Not(HasSubstr("Secret")), Not(HasSubstr(server.token()))));
    }
    EXPECT_GE(count, 3);
}

// proves: A4
TEST_F(CliServeTest, APortInUseIs75) {
    const Served server(directory_.path());
    const Finished finished = run(launch({"serve", "--store", "memory:", "--log-level", "error", "--listen",
                                          "127.0.0.1:" + std::to_string(server.port())}));
    EXPECT_EQ(finished.ending, (Ending{75, 0})) << finished.errors;
    EXPECT_THAT(finished.errors, HasSubstr(std::to_string(server.port())));
    EXPECT_EQ(finished.output, "");
}

// proves: A4
TEST_F(CliServeTest, ADatabaseInUseIs75) {
    const Served server(directory_.path());
    expect_refused({}, 75, "einmal.db");
}

// proves: A4
TEST_F(CliServeTest, AFileThatIsNoDatabaseIs2AndStaysAsItIs) {
    const std::string text(8192, 'x');
    write("einmal.db", text);
    expect_refused({}, 2, "einmal.db");
    std::ifstream file(directory_.file("einmal.db"));
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), text);
    EXPECT_FALSE(std::filesystem::exists(directory_.path() / "einmal.db.token"));
}

// proves: A4
TEST_F(CliServeTest, ADatabaseThatCannotBeMadeIs75) {
    expect_refused({"--store", "sqlite:missing/einmal.db"}, 75, "missing/einmal.db");
}

// proves: A4, T1
TEST_F(CliServeTest, ABadTypesFileIs2AndNamesTheFile) {
    std::filesystem::create_directory(directory_.path() / "types");
    write("types/books.json", "{ this is no JSON");
    expect_refused({"--types", "types"}, 2, "books.json");
    expect_refused({"--types", "nowhere"}, 2, "nowhere");
    EXPECT_FALSE(std::filesystem::exists(directory_.path() / "einmal.db")) << "a refused start made a database";
}

// proves: A4
TEST_F(CliServeTest, AnUnreadableCertificateIs75AndAWrongOneIs2) {
    write("server.key", "no key");
    write("server.pem", "no certificate");
    expect_refused({"--tls-cert", "missing.pem", "--tls-key", "server.key"}, 75, "missing.pem");
    expect_refused({"--tls-cert", "server.pem", "--tls-key", "missing.key"}, 75, "missing.key");
    expect_refused({"--tls-cert", "server.pem", "--tls-key", "server.key"}, 2, "server.pem");
}

// proves: A1, H1
TEST_F(CliServeTest, WithACertificateItSpeaksTls) {
    const std::string make = "cd '" + directory_.path().string() +
                             "' && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1"
                             " -subj /CN=localhost -keyout server.key -out server.pem 2>/dev/null";
    ASSERT_EQ(std::system(make.c_str()), 0);
    Served server(directory_.path(), {"--tls-cert", "server.pem", "--tls-key", "server.key"});
    EXPECT_THAT(server.process().output(), StartsWith("einmal: listening on https://127.0.0.1:"));
    const std::string port = std::to_string(server.port());
    EXPECT_EQ(std::system(("curl -ks -m 10 -o /dev/null https://127.0.0.1:" + port + "/livez").c_str()), 0);
    EXPECT_NE(std::system(("curl -s -m 10 -o /dev/null http://127.0.0.1:" + port + "/livez").c_str()), 0);
    EXPECT_EQ(server.stop(), (Ending{0, 0}));
}

// proves: A1
TEST_F(CliServeTest, VariablesSetUpAServer) {
    Launch serve = launch({"serve"});
    serve.variables = {{"EINMAL_LISTEN", "127.0.0.1:0"}, {"EINMAL_STORE", "sqlite:other.db"}};
    Process process(serve);
    ASSERT_TRUE(process.port().has_value()) << process.errors();
    EXPECT_TRUE(std::filesystem::exists(directory_.path() / "other.db"));
    EXPECT_TRUE(std::filesystem::exists(directory_.path() / "other.db.token"));
}

// proves: H4, K10
TEST_F(CliServeTest, SigtermLetsARequestThatHasBegunBeAnswered) {
    Served server(directory_.path());
    // Half a request is on its way when the signal comes.
    const std::string head = "POST /v1/contacts HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer " +
                             server.token() + "\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\n" +
                             "Content-Length: 14\r\n\r\n{\"name\"";
    Talk talk(server.port());
    ASSERT_TRUE(talk.send(head));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    server.process().signal(SIGTERM);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_FALSE(http(server.port(), {}).has_value()) << "a new connection was accepted after SIGTERM";
    ASSERT_TRUE(talk.send(":\"Ada\"}"));
    const auto answer = talk.receive_all();
    ASSERT_TRUE(answer.has_value());
    EXPECT_THAT(*answer, StartsWith("HTTP/1.1 201 "));
    EXPECT_EQ(server.process().wait(), (Ending{0, 0})) << server.process().errors();
}

// proves: H4
TEST_F(CliServeTest, ASecondSignalEndsItAtOnce) {
    Served server(directory_.path());
    Talk talk(server.port());
    ASSERT_TRUE(talk.send("POST /v1/contacts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + server.token() +
                          "\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{"));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    server.process().signal(SIGTERM);
    EXPECT_FALSE(server.process().wait(std::chrono::milliseconds(300)).has_value())
        << "it did not wait for the request";
    server.process().signal(SIGTERM);
    EXPECT_EQ(server.process().wait(std::chrono::seconds(5)), (Ending{-1, SIGTERM}));
}

// proves: A1
TEST_F(CliServeTest, AReaderOfStdoutThatIsGoneChangesNothing) {
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe2(pipe.data(), O_CLOEXEC), 0);
    ::close(pipe[0]);
    std::ofstream(directory_.file("e.toml")) << "log-format = \"json\"\n";
    Launch serve = launch({"serve", "--listen", "127.0.0.1:0", "--config", "e.toml"});
    serve.output = pipe[1];
    Process process(serve);
    ::close(pipe[1]);
    // Nobody reads the ready line, so the log has to tell the port.
    std::uint16_t port = 0;
    for (int i = 0; i < 2000 && port == 0; ++i) {
        const std::string errors = process.errors();
        const std::size_t found = errors.find("http://127.0.0.1:");
        if (found != std::string::npos && errors.find('\n', found) != std::string::npos) {
            port = static_cast<std::uint16_t>(std::stoi(errors.substr(found + 17)));
        } else {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }
    ASSERT_NE(port, 0) << process.errors();
    const auto alive = http(port, {.method = "GET", .target = "/livez", .headers = {}, .body = ""});
    ASSERT_TRUE(alive.has_value());
    EXPECT_EQ(alive->status, 200);
    process.signal(SIGTERM);
    EXPECT_EQ(process.wait(), (Ending{0, 0})) << process.errors();
}

}  // namespace
}  // namespace einmal::test
