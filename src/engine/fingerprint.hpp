// The fingerprint of a request: what was asked, by value, so that a repetition is recognised however its JSON is
// spelled and another intent under the same key is not.
#pragma once

#include <einmal/engine.hpp>
#include <einmal/json.hpp>
#include <einmal/types.hpp>

namespace einmal::base {
class Hmac;
}

namespace einmal::engine {

/// HMAC-SHA-256 over a version, the method, the concrete path, the sorted effect parameters, the media type and the
/// body (contract K4). `body` null: the request has no JSON body and `identity.opaque_body` counts instead.
/// Preconditions, credentials and preferences are not in it.
[[nodiscard]] Fingerprint fingerprint(base::Hmac& hmac, const RequestIdentity& identity, const json::Value* body);

}  // namespace einmal::engine
