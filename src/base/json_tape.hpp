// What the JSON reader has seen, in the order of the text, before a tree is made of it: the tree is then built from the
// top with every size known, so that nothing is moved about. Private to the JSON reader.
#pragma once

#include <einmal/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace einmal::json {

/// A flat list of values and names. Holds views into the text that is read, which must outlive it.
class Tape {
 public:
    struct Name {
        std::string_view text;
    };
    /// `next` is the index behind the container's last item, 0 as long as it is open.
    struct ArrayOf {
        std::size_t count = 0;
        std::size_t next = 0;
    };
    struct ObjectOf {
        std::size_t count = 0;
        std::size_t next = 0;
    };
    using Token = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string_view, Name,
                               ArrayOf, ObjectOf>;

    Tape();

    [[nodiscard]] std::size_t size() const { return tokens_.size(); }
    /// The index of the innermost open container; there must be one.
    [[nodiscard]] std::size_t innermost() const { return open_.back(); }
    void push(const Token& token) { tokens_.push_back(token); }
    void open(const Token& container);
    /// Closes the innermost open container.
    void close(std::size_t count);

    /// The RFC 6901 pointer of the value, or of the member whose name, has this index; also of the one that comes next.
    [[nodiscard]] std::string pointer_to(std::size_t index) const;

    /// The tree of a complete tape, or the index of the first name that its object has already.
    [[nodiscard]] std::variant<Value, std::size_t> build() const;

 private:
    std::vector<Token> tokens_;
    std::vector<std::size_t> open_;
};

}  // namespace einmal::json
