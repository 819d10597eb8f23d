// A request target taken apart: path segments and query parameters, percent-decoded once, here (contract K4). More
// tolerant than RFC 3986 in one point: characters that browsers leave raw in a query, such as `{`, are taken as they
// are.
#pragma once

#include <boost/system/result.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace einmal::http {

struct Target {
    std::string_view raw_path;          ///< as sent, without query; lives as long as the request
    std::vector<std::string> segments;  ///< decoded; `/v1/contacts/` has the segments `v1`, `contacts` and an empty one
    std::vector<std::pair<std::string, std::string>> parameters;  ///< decoded, in the order sent

    /// Reads origin-form, absolute-form and `*` (RFC 9112 §3.2); `*` has no segments. In the query `+` is a blank, as
    /// in HTML forms. Fails with one sentence.
    [[nodiscard]] static boost::system::result<Target, std::string> parse(std::string_view target);
};

/// The path of a target as it was sent, without query and without authority; `text` need not be readable otherwise.
[[nodiscard]] std::string_view raw_path_of(std::string_view target);

}  // namespace einmal::http
