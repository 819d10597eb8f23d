// What a reader's thread does: the reading functions of Store, each within one read transaction that the caller began.
#pragma once

#include "store/sqlite_lists.hpp"
#include "store/sqlite_rows.hpp"
#include "store/sqlite_statement.hpp"
#include "store/sqlite_types.hpp"

#include <einmal/store.hpp>

#include <optional>

namespace einmal::store {

/// Used by one thread. Every function throws SqliteFailure.
class ReadSession {
 public:
    /// Makes the connection one that cannot write; it outlives the session.
    explicit ReadSession(Connection& connection);

    void begin() { begin_.execute(); }
    void end() { end_.execute(); }

    [[nodiscard]] Result<std::optional<Resource>> read(const Asker& asker, const ResourceId& id);
    [[nodiscard]] Result<std::optional<Resource>> read_revision(const Asker& asker, const ResourceId& id,
                                                                Revision revision);
    [[nodiscard]] Result<Page> list(const ListQuery& query);
    [[nodiscard]] Result<Page> list_revisions(const RevisionsQuery& query);
    [[nodiscard]] Result<std::optional<Token>> find_token(const TokenDigest& digest);

 private:
    TypeTable types_;
    TokenCheck tokens_;
    ResourceFinder resources_;
    Lists lists_;
    Statement begin_;
    Statement end_;
    Statement revision_;
    Statement revisions_;
    Statement token_;
};

}  // namespace einmal::store
