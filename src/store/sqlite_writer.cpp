#include "store/sqlite_writer.hpp"

#include <einmal/observer.hpp>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <utility>

namespace einmal::store {
namespace {

using std::chrono::milliseconds;

// While somebody else holds the write lock; often enough to be next, seldom enough to cost nothing.
constexpr milliseconds lock_poll{2};
// Housework of its own begins after so long without a request, so that none waits for it.
constexpr milliseconds quiet{10};
// With nothing to do at all.
constexpr milliseconds nap{1000};
// A count of replays may be lost when the process dies within so long (contract K14).
constexpr milliseconds flush_interval{1000};
constexpr std::size_t flush_batch = 256;
// A merge must be faster than new entries come: it moves two for each operation, and no fewer than this per commit.
constexpr std::size_t merge_least = 64;
constexpr std::size_t merge_idle = 1024;
// Beside a commit as many expired records are removed as operations came in, and a few more, so that they never pile
// up; a backlog beyond that is left to quiet times.
constexpr std::size_t clean_least = 8;
// After a patrol that found nothing, this many intervals until the next.
constexpr int patrol_rest = 60;

void move_all(auto& from, auto& to) {
    std::ranges::move(from, std::back_inserter(to));
    from.clear();
}

}  // namespace

Writer::Writer(Connection connection, boost::asio::any_io_executor executor, const StoreOptions& options,
               const Clock& clock)
    : executor_(std::move(executor)),
      options_(options),
      clock_(clock),
      queue_(options.queue_max),
      connection_(std::move(connection)),
      session_(connection_, clock),
      cleaner_(connection_),
      checkpointer_(connection_),
      begin_(connection_, "BEGIN IMMEDIATE"),
      commit_(connection_, "COMMIT") {
    connection_.set_busy_timeout({});                   // waiting is done here, where it can be ended
    connection_.execute("PRAGMA cache_size = -65536");  // KiB
    connection_.execute("PRAGMA temp_store = MEMORY");
    // What is deleted is overwritten where that costs no further page (Debian's default costs many).
    connection_.execute("PRAGMA secure_delete = FAST");
    thread_ = std::thread([this] { run(); });
}

Writer::~Writer() {
    queue_.close();
    thread_.join();
}

void Writer::run() {
    while (true) {
        Jobs jobs = queue_.take(std::max<std::size_t>(1, options_.batch_max), next_look());
        if (!jobs.empty()) {
            report_queue(jobs.size());
            serve(std::move(jobs));
        } else if (!queue_.closed()) {
            use_quiet_time();
        } else {
            close();
            return;
        }
    }
}

/// `taken` are in the hands of this thread, beside those that still queue.
void Writer::report_queue(std::size_t taken) {
    if (options_.observer != nullptr) options_.observer->queued(queue_.size() + taken);
}

void Writer::serve(Jobs jobs) {
    Jobs ended;
    while (!jobs.empty() && begin(jobs, ended)) try_batch(jobs, ended);
    // Before the answers go out: who has all of them must not find any still counted.
    report_queue(0);
    deliver_all(executor_, std::move(ended));
    checkpoint(false);
}

/// False when none of the jobs is left to run.
bool Writer::begin(Jobs& jobs, Jobs& ended) {
    while (!jobs.empty()) {
        try {
            begin_.execute();
            began_ = std::chrono::steady_clock::now();
            changes_before_ = connection_.changes_in_all();
            committing_ = false;
            return true;
        } catch (const SqliteFailure& failure) {
            roll_back();
            end_those_that_waited_too_long(jobs, ended, failure);
        }
        if (!jobs.empty()) queue_.pause(lock_poll);
    }
    return false;
}

/// A lock may be waited for, each job for as long as it may wait; anything else ends them all.
void Writer::end_those_that_waited_too_long(Jobs& jobs, Jobs& ended, const SqliteFailure& failure) {
    const auto since = std::chrono::steady_clock::now() - options_.busy_timeout;
    const bool all = failure.code() != SQLITE_BUSY || queue_.closed();
    const auto hopeless =
        std::stable_partition(jobs.begin(), jobs.end(), [&](const auto& job) { return !all && job->since > since; });
    if (hopeless == jobs.end()) return;
    health_.failed(failure.what());
    for (auto job = hopeless; job != jobs.end(); ++job) (*job)->fail({Errc::unavailable, failure.what()});
    std::move(hopeless, jobs.end(), std::back_inserter(ended));
    jobs.erase(hopeless, jobs.end());
}

/// One transaction. Afterwards the jobs have ended, or one has and the others are left for another transaction.
void Writer::try_batch(Jobs& jobs, Jobs& ended) {
    const std::size_t count = jobs.size();
    try {
        session_.begun();
        if (run_jobs(jobs, ended) == Ran::without_one) return;
        keep_house(2 * count + merge_least, std::min(options_.cleaner_batch, count + clean_least));
        commit();
        if (options_.observer != nullptr)
            options_.observer->committed(count, std::chrono::steady_clock::now() - began_);
    } catch (const SqliteFailure& failure) {
        const bool doubt = committing_ && failure.code() != SQLITE_FULL && failure.code() != SQLITE_BUSY;
        roll_back();
        health_.failed(failure.what());
        Error error = failure.error();
        if (doubt && !end_doubt()) error.code = Errc::outcome_unknown;
        for (const auto& job : jobs) job->fail(error);
    }
    move_all(jobs, ended);
}

/// A job that fails for reasons of its own must not fail its neighbours: what it left half done is rolled back with all
/// the rest, and the rest is run again without it. So no job needs a savepoint.
Writer::Ran Writer::run_jobs(Jobs& jobs, Jobs& ended) {
    for (auto job = jobs.begin(); job != jobs.end(); ++job) {
        try {
            (*job)->run(session_);
            continue;
        } catch (const SqliteFailure& failure) {
            if (failure.concerns_storage()) throw;
            health_.failed(failure.what());
            (*job)->fail(failure.error());
        } catch (const std::exception& failure) {
            (*job)->fail({Errc::unavailable, failure.what()});
        }
        roll_back();
        ended.push_back(std::move(*job));
        jobs.erase(job);
        return Ran::without_one;
    }
    return Ran::all;
}

void Writer::commit() {
    committing_ = true;
    commit_.execute();
    session_.committed();
    session_.keys().set_smallest_record(cleaner_.smallest_record());
    // A transaction that wrote nothing proves nothing.
    if (connection_.changes_in_all() != changes_before_) health_.succeeded();
}

void Writer::roll_back() {
    connection_.rollback();
    session_.rolled_back();
    cleaner_.forget_front();
}

/// After a COMMIT that failed, its frames may stand in the log with all marks of a commit, and a crash would bring them
/// back to life. Another commit overwrites them: then it is certain that nothing was done.
bool Writer::end_doubt() {
    try {
        begin_.execute();
        session_.pulse();
        commit_.execute();
        return true;
    } catch (const SqliteFailure&) {
        connection_.rollback();
        return false;
    }
}

SteadyTime Writer::next_look() const {
    const auto now = std::chrono::steady_clock::now();
    if (has_housework()) return now + quiet;
    auto next = now + nap;
    if (options_.cleaner_interval > milliseconds{0}) next = std::min(next, now + options_.cleaner_interval);
    if (session_.has_replays()) next = std::min(next, std::max(now, next_flush_));
    return next;
}

bool Writer::has_housework() const {
    const auto now = std::chrono::steady_clock::now();
    if (session_.keys().merging() || session_.members().merging()) return true;
    if (session_.has_replays() && now >= next_flush_) return true;
    if (options_.cleaner_interval == milliseconds{0} || session_.newest_record() == 0) return false;
    return cleaner_.due(session_.newest_record(), clock_.now()) || now >= next_patrol_;
}

/// Within the open transaction.
void Writer::keep_house(std::size_t entries, std::size_t records) {
    session_.keys().merge(entries);
    session_.members().merge(entries);
    if (session_.has_replays() && std::chrono::steady_clock::now() >= next_flush_) flush_replays(flush_batch);
    const auto newest = session_.newest_record();
    if (newest == 0) return;
    cleaner_.find_front();
    if (options_.cleaner_interval == milliseconds{0}) return;
    const Timestamp now = clock_.now();
    if (cleaner_.due(newest, now)) cleaner_.clean_front(records, newest, now);
    if (std::chrono::steady_clock::now() >= next_patrol_) patrol(now);
}

void Writer::patrol(Timestamp now) {
    const bool removed = cleaner_.patrol(options_.cleaner_batch, session_.newest_record(), now);
    patrol_removed_ = patrol_removed_ || removed;
    next_patrol_ = std::chrono::steady_clock::now();
    if (!removed) next_patrol_ += options_.cleaner_interval;
    if (!cleaner_.patrol_ended()) return;
    if (!patrol_removed_) next_patrol_ += options_.cleaner_interval * patrol_rest;
    patrol_removed_ = false;
}

void Writer::flush_replays(std::size_t most) {
    if (session_.flush_replays(most)) next_flush_ = std::chrono::steady_clock::now() + flush_interval;
}

void Writer::use_quiet_time() {
    session_.keys().merge_early_for_garbage();
    if (!has_housework()) return checkpoint(true);
    try {
        begin_.execute();
        changes_before_ = connection_.changes_in_all();
        keep_house(merge_idle, options_.cleaner_batch);
        commit();
    } catch (const SqliteFailure& failure) {
        roll_back();
        if (failure.code() != SQLITE_BUSY) health_.failed(failure.what());
        queue_.pause(quiet);
    }
    checkpoint(false);
}

void Writer::checkpoint(bool idle) {
    const std::string failed = idle ? checkpointer_.when_idle() : checkpointer_.after_commit();
    if (!failed.empty()) checkpoint_health_.failed(failed);
}

/// What is counted in memory only is written down, if that can be done at once.
void Writer::close() {
    if (!session_.has_replays()) return;
    try {
        begin_.execute();
        session_.flush_replays(std::numeric_limits<std::size_t>::max());
        commit();
    } catch (const SqliteFailure& failure) {
        roll_back();
        health_.failed(failure.what());
    }
}

}  // namespace einmal::store
