// The order of the last steps of a write, as the kernel sees them: the database's bytes are on the disk before the
// answer's bytes leave (contract K9).
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "support/served.hpp"
#include "support/temporary_directory.hpp"

namespace einmal::test {
namespace {

std::vector<std::string> lines_of(const std::string& file) {
    std::ifstream stream(file);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

/// The first line from `start` on that satisfies `wanted`; `lines.size()` when there is none.
template <class Wanted>
std::size_t find_line(const std::vector<std::string>& lines, std::size_t start, Wanted wanted) {
    while (start < lines.size() && !wanted(lines[start])) ++start;
    return start;
}

bool contains(const std::string& line, std::string_view text) { return line.find(text) != std::string::npos; }

/// `fdatasync(7) = 0`, or its second half when another thread's call came in between.
bool is_finished_sync(const std::string& line) {
    const bool sync = contains(line, "fdatasync(") || contains(line, "fsync(") || contains(line, "fdatasync resumed") ||
                      contains(line, "fsync resumed");
    return sync && line.ends_with("= 0");
}

// proves: K9
TEST(CliDurability, TheDiskHasTheCommitBeforeTheAnswerLeaves) {
    const TemporaryDirectory directory;
    const std::string trace = directory.file("trace");
    // -D keeps the server our own child, so that it can be stopped by its id. Leaks cannot be looked for under strace.
    Served server(directory.path(), {},
                  {"env", "ASAN_OPTIONS=detect_leaks=0", "strace", "-D", "-f", "-s", "64", "-o", trace, "-e",
                   "trace=fdatasync,fsync,pwrite64,read,recvmsg,recvfrom,sendmsg,sendto,write,writev"});
    for (int i = 0; i < 3; ++i) {
        const auto answer = server.post_contact("durable-" + std::to_string(i), "Ada");
        ASSERT_TRUE(answer.has_value());
        ASSERT_EQ(answer->status, 201) << answer->body;
    }
    ASSERT_EQ(server.stop(), (Ending{0, 0}));

    const std::vector<std::string> lines = lines_of(trace);
    std::size_t at = 0;
    for (int i = 0; i < 3; ++i) {
        const std::size_t request =
            find_line(lines, at, [](const auto& line) { return contains(line, "POST /v1/contacts"); });
        const std::size_t written =
            find_line(lines, request, [](const auto& line) { return contains(line, "pwrite64("); });
        const std::size_t synced = find_line(lines, written, is_finished_sync);
        const std::size_t answer =
            find_line(lines, request, [](const auto& line) { return contains(line, "HTTP/1.1 201 "); });
        ASSERT_LT(answer, lines.size()) << "the trace does not show answer " << i;
        EXPECT_LT(written, answer) << "nothing was written before answer " << i;
        EXPECT_LT(synced, answer) << "what was written was not synced before answer " << i;
        at = answer + 1;
    }
}

}  // namespace
}  // namespace einmal::test
