#include "store/sqlite_reader.hpp"

#include <algorithm>
#include <utility>

namespace einmal::store {
namespace {

// A thread that has nothing to do only wakes up to sleep again.
constexpr std::chrono::hours no_hurry{1};

}  // namespace

Readers::Readers(const std::string& file, boost::asio::any_io_executor executor, const StoreOptions& options)
    : executor_(std::move(executor)), queue_(options.queue_max) {
    const auto count = std::max<std::size_t>(1, options.readers);
    while (readers_.size() < count) readers_.push_back(std::make_unique<Reader>(file, options));
    for (const auto& reader : readers_) reader->thread = std::thread([this, &reader = *reader] { run(reader); });
}

Readers::~Readers() {
    queue_.close();
    for (const auto& reader : readers_) reader->thread.join();
}

void Readers::run(Reader& reader) {
    while (true) {
        auto jobs = queue_.take(1, std::chrono::steady_clock::now() + no_hurry);
        if (jobs.empty() && queue_.closed()) return;
        for (const auto& job : jobs) serve(reader, *job);
        deliver_all(executor_, std::move(jobs));
    }
}

/// One call, one read transaction.
void Readers::serve(Reader& reader, Job<ReadSession>& job) {
    try {
        reader.session.begin();
        job.run(reader.session);
        reader.session.end();
        health_.succeeded();
        return;
    } catch (const SqliteFailure& failure) {
        job.fail(failure.error());
        health_.failed(failure.what());
    } catch (const std::exception& failure) {
        job.fail({Errc::unavailable, failure.what()});
        health_.failed(failure.what());
    }
    reader.connection.rollback();
}

}  // namespace einmal::store
