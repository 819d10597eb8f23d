# A server that answers the same to everything: the ceiling that the connection side sets for every measurement.
add_executable(constant_server "${CMAKE_CURRENT_LIST_DIR}/constant_server.cpp")
einmal_settings(constant_server)
target_link_libraries(constant_server PRIVATE einmal::http CLI11::CLI11)
