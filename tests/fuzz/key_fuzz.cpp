// Any bytes as an Idempotency-Key: refused, or a key that its own quoted form names again (contract K2).
#include "engine/key.hpp"

#include "base/assert.hpp"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view field(reinterpret_cast<const char*>(data), size);
    const auto key = einmal::engine::parse_key(field);
    if (!key) {
        EINMAL_ASSERT(!key.error().empty());
        return 0;
    }
    EINMAL_ASSERT(!key->text.empty() && key->text.size() <= 255);
    std::string quoted = "\"";
    for (const char c : key->text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    quoted += "\";p=1";
    const auto again = einmal::engine::parse_key(quoted);
    EINMAL_ASSERT(again.has_value() && *again == *key);
    return 0;
}
