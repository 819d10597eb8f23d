#include "store/sqlite_types.hpp"

namespace einmal::store {
namespace {

// Behind every id of ASCII text.
constexpr const char* behind_all = "\x7f";

/// The first text behind all that begin with the prefix.
std::string behind(std::string prefix) {
    if (prefix.empty()) return behind_all;
    ++prefix.back();
    return prefix;
}

}  // namespace

std::string_view prefix_of(const ResourceId& id) {
    const auto end = id.text.find('_');
    return end == std::string::npos ? std::string_view() : std::string_view(id.text).substr(0, end + 1);
}

TypeTable::TypeTable(Connection& connection)
    : find_(connection, "SELECT type_id FROM types WHERE name = ?1"),
      name_(connection, "SELECT name FROM types WHERE type_id = ?1"),
      range_(connection, "SELECT min(prefix), max(prefix) FROM type_prefixes WHERE type_id = ?1"),
      add_(connection, "INSERT INTO types (name) VALUES (?1)"),
      add_prefix_(connection, "INSERT OR IGNORE INTO type_prefixes (type_id, prefix) VALUES (?1, ?2)") {}

std::optional<std::int64_t> TypeTable::find(const TypeName& name) {
    if (const auto known = known_.find(name.text); known != known_.end()) return known->second.type_id;
    auto row = find_.run(std::string_view(name.text));
    if (!row.step()) return std::nullopt;
    return known_[name.text].type_id = row.integer(0);
}

const TypeName& TypeTable::name(std::int64_t type_id) {
    if (const auto known = names_.find(type_id); known != names_.end()) return known->second;
    auto row = name_.run(type_id);
    if (!row.step()) throw SqliteFailure(SQLITE_CORRUPT, "cannot read a row", "it is of a type that does not exist");
    return names_[type_id] = TypeName{std::string(row.text(0))};
}

std::optional<IdRange> TypeTable::ids_of(std::int64_t type_id) {
    auto row = range_.run(type_id);
    if (!row.step() || row.is_null(0)) return std::nullopt;
    const std::string first(row.text(0));
    // Ids without a prefix may lie anywhere.
    return IdRange{first, first.empty() ? behind_all : behind(std::string(row.text(1)))};
}

std::int64_t TypeTable::ensure(const TypeName& name, const ResourceId& id) {
    auto known = known_.find(name.text);
    if (known == known_.end()) {
        if (!find(name)) add_.execute(std::string_view(name.text));
        const auto type_id = find(name);
        known = known_.find(name.text);
        known->second.type_id = *type_id;
    }
    const auto prefix = prefix_of(id);
    if (!known->second.prefixes.contains(prefix)) {
        add_prefix_.execute(known->second.type_id, prefix);
        known->second.prefixes.emplace(prefix);
    }
    return known->second.type_id;
}

void TypeTable::forget() {
    known_.clear();
    names_.clear();
}

}  // namespace einmal::store
