#include "store/sqlite_cleaner.hpp"

namespace einmal::store {

Cleaner::Cleaner(Connection& connection)
    : walk_(connection, "SELECT record_id, expires_at FROM records WHERE record_id > ?1 ORDER BY record_id LIMIT ?2"),
      remove_up_to_(connection, "DELETE FROM records WHERE record_id <= ?1"),
      remove_(connection, "DELETE FROM records WHERE record_id = ?1") {
    find_front();
}

void Cleaner::find_front() {
    if (front_ != 0) return;
    auto row = walk_.run(std::int64_t{0}, 1);
    if (!row.step()) return;
    front_ = row.integer(0);
    front_expires_at_ = row.time(1);
}

void Cleaner::clean_front(std::size_t most, std::int64_t newest, Timestamp now) {
    std::int64_t last = 0;
    {
        auto row = walk_.run(std::int64_t{0}, most);
        while (row.step() && row.time(1) <= now && row.integer(0) != newest) last = row.integer(0);
    }
    if (last != 0) remove_up_to_.execute(last);
    front_ = 0;
    find_front();
}

bool Cleaner::patrol(std::size_t most, std::int64_t newest, Timestamp now) {
    std::vector<std::int64_t> expired;
    std::size_t seen = 0;
    {
        auto row = walk_.run(patrolled_, most);
        while (row.step()) {
            ++seen;
            patrolled_ = row.integer(0);
            if (row.time(1) <= now && patrolled_ != newest) expired.push_back(patrolled_);
        }
    }
    if (seen < most) patrolled_ = 0;
    for (const auto record_id : expired) remove_.execute(record_id);
    return !expired.empty();
}

}  // namespace einmal::store
