#include "support/process.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fstream>
#include <system_error>
#include <thread>

namespace einmal::test {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// A file in memory, so that a child that writes much never waits for a reader.
int memory_file(const char* name) {
    const int descriptor = ::memfd_create(name, MFD_CLOEXEC);
    if (descriptor < 0) fail("memfd_create");
    return descriptor;
}

std::string content(int descriptor) {
    std::string text;
    std::array<char, 4096> block{};
    for (;;) {
        const ssize_t got = ::pread(descriptor, block.data(), block.size(), static_cast<off_t>(text.size()));
        if (got <= 0) return text;
        text.append(block.data(), static_cast<std::size_t>(got));
    }
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> out;
    out.reserve(texts.size() + 1);
    for (std::string& text : texts) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

std::vector<std::string> child_environment(const std::map<std::string, std::string>& variables) {
    std::vector<std::string> environment;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        if (!std::string_view(*entry).starts_with("EINMAL_")) environment.emplace_back(*entry);
    }
    for (const auto& [name, value] : variables) environment.push_back(name + "=" + value);
    return environment;
}

/// In the child, after fork: only calls that are safe there.
[[noreturn]] void become(const std::filesystem::path& directory, const std::vector<char*>& arguments,
                         const std::vector<char*>& environment, int output, int errors) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!directory.empty() && ::chdir(directory.c_str()) != 0) ::_exit(126);
    if (::dup2(output, STDOUT_FILENO) < 0 || ::dup2(errors, STDERR_FILENO) < 0) ::_exit(126);
    ::execvpe(arguments.front(), arguments.data(), environment.data());
    ::_exit(127);
}

std::optional<HttpAnswer> parse_answer(std::string_view bytes) {
    const std::size_t end = bytes.find("\r\n\r\n");
    if (!bytes.starts_with("HTTP/1.1 ") || end == std::string_view::npos) return std::nullopt;
    HttpAnswer answer;
    std::from_chars(bytes.data() + 9, bytes.data() + 12, answer.status);
    std::string_view head = bytes.substr(0, end + 2);
    head.remove_prefix(head.find("\r\n") + 2);
    while (!head.empty()) {
        const std::string_view line = head.substr(0, head.find("\r\n"));
        head.remove_prefix(line.size() + 2);
        const std::size_t colon = std::min(line.find(": "), line.size());
        std::string name(line.substr(0, colon));
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        answer.headers[name] = line.substr(std::min(colon + 2, line.size()));
    }
    answer.body = bytes.substr(end + 4);
    const std::string length = answer.header("content-length");
    if (!length.empty() && length != std::to_string(answer.body.size())) return std::nullopt;
    return answer;
}

}  // namespace

Process::Process(const Launch& launch) : output_(memory_file("stdout")), errors_(memory_file("stderr")) {
    std::vector<std::string> words = launch.wrapper;
    words.push_back(launch.program.empty() ? EINMAL_PROGRAM : launch.program);
    words.insert(words.end(), launch.arguments.begin(), launch.arguments.end());
    std::vector<std::string> variables = child_environment(launch.variables);
    const std::vector<char*> arguments = pointers(words);
    const std::vector<char*> environment = pointers(variables);
    pid_ = ::fork();
    if (pid_ < 0) fail("fork");
    if (pid_ == 0) {
        become(launch.directory, arguments, environment, launch.output >= 0 ? launch.output : output_, errors_);
    }
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      output_(std::exchange(other.output_, -1)),
      errors_(std::exchange(other.errors_, -1)),
      ending_(other.ending_) {}

Process::~Process() {
    if (pid_ > 0 && !ending_) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    if (output_ >= 0) ::close(output_);
    if (errors_ >= 0) ::close(errors_);
}

void Process::signal(int number) const {
    if (!ending_) ::kill(pid_, number);
}

std::optional<Ending> Process::wait(milliseconds patience) {
    const Clock::time_point deadline = Clock::now() + patience;
    while (!ending_) {
        int status = 0;
        if (::waitpid(pid_, &status, WNOHANG) == pid_) {
            ending_ = WIFEXITED(status) ? Ending{WEXITSTATUS(status), 0} : Ending{-1, WTERMSIG(status)};
        } else if (Clock::now() >= deadline) {
            return std::nullopt;
        } else {
            std::this_thread::sleep_for(milliseconds(1));
        }
    }
    return ending_;
}

std::string Process::output() const { return content(output_); }
std::string Process::errors() const { return content(errors_); }

std::optional<std::uint16_t> Process::port(milliseconds patience) {
    const Clock::time_point deadline = Clock::now() + patience;
    for (;;) {
        const bool ended = wait(milliseconds(0)).has_value();
        const std::string text = output();
        const std::size_t line_end = text.find('\n');
        if (text.starts_with("einmal: listening on ") && line_end != std::string::npos) {
            const std::size_t colon = text.rfind(':', line_end);
            std::uint16_t port = 0;
            std::from_chars(text.data() + colon + 1, text.data() + line_end, port);
            return port;
        }
        if (ended || Clock::now() >= deadline) return std::nullopt;
        std::this_thread::sleep_for(milliseconds(1));
    }
}

Finished run(const Launch& launch, milliseconds patience) {
    Process process(launch);
    const std::optional<Ending> ending = process.wait(patience);
    return {ending.value_or(Ending{}), process.output(), process.errors()};
}

Talk::Talk(std::uint16_t port, milliseconds patience)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)), deadline_(Clock::now() + patience) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int error = 0;
    socklen_t length = sizeof(error);
    const int begun = ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
    connected_ = begun == 0 || (errno == EINPROGRESS && ready(POLLOUT) &&
                                ::getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == 0);
}

Talk::~Talk() { ::close(socket_); }

bool Talk::send(std::string_view bytes) const {
    if (!connected_) return false;
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        } else if (errno != EAGAIN || !ready(POLLOUT)) {
            return false;
        }
    }
    return true;
}

std::optional<std::string> Talk::receive_all() const {
    std::string bytes;
    std::array<char, 16384> block{};
    for (;;) {
        const ssize_t got = ::recv(socket_, block.data(), block.size(), 0);
        if (got == 0) return bytes;
        if (got > 0) {
            bytes.append(block.data(), static_cast<std::size_t>(got));
        } else if (errno != EAGAIN || !ready(POLLIN)) {
            return std::nullopt;
        }
    }
}

bool Talk::ready(short event) const {
    const auto left = std::chrono::duration_cast<milliseconds>(deadline_ - Clock::now()).count();
    pollfd waited{socket_, event, 0};
    return left > 0 && ::poll(&waited, 1, static_cast<int>(left)) == 1;
}

std::string HttpAnswer::header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
}

std::optional<HttpAnswer> http(std::uint16_t port, const HttpRequest& request, milliseconds patience) {
    std::string bytes = request.method + " " + request.target + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n";
    for (const auto& [name, value] : request.headers) bytes.append(name).append(": ").append(value).append("\r\n");
    if (!request.body.empty()) bytes += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
    bytes += "\r\n" + request.body;
    const Talk talk(port, patience);
    if (!talk.send(bytes)) return std::nullopt;
    const std::optional<std::string> answer = talk.receive_all();
    return answer ? parse_answer(*answer) : std::nullopt;
}

std::string first_line(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

}  // namespace einmal::test
