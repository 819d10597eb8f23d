// Bearer tokens → callers (contract S1). What is remembered here only saves a look-up: the store checks again, in the
// transaction of whatever the caller does, that the token has not been revoked.
#pragma once

#include "http/exchange.hpp"
#include "http/problem.hpp"

#include <einmal/engine.hpp>

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstring>
#include <memory>
#include <string_view>
#include <unordered_map>

namespace einmal::http {

/// Used on one executor only. The engine outlives it.
class Authenticator {
 public:
    using Time = std::chrono::steady_clock::time_point;

    explicit Authenticator(Engine& engine) : engine_(engine) {}

    /// The caller, or 401 UNAUTHORIZED; UNAVAILABLE and INTERNAL when the store cannot say. `request` outlives the
    /// call.
    [[nodiscard]] boost::asio::awaitable<OrProblem<std::shared_ptr<const Caller>>> authenticate(const Request& request,
                                                                                                Time now);

    /// Called when the store says that the token has been revoked.
    void forget(TokenId token);

 private:
    struct Hash {
        std::size_t operator()(const TokenDigest& digest) const {
            std::size_t hash = 0;
            std::memcpy(&hash, digest.bytes.data(), sizeof hash);
            return hash;
        }
    };

    struct Known {
        std::shared_ptr<const Caller> caller;
        Time looked_up_at;
    };

    void remember(const TokenDigest& digest, Known known);

    Engine& engine_;
    // Only tokens that the store knows, so strangers cannot fill it.
    std::unordered_map<TokenDigest, Known, Hash> known_;
};

}  // namespace einmal::http
