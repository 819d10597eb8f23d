#include "wire/raw_client.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace einmal::wire {
namespace {

constexpr std::chrono::milliseconds patience{8000};

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

RawResponse parse_head(const std::string& head) {
    RawResponse response;
    response.status = std::stoi(head.substr(head.find(' ') + 1));
    for (std::size_t at = head.find("\r\n") + 2; at < head.size();) {
        const std::size_t end = head.find("\r\n", at);
        const std::size_t colon = head.find(": ", at);
        if (colon < end) response.fields[lower(head.substr(at, colon - at))] = head.substr(colon + 2, end - colon - 2);
        at = end + 2;
    }
    const auto connection = response.fields.find("connection");
    response.closes = connection != response.fields.end() && connection->second == "close";
    return response;
}

}  // namespace

RawClient::RawClient() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (socket_ < 0) throw std::runtime_error("no socket for the test");
}

RawClient::RawClient(std::uint16_t port) : RawClient() { connect(port); }

RawClient::~RawClient() { ::close(socket_); }

void RawClient::connect(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        throw std::runtime_error("cannot connect to the server under test");
    }
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool RawClient::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

RawClient::Arrival RawClient::receive(std::chrono::milliseconds time) {
    pollfd ready{.fd = socket_, .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, static_cast<int>(time.count())) <= 0) return Arrival::nothing;
    std::array<char, 65536> block;
    const ssize_t count = ::recv(socket_, block.data(), block.size(), 0);
    if (count <= 0) return count == 0 ? Arrival::end : Arrival::reset;
    received_.append(block.data(), static_cast<std::size_t>(count));
    return Arrival::bytes;
}

std::optional<RawResponse> RawClient::read_response(bool without_body) {
    std::optional<RawResponse> response;
    std::size_t size = 0;
    for (;;) {
        const std::size_t end = received_.find("\r\n\r\n");
        if (!response && end != std::string::npos) {
            response = parse_head(received_.substr(0, end + 2));
            const auto length = response->fields.find("content-length");
            size = end + 4;
            if (!without_body && length != response->fields.end()) size += std::stoul(length->second);
        }
        if (response && received_.size() >= size) {
            response->body = received_.substr(end + 4, size - end - 4);
            received_.erase(0, size);
            return response;
        }
        const Arrival arrival = receive(patience);
        EXPECT_NE(arrival, Arrival::nothing) << "no whole response within the time a test waits";
        if (arrival != Arrival::bytes) return std::nullopt;
    }
}

std::string RawClient::read_to_end() {
    for (;;) {
        const Arrival arrival = receive(patience);
        EXPECT_NE(arrival, Arrival::nothing) << "the server does not close the connection";
        EXPECT_NE(arrival, Arrival::reset) << "a reset can destroy the answer before the client has read it";
        if (arrival != Arrival::bytes) return std::exchange(received_, {});
    }
}

bool RawClient::closed_silently(std::chrono::milliseconds time) {
    return received_.empty() && receive(time) == Arrival::end;
}

void RawClient::finish_sending() { ::shutdown(socket_, SHUT_WR); }

void RawClient::reset() {
    const linger now{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    ::close(std::exchange(socket_, -1));
}

std::string request_text(std::string_view method, std::string_view target, std::string_view lines,
                         std::string_view body) {
    std::string text;
    text.append(method).append(" ").append(target).append(" HTTP/1.1\r\nHost: einmal.test\r\n");
    return text.append(lines).append("\r\n").append(body);
}

}  // namespace einmal::wire
