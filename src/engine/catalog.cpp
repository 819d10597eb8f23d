#include <einmal/catalog.hpp>

#include "base/embedded.hpp"
#include "engine/catalog_file.hpp"
#include "engine/schema.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <span>
#include <system_error>

namespace einmal {

namespace engine {
/// The files of `types/`, compiled in (cmake/EmbedFiles.cmake).
std::span<const base::EmbeddedFile> builtin_types();
}  // namespace engine

namespace {

using Types = std::map<std::string, ResourceType, std::less<>>;

/// Larger than any sensible declaration; keeps a wrong directory from filling the memory.
constexpr std::uintmax_t max_file_size = std::uintmax_t{1024} * 1024;

/// How a type's file is called in messages, by type.
using FileNames = std::map<std::string, std::string, std::less<>>;

Error configuration_error(std::string reason) { return {Errc::configuration, std::move(reason)}; }

/// The `*.json` files of a directory, sorted, so that messages do not depend on the file system; none of no directory.
Result<std::vector<std::filesystem::path>> list_files(const std::filesystem::path& directory) {
    if (directory.empty()) {
        return std::vector<std::filesystem::path>{};
    }
    std::error_code error;
    if (!std::filesystem::is_directory(directory, error)) {
        return configuration_error(directory.string() +
                                   ": there is no such directory; name one that holds the files of your types");
    }
    std::vector<std::filesystem::path> files;
    auto entry = std::filesystem::directory_iterator(directory, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        if (entry->path().extension() == ".json") {
            files.push_back(entry->path());
        }
    }
    if (error) {
        return configuration_error(directory.string() + ": the directory cannot be listed (" + error.message() +
                                   "); check its permissions");
    }
    std::sort(files.begin(), files.end());
    return files;
}

Result<std::string> read_file(const std::filesystem::path& file) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) {
        return configuration_error(file.string() + ": is no file; remove it or give it another name");
    }
    if (std::filesystem::file_size(file, error) > max_file_size || error) {
        return configuration_error(file.string() + ": is larger than 1 MiB, which no declaration of a type needs");
    }
    std::ifstream in(file, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(in), {});
    if (!in.is_open() || in.bad()) {
        return configuration_error(file.string() + ": cannot be read; check its permissions");
    }
    return text;
}

Result<void> check_together(const Types& types, const FileNames& files) {
    std::map<std::string, std::string> prefixes;
    for (const auto& [name, type] : types) {
        const auto [first, is_new] = prefixes.emplace(type.id_prefix, name);
        if (!is_new) {
            return engine::type_file_error(files.at(name), "/x-einmal/id_prefix",
                                           "is also the prefix of the type \"" + first->second + "\"; choose another");
        }
        for (const auto& [member, target] : type.references) {
            if (!types.contains(target.text)) {
                std::string pointer = "/x-einmal/references";
                json::append_pointer(pointer, member);
                return engine::type_file_error(
                    files.at(name), pointer,
                    "names the type \"" + target.text + "\", which does not exist; add a file for it");
            }
        }
    }
    return {};
}

/// The number that `text` spells in full, as JSON does; nothing when it spells none.
std::optional<json::Value> parse_number(std::string_view text) {
    const auto is_edge = [](char c) { return c == '-' || (c >= '0' && c <= '9'); };
    if (text.empty() || !is_edge(text.front()) || !is_edge(text.back())) {
        return std::nullopt;
    }
    auto value = json::read(text);
    return value ? std::optional{std::move(*value)} : std::nullopt;
}

std::optional<json::Value> parse_scalar(Schema::Scalar kind, std::string_view text) {
    switch (kind) {
        case Schema::Scalar::boolean:
            if (text != "true" && text != "false") {
                return std::nullopt;
            }
            return json::Value(text == "true");
        case Schema::Scalar::integer:
        case Schema::Scalar::number:
            return parse_number(text);
        case Schema::Scalar::string:
            return json::Value(text);
    }
    return std::nullopt;
}

}  // namespace

std::vector<FieldError> ResourceType::validate(const json::Value& body) const { return schema->validate(body); }

std::optional<json::Value> ResourceType::filter_value(std::string_view member, std::string_view text) const {
    const auto kind = schema->scalar(member);
    if (!kind) {
        return std::nullopt;
    }
    auto value = parse_scalar(*kind, text);
    return value && schema->accepts(member, *value) ? value : std::nullopt;
}

Result<Catalog> Catalog::load(const std::filesystem::path& directory) {
    Catalog catalog;
    FileNames file_names;
    const auto add = [&](const std::string& file, const std::string& name, std::string_view text) -> Result<void> {
        auto type = engine::read_type(file, name, text);
        if (!type) {
            return type.error();
        }
        file_names.insert_or_assign(name, file);
        catalog.types_.insert_or_assign(name, std::move(*type));
        return {};
    };
    for (const base::EmbeddedFile& file : engine::builtin_types()) {
        const std::string name(file.name.substr(0, file.name.rfind('.')));
        if (auto added = add(std::string(file.name) + " (built in)", name, file.text); !added) {
            return added.error();
        }
    }
    auto files = list_files(directory);
    if (!files) {
        return files.error();
    }
    for (const std::filesystem::path& file : *files) {
        auto text = read_file(file);
        if (!text) {
            return text.error();
        }
        if (auto added = add(file.string(), file.stem().string(), *text); !added) {
            return added.error();
        }
    }
    if (auto sound = check_together(catalog.types_, file_names); !sound) {
        return sound.error();
    }
    return catalog;
}

const ResourceType* Catalog::find(std::string_view name) const {
    const auto found = types_.find(name);
    return found == types_.end() ? nullptr : &found->second;
}

}  // namespace einmal
