// Reads the declaration of one resource type. Catalog::load puts the types together and checks what concerns several.
#pragma once

#include <einmal/catalog.hpp>
#include <einmal/result.hpp>

#include <string>
#include <string_view>

namespace einmal::engine {

/// The type `name` that the text of `file` declares. Fails with Errc::configuration and one sentence.
[[nodiscard]] Result<ResourceType> read_type(const std::string& file, const std::string& name, std::string_view text);

/// The sentence for a fault at a JSON Pointer of a type file.
[[nodiscard]] Error type_file_error(const std::string& file, std::string_view pointer, std::string_view detail);

}  // namespace einmal::engine
