// Reads one strict JSON text (contract P6–P8). Boost.JSON's parser watches over grammar, UTF-8 and depth; this file
// adds what it does not do: the tree, duplicate names, exact numbers, U+0000, and where the fault is. A syntax error
// wins over a number or a U+0000 that cannot be kept, unless it stands behind an exponent beyond 32 bits, which ends
// the parser's work.
#include <einmal/json.hpp>

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <iterator>
#include <optional>
#include <utility>

#include "base/json_number.hpp"

namespace einmal::json {
namespace {

using boost::json::error_code;
using Kind = ReadError::Kind;

/// What is wrong, and where in the text; line and column are counted when the answer is made.
struct Fault {
    Kind kind{};
    std::size_t offset = 0;
    std::string pointer;
    const char* detail = "";
};

bool has_nul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

/// Where the first U+0000 is written: a bare one is no JSON, so it is an escape, whose backslash is not itself escaped.
std::size_t first_nul_escape(std::string_view text) {
    std::size_t at = text.find("\\u0000");
    while (at != std::string_view::npos) {
        const std::size_t before = text.find_last_not_of('\\', at);
        const std::size_t backslashes = before == std::string_view::npos ? at + 1 : at - before;
        if (backslashes % 2 == 1) return at;
        at = text.find("\\u0000", at + 1);
    }
    return text.size();
}

/// Builds the tree out of the parser's events. The values of all open containers lie on one stack, each container's
/// behind those of its parent; a container that closes takes its values off and becomes one value itself.
class TreeBuilder {
 public:
    static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);

    TreeBuilder(std::string_view text, const Limits& limits) : text_(text), limits_(limits) {
        stack_.reserve(16);
        open_.reserve(8);
    }

    [[nodiscard]] Value take_root() { return std::move(root_); }
    /// Why the builder stopped the parser: its offset is not set.
    [[nodiscard]] const std::optional<Fault>& stopped() const { return stopped_; }
    /// The first value that follows the grammar but cannot be kept.
    [[nodiscard]] const std::optional<Fault>& refused() const { return refused_; }
    /// For a number whose exponent, ending at `offset`, is too large for the parser.
    [[nodiscard]] Fault inexact(std::size_t offset) const {
        return {Kind::number_not_exact, offset, pointer(), "This number cannot be kept exactly."};
    }

    bool on_document_begin(error_code&) { return true; }
    bool on_document_end(error_code&) { return true; }

    bool on_array_begin(error_code& ec) { return begin_container(false, ec); }
    bool on_array_end(std::size_t, error_code& ec);
    bool on_object_begin(error_code& ec) { return begin_container(true, ec); }
    bool on_object_end(std::size_t, error_code& ec);

    bool on_key_part(boost::json::string_view part, std::size_t, error_code&) { return add_part(part); }
    bool on_key(boost::json::string_view rest, std::size_t, error_code&);
    bool on_string_part(boost::json::string_view part, std::size_t, error_code&) { return add_part(part); }
    bool on_string(boost::json::string_view rest, std::size_t, error_code& ec);

    bool on_number_part(boost::json::string_view, error_code&) { return true; }
    bool on_int64(std::int64_t value, boost::json::string_view, error_code& ec) { return add(Value(value), ec); }
    bool on_uint64(std::uint64_t value, boost::json::string_view, error_code& ec) { return add(Value(value), ec); }
    bool on_double(double, boost::json::string_view text, error_code& ec);
    bool on_bool(bool value, error_code& ec) { return add(Value(value), ec); }
    bool on_null(error_code& ec) { return add(Value(), ec); }

    bool on_comment_part(boost::json::string_view, error_code&) { return true; }
    bool on_comment(boost::json::string_view, error_code&) { return true; }

 private:
    struct Container {
        std::size_t first;  ///< where its values begin on the stack
        bool object;
    };

    /// Of the value that comes next.
    [[nodiscard]] std::string pointer() const;
    /// Of the innermost open object.
    [[nodiscard]] std::string object_pointer() const;
    [[nodiscard]] std::string pointer_through(std::size_t containers) const;
    void refuse_nul(std::string pointer);
    bool stop(const char* detail, std::string pointer, error_code& ec);
    bool begin_container(bool object, error_code& ec);
    bool count(error_code& ec);
    void place(Value value);
    bool add(Value value, error_code& ec);
    bool add_part(boost::json::string_view part);
    std::string take_text(boost::json::string_view rest);

    // Constant after construction.
    std::string_view text_;
    Limits limits_;

    Value root_;
    std::vector<Member> stack_;  ///< array items have no name; the last member of an open object may wait for its value
    std::vector<Container> open_;
    std::string parts_;  ///< the beginning of a string with escapes
    std::size_t values_ = 0;
    std::optional<Fault> stopped_;
    std::optional<Fault> refused_;
};

std::string TreeBuilder::pointer() const { return pointer_through(open_.size()); }

std::string TreeBuilder::object_pointer() const { return pointer_through(open_.size() - 1); }

std::string TreeBuilder::pointer_through(std::size_t containers) const {
    std::string pointer;
    for (std::size_t i = 0; i < containers; ++i) {
        const std::size_t end = i + 1 < open_.size() ? open_[i + 1].first : stack_.size();
        if (open_[i].object) {
            append_pointer(pointer, stack_[end - 1].name);
        } else {
            append_pointer(pointer, std::to_string(end - open_[i].first));
        }
    }
    return pointer;
}

void TreeBuilder::refuse_nul(std::string pointer) {
    refused_ = Fault{Kind::nul_character, first_nul_escape(text_), std::move(pointer),
                     "U+0000 is not allowed in a string or a name."};
}

bool TreeBuilder::stop(const char* detail, std::string pointer, error_code& ec) {
    stopped_ = Fault{Kind::syntax, 0, std::move(pointer), detail};
    ec = boost::json::make_error_code(boost::json::error::syntax);
    return false;
}

bool TreeBuilder::count(error_code& ec) {
    if (++values_ <= limits_.values) return true;
    return stop("The text holds more values than are allowed.", pointer(), ec);
}

void TreeBuilder::place(Value value) {
    if (open_.empty()) {
        root_ = std::move(value);
    } else if (open_.back().object) {
        stack_.back().value = std::move(value);
    } else {
        stack_.push_back(Member{{}, std::move(value)});
    }
}

bool TreeBuilder::add(Value value, error_code& ec) {
    if (!count(ec)) return false;
    place(std::move(value));
    return true;
}

bool TreeBuilder::begin_container(bool object, error_code& ec) {
    if (!count(ec)) return false;
    open_.push_back({stack_.size(), object});
    return true;
}

bool TreeBuilder::on_array_end(std::size_t, error_code&) {
    const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(open_.back().first);
    Array array;
    array.reserve(static_cast<std::size_t>(stack_.end() - first));
    std::transform(first, stack_.end(), std::back_inserter(array), [](Member& item) { return std::move(item.value); });
    stack_.erase(first, stack_.end());
    open_.pop_back();
    place(Value(std::move(array)));
    return true;
}

bool TreeBuilder::on_object_end(std::size_t, error_code& ec) {
    const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(open_.back().first);
    std::vector<Member> members(std::make_move_iterator(first), std::make_move_iterator(stack_.end()));
    stack_.erase(first, stack_.end());
    open_.pop_back();
    Object object;
    if (const auto twin = object.assign_unsorted(std::move(members))) {
        std::string at = pointer();
        append_pointer(at, *twin);
        return stop("A name occurs twice in the object that ends here.", std::move(at), ec);
    }
    place(Value(std::move(object)));
    return true;
}

bool TreeBuilder::add_part(boost::json::string_view part) {
    parts_.append(part.data(), part.size());
    return true;
}

std::string TreeBuilder::take_text(boost::json::string_view rest) {
    if (parts_.empty()) return std::string(rest.data(), rest.size());
    parts_.append(rest.data(), rest.size());
    return std::exchange(parts_, {});
}

bool TreeBuilder::on_key(boost::json::string_view rest, std::size_t, error_code&) {
    std::string name = take_text(rest);
    if (!refused_ && has_nul(name)) refuse_nul(object_pointer());
    stack_.push_back(Member{std::move(name), Value()});
    return true;
}

bool TreeBuilder::on_string(boost::json::string_view rest, std::size_t, error_code& ec) {
    std::string text = take_text(rest);
    if (!refused_ && has_nul(text)) refuse_nul(pointer());
    return add(Value(std::move(text)), ec);
}

bool TreeBuilder::on_double(double, boost::json::string_view text, error_code& ec) {
    std::optional<Value> value = exact_number({text.data(), text.size()});
    if (!value && !refused_) {
        refused_ = inexact(static_cast<std::size_t>(text.data() - text_.data()));
    }
    return add(value ? std::move(*value) : Value(), ec);
}

/// Where the number begins that goes on at `offset`.
std::size_t number_start(std::string_view text, std::size_t offset) {
    return text.substr(0, offset).find_last_not_of("+-.0123456789Ee") + 1;  // npos + 1 is 0
}

/// A sentence for what Boost.JSON found.
const char* explain(const error_code& ec) {
    using boost::json::error;
    if (ec == error::incomplete) return "The text ends before the value does.";
    if (ec == error::extra_data) return "There is something behind the value.";
    if (ec == error::too_deep) return "Arrays and objects are nested too deeply.";
    if (ec == error::expected_hex_digit) return "An escape needs four hexadecimal digits.";
    if (ec == error::illegal_leading_surrogate || ec == error::illegal_trailing_surrogate ||
        ec == error::expected_utf16_escape) {
        return "An escape holds half a surrogate pair.";
    }
    return "This is not JSON.";
}

ReadError make_error(std::string_view text, Fault fault) {
    const std::string_view before = text.substr(0, fault.offset);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    return {fault.kind, static_cast<std::size_t>(lines) + 1, fault.offset - line_start + 1, std::move(fault.pointer),
            fault.detail};
}

}  // namespace

boost::system::result<Value, ReadError> read(std::string_view text, const Limits& limits) {
    boost::json::parse_options options;
    options.max_depth = limits.depth;
    boost::json::basic_parser<TreeBuilder> parser(options, text, limits);
    error_code ec;
    const std::size_t used = parser.write_some(false, text.data(), text.size(), ec);
    TreeBuilder& builder = parser.handler();
    if (!ec && used < text.size()) ec = boost::json::make_error_code(boost::json::error::extra_data);

    if (builder.stopped()) {
        Fault fault = *builder.stopped();
        fault.offset = used;
        return make_error(text, std::move(fault));
    }
    if (ec && ec != boost::json::error::exponent_overflow) {
        return make_error(text, {Kind::syntax, used, {}, explain(ec)});
    }
    if (builder.refused()) return make_error(text, *builder.refused());
    if (ec) return make_error(text, builder.inexact(number_start(text, used)));
    return builder.take_root();
}

}  // namespace einmal::json
