// The tape's two uses: one pass from the top makes the tree, and the path to a token names the place of a fault.
#include "base/json_tape.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

#include "base/assert.hpp"

namespace einmal::json {
namespace {

using Tokens = std::vector<Tape::Token>;

constexpr std::size_t open_end = std::numeric_limits<std::size_t>::max();

/// The index behind a value and all it holds.
std::size_t behind(const Tokens& tokens, std::size_t index) {
    if (index >= tokens.size()) return index + 1;
    std::size_t next = index + 1;
    if (const auto* array = std::get_if<Tape::ArrayOf>(&tokens[index])) next = array->next;
    if (const auto* object = std::get_if<Tape::ObjectOf>(&tokens[index])) next = object->next;
    return next == 0 ? open_end : next;
}

/// Makes the tree. The recursion is as deep as the text, which the reader has limited.
class TreeBuilder {
 public:
    explicit TreeBuilder(const Tokens& tokens) : tokens_(tokens) {}

    Value build(std::size_t index) {
        return std::visit([this, index](const auto& token) { return make(token, index); }, tokens_[index]);
    }

    [[nodiscard]] std::optional<std::size_t> twin() const { return twin_; }

 private:
    /// Where a member's name stands; its value is the next token.
    struct Place {
        std::string_view name;
        std::size_t index;
    };

    Value make(std::nullptr_t, std::size_t) { return {}; }
    Value make(bool value, std::size_t) { return value; }
    Value make(std::int64_t value, std::size_t) { return value; }
    Value make(std::uint64_t value, std::size_t) { return value; }
    Value make(double value, std::size_t) { return value; }
    Value make(std::string_view text, std::size_t) { return text; }
    Value make(Tape::Name, std::size_t) { base::assertion_failed("a name is no value", __FILE__, __LINE__); }

    Value make(const Tape::ArrayOf& token, std::size_t index) {
        Array array;
        array.reserve(token.count);
        for (std::size_t item = index + 1; item < token.next; item = behind(tokens_, item)) {
            array.push_back(build(item));
        }
        return array;
    }

    Value make(const Tape::ObjectOf& token, std::size_t index) {
        const std::size_t first = places_.size();
        for (std::size_t at = index + 1; at < token.next; at = behind(tokens_, at + 1)) {
            places_.push_back({std::get<Tape::Name>(tokens_[at]).text, at});
        }
        sort_places(first);
        std::vector<Member> members;
        members.reserve(token.count);
        for (std::size_t i = first; i < first + token.count; ++i) {
            const Place place = places_[i];
            members.push_back(Member{std::string(place.name), build(place.index + 1)});
        }
        places_.resize(first);
        Object object;
        if (!twin_) EINMAL_ASSERT(!object.assign_unsorted(std::move(members)));
        return object;
    }

    /// Notes the first name in the text that its object has already.
    void sort_places(std::size_t first) {
        const auto begin = places_.begin() + static_cast<std::ptrdiff_t>(first);
        const auto not_before = [](const Place& a, const Place& b) { return a.name >= b.name; };
        if (std::adjacent_find(begin, places_.end(), not_before) == places_.end()) return;
        std::sort(begin, places_.end(),
                  [](const Place& a, const Place& b) { return std::tie(a.name, a.index) < std::tie(b.name, b.index); });
        for (auto next = begin + 1; next != places_.end(); ++next) {
            if (std::prev(next)->name == next->name) twin_ = std::min(twin_.value_or(next->index), next->index);
        }
    }

    const Tokens& tokens_;
    std::vector<Place> places_;  ///< of all objects that are being made, innermost last
    std::optional<std::size_t> twin_;
};

}  // namespace

Tape::Tape() {
    tokens_.reserve(64);
    open_.reserve(16);
}

void Tape::open(const Token& container) {
    open_.push_back(tokens_.size());
    tokens_.push_back(container);
}

void Tape::close(std::size_t count) {
    Token& container = tokens_[open_.back()];
    open_.pop_back();
    if (auto* array = std::get_if<ArrayOf>(&container)) *array = {count, tokens_.size()};
    if (auto* object = std::get_if<ObjectOf>(&container)) *object = {count, tokens_.size()};
}

std::string Tape::pointer_to(std::size_t index) const {
    std::string pointer;
    std::size_t at = 0;
    while (at < index) {
        const bool in_object = std::holds_alternative<ObjectOf>(tokens_[at]);
        std::size_t child = at + 1;
        std::size_t position = 0;
        // A child of an object is a name and its value.
        for (std::size_t next = 0; (next = behind(tokens_, child + in_object)) <= index; child = next) ++position;
        if (in_object) {
            append_pointer(pointer, child < tokens_.size() ? std::get<Name>(tokens_[child]).text : "");
        } else {
            append_pointer(pointer, std::to_string(position));
        }
        at = child + in_object;
    }
    return pointer;
}

std::variant<Value, std::size_t> Tape::build() const {
    TreeBuilder builder(tokens_);
    Value value = builder.build(0);
    if (builder.twin()) return *builder.twin();
    return value;
}

}  // namespace einmal::json
