// `If-Match` and `If-None-Match` as values (RFC 9110 §13.1.1, §13.1.2; contract R2, R3).
#pragma once

#include <einmal/types.hpp>

#include <boost/system/result.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace einmal {

struct EntityTag {
    bool weak = false;
    std::string opaque;  ///< between the quotes
    bool operator==(const EntityTag&) const = default;
};

/// `*`, or a list of at least one tag.
struct Precondition {
    bool any = false;
    std::vector<EntityTag> tags;

    /// Reads all field lines of one header. Fails with one sentence when they are unreadable: 400 (contract R3).
    [[nodiscard]] static boost::system::result<Precondition, std::string> parse(
        const std::vector<std::string_view>& lines);

    /// Strong comparison, for If-Match: a weak tag never matches (RFC 9110 §8.8.3.2).
    [[nodiscard]] bool matches_strongly(Revision current) const;
    /// Weak comparison, for If-None-Match.
    [[nodiscard]] bool matches_weakly(Revision current) const;
    /// The one earlier revision the client names, when it names exactly one (contract R5).
    [[nodiscard]] std::optional<Revision> single_revision() const;
};

/// `"r3"`
[[nodiscard]] std::string entity_tag(Revision revision);

}  // namespace einmal
