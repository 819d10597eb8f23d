#include "engine/id.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace einmal::engine {
namespace {

// In ASCII order, so that texts sort as the numbers do.
constexpr std::string_view alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

void append_base62(std::string& out, std::uint64_t number, std::size_t width) {
    const auto begin = out.size();
    out.resize(begin + width);
    for (auto at = out.size(); at > begin; number /= alphabet.size()) out[--at] = alphabet[number % alphabet.size()];
}

}  // namespace

std::string new_id(std::string_view prefix, Timestamp now, Entropy& entropy) {
    std::array<std::uint64_t, 2> chance{};
    entropy.fill(std::as_writable_bytes(std::span(chance)));
    std::string id;
    id.reserve(prefix.size() + 22);
    id += prefix;
    append_base62(id, static_cast<std::uint64_t>(now.time_since_epoch().count()), 8);
    append_base62(id, chance[0], 7);
    append_base62(id, chance[1], 7);
    return id;
}

}  // namespace einmal::engine
