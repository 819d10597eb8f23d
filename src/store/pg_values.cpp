#include "store/pg_values.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <charconv>

namespace einmal::store {
namespace {

// Object ids of the built-in types; fixed for ever (PostgreSQL's pg_type.dat).
constexpr std::uint32_t type_bytea = 17;
constexpr std::uint32_t type_int8 = 20;
constexpr std::uint32_t type_text = 25;

template <class Number>
void append_big_endian(std::string& out, Number value) {
    for (int shift = (static_cast<int>(sizeof(Number)) - 1) * 8; shift >= 0; shift -= 8) {
        out.push_back(static_cast<char>((value >> shift) & 0xFF));
    }
}

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

}  // namespace

PgParams& PgParams::integer(std::int64_t value) {
    const std::size_t start = bytes_.size();
    append_big_endian(bytes_, static_cast<std::uint64_t>(value));
    end(start);
    return *this;
}

PgParams& PgParams::text(std::string_view value) { return bytes(bytes_of(value)); }

PgParams& PgParams::bytes(std::span<const std::byte> value) {
    const std::size_t start = bytes_.size();
    bytes_.append(reinterpret_cast<const char*>(value.data()), value.size());
    end(start);
    return *this;
}

PgParams& PgParams::integers(std::span<const std::int64_t> values) {
    const std::size_t start = bytes_.size();
    begin_array(type_int8, values.size());
    for (const std::int64_t value : values) {
        append_big_endian(bytes_, static_cast<std::uint32_t>(sizeof(value)));
        append_big_endian(bytes_, static_cast<std::uint64_t>(value));
    }
    end(start);
    return *this;
}

PgParams& PgParams::texts(std::span<const std::string_view> values) {
    const std::size_t start = bytes_.size();
    begin_array(type_text, values.size());
    for (const std::string_view value : values) element(bytes_of(value));
    end(start);
    return *this;
}

PgParams& PgParams::byte_strings(std::span<const std::span<const std::byte>> values) {
    const std::size_t start = bytes_.size();
    begin_array(type_bytea, values.size());
    for (const auto value : values) element(value);
    end(start);
    return *this;
}

std::vector<const char*> PgParams::values() const {
    std::vector<const char*> values;
    values.reserve(lengths_.size());
    const char* next = bytes_.data();
    for (const int length : lengths_) {
        values.push_back(next);
        next += length;
    }
    return values;
}

/// An empty array has no dimension at all; any other here has one, counted from 1, without nulls.
void PgParams::begin_array(std::uint32_t element_type, std::size_t count) {
    const std::uint32_t dimensions = count == 0 ? 0 : 1;
    append_big_endian(bytes_, dimensions);
    append_big_endian(bytes_, std::uint32_t{0});
    append_big_endian(bytes_, element_type);
    if (dimensions == 0) return;
    append_big_endian(bytes_, static_cast<std::uint32_t>(count));
    append_big_endian(bytes_, std::uint32_t{1});
}

void PgParams::element(std::span<const std::byte> value) {
    append_big_endian(bytes_, static_cast<std::uint32_t>(value.size()));
    bytes_.append(reinterpret_cast<const char*>(value.data()), value.size());
}

void PgParams::end(std::size_t start) { lengths_.push_back(static_cast<int>(bytes_.size() - start)); }

void PgRows::Clear::operator()(pg_result* result) const { PQclear(result); }

PgRows::PgRows(pg_result* result) : result_(result) {}

int PgRows::size() const { return PQntuples(result_.get()); }

std::int64_t PgRows::changed() const {
    const std::string_view text = PQcmdTuples(result_.get());
    std::int64_t count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    return count;
}

std::string_view PgRows::tag() const { return PQcmdStatus(result_.get()); }

bool PgRows::is_null(int row, int column) const { return PQgetisnull(result_.get(), row, column) == 1; }

/// Of any width that the column has.
std::int64_t PgRows::integer(int row, int column) const {
    const std::string_view bytes = text(row, column);
    if (bytes.empty()) return 0;
    std::uint64_t value = (static_cast<unsigned char>(bytes.front()) & 0x80U) != 0 ? ~std::uint64_t{0} : 0;
    for (const char byte : bytes) value = value << 8U | static_cast<unsigned char>(byte);
    return static_cast<std::int64_t>(value);
}

bool PgRows::boolean(int row, int column) const { return integer(row, column) != 0; }

std::string_view PgRows::text(int row, int column) const {
    return {PQgetvalue(result_.get(), row, column), static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
}

void PgRows::fill(int row, int column, std::span<std::byte> out) const {
    const auto bytes = bytes_of(text(row, column));
    std::ranges::fill(out, std::byte{0});
    if (bytes.size() == out.size()) std::ranges::copy(bytes, out.begin());
}

}  // namespace einmal::store
