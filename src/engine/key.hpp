// Reads the Idempotency-Key field and turns keys and values into the digests under which the store keeps them.
#pragma once

#include <einmal/json.hpp>
#include <einmal/types.hpp>

#include <boost/system/result.hpp>
#include <string>
#include <string_view>

namespace einmal::base {
class Hmac;
}

namespace einmal::engine {

/// Reads one field value, blanks around it removed: bare (visible ASCII without `"`, `\`, `,`) or an RFC 8941 String
/// with ignored parameters; 1–255 characters (contract K2). Fails with one sentence; never cuts, never joins.
[[nodiscard]] boost::system::result<Key, std::string> parse_key(std::string_view field_value);

/// Checks a key that was not read from a header, for example one from a path (contract K14): 1–255 characters that the
/// quoted form could carry.
[[nodiscard]] boost::system::result<Key, std::string> check_key(std::string text);

/// Where a record lives: account, key, method and route pattern (contract K3).
struct KeyPlace {
    AccountId account;
    std::string_view key;
    std::string_view method;
    std::string_view route;
};

[[nodiscard]] KeyDigest key_digest(base::Hmac& hmac, const KeyPlace& place);

/// By which equal values of one member are found. The account is not in it; the store keeps accounts apart.
[[nodiscard]] ValueDigest value_digest(base::Hmac& hmac, std::string_view type, std::string_view member,
                                       const json::Value& value);

}  // namespace einmal::engine
