#include "http/target.hpp"

#include <algorithm>
#include <boost/url/pct_string_view.hpp>

namespace einmal::http {
namespace {

namespace urls = boost::urls;

/// False when an escape is broken. The common text without escapes is copied.
bool decode(std::string_view text, bool plus_is_blank, std::string& out) {
    const auto encoded = urls::make_pct_string_view(urls::string_view(text.data(), text.size()));
    if (!encoded) return false;
    urls::encoding_opts options;
    options.space_as_plus = plus_is_blank;
    out = encoded->decode(options);
    return true;
}

bool read_path(std::string_view path, std::vector<std::string>& segments) {
    for (std::size_t at = 1; at <= path.size();) {
        const auto end = std::min(path.find('/', at), path.size());
        if (!decode(path.substr(at, end - at), false, segments.emplace_back())) return false;
        at = end + 1;
    }
    return true;
}

bool read_query(std::string_view query, std::vector<std::pair<std::string, std::string>>& parameters) {
    for (std::size_t at = 0; at < query.size();) {
        const auto end = std::min(query.find('&', at), query.size());
        const auto part = query.substr(at, end - at);
        at = end + 1;
        if (part.empty()) continue;
        const auto equals = std::min(part.find('='), part.size());
        auto& [name, value] = parameters.emplace_back();
        if (!decode(part.substr(0, equals), true, name)) return false;
        if (equals < part.size() && !decode(part.substr(equals + 1), true, value)) return false;
    }
    return true;
}

/// Without scheme and authority of the absolute-form.
std::string_view without_authority(std::string_view target) {
    for (const std::string_view scheme : {"http://", "https://"}) {
        if (!target.starts_with(scheme)) continue;
        target.remove_prefix(scheme.size());
        target.remove_prefix(std::min(target.find_first_of("/?"), target.size()));
        break;
    }
    return target;
}

}  // namespace

std::string_view raw_path_of(std::string_view target) {
    const auto rest = without_authority(target);
    const auto path = rest.substr(0, rest.find('?'));
    return path.empty() ? std::string_view("/") : path;
}

boost::system::result<Target, std::string> Target::parse(std::string_view target) {
    using Read = boost::system::result<Target, std::string>;
    const auto is_visible = [](char c) { return c > ' ' && c < '\x7f' && c != '#'; };
    if (!std::ranges::all_of(target, is_visible))
        return Read(boost::system::in_place_error, "The request target holds characters that must be percent-encoded.");
    Target result;
    result.raw_path = raw_path_of(target);
    if (target == "*") return result;
    if (target.empty() || result.raw_path.front() != '/')
        return Read(boost::system::in_place_error, "The request target is neither a path nor an http URL.");
    const auto rest = without_authority(target);
    const auto question = std::min(rest.find('?'), rest.size());
    const auto query = rest.substr(std::min(question + 1, rest.size()));
    if (!read_path(result.raw_path, result.segments) || !read_query(query, result.parameters))
        return Read(boost::system::in_place_error, "The request target has a broken percent-escape.");
    return result;
}

}  // namespace einmal::http
