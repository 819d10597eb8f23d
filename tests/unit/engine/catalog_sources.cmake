# Included by ../CMakeLists.txt; paths are relative to that folder.
set(EINMAL_UNIT_CATALOG_SOURCES
  engine/catalog_builtin_test.cpp
  engine/catalog_test.cpp
  engine/formats_test.cpp
  engine/representation_test.cpp
  engine/schema_compile_test.cpp
  engine/schema_number_test.cpp
  engine/schema_test.cpp
  engine/scopes_test.cpp)
