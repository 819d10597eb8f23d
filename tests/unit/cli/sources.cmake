set(EINMAL_UNIT_CLI_SOURCES cli/new_token_test.cpp cli/settings_test.cpp cli/values_test.cpp)
