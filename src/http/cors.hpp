// Cross-origin access (Fetch standard; contract H5, B27): off means that no header of it is ever sent.
#pragma once

#include "http/exchange.hpp"

#include <string>

namespace einmal::http {

/// Immutable, so thread-safe.
class Cors {
 public:
    /// `origin` as in HttpOptions: `*`, one origin, or empty for off.
    explicit Cors(std::string origin) : origin_(std::move(origin)) {}

    /// Adds what every answer carries, errors included.
    void decorate(Response& response) const;

    /// Whether the request is a preflight that this server answers; it needs neither token nor key.
    [[nodiscard]] bool is_preflight(const Request& request) const;

    /// Adds what the answer to a preflight carries, to an answer that has its Allow field.
    void grant(Response& response) const;

 private:
    std::string origin_;
};

}  // namespace einmal::http
