// SHA-256 and HMAC through OpenSSL 3's EVP interface. The algorithms are fetched once: a fetch costs more than the
// digest of a small text. OpenSSL fails here only without memory or without its default provider, so a failure is an
// assertion, not a value.
#include "base/digest.hpp"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <algorithm>
#include <utility>

#include "base/assert.hpp"

namespace einmal::base {
namespace {

const unsigned char* raw(const void* bytes) { return static_cast<const unsigned char*>(bytes); }

/// Never freed: it lives as long as the program, and OpenSSL may be cleaned up before static objects are.
EVP_MAC* hmac_algorithm() {
    static EVP_MAC* const mac = EVP_MAC_fetch(nullptr, OSSL_MAC_NAME_HMAC, nullptr);
    EINMAL_ASSERT(mac != nullptr);
    return mac;
}

EVP_MD* sha256_algorithm() {
    static EVP_MD* const md = EVP_MD_fetch(nullptr, OSSL_DIGEST_NAME_SHA2_256, nullptr);
    EINMAL_ASSERT(md != nullptr);
    return md;
}

constexpr std::string_view base64url_alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The value of each character, or 64 where it is no character of the alphabet.
constexpr std::array<std::uint8_t, 256> base64url_values = [] {
    std::array<std::uint8_t, 256> values{};
    values.fill(64);
    for (std::size_t i = 0; i < base64url_alphabet.size(); ++i) {
        values[static_cast<unsigned char>(base64url_alphabet[i])] = static_cast<std::uint8_t>(i);
    }
    return values;
}();

}  // namespace

struct Hmac::Context {
    struct Free {
        void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
    };
    std::unique_ptr<EVP_MAC_CTX, Free> mac;
};

Hmac::Hmac(const Secret& secret) : context_(std::make_unique<Context>()) {
    context_->mac.reset(EVP_MAC_CTX_new(hmac_algorithm()));
    EINMAL_ASSERT(context_->mac != nullptr);
    char digest[] = OSSL_DIGEST_NAME_SHA2_256;
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
                                 OSSL_PARAM_construct_end()};
    EINMAL_ASSERT(EVP_MAC_init(context_->mac.get(), raw(secret.bytes.data()), secret.bytes.size(), params) == 1);
}

Hmac::Hmac(Hmac&&) noexcept = default;
Hmac& Hmac::operator=(Hmac&&) noexcept = default;
Hmac::~Hmac() = default;

Hmac& Hmac::update(std::string_view text) {
    EINMAL_ASSERT(EVP_MAC_update(context_->mac.get(), raw(text.data()), text.size()) == 1);
    return *this;
}

Hmac& Hmac::update(std::span<const std::byte> bytes) {
    EINMAL_ASSERT(EVP_MAC_update(context_->mac.get(), raw(bytes.data()), bytes.size()) == 1);
    return *this;
}

Hmac& Hmac::update_framed(std::string_view text) {
    std::array<std::byte, 8> length{};
    for (std::size_t i = 0; i < length.size(); ++i) {
        length[i] = static_cast<std::byte>(static_cast<std::uint64_t>(text.size()) >> (56 - 8 * i));
    }
    update(length);
    return update(text);
}

Sha256 Hmac::finish() {
    Sha256 out{};
    std::size_t size = 0;
    EVP_MAC_CTX* const mac = context_->mac.get();
    EINMAL_ASSERT(EVP_MAC_final(mac, reinterpret_cast<unsigned char*>(out.data()), &size, out.size()) == 1);
    EINMAL_ASSERT(size == out.size());
    EINMAL_ASSERT(EVP_MAC_init(mac, nullptr, 0, nullptr) == 1);  // the same secret again
    return out;
}

Sha256 sha256(std::string_view text) {
    Sha256 out{};
    unsigned size = 0;
    auto* const to = reinterpret_cast<unsigned char*>(out.data());
    EINMAL_ASSERT(EVP_Digest(text.data(), text.size(), to, &size, sha256_algorithm(), nullptr) == 1);
    EINMAL_ASSERT(size == out.size());
    return out;
}

bool equal_constant_time(std::span<const std::byte> a, std::span<const std::byte> b) {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string to_hex(std::span<const std::byte> bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    out.reserve(bytes.size() * 2);
    for (const std::byte byte : bytes) {
        out += digits[std::to_integer<std::size_t>(byte >> 4)];
        out += digits[std::to_integer<std::size_t>(byte & std::byte{15})];
    }
    return out;
}

std::string to_base64url(std::span<const std::byte> bytes) {
    std::string out;
    out.reserve((bytes.size() * 4 + 2) / 3);
    std::uint32_t bits = 0;
    unsigned held = 0;  // bits not yet written, fewer than 6 between two bytes
    for (const std::byte byte : bytes) {
        bits = (bits << 8) | std::to_integer<std::uint32_t>(byte);
        for (held += 8; held >= 6; held -= 6) out += base64url_alphabet[(bits >> (held - 6)) & 63];
    }
    if (held > 0) out += base64url_alphabet[(bits << (6 - held)) & 63];
    return out;
}

std::optional<std::string> from_base64url(std::string_view text) {
    if (text.size() % 4 == 1) return std::nullopt;
    std::string out;
    out.reserve(text.size() * 3 / 4);
    std::uint32_t bits = 0;
    unsigned held = 0;
    for (const char c : text) {
        const std::uint8_t value = base64url_values[static_cast<unsigned char>(c)];
        if (value > 63) return std::nullopt;
        bits = (bits << 6) | value;
        held += 6;
        if (held >= 8) {
            held -= 8;
            out += static_cast<char>((bits >> held) & 255);
        }
    }
    // Left-over bits other than zero would be a second spelling of the same bytes.
    if ((bits & ((1U << held) - 1)) != 0) return std::nullopt;
    return out;
}

}  // namespace einmal::base
