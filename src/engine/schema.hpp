// JSON Schema, draft 2020-12, checked by code of our own, because it must be exact in numbers (contract P7), linear in
// hostile input (contract P8), and able to say which member is wrong, and why, without quoting it (contract P3).
// A keyword that is not checked is refused when the schema is compiled, never ignored.
#pragma once

#include <einmal/decision.hpp>
#include <einmal/json.hpp>

#include <boost/system/result.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace einmal {

namespace engine {
struct SchemaNode;
}

/// Why a document is no schema that Einmal can check.
struct SchemaError {
    std::string pointer;  ///< RFC 6901, into the document
    std::string detail;   ///< half a sentence: what is wrong; what to do
};

/// Immutable after `compile`; all functions are thread-safe.
class Schema {
 public:
    Schema(Schema&&) noexcept;
    Schema& operator=(Schema&&) noexcept;
    ~Schema();

    /// Fails on unknown keywords, keyword values of the wrong kind, unknown formats, patterns RE2 does not read, and
    /// references that leave the document or run in circles.
    [[nodiscard]] static boost::system::result<Schema, SchemaError> compile(const json::Value& document);

    /// What is wrong with `value`; empty when valid. At most `max_errors`, in the order of the members.
    [[nodiscard]] std::vector<FieldError> validate(const json::Value& value) const;

    /// Enough for a person to see what is wrong, few enough that a hostile request does not swell the answer.
    static constexpr std::size_t max_errors = 50;

    enum class Scalar { boolean, integer, number, string };

    /// The one kind of value that the root's property `member` takes; nothing when it takes several kinds, an array, an
    /// object or null, or is not declared.
    [[nodiscard]] std::optional<Scalar> scalar(std::string_view member) const;

    /// Whether `value` satisfies the root's property `member`, which must be declared.
    [[nodiscard]] bool accepts(std::string_view member, const json::Value& value) const;

 private:
    explicit Schema(std::vector<std::unique_ptr<engine::SchemaNode>> nodes);

    std::vector<std::unique_ptr<engine::SchemaNode>> nodes_;  ///< the root first; never empty
};

}  // namespace einmal
