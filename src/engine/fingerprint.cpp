#include "engine/fingerprint.hpp"

#include "base/digest.hpp"

#include <algorithm>

namespace einmal::engine {
namespace {

// Raised whenever the same request would be digested differently, so that old records never match by accident.
constexpr std::string_view domain_and_version = "F\x01";

}  // namespace

Fingerprint fingerprint(base::Hmac& hmac, const RequestIdentity& identity, const json::Value* body) {
    hmac.update(domain_and_version).update_framed(identity.method).update_framed(identity.path);
    auto parameters = identity.effect_parameters;
    std::ranges::sort(parameters);
    const std::uint64_t count = parameters.size();
    hmac.update(std::as_bytes(std::span(&count, 1)));
    for (const auto& [name, value] : parameters) hmac.update_framed(name).update_framed(value);
    hmac.update_framed(identity.media_type);
    hmac.update(body != nullptr ? "J" : "B");
    hmac.update_framed(body != nullptr ? json::to_text(*body) : identity.opaque_body);
    return Fingerprint{hmac.finish()};
}

}  // namespace einmal::engine
