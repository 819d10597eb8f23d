#include "support/pg_cluster.hpp"

#include "support/machine.hpp"

#include <einmal/open.hpp>

#include <fcntl.h>
#include <grp.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace einmal::test {
namespace {

constexpr std::string_view plain_template = "einmal_template";
constexpr std::string_view clock_template = "einmal_template_clock";
constexpr std::chrono::seconds patience{60};
// A server that outlives its starter ends by itself when nobody came to end it.
constexpr const char* longest_life = "4h";

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error("PostgreSQL for tests: " + what); }

/// Debian keeps the server's programs out of the PATH, one directory per version.
std::string program(const std::string& name) {
    std::vector<std::string> found;
    std::error_code ignored;
    for (const auto& version : std::filesystem::directory_iterator("/usr/lib/postgresql", ignored)) {
        const auto file = version.path() / "bin" / name;
        if (std::filesystem::exists(file, ignored)) found.push_back(file.string());
    }
    return found.empty() ? name : *std::ranges::max_element(found);
}

/// The server refuses to run as root.
const passwd* servant() {
    if (::geteuid() != 0) return nullptr;
    for (const char* name : {"postgres", "nobody"}) {
        if (const passwd* found = ::getpwnam(name)) return found;
    }
    fail("there is no user to run it as");
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (std::string& text : texts) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

/// Its output goes to a file in `directory`. `death_signal` is sent to it when this process ends; 0 for none.
pid_t launch(std::vector<std::string> arguments, const std::string& directory, int death_signal) {
    const std::vector<char*> argv = pointers(arguments);
    const std::string log = directory + "/log";
    const passwd* const who = servant();
    const pid_t child = ::fork();
    if (child < 0) fail("no new process");
    if (child > 0) return child;
    // In the child: only calls that are safe there, but for the groups, which nobody else changes.
    const bool other =
        who == nullptr || (::setgroups(0, nullptr) == 0 && ::setgid(who->pw_gid) == 0 && ::setuid(who->pw_uid) == 0);
    const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    const int nothing = ::open("/dev/null", O_RDONLY);
    if (!other || file < 0 || nothing < 0 || ::chdir(directory.c_str()) != 0) ::_exit(126);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(file, STDOUT_FILENO);
    ::dup2(file, STDERR_FILENO);
    if (death_signal == 0) {
        ::setsid();
    } else {
        ::prctl(PR_SET_PDEATHSIG, death_signal);
    }
    ::execvp(argv.front(), argv.data());
    ::_exit(127);
}

std::string log_in(const std::string& directory) {
    std::ifstream file(directory + "/log");
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string with_database(const std::string& address, std::string_view database) {
    return address.substr(0, address.rfind('/') + 1) + std::string(database);
}

/// The server that this process's tests use.
const std::string& shared_address() {
    static const auto address = []() -> std::string {
        if (const char* file = std::getenv("EINMAL_TEST_POSTGRES")) {
            std::ifstream stream(file);
            std::string line;
            if (!std::getline(stream, line)) fail(std::string("nobody has started it, says ") + file);
            return line;
        }
        static PgCluster own({});
        make_pg_templates(own.address());
        return own.address();
    }();
    return address;
}

std::string fresh_name() {
    std::random_device chance;
    return "einmal_test_" + std::to_string(::getpid()) + "_" + std::to_string(chance());
}

}  // namespace

PgCluster::PgCluster(Options options) : options_(options) {
    std::string name = (std::filesystem::temp_directory_path() / "einmal-postgres-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) fail("no directory");
    directory_ = name;
    if (const passwd* who = servant()) {
        if (::chown(directory_.c_str(), who->pw_uid, who->pw_gid) != 0) fail("the directory cannot be given away");
    }
    initialise();
    start();
    wait_until_ready();
}

PgCluster::~PgCluster() {
    if (!options_.outlives_us) end_pg_cluster(pid_, directory_);
}

std::string PgCluster::address() const { return "postgres://einmal@127.0.0.1:" + std::to_string(port_) + "/postgres"; }

void PgCluster::initialise() const {
    if (options_.standby_of == nullptr) {
        run_to_end({program("initdb"), "--pgdata", directory_ + "/data", "--username", "einmal", "--auth", "trust",
                    "--encoding", "UTF8", "--locale", "C", "--no-sync"});
        return;
    }
    const std::string primary = "host=127.0.0.1 user=einmal port=" + std::to_string(options_.standby_of->port());
    run_to_end({program("pg_basebackup"), "--dbname", primary, "--pgdata", directory_ + "/data", "--checkpoint", "fast",
                "--write-recovery-conf", "--no-sync"});
}

void PgCluster::run_to_end(std::vector<std::string> arguments) const {
    const std::string name = arguments.front();
    const pid_t child = launch(std::move(arguments), directory_, SIGKILL);
    int status = 0;
    if (::waitpid(child, &status, 0) != child || status != 0) fail(name + " failed\n" + log_in(directory_));
}

void PgCluster::kill() {
    // Those that serve connections are its children; they would notice its end only a moment later.
    std::vector<pid_t> family{pid_};
    std::ifstream children("/proc/" + std::to_string(pid_) + "/task/" + std::to_string(pid_) + "/children");
    for (pid_t child = 0; children >> child;) family.push_back(child);
    for (const pid_t member : family) ::kill(member, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
}

void PgCluster::restart() {
    start();
    wait_until_ready();
}

void PgCluster::start() {
    if (port_ == 0) port_ = free_port();
    std::vector<std::string> arguments;
    if (options_.outlives_us) arguments = {"timeout", "--signal=QUIT", longest_life};
    for (const std::string& argument :
         {program("postgres"), "-D" + directory_ + "/data", "-p" + std::to_string(port_), "-k" + directory_,
          std::string("-clisten_addresses=127.0.0.1"), std::string("-cmax_connections=200"),
          std::string("-clog_lock_waits=on"), std::string(options_.fsync ? "-cfsync=on" : "-cfsync=off")}) {
        arguments.push_back(argument);
    }
    pid_ = launch(std::move(arguments), directory_, options_.outlives_us ? 0 : SIGQUIT);
}

void PgCluster::wait_until_ready() const {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (PQping(address().c_str()) != PQPING_OK) {
        const bool ended = ::waitpid(pid_, nullptr, WNOHANG) == pid_;
        if (ended || std::chrono::steady_clock::now() > deadline) fail("it did not start\n" + log_in(directory_));
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

void end_pg_cluster(pid_t pid, const std::string& directory) {
    // A number that is not positive would mean many processes.
    if (pid > 0) ::kill(pid, SIGQUIT);
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (pid > 0 && ::kill(pid, 0) == 0 && std::chrono::steady_clock::now() < deadline) {
        ::waitpid(pid, nullptr, WNOHANG);  // when it is our child
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::error_code ignored;
    std::filesystem::remove_all(directory, ignored);
}

void make_pg_templates(const std::string& address) {
    PgProbe(address).run("CREATE DATABASE " + std::string(plain_template));
    const std::string plain = with_database(address, plain_template);
    if (const auto admin = open_admin(plain, true); !admin) fail(admin.error().reason);
    PgProbe(address).run("CREATE DATABASE " + std::string(clock_template) + " TEMPLATE " + std::string(plain_template));
    PgProbe clock(with_database(address, clock_template));
    clock.run("CREATE TABLE test_clock (now bigint NOT NULL)");
    clock.run("INSERT INTO test_clock VALUES (0)");
    clock.run(
        "CREATE OR REPLACE FUNCTION einmal_now() RETURNS bigint LANGUAGE sql VOLATILE "
        "AS 'SELECT now FROM test_clock'");
}

void PgProbe::Finish::operator()(pg_conn* connection) const { PQfinish(connection); }

PgProbe::PgProbe(const std::string& address) : handle_(PQconnectdb(address.c_str())) {
    if (PQstatus(handle_.get()) != CONNECTION_OK) fail(PQerrorMessage(handle_.get()));
}

std::vector<std::vector<std::string>> PgProbe::run(const std::string& sql) {
    PGresult* const result = PQexec(handle_.get(), sql.c_str());
    const std::unique_ptr<PGresult, decltype(&PQclear)> clearing(result, &PQclear);
    const ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) fail(PQerrorMessage(handle_.get()));
    std::vector<std::vector<std::string>> rows;
    for (int row = 0; row < PQntuples(result); ++row) {
        auto& texts = rows.emplace_back();
        for (int column = 0; column < PQnfields(result); ++column) texts.emplace_back(PQgetvalue(result, row, column));
    }
    return rows;
}

PgDatabase::PgDatabase(Content content) : name_(fresh_name()), address_(with_database(shared_address(), name_)) {
    std::string_view copied = "template0";
    if (content == Content::store) copied = plain_template;
    if (content == Content::clocked_store) copied = clock_template;
    PgProbe(shared_address()).run("CREATE DATABASE " + name_ + " TEMPLATE " + std::string(copied));
}

PgDatabase::~PgDatabase() {
    try {
        PgProbe(shared_address()).run("DROP DATABASE " + name_ + " WITH (FORCE)");
    } catch (const std::runtime_error&) {
        // The server goes, and with it the database.
    }
}

}  // namespace einmal::test
