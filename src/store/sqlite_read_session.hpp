// What a reader's thread does: the reading functions of Store, each within one read transaction that the caller began.
#pragma once

#include "store/sqlite_rows.hpp"
#include "store/sqlite_statement.hpp"
#include "store/sqlite_types.hpp"

#include <einmal/store.hpp>

#include <cstdint>
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
    /// Fills a page from a statement's rows, in their order, with those that hold all further values.
    [[nodiscard]] Page page_of(Statement::Run& rows, const ListQuery& query, std::int64_t type_id);
    [[nodiscard]] bool holds_the_rest(const ListQuery& query, const ResourceId& id);

    TypeTable types_;
    TokenCheck tokens_;
    ResourceFinder resources_;
    Statement begin_;
    Statement end_;
    Statement by_id_;
    Statement by_update_;
    Statement by_value_;
    Statement by_value_and_update_;
    Statement has_value_;
    Statement revision_;
    Statement revisions_;
    Statement token_;
};

}  // namespace einmal::store
