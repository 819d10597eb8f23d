// Two JSON texts, split at the first NUL: the second merged into the first (RFC 7396). The result stays readable, a
// patch applied twice changes nothing more, and no null is left that the patch brought in outside arrays (contract P2,
// P8).
#include "base/assert.hpp"
#include "engine/patch.hpp"

#include <algorithm>
#include <cstdint>

using namespace einmal;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto split = std::min(bytes.find('\0'), bytes.size());
    const auto target = json::read(bytes.substr(0, split));
    const auto patch = json::read(bytes.substr(std::min(split + 1, bytes.size())));
    if (!target || !patch) return 0;
    const auto once = engine::merge_patch(*target, *patch);
    EINMAL_ASSERT(engine::merge_patch(once, *patch) == once);
    EINMAL_ASSERT(engine::count_values(once) <= engine::count_values(*target) + engine::count_values(*patch));
    const auto again = json::read(json::to_text(once));
    EINMAL_ASSERT(again.has_value() && *again == once);
    const auto clean = engine::without_nulls(once);
    EINMAL_ASSERT(engine::without_nulls(clean) == clean);
    return 0;
}
