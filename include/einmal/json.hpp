// A JSON value that keeps what was sent exactly, or says that it cannot (contract P6–P8).
// Members are kept sorted by name, so the written form is the canonical form (contract K4) and equal values are equal
// texts. Depth is limited when a value is read; merging cannot deepen it beyond what was read (contract P8).
#pragma once

#include <boost/system/result.hpp>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace einmal::json {

class Value;
struct Member;

using Array = std::vector<Value>;

/// Members sorted by the bytes of their names (= by code points), each name once.
class Object {
 public:
    Object();
    Object(const Object&);
    Object(Object&&) noexcept;
    Object& operator=(const Object&);
    Object& operator=(Object&&) noexcept;
    ~Object();

    /// Null when there is no such member. The pointer lives until the object is changed.
    [[nodiscard]] const Value* find(std::string_view name) const;
    [[nodiscard]] Value* find(std::string_view name);
    /// Sets or replaces; returns the stored value.
    Value& set(std::string name, Value value);
    /// True when the member was there.
    bool erase(std::string_view name);

    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] bool empty() const;
    [[nodiscard]] std::vector<Member>::const_iterator begin() const;
    [[nodiscard]] std::vector<Member>::const_iterator end() const;

    /// Takes members in any order. Returns the first name that occurs twice, or nothing when all is well.
    [[nodiscard]] std::optional<std::string> assign_unsorted(std::vector<Member> members);

    bool operator==(const Object&) const;

 private:
    std::vector<Member> members_;
};

/// null, bool, integer within 64 bits, other number, string, array or object. An integral number that fits 64 bits is
/// always held as an integer (4990.0 and 4.99e3 are 4990; −0 is 0); `uint64_t` only beyond the range of `int64_t`.
class Value {
 public:
    using Storage = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object>;

    Value();  ///< null
    Value(std::nullptr_t);
    Value(bool value);
    Value(std::int64_t value);
    Value(int value);
    Value(std::uint64_t value);
    Value(double value);  ///< normalises integral values that fit 64 bits; must be finite
    Value(std::string value);
    Value(std::string_view value);
    Value(const char* value);
    Value(Array value);
    Value(Object value);

    [[nodiscard]] bool is_null() const;
    [[nodiscard]] bool is_object() const;
    [[nodiscard]] bool is_array() const;
    [[nodiscard]] bool is_string() const;
    /// Null when the value is of another kind.
    [[nodiscard]] const Object* if_object() const;
    [[nodiscard]] Object* if_object();
    [[nodiscard]] const Array* if_array() const;
    [[nodiscard]] Array* if_array();
    [[nodiscard]] const std::string* if_string() const;
    [[nodiscard]] const bool* if_bool() const;
    [[nodiscard]] const std::int64_t* if_int64() const;
    [[nodiscard]] const Storage& storage() const { return storage_; }

    /// By exact value: numbers of different kinds never hold the same value, so this is equality of the storage.
    bool operator==(const Value&) const;

 private:
    Storage storage_;
};

struct Member {
    std::string name;
    Value value;
    bool operator==(const Member&) const = default;
};

/// Bounds for reading; the defaults are the contract's (P6, P8).
struct Limits {
    std::size_t depth = 64;        ///< nested arrays and objects; keeps every recursive walk within a small stack
    std::size_t values = 100'000;  ///< values in all; keeps the tree of a 1 MiB text within some 10 MB
};

/// Why a text was refused. `syntax`: contract P6, 400. `number_not_exact`: P7, 422. `nul_character`: P6, 422.
struct ReadError {
    enum class Kind { syntax, number_not_exact, nul_character };
    Kind kind{};
    std::size_t line = 1;    ///< from 1
    std::size_t column = 1;  ///< from 1, in bytes
    std::string pointer;     ///< RFC 6901, of the value that is refused; empty for the whole
    std::string detail;      ///< one sentence; never quotes a value
};

[[noreturn]] void throw_exception_from_error(const ReadError& error, const boost::source_location&);

/// Reads one strict JSON text (contract P6, P7): UTF-8 without BOM or lone surrogates, no duplicate names, nothing
/// behind the value. Never throws on input; thread-safe.
[[nodiscard]] boost::system::result<Value, ReadError> read(std::string_view text, const Limits& limits = {});

/// Appends the canonical text: no blanks, members sorted, shortest exact numbers, only `"`, `\` and control characters
/// escaped.
void write(const Value& value, std::string& out);
/// Appends one canonical JSON string, quotes included.
void write_string(std::string_view text, std::string& out);
[[nodiscard]] std::string to_text(const Value& value);

/// Appends `/name` to a JSON Pointer, with `~` and `/` escaped (RFC 6901 §3).
void append_pointer(std::string& pointer, std::string_view name);

}  // namespace einmal::json
