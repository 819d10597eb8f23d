# The measurements behind docs/decisions/0001-json-library.md. The other libraries are needed here only.
find_package(nlohmann_json REQUIRED)
find_package(simdjson REQUIRED)
find_path(EINMAL_RAPIDJSON_INCLUDE rapidjson/document.h REQUIRED)

add_executable(json_bench "${CMAKE_CURRENT_LIST_DIR}/json_bench.cpp")
einmal_settings(json_bench)
target_include_directories(json_bench SYSTEM PRIVATE "${EINMAL_RAPIDJSON_INCLUDE}")
target_link_libraries(json_bench PRIVATE einmal::base benchmark::benchmark benchmark::benchmark_main
  nlohmann_json::nlohmann_json simdjson::simdjson Boost::json)
