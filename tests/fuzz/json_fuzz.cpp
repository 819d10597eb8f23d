// Any bytes as a JSON text: what is read is written, and reads as the same value and the same text again; depth and
// number of values keep their bounds; a refusal names a place inside the text (contract P6–P8).
#include <algorithm>
#include <cstdint>
#include <einmal/json.hpp>

#include "base/assert.hpp"

using namespace einmal;

namespace {

constexpr json::Limits limits{.depth = 8, .values = 50};

struct Size {
    std::size_t depth = 0;
    std::size_t values = 0;
};

Size measure(const json::Value& value) {
    Size all{0, 1};
    const auto add = [&all](const json::Value& item) {
        const Size size = measure(item);
        all.depth = std::max(all.depth, size.depth);
        all.values += size.values;
    };
    if (const auto* array = value.if_array()) {
        for (const auto& item : *array) add(item);
        ++all.depth;
    } else if (const auto* object = value.if_object()) {
        for (const auto& member : *object) add(member.value);
        ++all.depth;
    }
    return all;
}

void check_refusal(std::string_view text, const json::ReadError& error) {
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    EINMAL_ASSERT(error.line >= 1 && error.line <= lines);
    EINMAL_ASSERT(error.column >= 1 && error.column <= text.size() + 1);
    EINMAL_ASSERT(error.pointer.empty() || error.pointer.front() == '/');
    EINMAL_ASSERT(!error.detail.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto value = json::read(text, limits);
    if (!value) {
        check_refusal(text, value.error());
        return 0;
    }
    const Size measured = measure(*value);
    EINMAL_ASSERT(measured.depth <= limits.depth && measured.values <= limits.values);
    const std::string canonical = json::to_text(*value);
    const auto again = json::read(canonical, limits);
    EINMAL_ASSERT(again.has_value() && *again == *value);
    EINMAL_ASSERT(json::to_text(*again) == canonical);
    return 0;
}
