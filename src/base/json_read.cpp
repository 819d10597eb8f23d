// Reads one strict JSON text (contract P6–P8). Boost.JSON's parser watches over grammar, UTF-8 and depth; this file
// adds what it does not do: duplicate names, exact numbers, U+0000, and where a fault is. A fault of syntax wins over a
// value that cannot be kept, wherever the two stand.
#include <einmal/json.hpp>

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "base/json_number.hpp"
#include "base/json_tape.hpp"

namespace einmal::json {
namespace {

using boost::json::error_code;
using Kind = ReadError::Kind;
using Text = boost::json::string_view;

constexpr const char* not_exact = "This number cannot be kept exactly.";
constexpr const char* holds_nul = "U+0000 is not allowed in a string or a name.";
constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

/// Turns the parser's events into a tape.
class Handler {
 public:
    static constexpr std::size_t max_array_size = never;
    static constexpr std::size_t max_object_size = never;
    static constexpr std::size_t max_string_size = never;
    static constexpr std::size_t max_key_size = never;

    /// A value that follows the grammar but cannot be kept.
    struct Refusal {
        Kind kind{};
        std::size_t index = 0;  ///< of its token on the tape
        std::string pointer;
    };

    /// Stops the parser before the tape holds more than `stop_at` tokens.
    Handler(std::string_view text, std::size_t value_limit, std::size_t stop_at)
        : text_(text), value_limit_(value_limit), stop_at_(stop_at) {}

    [[nodiscard]] const Tape& tape() const { return tape_; }
    [[nodiscard]] bool too_many_values() const { return values_ > value_limit_; }
    /// Whether the token at which the parser was stopped is a string or a name.
    [[nodiscard]] bool stopped_in_string() const { return stopped_in_string_; }
    /// The first one.
    [[nodiscard]] const std::optional<Refusal>& refusal() const { return refusal_; }

    bool on_document_begin(error_code&) { return true; }
    bool on_document_end(error_code&) { return true; }

    bool on_array_begin(error_code& ec) { return open(Tape::ArrayOf{}, ec); }
    bool on_object_begin(error_code& ec) { return open(Tape::ObjectOf{}, ec); }
    bool on_array_end(std::size_t count, error_code&) { return close(count); }
    bool on_object_end(std::size_t count, error_code&) { return close(count); }

    bool on_key_part(Text part, std::size_t, error_code&) { return add_part(part); }
    bool on_string_part(Text part, std::size_t, error_code&) { return add_part(part); }
    bool on_key(Text rest, std::size_t, error_code& ec) {
        const std::string_view name = whole(rest);
        if (has_nul(name)) refuse(Kind::nul_character, tape_.innermost());
        return push(Tape::Name{name}, ec);
    }
    bool on_string(Text rest, std::size_t, error_code& ec) {
        const std::string_view text = whole(rest);
        if (has_nul(text)) refuse(Kind::nul_character, tape_.size());
        return push_value(text, ec);
    }

    bool on_number_part(Text, error_code&) { return true; }
    bool on_int64(std::int64_t value, Text, error_code& ec) { return push_value(value, ec); }
    bool on_uint64(std::uint64_t value, Text, error_code& ec) { return push_value(value, ec); }
    bool on_double(double, Text text, error_code& ec) {  // the parser's double may be off by a bit
        const std::optional<Number> number = exact_number(text);
        if (!number) {
            refuse(Kind::number_not_exact, tape_.size());
            return push_value(nullptr, ec);
        }
        return std::visit([this, &ec](auto value) { return push_value(value, ec); }, *number);
    }
    bool on_bool(bool value, error_code& ec) { return push_value(value, ec); }
    bool on_null(error_code& ec) { return push_value(nullptr, ec); }

    bool on_comment_part(Text, error_code&) { return true; }
    bool on_comment(Text, error_code&) { return true; }

 private:
    bool stop(const Tape::Token& token, error_code& ec) {
        stopped_in_string_ =
            std::holds_alternative<std::string_view>(token) || std::holds_alternative<Tape::Name>(token);
        ec = boost::json::make_error_code(boost::json::error::exception);
        return false;
    }

    bool push(const Tape::Token& token, error_code& ec) {
        if (tape_.size() == stop_at_) return stop(token, ec);
        tape_.push(token);
        return true;
    }

    bool push_value(const Tape::Token& token, error_code& ec) {
        return ++values_ <= value_limit_ ? push(token, ec) : stop(token, ec);
    }

    bool open(const Tape::Token& container, error_code& ec) {
        if (++values_ > value_limit_ || tape_.size() == stop_at_) return stop(container, ec);
        tape_.open(container);
        return true;
    }

    bool close(std::size_t count) {
        tape_.close(count);
        return true;
    }

    void refuse(Kind kind, std::size_t refused) {
        if (!refusal_) refusal_ = Refusal{kind, tape_.size(), tape_.pointer_to(refused)};
    }

    static bool has_nul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

    bool add_part(std::string_view part) {
        // Without its escapes the text is no longer than with them: the views into `unescaped_` stay where they are.
        if (unescaped_.capacity() < text_.size()) unescaped_.reserve(text_.size());
        unescaped_ += part;
        return true;
    }

    /// The string that ends with `rest`. The parser hands on strings without escapes as they stand in the text.
    std::string_view whole(std::string_view rest) {
        const std::less_equal<> before;
        const bool in_text = before(text_.data(), rest.data()) && before(rest.data(), text_.data() + text_.size());
        if (begun_ == unescaped_.size() && in_text) return rest;
        add_part(rest);
        const std::size_t begin = std::exchange(begun_, unescaped_.size());
        return std::string_view(unescaped_).substr(begin);
    }

    // Constant after construction.
    std::string_view text_;
    std::size_t value_limit_;
    std::size_t stop_at_;

    Tape tape_;
    std::string unescaped_;  ///< the strings with escapes, one behind the other
    std::size_t begun_ = 0;  ///< where the next of them begins
    std::size_t values_ = 0;
    bool stopped_in_string_ = false;
    std::optional<Refusal> refusal_;
};

/// A sentence for what Boost.JSON found.
const char* explain(const error_code& ec) {
    using boost::json::error;
    if (ec == error::incomplete) return "The text ends before the value does.";
    if (ec == error::extra_data) return "There is something behind the value.";
    if (ec == error::too_deep) return "Arrays and objects are nested too deeply.";
    if (ec == error::expected_hex_digit) return "An escape needs four hexadecimal digits.";
    if (ec == error::illegal_leading_surrogate || ec == error::illegal_trailing_surrogate) {
        return "An escape holds half a surrogate pair.";
    }
    return "This is not JSON.";
}

using Parser = boost::json::basic_parser<Handler>;

Parser make_parser(std::string_view text, const Limits& limits, std::size_t stop_at = never) {
    boost::json::parse_options options;
    options.max_depth = limits.depth;
    return Parser(options, text, limits.values, stop_at);
}

/// Returns how far the parser came.
std::size_t parse(Parser& parser, std::string_view text, error_code& ec) {
    const std::size_t used = parser.write_some(false, text.data(), text.size(), ec);
    if (!ec && used < text.size()) ec = boost::json::make_error_code(boost::json::error::extra_data);
    return used;
}

/// Where the token begins at which the handler stopped the parser: that is at the closing quote of a string, behind a
/// number, or at the beginning of any other.
std::size_t token_start(const Handler& handler, std::string_view text, std::size_t at) {
    if (!handler.stopped_in_string()) {
        return text.substr(0, at).find_last_not_of("+-.0123456789Ee") + 1;  // npos + 1 is 0
    }
    // Every quote inside a string follows a backslash, the one that opens it never does.
    std::size_t start = text.rfind('"', at - 1);
    while (start > 0 && text[start - 1] == '\\') start = text.rfind('"', start - 1);
    return start;
}

/// Where a name, a string or a number stands. A fault is rare: it is found by reading again up to it.
std::size_t find_token(std::string_view text, const Limits& limits, std::size_t index) {
    Parser parser = make_parser(text, limits, index);
    error_code ec;
    const std::size_t at = parse(parser, text, ec);
    return token_start(parser.handler(), text, at);
}

/// The parser gives up at an exponent beyond 31 bits. Such a number is 0 or cannot be kept, and so it is with an
/// exponent of a mere nine digits: the same text with these, every character in its place.
std::string with_small_exponents(std::string_view text) {
    constexpr std::size_t kept = 9;
    std::string out(text);
    bool in_string = false;
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (out[i] == '"') in_string = !in_string;
        if (in_string && out[i] == '\\') ++i;
        if (in_string || (out[i] != 'e' && out[i] != 'E')) continue;
        const std::size_t digits = out.find_first_not_of("+-", i + 1);
        const std::size_t end = std::min(out.find_first_not_of("0123456789", digits), out.size());
        const std::size_t first = std::min(out.find_first_not_of('0', digits), end);
        if (end - first <= kept) continue;
        out.replace(first, end - first, std::string(end - first - kept, '0') + std::string(kept, '9'));
    }
    return out;
}

ReadError make_error(Kind kind, std::string_view text, std::size_t offset, std::string pointer, const char* detail) {
    const std::string_view before = text.substr(0, offset);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    return {kind, static_cast<std::size_t>(lines) + 1, offset - line_start + 1, std::move(pointer), detail};
}

}  // namespace

boost::system::result<Value, ReadError> read(std::string_view text, const Limits& limits) {
    Parser parser = make_parser(text, limits);
    error_code ec;
    const std::size_t used = parse(parser, text, ec);
    const Handler& seen = parser.handler();
    const Tape& tape = seen.tape();
    if (seen.too_many_values()) {
        return make_error(Kind::syntax, text, token_start(seen, text, used), tape.pointer_to(tape.size()),
                          "The text holds more values than are allowed.");
    }
    if (ec == boost::json::error::exponent_overflow) {
        const std::string shorter = with_small_exponents(text);
        if (shorter != text) return read(shorter, limits);
    }
    if (ec) return make_error(Kind::syntax, text, used, {}, explain(ec));

    std::variant<Value, std::size_t> built = tape.build();
    if (const auto* twin = std::get_if<std::size_t>(&built)) {
        return make_error(Kind::syntax, text, find_token(text, limits, *twin), tape.pointer_to(*twin),
                          "This name occurs twice in its object.");
    }
    if (const auto& refusal = seen.refusal()) {
        return make_error(refusal->kind, text, find_token(text, limits, refusal->index), refusal->pointer,
                          refusal->kind == Kind::nul_character ? holds_nul : not_exact);
    }
    return std::get<Value>(std::move(built));
}

}  // namespace einmal::json
