# The settings every target of the project shares, and the functions that make targets: one per folder.

set(EINMAL_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
# g++ 12 with -O2 takes `"text" + std::string` for an overlapping copy (GCC bug 105651); it is none.
list(APPEND EINMAL_WARNINGS $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

# einmal_settings(<target>): language, warnings, sanitizers, the include root of private headers.
function(einmal_settings target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE ${EINMAL_WARNINGS})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  if(EINMAL_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${EINMAL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${EINMAL_SANITIZE})
    # With sanitizers g++ takes what it cannot follow any more for uninitialized; its manual says so.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    if(EINMAL_SANITIZE MATCHES "thread")
      # Asio's fences, which g++ says that ThreadSanitizer does not see; Asio holds locks beside them.
      target_compile_options(${target} PRIVATE -Wno-tsan)
    endif()
  endif()
endfunction()

# einmal_library(<folder> SOURCES … [PUBLIC …] [PRIVATE …]): the static library einmal_<folder>, alias einmal::<folder>.
# PUBLIC and PRIVATE name what it links; a folder sees only what it links, so a wrong include does not compile.
function(einmal_library folder)
  cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  set(target einmal_${folder})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(einmal::${folder} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${folder} POSITION_INDEPENDENT_CODE ON)
  einmal_settings(${target})
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_libraries(${target} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
endfunction()

# einmal_tests(<folder> [POSTGRES] SOURCES … LINK … [TIMEOUT seconds]): the test binary einmal_<folder>_tests, each test
# known to ctest. POSTGRES: they use the server that tests/support/CMakeLists.txt has started.
function(einmal_tests folder)
  cmake_parse_arguments(arg "POSTGRES" "TIMEOUT" "SOURCES;LINK" ${ARGN})
  set(target einmal_${folder}_tests)
  add_executable(${target} ${arg_SOURCES})
  einmal_settings(${target})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${target} PRIVATE ${arg_LINK} GTest::gtest GTest::gtest_main GTest::gmock)
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  set(postgres "")
  if(arg_POSTGRES)
    set(postgres FIXTURES_REQUIRED postgres ENVIRONMENT "EINMAL_TEST_POSTGRES=${PROJECT_BINARY_DIR}/test_postgres")
  endif()
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS ${folder} ${postgres})
endfunction()
