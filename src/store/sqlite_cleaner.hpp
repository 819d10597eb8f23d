// Removes expired records, a few per transaction (contract K11). That a record is expired is judged where it is read;
// this is only about space.
#pragma once

#include "store/sqlite_statement.hpp"

#include <einmal/types.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace einmal::store {

/// Records lie in the order of their completion, so they expire from the front. Only after the retention has been
/// lowered do expired ones lie behind others that are not: those are found by a patrol that walks through all records
/// a few at a time, again and again. Used by the writer's thread only; functions that touch the database throw
/// SqliteFailure and are called within its transaction.
class Cleaner {
 public:
    explicit Cleaner(Connection& connection);

    /// Whether the first record is expired and may go, as far as is known.
    [[nodiscard]] bool due(std::int64_t newest, Timestamp now) const {
        return front_ != 0 && front_ != newest && front_expires_at_ <= now;
    }

    /// Removes up to `most` expired records from the front, but never `newest`: the ids of records rise for ever.
    void clean_front(std::size_t most, std::int64_t newest, Timestamp now);

    /// Looks at the next `most` records and removes the expired ones among them. True when it removed any.
    bool patrol(std::size_t most, std::int64_t newest, Timestamp now);
    /// Whether the last patrol came to the end of all records; the next one begins anew.
    [[nodiscard]] bool patrol_ended() const { return patrolled_ == 0; }

    /// The smallest record id; 0 when there is none, or it is not known.
    [[nodiscard]] std::int64_t smallest_record() const { return front_; }
    /// Reads where the front is, when it is not known.
    void find_front();
    /// After a rollback.
    void forget_front() { front_ = 0; }

 private:
    Statement walk_;
    Statement remove_up_to_;
    Statement remove_;

    std::int64_t front_ = 0;  // the first record; 0: there was none, or it is not known
    Timestamp front_expires_at_{};
    std::int64_t patrolled_ = 0;  // the last record the patrol saw
};

}  // namespace einmal::store
