# Resource types: the built-in files of types/, the schema checker, scopes and representations. Included by CMakeLists.txt.
include(EmbedFiles)
find_package(PkgConfig REQUIRED)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET GLOBAL re2)

einmal_embed(EINMAL_ENGINE_BUILTIN_TYPES einmal::engine::builtin_types
  "${PROJECT_SOURCE_DIR}/types/charges.json" "${PROJECT_SOURCE_DIR}/types/companies.json"
  "${PROJECT_SOURCE_DIR}/types/contacts.json" "${PROJECT_SOURCE_DIR}/types/documents.json"
  "${PROJECT_SOURCE_DIR}/types/tasks.json")

set(EINMAL_ENGINE_CATALOG_SOURCES
  catalog.cpp catalog_file.cpp formats.cpp representation.cpp schema.cpp schema_check.cpp schema_compile.cpp
  schema_number.cpp scopes.cpp "${EINMAL_ENGINE_BUILTIN_TYPES}")
set(EINMAL_ENGINE_CATALOG_LINKS Boost::url PkgConfig::RE2)
