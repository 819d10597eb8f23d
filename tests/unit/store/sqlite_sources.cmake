set(EINMAL_UNIT_SQLITE_SOURCES store/sqlite_key_index_test.cpp
  store/sqlite_member_index_test.cpp store/sqlite_store_test.cpp)
