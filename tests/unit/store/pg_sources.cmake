set(EINMAL_UNIT_PG_SOURCES store/pg_failure_test.cpp store/pg_race_test.cpp store/pg_store_test.cpp
    store/pg_values_test.cpp)
