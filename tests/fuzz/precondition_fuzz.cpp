// Any bytes as If-Match, split into field lines at line feeds: refused, or tags that are read the same when they are
// written anew; strong comparison never says yes where weak comparison says no (contract R2, R3).
#include <einmal/precondition.hpp>

#include "base/assert.hpp"

#include <cstdint>

using einmal::Precondition;
using einmal::Revision;

namespace {

std::string written_anew(const Precondition& precondition) {
    if (precondition.any) return "*";
    std::string text;
    for (const auto& tag : precondition.tags) {
        if (!text.empty()) text += ", ";
        if (tag.weak) text += "W/";
        text += '"' + tag.opaque + '"';
    }
    return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    std::vector<std::string_view> lines;
    for (std::size_t begin = 0; begin <= bytes.size();) {
        const auto end = std::min(bytes.find('\n', begin), bytes.size());
        lines.push_back(bytes.substr(begin, end - begin));
        begin = end + 1;
    }
    const auto precondition = Precondition::parse(lines);
    if (!precondition) return 0;
    EINMAL_ASSERT(precondition->any || !precondition->tags.empty());
    const auto text = written_anew(*precondition);
    const auto again = Precondition::parse({text});
    EINMAL_ASSERT(again.has_value() && again->any == precondition->any && again->tags == precondition->tags);
    for (std::uint64_t revision = 1; revision < 12; ++revision)
        EINMAL_ASSERT(!precondition->matches_strongly(Revision{revision}) ||
                      precondition->matches_weakly(Revision{revision}));
    return 0;
}
