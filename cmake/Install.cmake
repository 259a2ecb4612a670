# Installs the program, the library and the CMake package for find_package(Knudsen).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Knudsen)

install(TARGETS knudsen_program RUNTIME)
install(TARGETS knudsen EXPORT KnudsenTargets)
install(DIRECTORY src/interface/knudsen DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/knudsen/detail
        FILES_MATCHING PATTERN "*.hpp" PATTERN interface EXCLUDE)
install(EXPORT KnudsenTargets NAMESPACE Knudsen:: DESTINATION ${package_dir})

configure_package_config_file(cmake/KnudsenConfig.cmake.in KnudsenConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(KnudsenConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/KnudsenConfig.cmake
              ${PROJECT_BINARY_DIR}/KnudsenConfigVersion.cmake
        DESTINATION ${package_dir})
