#include "http/cursor.hpp"

#include "base/digest.hpp"

#include <span>

namespace einmal::http {
namespace {

// Under the database's secret each purpose has a word of its own, so that no digest can serve for another.
constexpr std::string_view purpose = "list cursor 1";
constexpr std::size_t seal_size = 16;

std::string seal(const Secret& secret, const CursorScope& scope, std::string_view position) {
    base::Hmac hmac(secret);
    hmac.update_framed(purpose).update_framed(std::to_string(scope.account.value)).update_framed(scope.list);
    for (const auto& circumstance : scope.circumstances) hmac.update_framed(circumstance);
    const auto whole = hmac.update_framed(position).finish();
    std::string text(seal_size, '\0');
    for (std::size_t i = 0; i < seal_size; ++i) text[i] = static_cast<char>(whole[i]);
    return text;
}

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

}  // namespace

std::string make_cursor(const Secret& secret, const CursorScope& scope, std::string_view position) {
    return base::to_base64url(bytes_of(seal(secret, scope, position).append(position)));
}

std::optional<std::string> read_cursor(const Secret& secret, const CursorScope& scope, std::string_view cursor) {
    const auto bytes = base::from_base64url(cursor);
    if (!bytes || bytes->size() <= seal_size) return std::nullopt;
    const auto position = std::string_view(*bytes).substr(seal_size);
    const auto expected = seal(secret, scope, position);
    const auto given = std::string_view(*bytes).substr(0, seal_size);
    if (!base::equal_constant_time(bytes_of(given), bytes_of(expected))) return std::nullopt;
    return std::string(position);
}

}  // namespace einmal::http
