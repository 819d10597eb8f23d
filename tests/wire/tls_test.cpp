// TLS with a certificate made for the test.
#include "wire/raw_client.hpp"
#include "wire/recording_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace einmal::wire {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;

class Tls : public testing::Test {
 protected:
    static void SetUpTestSuite() {
        std::string pattern = (fs::temp_directory_path() / "einmal-tls-XXXXXX").string();
        directory_ = ::mkdtemp(pattern.data());
        for (const char* name : {"server", "other"}) {
            const std::string base = directory_ + "/" + name;
            const std::string command =
                "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 " +
                std::string("-subj /CN=localhost -keyout ") + base + ".key -out " + base + ".pem 2>/dev/null";
            ASSERT_EQ(std::system(command.c_str()), 0);
        }
    }
    static void TearDownTestSuite() { fs::remove_all(directory_); }

    static std::string path(const std::string& name) { return directory_ + "/" + name; }
    static http::TlsFiles files() { return {path("server.pem"), path("server.key")}; }

    static std::string directory_;
};
std::string Tls::directory_;

/// A client that trusts the test's certificate only.
class TlsClient {
 public:
    TlsClient(std::uint16_t port, const std::string& certificate) : stream_(io_, context_) {
        context_.load_verify_file(certificate);
        stream_.set_verify_mode(asio::ssl::verify_peer);
        SSL_set_security_level(stream_.native_handle(), 0);
        stream_.next_layer().connect({asio::ip::address_v4::loopback(), port});
    }

    SSL* native() { return stream_.native_handle(); }
    boost::system::error_code shake_hands() {
        boost::system::error_code failure;
        stream_.handshake(asio::ssl::stream_base::client, failure);
        return failure;
    }
    void send(const std::string& bytes) { asio::write(stream_, asio::buffer(bytes)); }
    /// Until the server closes; `asio::error::eof` is a proper end, anything else a truncation.
    boost::system::error_code read_to_end(std::string& text) {
        boost::system::error_code failure;
        asio::read(stream_, asio::dynamic_buffer(text), failure);
        return failure;
    }

 private:
    asio::io_context io_;
    asio::ssl::context context_{asio::ssl::context::tls_client};
    asio::ssl::stream<asio::ip::tcp::socket> stream_;
};

// proves: H1
TEST_F(Tls, ServesRequestsAndEndsProperly) {
    RecordingServer server({}, files());
    for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        TlsClient client(server.port(), path("server.pem"));
        SSL_set_min_proto_version(client.native(), version);
        SSL_set_max_proto_version(client.native(), version);
        ASSERT_FALSE(client.shake_hands());
        client.send(request_text("POST", "/x", "Content-Length: 5\r\n", "hello") + request_text("GET", "/large") +
                    request_text("GET", "/x", "Connection: close\r\n"));
        std::string answers;
        EXPECT_EQ(client.read_to_end(answers), asio::error::eof) << "close_notify is missing";
        EXPECT_THAT(answers.substr(0, 500), HasSubstr("\r\n\r\nhello"));
        EXPECT_GT(answers.size(), 3u * 1024 * 1024);
        EXPECT_THAT(answers.substr(answers.size() - 200), HasSubstr("Connection: close\r\n\r\n"));
    }
}

// proves: H1
TEST_F(Tls, RefusesOlderVersions) {
    RecordingServer server({}, files());
    TlsClient client(server.port(), path("server.pem"));
    SSL_set_min_proto_version(client.native(), TLS1_1_VERSION);
    SSL_set_max_proto_version(client.native(), TLS1_1_VERSION);
    SSL_set_cipher_list(client.native(), "ALL:@SECLEVEL=0");
    EXPECT_THAT(client.shake_hands().message(), HasSubstr("protocol version"));
    EXPECT_TRUE(server.wait_for_connections(0));
}

// proves: H3
TEST_F(Tls, HandshakeFallsUnderTheTimeOfAHead) {
    RecordingServer server({.head_timeout = 300ms}, files());
    RawClient silent(server.port());
    EXPECT_TRUE(silent.closed_silently(3000ms));
    RawClient plain(server.port());
    plain.send(request_text("GET", "/"));
    EXPECT_THAT(plain.read_to_end(), testing::Not(HasSubstr("HTTP/1.1")));
    EXPECT_TRUE(server.wait_for_connections(0));
}

// proves: H3
TEST_F(Tls, SlowRequestIsTold) {
    RecordingServer server({.head_timeout = 400ms}, files());
    TlsClient client(server.port(), path("server.pem"));
    ASSERT_FALSE(client.shake_hands());
    client.send("GET / HTTP/1.1\r\n");
    std::string answer;
    EXPECT_EQ(client.read_to_end(answer), asio::error::eof);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 408 ")) << answer;
}

// proves: H4
TEST_F(Tls, ShutdownClosesIdleConnectionsProperly) {
    RecordingServer server({}, files());
    TlsClient client(server.port(), path("server.pem"));
    ASSERT_FALSE(client.shake_hands());
    ASSERT_TRUE(server.wait_for_connections(1));
    auto done = server.shutdown();
    std::string answer;
    EXPECT_EQ(client.read_to_end(answer), asio::error::eof);
    EXPECT_EQ(done.wait_for(5s), std::future_status::ready);
}

// proves: H4
TEST_F(Tls, UnfinishedHandshakeDoesNotHoldUpAShutdown) {
    RecordingServer server({}, files());
    RawClient silent(server.port());
    ASSERT_TRUE(server.wait_for_connections(1));
    EXPECT_EQ(server.shutdown().wait_for(5s), std::future_status::ready);
    EXPECT_TRUE(silent.closed_silently(1000ms));
}

// proves: A4, H1
TEST_F(Tls, NamesTheFileAndWhatIsWrongWithIt) {
    std::ofstream(path("garbage.pem")) << "no certificate\n";
    std::ofstream(path("empty.pem")).flush();
    const auto reason = [](const http::TlsFiles& wrong) {
        const auto context = http::load_tls_context(wrong);
        EXPECT_FALSE(context);
        if (context) return std::string();
        EXPECT_EQ(context.error().code, Errc::configuration);
        return context.error().reason;
    };
    const auto expect = [&](const http::TlsFiles& wrong, const std::string& file, const std::string& what) {
        const std::string text = reason(wrong);
        EXPECT_THAT(text, HasSubstr(file));
        EXPECT_THAT(text, HasSubstr(what));
    };
    const std::string chain = path("server.pem");
    const std::string key = path("server.key");
    expect({path("missing.pem"), key}, path("missing.pem"), "No such file");
    expect({chain, path("missing.key")}, path("missing.key"), "No such file");
    expect({directory_, key}, directory_, "cannot be read");
    expect({path("empty.pem"), key}, path("empty.pem"), "is empty");
    expect({path("garbage.pem"), key}, path("garbage.pem"), "no usable PEM certificate");
    expect({chain, path("garbage.pem")}, path("garbage.pem"), "no usable PEM key");
    expect({chain, path("other.key")}, path("other.key"), "does not belong to the certificate");
    EXPECT_TRUE(http::load_tls_context(files()));

    boost::asio::io_context io(1);
    RecordingHandler handler;
    http::Server server(io.get_executor(), handler, {}, http::TlsFiles{chain, path("other.key")});
    EXPECT_EQ(server.listen("127.0.0.1", 0).error().code, Errc::configuration);
}

}  // namespace
}  // namespace einmal::wire
