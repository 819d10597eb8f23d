// Moves what has been committed from the write-ahead log into the database file, after answers have gone out, so that
// no answer waits for it; and keeps the log from growing without bound.
#pragma once

#include "store/sqlite_statement.hpp"

#include <string>

namespace einmal::store {

/// Used by the writer's thread only, on its connection, between transactions.
class Checkpointer {
 public:
    /// Takes the place of SQLite's own automatic checkpoints. The connection outlives it.
    explicit Checkpointer(Connection& connection);
    Checkpointer(const Checkpointer&) = delete;
    Checkpointer& operator=(const Checkpointer&) = delete;
    ~Checkpointer();

    /// After a commit. Returns why a checkpoint failed, or nothing.
    std::string after_commit();
    /// When there is nothing else to do.
    std::string when_idle();

 private:
    std::string checkpoint(int mode);

    Connection& connection_;
    int frames_ = 0;       // in the log, as of the last commit
    int threshold_ = 0;    // the next checkpoint is due at this many frames
    bool behind_ = false;  // there are commits that no checkpoint has seen
};

}  // namespace einmal::store
