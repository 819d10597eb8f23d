// The contract's words as types, so that no two of them can be exchanged by accident (contract, "Words").
#pragma once

#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>

namespace einmal {

/// Wall-clock time in UTC, to the millisecond, as every representation shows it (contract T6).
using Timestamp = std::chrono::sys_time<std::chrono::milliseconds>;

/// The owner of resources and of a key space. Assigned by the store, never reused.
struct AccountId {
    std::int64_t value{};
    auto operator<=>(const AccountId&) const = default;
};

/// One bearer token, without its secret.
struct TokenId {
    std::int64_t value{};
    auto operator<=>(const TokenId&) const = default;
};

/// The client's name for one operation, unquoted and checked: 1–255 characters (contract K2).
struct Key {
    std::string text;
    auto operator<=>(const Key&) const = default;
};

/// Where a record lives: a keyed digest of (account, key, method, route), so that no key is stored in the clear
/// (contract K3, K7). 16 bytes of HMAC-SHA-256.
struct KeyDigest {
    std::array<std::byte, 16> bytes{};
    auto operator<=>(const KeyDigest&) const = default;
};

/// What was asked: HMAC-SHA-256 over the canonical request (contract K4).
struct Fingerprint {
    std::array<std::byte, 32> bytes{};
    auto operator<=>(const Fingerprint&) const = default;
};

/// A keyed digest of (type, member, value), by which equal values are found (indexed members) or kept apart (unique
/// members). 16 bytes of HMAC-SHA-256.
struct ValueDigest {
    std::array<std::byte, 16> bytes{};
    auto operator<=>(const ValueDigest&) const = default;
};

/// SHA-256 of a bearer token; the token itself is never stored (contract S1).
struct TokenDigest {
    std::array<std::byte, 32> bytes{};
    auto operator<=>(const TokenDigest&) const = default;
};

/// 1 at creation, plus 1 per effective change; the tombstone of a deleted resource has the next one (contract R1, R10).
struct Revision {
    std::uint64_t value{};
    auto operator<=>(const Revision&) const = default;
    [[nodiscard]] Revision next() const { return {value + 1}; }
};

/// `con_` + 22 characters 0-9A-Za-z. Ids of one type sort by time of creation; never used again (contract R10).
struct ResourceId {
    std::string text;
    auto operator<=>(const ResourceId&) const = default;
};

/// The plural name in the path: `contacts`.
struct TypeName {
    std::string text;
    auto operator<=>(const TypeName&) const = default;
};

/// The database's secret, from which every keyed digest is derived (contract K4). Made with the database, never
/// changes.
struct Secret {
    std::array<std::byte, 32> bytes{};
};

}  // namespace einmal
