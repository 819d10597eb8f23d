#include "store/sqlite_checkpointer.hpp"

#include <chrono>

namespace einmal::store {
namespace {

// Frames are pages, 4 KiB each. Every thousand is SQLite's own default.
constexpr int passive_frames = 1000;
// Readers that overlap without a gap keep the log from starting anew; at 64 MiB the writer waits for such a gap.
constexpr int restart_frames = 16'384;
constexpr int restart_again_frames = 4096;
constexpr std::chrono::milliseconds restart_patience{100};

}  // namespace

Checkpointer::Checkpointer(Connection& connection) : connection_(connection), threshold_(passive_frames) {
    sqlite3_wal_hook(
        connection.handle(),
        [](void* self, sqlite3*, const char*, int frames) {
            static_cast<Checkpointer*>(self)->frames_ = frames;
            static_cast<Checkpointer*>(self)->behind_ = true;
            return SQLITE_OK;
        },
        this);
}

Checkpointer::~Checkpointer() { sqlite3_wal_hook(connection_.handle(), nullptr, nullptr); }

std::string Checkpointer::after_commit() {
    // The log has started anew.
    if (frames_ < threshold_ - passive_frames) threshold_ = passive_frames;
    if (frames_ < threshold_) return {};
    return checkpoint(frames_ < restart_frames ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_RESTART);
}

std::string Checkpointer::when_idle() { return behind_ ? checkpoint(SQLITE_CHECKPOINT_PASSIVE) : std::string(); }

std::string Checkpointer::checkpoint(int mode) {
    const bool restart = mode == SQLITE_CHECKPOINT_RESTART;
    if (restart) connection_.set_busy_timeout(restart_patience);
    int frames = 0;
    int moved = 0;
    const int code = sqlite3_wal_checkpoint_v2(connection_.handle(), "main", mode, &frames, &moved);
    if (restart) connection_.set_busy_timeout({});
    const bool complete = code == SQLITE_OK && frames == moved;
    // A complete checkpoint lets the next transaction start the log anew; otherwise it goes on behind these frames.
    threshold_ = frames_ + (restart ? restart_again_frames : passive_frames);
    if (complete) behind_ = false;
    if (code == SQLITE_OK || (code & 0xff) == SQLITE_BUSY) return {};
    return std::string("cannot move commits into the database file: ") + sqlite3_errmsg(connection_.handle());
}

}  // namespace einmal::store
