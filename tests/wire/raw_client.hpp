// A client that sends exactly the bytes a test wants and never waits for ever.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace einmal::wire {

struct RawResponse {
    int status = 0;
    std::map<std::string, std::string> fields;  ///< names in lower case
    std::string body;
    bool closes = false;  ///< says `Connection: close`
};

/// One TCP connection to 127.0.0.1. Every read gives up after some seconds and fails the test that waits.
class RawClient {
 public:
    explicit RawClient(std::uint16_t port);
    /// A socket that is not connected yet, so that it needs no descriptor later.
    RawClient();
    ~RawClient();
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;

    void connect(std::uint16_t port);
    /// False when the server has closed the connection.
    bool send(std::string_view bytes);
    /// The next response; `without_body` for answers to HEAD. Nothing when the connection ends before it is whole.
    std::optional<RawResponse> read_response(bool without_body = false);
    /// Everything until the server closes; fails the test when it does not, or resets the connection instead.
    std::string read_to_end();
    /// Whether the server closes the connection within `time`, without a further byte.
    bool closed_silently(std::chrono::milliseconds time);
    /// Ends the sending direction only.
    void finish_sending();
    /// Cuts the connection with a reset.
    void reset();

 private:
    enum class Arrival { bytes, end, reset, nothing };
    Arrival receive(std::chrono::milliseconds patience);

    int socket_ = -1;
    std::string received_;
};

/// A request with these lines between request line and empty line; Host is added.
[[nodiscard]] std::string request_text(std::string_view method, std::string_view target, std::string_view lines = {},
                                       std::string_view body = {});

}  // namespace einmal::wire
