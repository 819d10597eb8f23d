#include <einmal/precondition.hpp>

#include <algorithm>
#include <charconv>

namespace einmal {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// RFC 9110 §8.8.3: etagc is visible ASCII without the quote, and bytes from 0x80.
bool is_tag_char(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x21 || (byte >= 0x23 && byte != 0x7f);
}

// One pass over one field line. Members may be empty (RFC 9110 §5.6.1.2), tags may not touch each other.
class TagReader {
 public:
    explicit TagReader(std::string_view line) : line_(line) {}

    /// Appends the tags of the line; false when it cannot be read.
    bool read(std::vector<EntityTag>& tags) {
        for (skip_blanks(); at_ < line_.size(); skip_blanks()) {
            if (line_[at_] == ',') {
                ++at_;
                continue;
            }
            if (!read_tag(tags)) return false;
            skip_blanks();
            if (at_ < line_.size() && line_[at_] != ',') return false;
        }
        return true;
    }

 private:
    void skip_blanks() {
        while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
    }

    bool read_tag(std::vector<EntityTag>& tags) {
        EntityTag tag;
        if (line_.substr(at_).starts_with("W/")) {
            tag.weak = true;
            at_ += 2;
        }
        if (at_ == line_.size() || line_[at_] != '"') return false;
        const auto begin = ++at_;
        while (at_ < line_.size() && (is_tag_char(line_[at_]) || line_[at_] == ' ')) ++at_;
        if (at_ == line_.size() || line_[at_] != '"') return false;
        tag.opaque = line_.substr(begin, at_ - begin);
        ++at_;
        tags.push_back(std::move(tag));
        return true;
    }

    std::string_view line_;
    std::size_t at_ = 0;
};

bool is_star(std::string_view line) {
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    return line == "*";
}

std::string opaque_tag(Revision revision) { return "r" + std::to_string(revision.value); }

}  // namespace

boost::system::result<Precondition, std::string> Precondition::parse(const std::vector<std::string_view>& lines) {
    Precondition result;
    if (lines.size() == 1 && is_star(lines.front())) {
        result.any = true;
        return result;
    }
    for (const auto line : lines) {
        if (!TagReader(line).read(result.tags))
            return std::string(R"(It must be * alone, or a list of entity tags in double quotes such as "r3".)");
    }
    if (result.tags.empty()) return std::string("It names no entity tag.");
    return result;
}

bool Precondition::matches_strongly(Revision current) const {
    const auto wanted = opaque_tag(current);
    return any || std::ranges::any_of(tags, [&](const auto& tag) { return !tag.weak && tag.opaque == wanted; });
}

bool Precondition::matches_weakly(Revision current) const {
    const auto wanted = opaque_tag(current);
    return any || std::ranges::any_of(tags, [&](const auto& tag) { return tag.opaque == wanted; });
}

std::optional<Revision> Precondition::single_revision() const {
    if (any || tags.size() != 1 || !tags.front().opaque.starts_with('r')) return std::nullopt;
    Revision revision;
    const auto& text = tags.front().opaque;
    std::from_chars(text.data() + 1, text.data() + text.size(), revision.value);
    if (opaque_tag(revision) != text) return std::nullopt;
    return revision;
}

std::string entity_tag(Revision revision) { return '"' + opaque_tag(revision) + '"'; }

}  // namespace einmal
