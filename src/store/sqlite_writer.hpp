// The one thread that writes. It takes everything that has queued, and puts it into one transaction with one disk sync;
// answers go out after the commit (contract K9). Between them it keeps house: merges its indexes, removes expired
// records, writes down counts, checkpoints.
#pragma once

#include "store/health.hpp"
#include "store/sqlite_checkpointer.hpp"
#include "store/sqlite_cleaner.hpp"
#include "store/sqlite_job.hpp"
#include "store/sqlite_write_session.hpp"

#include <einmal/env.hpp>
#include <einmal/options.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace einmal::store {

class Writer {
 public:
    /// Takes the connection that opened the database, loads the keys and starts the thread; throws SqliteFailure.
    /// Results are delivered on `executor`. The clock outlives it.
    Writer(Connection connection, boost::asio::any_io_executor executor, const StoreOptions& options,
           const Clock& clock);
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    /// Finishes what has been handed in, but waits for nobody's lock.
    ~Writer();

    [[nodiscard]] JobQueue<WriteSession>& queue() { return queue_; }

 private:
    using Jobs = std::vector<std::unique_ptr<Job<WriteSession>>>;
    enum class Ran { all, without_one };

    void run();
    void report_queue(std::size_t taken);
    void serve(Jobs jobs);
    [[nodiscard]] bool begin(Jobs& jobs, Jobs& ended);
    void end_those_that_waited_too_long(Jobs& jobs, Jobs& ended, const SqliteFailure& failure);
    void try_batch(Jobs& jobs, Jobs& ended);
    [[nodiscard]] Ran run_jobs(Jobs& jobs, Jobs& ended);
    void commit();
    void roll_back();
    [[nodiscard]] bool end_doubt();

    [[nodiscard]] SteadyTime next_look() const;
    [[nodiscard]] bool has_housework() const;
    void keep_house(std::size_t entries, std::size_t records);
    void patrol(Timestamp now);
    void flush_replays(std::size_t most);
    void use_quiet_time();
    void checkpoint(bool idle);
    void close();

    // Constant after construction.
    const boost::asio::any_io_executor executor_;
    const StoreOptions options_;
    const Clock& clock_;

    JobQueue<WriteSession> queue_;

    // The thread's own.
    Connection connection_;
    WriteSession session_;
    Cleaner cleaner_;
    Checkpointer checkpointer_;
    Statement begin_;
    Statement commit_;
    Health health_{"writing"};
    Health checkpoint_health_{"checkpoint"};
    std::int64_t changes_before_ = 0;  // Connection::changes_in_all when the transaction began
    SteadyTime began_{};               // of the transaction that is open
    bool committing_ = false;          // whether a failure came from COMMIT itself
    bool patrol_removed_ = false;      // since the patrol began at the first record
    SteadyTime next_patrol_{};
    SteadyTime next_flush_{};

    std::thread thread_;
};

}  // namespace einmal::store
