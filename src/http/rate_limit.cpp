#include "http/rate_limit.hpp"

#include <algorithm>
#include <cmath>

namespace einmal::http {
namespace {

constexpr std::size_t buckets_before_cleaning = 1024;

double seconds_between(RateLimit::Time earlier, RateLimit::Time later) {
    return std::chrono::duration<double>(later - earlier).count();
}

}  // namespace

RateLimit::RateLimit(double per_second)
    : per_second_(per_second), capacity_(std::max(1.0, per_second)), drop_at_(buckets_before_cleaning) {}

std::optional<std::chrono::seconds> RateLimit::refuse(TokenId token, Time now) {
    if (per_second_ <= 0) return std::nullopt;
    if (buckets_.size() >= drop_at_) drop_full_buckets(now);
    auto& bucket = buckets_.try_emplace(token, Bucket{capacity_, now}).first->second;
    const double gained = std::max(0.0, seconds_between(bucket.filled_at, now)) * per_second_;
    bucket.level = std::min(capacity_, bucket.level + gained);
    bucket.filled_at = std::max(bucket.filled_at, now);
    if (bucket.level >= 1) {
        bucket.level -= 1;
        return std::nullopt;
    }
    const double missing = (1 - bucket.level) / per_second_;
    // A rate of one request in years would still be told a number that fits a header.
    const auto wait = static_cast<std::int64_t>(std::ceil(std::min(missing, 86'400.0)));
    return std::chrono::seconds{std::max<std::int64_t>(1, wait)};
}

void RateLimit::drop_full_buckets(Time now) {
    std::erase_if(buckets_, [&](const auto& entry) {
        const auto& bucket = entry.second;
        return bucket.level + seconds_between(bucket.filled_at, now) * per_second_ >= capacity_;
    });
    drop_at_ = std::max(buckets_before_cleaning, buckets_.size() * 2);
}

}  // namespace einmal::http
