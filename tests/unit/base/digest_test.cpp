// Digests against their published vectors, and the text forms of bytes.
#include "base/digest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace einmal::base {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

/// HMAC pads a short key with zeros and digests a long one (RFC 2104 §2), so every key has a form of 32 bytes.
Secret secret_of(const std::string& key) {
    Secret secret;
    if (key.size() > 64) {
        secret.bytes = sha256(key);
    } else {
        std::ranges::copy(bytes_of(key), secret.bytes.begin());
    }
    return secret;
}

// The test cases of RFC 4231 §4, apart from the truncated one.
// proves: K4
TEST(Hmac, AgreesWithRfc4231) {
    struct Case {
        std::string key, data, digest;
    };
    std::string counting;
    for (char c = 1; c <= 25; ++c) counting += c;
    const std::vector<Case> cases = {
        {std::string(20, '\x0b'), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
        {"Jefe", "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
        {std::string(20, '\xaa'), std::string(50, '\xdd'),
         "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
        {counting, std::string(50, '\xcd'), "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"},
        {std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First",
         "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
        {std::string(131, '\xaa'),
         "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be "
         "hashed before being used by the HMAC algorithm.",
         "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"}};
    for (const Case& vector : cases) {
        EXPECT_EQ(to_hex(Hmac(secret_of(vector.key)).update(vector.data).finish()), vector.digest);
    }
}

TEST(Hmac, StartsAnewAfterFinish) {
    Hmac hmac(secret_of("Jefe"));
    const auto first = hmac.update("one").finish();
    const auto second = hmac.update("two").finish();
    EXPECT_NE(first, second);
    EXPECT_EQ(hmac.update("one").finish(), first);
    EXPECT_EQ(hmac.update("o").update(bytes_of("ne")).finish(), first);
    EXPECT_NE(hmac.finish(), first);
    Hmac moved = std::move(hmac);
    EXPECT_EQ(moved.update("one").finish(), first);
    EXPECT_NE(Hmac(secret_of("jefe")).update("one").finish(), first);
}

// proves: K3, K4
TEST(Hmac, FramedPartsCannotBeShifted) {
    Hmac hmac(Secret{});
    const auto digest = [&hmac](std::string_view a, std::string_view b) {
        return hmac.update_framed(a).update_framed(b).finish();
    };
    EXPECT_NE(digest("ab", "c"), digest("a", "bc"));
    EXPECT_NE(digest("", "abc"), digest("abc", ""));
    EXPECT_EQ(digest("ab", "c"), digest("ab", "c"));
    const std::string framed("\0\0\0\0\0\0\0\2ab\0\0\0\0\0\0\0\1c", 19);
    EXPECT_EQ(digest("ab", "c"), hmac.update(framed).finish());
}

// FIPS 180-4's examples.
TEST(Sha256, AgreesWithItsExamples) {
    EXPECT_EQ(to_hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(to_hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(to_hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(to_hex(sha256(std::string(1'000'000, 'a'))),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(EqualConstantTime, ComparesLengthAndContents) {
    EXPECT_TRUE(equal_constant_time(bytes_of("abc"), bytes_of("abc")));
    EXPECT_TRUE(equal_constant_time({}, {}));
    EXPECT_FALSE(equal_constant_time(bytes_of("abc"), bytes_of("abd")));
    EXPECT_FALSE(equal_constant_time(bytes_of("abc"), bytes_of("ab")));
    EXPECT_FALSE(equal_constant_time(bytes_of(""), bytes_of("a")));
}

// RFC 4648 §10, with the alphabet of §5 and without padding.
TEST(Base64url, AgreesWithRfc4648) {
    const std::vector<std::pair<std::string, std::string>> vectors = {
        {"", ""},           {"f", "Zg"},          {"fo", "Zm8"},          {"foo", "Zm9v"},
        {"foob", "Zm9vYg"}, {"fooba", "Zm9vYmE"}, {"foobar", "Zm9vYmFy"}, {"\xFB\xFF\xBF", "-_-_"}};
    for (const auto& [plain, coded] : vectors) {
        EXPECT_EQ(to_base64url(bytes_of(plain)), coded);
        EXPECT_EQ(from_base64url(coded), plain);
    }
}

// proves: T3
TEST(Base64url, EveryByteStringHasOneSpelling) {
    for (const char* text :
         {"Z", "Zg==", "Zh", "Zm9", "Zm9v=", "Zm9vY", "+/+/", "Zg ", " Zg", "Zg\n", "Z\xC3\xA4g", "Zm+v"}) {
        EXPECT_EQ(from_base64url(text), std::nullopt) << text;
    }
    EXPECT_EQ(from_base64url(std::string_view("Zg\0\0", 4)), std::nullopt);
    std::string all;
    for (int i = 0; i < 256; ++i) {
        all += static_cast<char>(i);
        EXPECT_EQ(from_base64url(to_base64url(bytes_of(all))), all);
    }
}

TEST(Hex, IsLowerCase) {
    EXPECT_EQ(to_hex({}), "");
    EXPECT_EQ(to_hex(bytes_of(std::string_view("\0\x0f\xf0\xff", 4))), "000ff0ff");
}

}  // namespace
}  // namespace einmal::base
