// `einmal serve`: puts store, engine and HTTP together, says that it is ready, and ends in good order (contract A1,
// H4).
#include <sys/resource.h>
#include <unistd.h>
#include <einmal/catalog.hpp>
#include <einmal/engine.hpp>
#include <einmal/open.hpp>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/first_token.hpp"
#include "http/application.hpp"
#include "http/metrics.hpp"
#include "http/server.hpp"

namespace einmal::cli {

namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

/// Waits for operations that nobody waits for any more: they were accepted, so they are carried out (contract K10).
asio::awaitable<void> finish_operations(asio::io_context& io, const Engine& engine, milliseconds patience) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    asio::steady_timer pause(io);
    while (engine.running() > 0 && std::chrono::steady_clock::now() < deadline) {
        pause.expires_after(milliseconds(5));
        co_await pause.async_wait(asio::use_awaitable);
    }
}

/// Everything refers to objects of `run`, which ends after this coroutine.
asio::awaitable<void> stop_on_signal(asio::io_context& io, asio::signal_set& signals, http::Server& server,
                                     const Engine& engine, Store& store, milliseconds patience) {
    co_await signals.async_wait(asio::use_awaitable);
    // From here on a signal ends the process at once; what was answered is durable.
    signals.clear();
    base::log(base::LogLevel::info, "stopping");
    co_await server.shutdown();
    co_await finish_operations(io, engine, patience);
    co_await store.close();
}

std::optional<http::TlsFiles> tls_files(const Settings& settings) {
    if (settings.tls_cert.empty()) return std::nullopt;
    return http::TlsFiles{settings.tls_cert, settings.tls_key};
}

/// A file that is not there or not ours to read may be there in a moment (contract A4); one with wrong content will not
/// become right.
Result<void> check_readable(const http::TlsFiles& files) {
    for (const std::string& file : {files.certificate_chain, files.private_key}) {
        if (::access(file.c_str(), R_OK) != 0) {
            return Error{Errc::unavailable, file + ": the file is not there or cannot be read"};
        }
    }
    return {};
}

void configure_log(const Settings& settings) {
    const base::LogFormat fitting = ::isatty(STDERR_FILENO) == 1 ? base::LogFormat::text : base::LogFormat::json;
    base::configure_log(settings.log_level, settings.log_format.value_or(fitting));
}

/// Each connection takes a descriptor; systems give few at first and more to whoever asks.
void raise_descriptor_limit(std::size_t connections) {
    constexpr std::size_t for_files = 64;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = std::max(limit.rlim_cur, std::min<rlim_t>(connections + for_files, limit.rlim_max));
    if (::setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= connections + for_files) return;
    base::log(base::LogLevel::warning, "fewer file descriptors than max-connections needs",
              {{"descriptors", static_cast<std::int64_t>(limit.rlim_cur)}});
}

void announce(const Settings& settings, std::uint16_t port) {
    const std::string url =
        (settings.tls_cert.empty() ? "http://" : "https://") + listen_text({settings.listen.host, port});
    std::cout << "einmal: listening on " + url + "\n" << std::flush;
    base::log(base::LogLevel::info, "listening", {{"url", url}, {"version", EINMAL_VERSION}});
}

/// Runs until a signal has been obeyed. A connection or operation that outlasted all patience is left behind.
ExitCode run_until_signal(asio::io_context& io, asio::signal_set& signals, http::Server& server, const Engine& engine,
                          Store& store, milliseconds patience) {
    asio::co_spawn(io, stop_on_signal(io, signals, server, engine, store, patience),
                   [&io](const std::exception_ptr& failure) {
                       if (failure) std::rethrow_exception(failure);
                       io.stop();
                   });
    io.run();
    io.restart();
    io.run_for(std::chrono::seconds(1));
    if (!io.stopped()) {
        // Its coroutines refer to what is about to be destroyed, so nothing is; what was answered is durable.
        base::log(base::LogLevel::warning, "stopped with work left behind");
        std::_Exit(static_cast<int>(ExitCode::done));
    }
    base::log(base::LogLevel::info, "stopped");
    return ExitCode::done;
}

ExitCode run(const Settings& settings) {
    configure_log(settings);
    const Result<Catalog> catalog = Catalog::load(settings.types);
    if (!catalog) return fail(catalog.error());
    const std::optional<http::TlsFiles> tls = tls_files(settings);
    if (tls) {
        if (const Result<void> readable = check_readable(*tls); !readable) return fail(readable.error());
    }

    raise_descriptor_limit(settings.http.connections_max);
    asio::io_context io(1);
    // Before anybody is told that we are ready: a signal that comes early is kept and obeyed, not deadly.
    asio::signal_set signals(io, SIGTERM, SIGINT);
    http::Metrics metrics;
    StoreOptions storage = settings.storage;
    storage.observer = &metrics;
    const Result<OpenedStore> opened = open_store(settings.store, io.get_executor(), storage);
    if (!opened) return fail(opened.error());
    if (const Result<void> usable = provide_first_token(settings.store, *opened->admin); !usable) {
        return fail(usable.error());
    }

    Engine engine(io.get_executor(), *opened->store, *catalog, settings.engine);
    http::Application application(engine, settings.http, settings.engine, metrics);
    http::Server server(io.get_executor(), application, settings.http, tls);
    const Result<std::uint16_t> port = server.listen(settings.listen.host, settings.listen.port);
    if (!port) return fail(port.error());
    metrics.watch("einmal_connections", "Connections being served at this moment.",
                  [&server] { return static_cast<double>(server.connections()); });
    server.start();
    announce(settings, *port);
    return run_until_signal(io, signals, server, engine, *opened->store, settings.http.shutdown_timeout);
}

ExitCode serve(const Given& given, bool dump_only) {
    const Result<InForce> in_force = settings_in_force(given);
    if (!in_force) return fail(in_force.error());
    if (!dump_only) return run(in_force->settings);
    std::cout << dump(*in_force) << std::flush;
    return ExitCode::done;
}

}  // namespace

void add_serve(CLI::App& program, Chosen& chosen) {
    CLI::App* command = program.add_subcommand("serve", "Serve the API until SIGTERM or SIGINT");
    const auto given = add_setting_flags(*command, {});
    const auto dump_only = std::make_shared<bool>(false);
    command->add_flag("--dump-config", *dump_only, "Print the settings in force as TOML, with their sources, and end");
    command->callback([=, &chosen] { chosen = [=] { return serve(*given, *dump_only); }; });
}

}  // namespace einmal::cli
