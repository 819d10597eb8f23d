#include "http/chunk_decoder.hpp"

#include <gtest/gtest.h>

#include <string>

namespace einmal::http {
namespace {

using State = ChunkDecoder::State;

struct Decoded {
    State state = State::more;
    std::string body;
    std::size_t used = 0;
};

Decoded decode(std::string_view bytes, std::size_t step, std::size_t body_max = 1000) {
    ChunkDecoder decoder(body_max);
    Decoded result;
    while (result.state == State::more && result.used < bytes.size()) {
        std::size_t used = 0;
        result.state = decoder.feed(bytes.substr(result.used, step), used, result.body);
        result.used += used;
    }
    return result;
}

State verdict(std::string_view bytes, std::size_t body_max = 1000) {
    const State at_once = decode(bytes, bytes.size(), body_max).state;
    EXPECT_EQ(decode(bytes, 1, body_max).state, at_once) << bytes;
    return at_once;
}

// proves: H1
TEST(ChunkDecoder, ReadsABodyHoweverItIsCut) {
    const std::string body =
        "5\r\nhello\r\n006;x=1;y=\"a b\"\r\n world\r\nA\r\n0123456789\r\n0\r\nX-Trailer: 1\r\n\r\n";
    const std::string bytes = body + "GET / HTTP/1.1";
    for (std::size_t step = 1; step <= bytes.size(); ++step) {
        const Decoded result = decode(bytes, step);
        EXPECT_EQ(result.state, State::complete) << step;
        EXPECT_EQ(result.body, "hello world0123456789") << step;
        EXPECT_EQ(result.used, body.size()) << step;
    }
}

// proves: H2, B57
TEST(ChunkDecoder, RefusesDoubtfulSizes) {
    for (const char* bytes : {"\r\n",
                              ";x\r\n",
                              "x\r\n",
                              "0x5\r\n",
                              "+5\r\n",
                              "-5\r\n",
                              " 5\r\n",
                              "5 \r\n",
                              "5 ;x\r\n",
                              "5\t\r\n",
                              "5_0\r\n",
                              "5,5\r\n",
                              "00000000000000005\r\n",
                              "FFFFFFFFFFFFFFFFF\r\n",
                              "5\n",
                              "5\rhello",
                              "5;x\nhello\r\n",
                              "5;x=\"\n\"\r\n",
                              "5;x=\"\r\"\r\n",
                              "5;\x01\r\n",
                              "5;\x7f\r\n",
                              "5;\xc3\xa4\r\n"}) {
        EXPECT_EQ(verdict(bytes), State::malformed) << bytes;
    }
}

// proves: H2, B57
TEST(ChunkDecoder, RefusesChunksThatDoNotEndInCrlf) {
    for (const char* bytes :
         {"5\r\nhelloX", "5\r\nhello\n", "5\r\nhello\rX", "5\r\nhello5\r\n", "5\r\nhello0\r\n\r\n"}) {
        EXPECT_EQ(verdict(bytes), State::malformed) << bytes;
    }
}

// proves: H2, B57
TEST(ChunkDecoder, RefusesBrokenTrailers) {
    for (const char* bytes : {"0\r\nno colon\r\n\r\n", "0\r\nA: 1\r\n folded\r\n\r\n", "0\r\nA : 1\r\n\r\n",
                              "0\r\nA: 1\nB: 2\r\n\r\n", "0\r\nA: \x01\r\n\r\n", "0\r\n\n", "0\r\nA: 1\rB\r\n\r\n"}) {
        EXPECT_EQ(verdict(bytes), State::malformed) << bytes;
    }
}

// proves: H3
TEST(ChunkDecoder, LimitsTheBody) {
    EXPECT_EQ(verdict("5\r\nhello\r\n0\r\n\r\n", 5), State::complete);
    EXPECT_EQ(verdict("6\r\n", 5), State::too_large);
    EXPECT_EQ(verdict("3\r\nabc\r\n3\r\n", 5), State::too_large);
    EXPECT_EQ(verdict("FFFFFFFFFFFFFFFF\r\n"), State::too_large);
    EXPECT_EQ(verdict("1\r\na\r\nFFFFFFFFFFFFFFFF\r\n"), State::too_large) << "the sum must not wrap around";
    EXPECT_EQ(verdict("0\r\n\r\n", 0), State::complete);
}

// proves: H3
TEST(ChunkDecoder, LimitsExtensionsAndTrailers) {
    EXPECT_EQ(verdict("1;" + std::string(1000, 'x') + "\r\na\r\n0\r\n\r\n"), State::complete);
    EXPECT_EQ(verdict("1;" + std::string(10'000, 'x')), State::malformed);
    EXPECT_EQ(verdict("0\r\nX: " + std::string(10'000, 'x')), State::malformed);
    std::string many;
    for (int i = 0; i < 900; ++i) many += "1;0123456789\r\na\r\n";
    EXPECT_EQ(verdict(many), State::malformed);
}

}  // namespace
}  // namespace einmal::http
