#include "cli/first_token.hpp"

#include <filesystem>
#include <iostream>

#include "base/log.hpp"
#include "cli/new_token.hpp"

namespace einmal::cli {

namespace {

constexpr std::string_view file_scheme = "sqlite:";

}  // namespace

Result<void> provide_first_token(const std::string& store_address, StoreAdmin& admin) {
    const Result<std::vector<Token>> tokens = admin.list_tokens();
    if (!tokens) return tokens.error();
    if (!tokens->empty()) return {};

    const NewToken token = new_token(system_entropy());
    const bool has_file = store_address.starts_with(file_scheme);
    const std::string file = has_file ? store_address.substr(file_scheme.size()) + ".token" : "";
    // The file comes first: a crash in between leaves a file that the next start replaces, never a token that nobody
    // knows.
    if (has_file) {
        if (Result<void> written = write_token_file(file, token.text); !written) return written;
    }
    const Result<std::optional<TokenId>> made = admin.create_first_token("default", "*", token.digest);
    if (!made) return made.error();
    if (!*made) {
        // Somebody else has made a token in this very moment; what we wrote down is good for nothing.
        if (has_file) std::filesystem::remove(file);
    } else if (has_file) {
        base::log(base::LogLevel::info, "first token written", {{"account", "default"}, {"file", file}});
    } else {
        std::cerr << "einmal: token of the account default: " + token.text + "\n" << std::flush;
    }
    return {};
}

}  // namespace einmal::cli
