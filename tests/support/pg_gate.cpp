#include "support/pg_gate.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace einmal::test {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds tick{5};
constexpr milliseconds delay{30};
constexpr std::size_t slice_size = 7;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

sockaddr_in local(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

void send_at_once(int socket) {
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

int connect_to(std::uint16_t port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto address = local(port);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
        send_at_once(socket);
        return socket;
    }
    ::close(socket);
    return -1;
}

bool send_all(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

bool readable(int socket, milliseconds patience) {
    pollfd waiting{socket, POLLIN, 0};
    return ::poll(&waiting, 1, static_cast<int>(patience.count())) > 0;
}

/// Appends what has arrived; false when the other side has closed.
bool receive(int socket, std::string& into) {
    std::array<char, 16384> block{};
    const ssize_t got = ::recv(socket, block.data(), block.size(), 0);
    if (got <= 0) return false;
    into.append(block.data(), static_cast<std::size_t>(got));
    return true;
}

/// The messages of PostgreSQL's protocol 3.0 in one direction: a type, a length that counts itself, a body. The
/// client's first one has no type.
class Messages {
 public:
    explicit Messages(bool begins_untyped) : untyped_(begins_untyped) {}

    void add(std::string_view bytes) { bytes_ += bytes; }
    /// The next whole message.
    std::optional<std::string> next() {
        const std::size_t head = untyped_ ? 0 : 1;
        if (bytes_.size() < head + 4) return std::nullopt;
        std::uint32_t length = 0;
        for (std::size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<unsigned char>(bytes_[head + i]);
        if (bytes_.size() < head + length) return std::nullopt;
        std::string message = bytes_.substr(0, head + length);
        bytes_.erase(0, head + length);
        untyped_ = false;
        return message;
    }

 private:
    std::string bytes_;
    bool untyped_;
};

/// Bind of a statement that commits: COMMIT, or the one that creates, which is a transaction of its own.
bool commits(std::string_view message) {
    if (!message.starts_with('B')) return false;
    const auto portal_end = message.find('\0', 5);
    const auto statement = message.substr(portal_end + 1, message.find('\0', portal_end + 1) - portal_end - 1);
    return statement == "einmal_commit" || statement == "einmal_create";
}

}  // namespace

const std::string& name_of(Trap trap) {
    static const std::array<std::string, 6> names{"cut_before_commit", "cut_behind_commit", "cut_answer",
                                                  "stall_answer",      "late_commit",       "delay_answer"};
    return names.at(static_cast<std::size_t>(trap));
}

/// One client and its connection to the database, carried by a thread of its own.
class PgGate::Connection {
 public:
    Connection(PgGate& gate, int client) : gate_(gate), client_(client), database_(connect_to(gate.database_port_)) {
        send_at_once(client_);
        thread_ = std::thread([this] { carry(); });
    }
    ~Connection() {
        cut();
        thread_.join();
        ::close(client_);
        if (database_ >= 0) ::close(database_);
    }

    /// Also from another thread: what waits for bytes wakes up.
    void cut() {
        cut_ = true;
        ::shutdown(client_, SHUT_RDWR);
        if (database_ >= 0) ::shutdown(database_, SHUT_RDWR);
    }
    [[nodiscard]] bool over() const { return over_; }

 private:
    void carry() {
        while (!cut_ && database_ >= 0 && step()) {
        }
        cut();
        over_ = true;
    }

    bool step() {
        if (gate_.frozen_) {
            std::this_thread::sleep_for(tick);
            return true;
        }
        std::array<pollfd, 2> sockets{pollfd{client_, POLLIN, 0}, pollfd{database_, POLLIN, 0}};
        if (::poll(sockets.data(), sockets.size(), static_cast<int>(tick.count())) <= 0) return true;
        if (sockets[0].revents != 0 && !from_client()) return false;
        return sockets[1].revents == 0 || from_database();
    }

    bool from_client() {
        std::string bytes;
        if (!receive(client_, bytes)) return false;
        to_database_.add(bytes);
        while (auto message = to_database_.next()) {
            if (commits(*message)) trap_ = gate_.spring();
            if (trap_ == Trap::cut_before_commit) return false;
            if (trap_ == Trap::late_commit) return commit_late(*message);
            if (!pass(database_, *message)) return false;
            if (trap_ && message->starts_with('S')) return spring_behind_commit();
        }
        return true;
    }

    bool spring_behind_commit() {
        const Trap trap = *std::exchange(trap_, std::nullopt);
        if (trap == Trap::cut_behind_commit) return false;
        const std::string answer = whole_answer();
        if (trap == Trap::stall_answer) return wait_until_client_leaves();
        if (trap == Trap::cut_answer) {
            pass(client_, std::string_view(answer).substr(0, answer.size() / 2));
            return false;
        }
        std::this_thread::sleep_for(delay);
        return pass(client_, answer);
    }

    /// Up to and with the database's ReadyForQuery.
    std::string whole_answer() {
        Messages messages(false);
        std::string answer;
        std::string bytes;
        while (!cut_ && receive(database_, bytes)) {
            answer += bytes;
            messages.add(std::exchange(bytes, {}));
            while (auto message = messages.next())
                if (message->starts_with('Z')) return answer;
        }
        return answer;
    }

    bool commit_late(std::string held) {
        while (auto message = to_database_.next()) held += *message;
        while (!cut_) {
            std::string more;
            if (readable(client_, tick) && !receive(client_, more)) break;
            held += more;
        }
        if (send_all(database_, held)) whole_answer();
        return false;
    }

    bool wait_until_client_leaves() {
        std::string ignored;
        while (!cut_ && (!readable(client_, tick) || receive(client_, ignored))) {
        }
        return false;
    }

    bool from_database() {
        std::string bytes;
        return receive(database_, bytes) && pass(client_, bytes);
    }

    bool pass(int socket, std::string_view bytes) {
        if (!gate_.slicing_) return send_all(socket, bytes);
        for (; !bytes.empty(); bytes.remove_prefix(std::min(slice_size, bytes.size())))
            if (!send_all(socket, bytes.substr(0, slice_size))) return false;
        return true;
    }

    PgGate& gate_;
    const int client_;
    const int database_;
    Messages to_database_{true};
    std::optional<Trap> trap_;  // has sprung; waits for the end of the client's messages
    std::atomic<bool> cut_ = false;
    std::atomic<bool> over_ = false;
    std::thread thread_;
};

PgGate::PgGate(std::uint16_t database_port)
    : database_port_(database_port), listening_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    auto address = local(0);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (listening_ < 0 || ::bind(listening_, generic, size) != 0 || ::listen(listening_, 128) != 0 ||
        ::getsockname(listening_, generic, &size) != 0) {
        fail("a gate cannot listen");
    }
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { accept(); });
}

PgGate::~PgGate() {
    ending_ = true;
    thread_.join();
    // A connection that is being carried may still ask for the trap, so it is joined without the lock.
    std::vector<std::unique_ptr<Connection>> connections;
    {
        const std::lock_guard lock(mutex_);
        connections.swap(connections_);
    }
    connections.clear();
    ::close(listening_);
}

void PgGate::accept() {
    while (!ending_) {
        if (!readable(listening_, tick)) continue;
        const int client = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
        if (client < 0) continue;
        const std::lock_guard lock(mutex_);
        std::erase_if(connections_, [](const auto& connection) { return connection->over(); });
        connections_.push_back(std::make_unique<Connection>(*this, client));
    }
}

void PgGate::set(Trap trap) {
    const std::lock_guard lock(mutex_);
    trap_ = trap;
}

bool PgGate::take_back() {
    const std::lock_guard lock(mutex_);
    return std::exchange(trap_, std::nullopt).has_value();
}

std::optional<Trap> PgGate::spring() {
    const std::lock_guard lock(mutex_);
    return std::exchange(trap_, std::nullopt);
}

void PgGate::cut_all() {
    const std::lock_guard lock(mutex_);
    for (const auto& connection : connections_) connection->cut();
}

}  // namespace einmal::test
