# What others can use: the program, the libraries base, engine and store with their public headers, and a package file
# for find_package(einmal).
include(CMakePackageConfigHelpers)

install(TARGETS einmal RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(TARGETS einmal_base einmal_asio einmal_engine einmal_store EXPORT einmal
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/einmal" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT einmal NAMESPACE einmal:: DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/einmal" FILE einmal-targets.cmake)
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/einmal-config.cmake.in"
  "${PROJECT_BINARY_DIR}/einmal-config.cmake" INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/einmal")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/einmal-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/einmal-config.cmake" "${PROJECT_BINARY_DIR}/einmal-config-version.cmake"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/einmal")
