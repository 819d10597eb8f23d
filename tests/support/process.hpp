// The real program, or one that it works with, as a child process: started, watched, stopped by its process id, every
// wait bounded. And the plainest HTTP client that can talk to it, over one socket per request, so that tests see the
// very bytes.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace einmal::test {

/// How a process ended.
struct Ending {
    int code = -1;   ///< exit code, or -1
    int signal = 0;  ///< the signal that ended it, or 0
    bool operator==(const Ending&) const = default;
};

/// What to run. The child sees the test's environment without its `EINMAL_` variables, plus `variables`.
struct Launch {
    std::vector<std::string> arguments;  ///< after the program's name
    std::filesystem::path directory;     ///< to run in; empty: the test's own
    std::map<std::string, std::string> variables;
    std::vector<std::string> wrapper;  ///< a program that runs the program: `strace -f …`
    int output = -1;                   ///< a descriptor to be the child's stdout instead of the kept one
    std::string program = {};          ///< somebody else's program to run instead of ours
};

/// A child that is ended (SIGKILL) and reaped with its object. Its stdout and stderr are kept in memory.
class Process {
 public:
    /// Throws std::system_error when there can be no new process.
    explicit Process(const Launch& launch);
    Process(Process&&) noexcept;
    Process& operator=(Process&&) = delete;
    ~Process();

    [[nodiscard]] pid_t pid() const { return pid_; }
    void signal(int number) const;
    /// How it ended, or nothing when it still runs after `patience`.
    [[nodiscard]] std::optional<Ending> wait(std::chrono::milliseconds patience = std::chrono::seconds(20));

    /// What it has written so far.
    [[nodiscard]] std::string output() const;
    [[nodiscard]] std::string errors() const;

    /// The port from the ready line (`einmal: listening on …`), or nothing when it ended before, or none came in time.
    [[nodiscard]] std::optional<std::uint16_t> port(std::chrono::milliseconds patience = std::chrono::seconds(20));

 private:
    pid_t pid_ = -1;
    int output_ = -1;
    int errors_ = -1;
    std::optional<Ending> ending_;
};

/// What a command that ran to its end left behind.
struct Finished {
    Ending ending;
    std::string output;
    std::string errors;
};

/// Runs the program to its end. An ending of {-1, 0} means that it had to be ended.
[[nodiscard]] Finished run(const Launch& launch, std::chrono::milliseconds patience = std::chrono::seconds(20));

/// One connection to 127.0.0.1, byte by byte, for as long as its patience lasts.
class Talk {
 public:
    explicit Talk(std::uint16_t port, std::chrono::milliseconds patience = std::chrono::seconds(20));
    ~Talk();
    Talk(const Talk&) = delete;
    Talk& operator=(const Talk&) = delete;

    /// False when there is no connection, or it broke.
    [[nodiscard]] bool send(std::string_view bytes) const;
    /// All bytes until the other side closes; nothing when the connection breaks or the patience is over.
    [[nodiscard]] std::optional<std::string> receive_all() const;

 private:
    [[nodiscard]] bool ready(short event) const;

    int socket_;
    std::chrono::steady_clock::time_point deadline_;
    bool connected_ = false;
};

struct HttpRequest {
    std::string method = "GET";
    std::string target = "/";
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
};

struct HttpAnswer {
    int status = 0;
    std::map<std::string, std::string> headers;  ///< names in lower case
    std::string body;

    /// Empty when there is no such header.
    [[nodiscard]] std::string header(const std::string& name) const;
};

/// Sends one request to 127.0.0.1 and reads its whole answer. Nothing when there was no connection, or it broke off.
[[nodiscard]] std::optional<HttpAnswer> http(std::uint16_t port, const HttpRequest& request,
                                             std::chrono::milliseconds patience = std::chrono::seconds(20));

/// The text of a file without its line end; empty when there is none.
[[nodiscard]] std::string first_line(const std::filesystem::path& file);

}  // namespace einmal::test
