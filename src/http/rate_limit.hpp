// A token bucket per bearer token (contract S3).
#pragma once

#include <einmal/types.hpp>

#include <chrono>
#include <map>
#include <optional>

namespace einmal::http {

/// Used on one executor only. A bucket holds one second's worth of requests, at least one.
class RateLimit {
 public:
    using Time = std::chrono::steady_clock::time_point;

    /// `per_second` 0: off.
    explicit RateLimit(double per_second);

    /// Counts one request. Nothing when it may go on; otherwise after how many whole seconds the next one may, at
    /// least 1.
    [[nodiscard]] std::optional<std::chrono::seconds> refuse(TokenId token, Time now);

 private:
    struct Bucket {
        double level;
        Time filled_at;
    };

    void drop_full_buckets(Time now);

    // Constant after construction.
    double per_second_;
    double capacity_;
    // Changes with every request. Full buckets are dropped now and then: they say no more than an absent one.
    std::map<TokenId, Bucket> buckets_;
    std::size_t drop_at_;
};

}  // namespace einmal::http
