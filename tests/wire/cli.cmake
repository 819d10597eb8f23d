# The program as a process: its command line, its start and end, and its commands on stores.
einmal_tests(wire_cli POSTGRES
  SOURCES
    cli_durability_test.cpp
    cli_lock_test.cpp
    cli_postgres_test.cpp
    cli_serve_test.cpp
    cli_settings_test.cpp
    cli_store_test.cpp
  LINK einmal_test_support einmal_test_process SQLite::SQLite3
  TIMEOUT 60)
target_compile_definitions(einmal_wire_cli_tests PRIVATE "EINMAL_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"")
