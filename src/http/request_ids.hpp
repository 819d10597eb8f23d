// Names for requests, short and not to be guessed, by which an answer and a log line find each other (contract E1).
#pragma once

#include <einmal/env.hpp>

#include <array>
#include <cstddef>
#include <string>

namespace einmal::http {

/// Used on one executor only. The entropy outlives it.
class RequestIds {
 public:
    explicit RequestIds(Entropy& entropy) : entropy_(entropy) {}

    /// 12 characters of base64url: 72 random bits.
    [[nodiscard]] std::string next();

 private:
    static constexpr std::size_t id_bytes = 9;

    Entropy& entropy_;
    // Random bytes are drawn for many ids at once: each draw is a system call.
    std::array<std::byte, id_bytes * 64> pool_{};
    std::size_t used_ = pool_.size();
};

}  // namespace einmal::http
