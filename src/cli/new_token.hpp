// Makes bearer tokens: `ein_` and 32 unpredictable bytes as 43 characters. Only the digest goes to the store (contract
// S1).
#pragma once

#include <einmal/env.hpp>

#include <filesystem>
#include <string>

#include <einmal/result.hpp>

namespace einmal::cli {

struct NewToken {
    std::string text;    ///< secret: to be shown once and kept nowhere
    TokenDigest digest;  ///< SHA-256 of the whole text
};

[[nodiscard]] NewToken new_token(Entropy& entropy);

/// Writes the token to `file` for its owner alone (mode 0600), all or nothing, replacing what was there; durable when
/// it returns. Fails with Errc::unavailable.
[[nodiscard]] Result<void> write_token_file(const std::filesystem::path& file, const std::string& token);

}  // namespace einmal::cli
