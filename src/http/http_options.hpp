// Every limit of HTTP in one place, each with its default and the reason for it (contract H3, A6).
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace einmal::http {

struct HttpOptions {
    /// Head of a request: 431 beyond. Larger heads are cookies gone wrong or an attack.
    std::size_t head_max = std::size_t{16} * 1024;
    /// Request target: 414 beyond. No route needs more than a key and a few parameters.
    std::size_t target_max = std::size_t{8} * 1024;
    /// Body: 413 beyond. A resource is a form, not a file.
    std::size_t body_max = std::size_t{1024} * 1024;
    /// From the first byte of a head to its end: 408 beyond. Slow senders must not hold connections for free.
    std::chrono::milliseconds head_timeout{10'000};
    /// From the end of the head to the end of the body: 408 beyond.
    std::chrono::milliseconds body_timeout{30'000};
    /// Between two requests on a connection: closed without a word beyond.
    std::chrono::milliseconds idle_timeout{75'000};
    /// For the client to take an answer: closed beyond.
    std::chrono::milliseconds write_timeout{30'000};
    /// Connections at a time: 503 beyond. Each costs some 20 KiB and a file descriptor.
    std::size_t connections_max = 10'000;
    /// How long a shutdown waits for accepted requests (contract H4); what was answered is durable in any case.
    std::chrono::milliseconds shutdown_timeout{30'000};
    /// Requests per second and token, 0 = off (contract S3).
    double rate_limit = 0;
    /// Origin that may read answers across origins, `*` for all, empty = CORS off (contract H5).
    std::string cors_origin{};
    /// Whether each request gets a log line.
    bool log_requests = false;
};

}  // namespace einmal::http
