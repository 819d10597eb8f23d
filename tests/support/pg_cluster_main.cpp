// `start FILE` starts a server and writes to the file where it is; `stop FILE` ends it. What ctest's fixture runs.
#include "support/pg_cluster.hpp"

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

namespace {

void stop(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::string address;
    std::string directory;
    pid_t pid = 0;
    if (!std::getline(stream, address) || !std::getline(stream, directory) || !(stream >> pid) || pid <= 0) return;
    stream.close();
    // The number may long be somebody else's.
    if (std::filesystem::exists(directory + "/data/postmaster.pid")) einmal::test::end_pg_cluster(pid, directory);
    std::filesystem::remove(file);
}

void start(const std::filesystem::path& file) {
    stop(file);  // left over from a run that was broken off
    const einmal::test::PgCluster cluster({.fsync = false, .outlives_us = true});
    std::ofstream(file) << cluster.address() << '\n' << cluster.directory() << '\n' << cluster.pid() << '\n';
    einmal::test::make_pg_templates(cluster.address());
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) return 2;
    try {
        if (std::string_view(arguments[1]) == "start") start(arguments[2]);
        if (std::string_view(arguments[1]) == "stop") stop(arguments[2]);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
