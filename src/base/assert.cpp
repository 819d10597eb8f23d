// The end of the process after a programmer's error: one line for the operator, then abort.
#include "base/assert.hpp"

#include <cstdlib>

#include "base/log.hpp"

namespace einmal::base {

void assertion_failed(const char* condition, const char* file, int line) noexcept {
    log(LogLevel::error, "assertion failed", {{"condition", condition}, {"file", file}, {"line", line}});
    std::abort();
}

}  // namespace einmal::base
