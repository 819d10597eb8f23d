// The threads that read beside the writer, each with a connection and a session of its own.
#pragma once

#include "store/health.hpp"
#include "store/sqlite_job.hpp"
#include "store/sqlite_read_session.hpp"

#include <einmal/options.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <string>
#include <thread>
#include <vector>

namespace einmal::store {

class Readers {
 public:
    /// Opens the connections and starts the threads; throws SqliteFailure. Results are delivered on `executor`.
    Readers(const std::string& file, boost::asio::any_io_executor executor, const StoreOptions& options);
    Readers(const Readers&) = delete;
    Readers& operator=(const Readers&) = delete;
    /// Finishes what has been handed in.
    ~Readers();

    [[nodiscard]] JobQueue<ReadSession>& queue() { return queue_; }

 private:
    struct Reader {
        explicit Reader(const std::string& file, const StoreOptions& options)
            : connection(file, OpenMode::read_write, options.busy_timeout), session(connection) {}
        Connection connection;
        ReadSession session;
        std::thread thread;
    };

    void run(Reader& reader);
    void serve(Reader& reader, Job<ReadSession>& job);

    const boost::asio::any_io_executor executor_;
    JobQueue<ReadSession> queue_;
    Health health_{"reading"};
    std::vector<std::unique_ptr<Reader>> readers_;
};

}  // namespace einmal::store
