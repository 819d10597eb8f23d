// What a token may see and do (contract S1).
#pragma once

#include <set>
#include <string>
#include <string_view>

#include <boost/system/result.hpp>

namespace einmal {

/// A set of scopes: `contacts:read`, `contacts:write`, `contacts.private:read`, or `*` for all. Immutable.
class Scopes {
 public:
    Scopes() = default;

    /// Reads a blank-separated list. Fails with one sentence that names the word that is no scope; an empty list is
    /// one.
    [[nodiscard]] static boost::system::result<Scopes, std::string> parse(std::string_view text);

    /// Whether a caller with these scopes may do `scope`, for example `contacts:write`.
    [[nodiscard]] bool allow(std::string_view scope) const;

 private:
    bool all_ = false;
    std::set<std::string, std::less<>> names_;
};

}  // namespace einmal
