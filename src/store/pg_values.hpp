// Parameters and results in PostgreSQL's binary format: big-endian integers, bytes as they are, and arrays of both.
#pragma once

#include <einmal/types.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct pg_result;

namespace einmal::store {

/// libpq's number for the format of all parameters and results.
inline constexpr int binary_format = 1;

/// The parameters of one call, $1 first. The statement must take each as bigint, text or bytea, or an array of those.
class PgParams {
 public:
    PgParams& integer(std::int64_t value);
    PgParams& text(std::string_view value);
    PgParams& bytes(std::span<const std::byte> value);
    PgParams& integers(std::span<const std::int64_t> values);
    PgParams& texts(std::span<const std::string_view> values);
    PgParams& byte_strings(std::span<const std::span<const std::byte>> values);

    PgParams& time(Timestamp value) { return integer(value.time_since_epoch().count()); }
    PgParams& revision(Revision value) { return integer(static_cast<std::int64_t>(value.value)); }

    [[nodiscard]] int count() const { return static_cast<int>(lengths_.size()); }
    [[nodiscard]] const std::vector<int>& lengths() const { return lengths_; }
    /// Valid until something is added.
    [[nodiscard]] std::vector<const char*> values() const;
    /// As libpq wants it: binary, all of them.
    [[nodiscard]] std::vector<int> formats() const { return std::vector<int>(lengths_.size(), binary_format); }

 private:
    void begin_array(std::uint32_t element_type, std::size_t count);
    void element(std::span<const std::byte> value);
    void end(std::size_t start);

    std::string bytes_;  // all values, one behind the other
    std::vector<int> lengths_;
};

/// The rows that a call returned; columns count from 0.
class PgRows {
 public:
    PgRows() = default;
    explicit PgRows(pg_result* result);  ///< takes it over

    [[nodiscard]] int size() const;
    [[nodiscard]] bool empty() const { return size() == 0; }
    /// How many rows an INSERT, UPDATE or DELETE changed.
    [[nodiscard]] std::int64_t changed() const;
    /// `COMMIT`, `INSERT 0 1` …
    [[nodiscard]] std::string_view tag() const;

    [[nodiscard]] bool is_null(int row, int column) const;
    [[nodiscard]] std::int64_t integer(int row, int column) const;
    [[nodiscard]] bool boolean(int row, int column) const;
    [[nodiscard]] std::string_view text(int row, int column) const;
    /// All zero when the value has another size: then the database is damaged, and no digest is equal to that.
    void fill(int row, int column, std::span<std::byte> out) const;

    [[nodiscard]] Timestamp time(int row, int column) const {
        return Timestamp{std::chrono::milliseconds{integer(row, column)}};
    }
    [[nodiscard]] Revision revision(int row, int column) const {
        return {static_cast<std::uint64_t>(integer(row, column))};
    }

 private:
    struct Clear {
        void operator()(pg_result* result) const;
    };
    std::unique_ptr<pg_result, Clear> result_;
};

}  // namespace einmal::store
