// A text file that was compiled into the library by einmal_embed (cmake/EmbedFiles.cmake).
#pragma once

#include <string_view>

namespace einmal::base {

/// Both live as long as the program.
struct EmbeddedFile {
    std::string_view name;  ///< without its folder: `contacts.json`
    std::string_view text;
};

}  // namespace einmal::base
