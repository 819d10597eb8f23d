// Bearer tokens and the file that holds the first one.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <einmal/env.hpp>

#include <fstream>
#include <regex>

#include "base/digest.hpp"
#include "cli/new_token.hpp"
#include "support/temporary_directory.hpp"

namespace einmal::cli {
namespace {

std::string content(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

// proves: S1
TEST(NewTokenTest, ATokenIsUnpredictableAndKnownByItsDigest) {
    const NewToken one = new_token(system_entropy());
    const NewToken other = new_token(system_entropy());
    EXPECT_TRUE(std::regex_match(one.text, std::regex("ein_[A-Za-z0-9_-]{43}"))) << one.text;
    EXPECT_NE(one.text, other.text);
    EXPECT_EQ(one.digest.bytes, base::sha256(one.text));
}

// proves: A2
TEST(NewTokenTest, TheFileIsForItsOwnerAloneWhateverStoodThere) {
    const test::TemporaryDirectory directory;
    const std::filesystem::path file = directory.file("einmal.db.token");
    std::ofstream(file) << "older and much longer than the token";
    ::chmod(file.c_str(), 0666);
    const mode_t mask = ::umask(0777);
    const Result<void> written = write_token_file(file, "ein_x");
    ::umask(mask);
    ASSERT_TRUE(written.has_value()) << written.error().reason;
    EXPECT_EQ(content(file), "ein_x\n");
    struct stat status{};
    ASSERT_EQ(::stat(file.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777U, 0600U);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path()), {}), 1);
}

TEST(NewTokenTest, AFileThatCannotBeWrittenIsAFailureThatNamesIt) {
    const test::TemporaryDirectory directory;
    const Result<void> written = write_token_file(directory.file("missing/einmal.db.token"), "ein_x");
    ASSERT_FALSE(written.has_value());
    EXPECT_EQ(written.error().code, Errc::unavailable);
    EXPECT_NE(written.error().reason.find("missing/einmal.db.token"), std::string::npos);
    EXPECT_EQ(written.error().reason.find("ein_x"), std::string::npos);
}

}  // namespace
}  // namespace einmal::cli
