# Finds all dependencies except Kokkos. Libraries must be installed; header-only and test dependencies
# are downloaded if they are not. One message lists everything that is missing.
include(FetchContent)
include(Download)
set(knudsen_missing)
# CMP0077: downloaded projects respect the options set here. CMP0135: extracted files get the time of
# extraction, so that a new archive triggers a rebuild.
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
if(POLICY CMP0135)
  cmake_policy(SET CMP0135 NEW)
endif()

find_package(Kokkos REQUIRED)
find_package(KokkosKernels REQUIRED)

if(KNUDSEN_STATIC)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  set(HDF5_USE_STATIC_LIBRARIES ON)
endif()

find_package(HDF5 COMPONENTS C)
if(NOT HDF5_FOUND)
  list(APPEND knudsen_missing "HDF5 (Debian: libhdf5-dev)")
endif()
find_package(PNG)
if(NOT PNG_FOUND)
  list(APPEND knudsen_missing "libpng (Debian: libpng-dev)")
endif()
find_package(ZLIB)
if(NOT ZLIB_FOUND)
  list(APPEND knudsen_missing "zlib (Debian: zlib1g-dev)")
endif()
if(KNUDSEN_MPI AND KNUDSEN_STATIC)
  message(STATUS "A static program does without MPI, whose libraries belong to the machine: it will run in one process")
  set(KNUDSEN_MPI OFF)
endif()
if(KNUDSEN_MPI)
  find_package(MPI COMPONENTS C)
  if(NOT MPI_C_FOUND)
    message(STATUS "MPI is not installed (Debian: libopenmpi-dev): the program will run in one process")
    set(KNUDSEN_MPI OFF)
  endif()
endif()
if(KNUDSEN_PYTHON)
  include(PythonModule)
endif()
find_path(XXHASH_INCLUDE_DIR xxhash.h)
if(NOT XXHASH_INCLUDE_DIR)
  list(APPEND knudsen_missing "xxHash (Debian: libxxhash-dev)")
endif()

# knudsen_dependency(<package> <minimum version> <target> <Debian package> <url> <sha256>)
# A macro rather than a function, so that the variables that find_package sets are visible in this file.
macro(knudsen_dependency package version target debian url sha256)
  find_package(${package} ${version} QUIET)
  string(TOUPPER ${package} upper)
  if(NOT ${package}_FOUND AND (KNUDSEN_FETCH OR FETCHCONTENT_SOURCE_DIR_${upper}))
    set(reason "")
    set(archive ${KNUDSEN_DEPS_DIR}/archives/${package}.tar)
    if(NOT FETCHCONTENT_SOURCE_DIR_${upper})
      message(STATUS "${package} ${version} is not installed; downloading ${url}")
      knudsen_download(${url} ${archive} ${sha256} reason)
    endif()
    if(NOT reason)
      FetchContent_Declare(${package} URL ${archive} URL_HASH SHA256=${sha256})
      FetchContent_MakeAvailable(${package})
      # System headers: our warning flags do not apply to them.
      get_target_property(aliased ${target} ALIASED_TARGET)
      get_target_property(include_directories ${aliased} INTERFACE_INCLUDE_DIRECTORIES)
      set_property(TARGET ${aliased} APPEND PROPERTY
                   INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${include_directories})
    endif()
  endif()
  if(NOT TARGET ${target})
    list(APPEND knudsen_missing "${package} >= ${version} (Debian: ${debian})")
  endif()
endmacro()

set(JSON_BuildTests OFF)
set(JSON_Install ON)
knudsen_dependency(nlohmann_json 3.10 nlohmann_json::nlohmann_json nlohmann-json3-dev
  https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
  d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d)
set(CLI11_PRECOMPILED OFF)
knudsen_dependency(CLI11 2.1 CLI11::CLI11 libcli11-dev
  https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
  f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a)
if(KNUDSEN_TESTS)
  set(INSTALL_GTEST OFF)
  knudsen_dependency(GTest 1.11 GTest::gmock "libgtest-dev libgmock-dev"
    https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz
    8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7)
endif()
if(KNUDSEN_BENCHMARKS)
  set(BENCHMARK_ENABLE_TESTING OFF)
  set(BENCHMARK_ENABLE_INSTALL OFF)
  knudsen_dependency(benchmark 1.6 benchmark::benchmark libbenchmark-dev
    https://github.com/google/benchmark/archive/refs/tags/v1.8.3.tar.gz
    6bc180a57d23d4d9515519f92b0c83d61b05b5bab188961f36ac7b06b0d9e9ce)
endif()

if(knudsen_missing)
  list(JOIN knudsen_missing "\n - " knudsen_missing)
  message(FATAL_ERROR "These dependencies were not found:\n - ${knudsen_missing}\n"
    "On Debian `make deps` installs all of them. For other systems see docs/building.md.")
endif()
