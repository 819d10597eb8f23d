// Assertions for programmers' errors. They stay on in release: a server that goes on after one could break a promise
// that its answers have already made.
#pragma once

namespace einmal::base {

/// Logs where and what, then aborts the process. Nothing that was answered is lost (contract H4).
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line) noexcept;

}  // namespace einmal::base

#define EINMAL_ASSERT(condition) \
    ((condition) ? static_cast<void>(0) : ::einmal::base::assertion_failed(#condition, __FILE__, __LINE__))
