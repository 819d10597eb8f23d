# The whole server, spoken to as its clients do: application, engine and every kind of store behind real sockets.
einmal_tests(wire_api POSTGRES
  SOURCES
    api_server.cpp
    raw_client.cpp
    api_access_test.cpp
    api_json_test.cpp
    api_key_test.cpp
    api_list_test.cpp
    api_look_up_test.cpp
    api_race_test.cpp
    api_revision_test.cpp
    api_surroundings_test.cpp
  LINK einmal_test_support einmal::http
  TIMEOUT 60)
