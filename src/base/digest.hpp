// Digests and the text forms of bytes. The only place that touches OpenSSL's hashing.
#pragma once

#include <einmal/types.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace einmal::base {

using Sha256 = std::array<std::byte, 32>;

/// HMAC-SHA-256 under one secret, with a context that is set up once: a one-shot call costs seven times as much.
/// Not thread-safe; movable. After `finish` it starts anew.
class Hmac {
 public:
    explicit Hmac(const Secret& secret);
    Hmac(Hmac&&) noexcept;
    Hmac& operator=(Hmac&&) noexcept;
    ~Hmac();

    Hmac& update(std::string_view text);
    Hmac& update(std::span<const std::byte> bytes);
    /// Appends the length as eight bytes, then the text: no two lists of parts share one input.
    Hmac& update_framed(std::string_view text);
    [[nodiscard]] Sha256 finish();

 private:
    struct Context;
    std::unique_ptr<Context> context_;
};

[[nodiscard]] Sha256 sha256(std::string_view text);

/// Compares in a time that does not depend on the contents.
[[nodiscard]] bool equal_constant_time(std::span<const std::byte> a, std::span<const std::byte> b);

[[nodiscard]] std::string to_hex(std::span<const std::byte> bytes);
/// RFC 4648 §5 without padding.
[[nodiscard]] std::string to_base64url(std::span<const std::byte> bytes);
/// Nothing when the text is no canonical base64url.
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);

}  // namespace einmal::base
