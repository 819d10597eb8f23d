// PostgreSQL's binary format, byte by byte.
#include "store/pg_values.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace einmal::store {
namespace {

std::string value(const PgParams& params, std::size_t index) {
    return {params.values()[index], static_cast<std::size_t>(params.lengths()[index])};
}

std::string bytes(std::initializer_list<int> numbers) {
    std::string out;
    for (const int number : numbers) out.push_back(static_cast<char>(number));
    return out;
}

TEST(PgValues, IntegersAreEightBytesBigEndian) {
    PgParams params;
    params.integer(0x0102030405060708).integer(-2);
    ASSERT_EQ(params.count(), 2);
    EXPECT_EQ(value(params, 0), bytes({1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(value(params, 1), bytes({255, 255, 255, 255, 255, 255, 255, 254}));
}

TEST(PgValues, TextAndBytesAreThemselvesAlsoWhenEmpty) {
    PgParams params;
    const std::array<std::byte, 2> raw{std::byte{0}, std::byte{9}};
    params.text("").bytes(raw).text("ä");
    EXPECT_EQ(value(params, 0), "");
    EXPECT_NE(params.values()[0], nullptr) << "that would be NULL";
    EXPECT_EQ(value(params, 1), bytes({0, 9}));
    EXPECT_EQ(value(params, 2), "ä");
}

TEST(PgValues, ArraysSayTheirElementsTypeAndLengths) {
    PgParams params;
    const std::vector<std::int64_t> numbers{5};
    const std::vector<std::string_view> texts{"a", ""};
    const std::array<std::byte, 1> raw{std::byte{7}};
    const std::vector<std::span<const std::byte>> strings{raw};
    params.integers(numbers).texts(texts).byte_strings(strings);
    EXPECT_EQ(value(params, 0), bytes({0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 1,  //
                                       0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 5}));
    EXPECT_EQ(value(params, 1), bytes({0, 0, 0, 1, 0,   0, 0, 0, 0, 0, 0, 25, 0, 0, 0, 2, 0, 0, 0, 1,  //
                                       0, 0, 0, 1, 'a', 0, 0, 0, 0}));
    EXPECT_EQ(value(params, 2), bytes({0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 17, 0, 0, 0, 1, 0, 0, 0, 1,  //
                                       0, 0, 0, 1, 7}));
}

TEST(PgValues, EmptyArrayHasNoDimension) {
    PgParams params;
    params.integers({});
    EXPECT_EQ(value(params, 0), bytes({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20}));
}

}  // namespace
}  // namespace einmal::store
