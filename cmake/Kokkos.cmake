# Chooses the Kokkos to build with: the first installed one that has the required backend. If there is
# none, tools/build-kokkos.sh builds one under KNUDSEN_DEPS_DIR.
#
# The choice is made by reading Kokkos' package configuration files, since find_package of an unsuitable
# Kokkos would already define its targets. It is made before C++ is enabled, since the compiler of a CUDA
# build is the nvcc_wrapper that Kokkos installs.

if(KNUDSEN_CUDA)
  set(knudsen_backend cuda)
else()
  set(knudsen_backend openmp)
endif()
set(knudsen_kokkos_prefix ${KNUDSEN_DEPS_DIR}/kokkos-${knudsen_backend})

# Lists the configuration files of all installed versions of a package, in the order of find_package.
function(knudsen_package_configs package variable)
  set(chosen "${${package}_DIR}")
  set(configs)
  if(chosen)
    list(APPEND configs ${chosen}/${package}Config.cmake)
  endif()
  # No package has this version, so find_package considers all of them and loads none.
  find_package(${package} 9999 EXACT CONFIG QUIET)
  unset(${package}_DIR CACHE)
  foreach(config ${${package}_CONSIDERED_CONFIGS})
    get_filename_component(config ${config} REALPATH)
    list(APPEND configs ${config})
  endforeach()
  list(REMOVE_DUPLICATES configs)
  set(${variable} ${configs} PARENT_SCOPE)
endfunction()

function(knudsen_package_version config variable)
  string(REPLACE "Config.cmake" "ConfigVersion.cmake" file ${config})
  set(version 0)
  if(EXISTS ${file})
    file(STRINGS ${file} lines REGEX "set *\\(PACKAGE_VERSION +\"")
    string(REGEX MATCH "[0-9][0-9.]*" version "${lines}")
  endif()
  set(${variable} ${version} PARENT_SCOPE)
endfunction()

# Finds the package directory of the Kokkos-Kernels that fits a Kokkos: the one in the same prefix, else
# one of the same major version. Empty if there is neither.
function(knudsen_kernels_for kokkos_config kokkos_version variable)
  get_filename_component(kokkos_dir ${kokkos_config} DIRECTORY)
  set(found "")
  if(EXISTS ${kokkos_dir}/../KokkosKernels/KokkosKernelsConfig.cmake)
    get_filename_component(found ${kokkos_dir}/../KokkosKernels REALPATH)
  else()
    knudsen_package_configs(KokkosKernels configs)
    string(REGEX MATCH "^[0-9]+" major ${kokkos_version})
    foreach(config ${configs})
      knudsen_package_version(${config} version)
      if(NOT found AND version MATCHES "^${major}\\.")
        get_filename_component(found ${config} DIRECTORY)
      endif()
    endforeach()
  endif()
  set(${variable} "${found}" PARENT_SCOPE)
endfunction()

# Sets `reason` to why a Kokkos cannot be used, or to an empty string if it can, and `kernels` to the
# package directory of its Kokkos-Kernels.
function(knudsen_check_kokkos config reason kernels)
  string(TOUPPER ${knudsen_backend} device)
  # Kokkos lists its backends in KokkosConfigCommon.cmake, the Kokkos of Trilinos in KokkosConfig.cmake.
  string(REPLACE "Config.cmake" "ConfigCommon.cmake" common ${config})
  set(devices)
  foreach(file ${config} ${common})
    if(EXISTS ${file})
      file(READ ${file} text)
      if(text MATCHES "\\(Kokkos_DEVICES +([A-Z0-9_;]+)")
        set(devices ${CMAKE_MATCH_1})
      endif()
    endif()
  endforeach()
  knudsen_package_version(${config} version)
  set(why)
  set(dir)
  if(version VERSION_LESS 3.4 OR version VERSION_GREATER_EQUAL 6)
    set(why "its version is ${version}, supported are 3.4 to 5.x")
  elseif(NOT device IN_LIST devices)
    list(JOIN devices ", " devices)
    set(why "it has no ${device} backend, only ${devices}")
  else()
    knudsen_kernels_for(${config} ${version} dir)
    if(NOT dir)
      set(why "no Kokkos-Kernels of the same major version is installed")
    endif()
  endif()
  set(${reason} "${why}" PARENT_SCOPE)
  set(${kernels} "${dir}" PARENT_SCOPE)
endfunction()

# Sets Kokkos_DIR and KokkosKernels_DIR to the first usable package among the configuration files.
function(knudsen_choose_kokkos configs)
  foreach(config ${configs})
    knudsen_check_kokkos(${config} reason kernels)
    get_filename_component(dir ${config} DIRECTORY)
    if(NOT reason)
      set(Kokkos_DIR ${dir} CACHE PATH "Kokkos" FORCE)
      set(KokkosKernels_DIR ${kernels} CACHE PATH "Kokkos-Kernels" FORCE)
      return()
    endif()
    message(STATUS "Skipping Kokkos in ${dir}: ${reason}")
  endforeach()
endfunction()

knudsen_package_configs(Kokkos knudsen_kokkos_configs)
set(knudsen_built_kokkos ${knudsen_kokkos_prefix}/lib/cmake/Kokkos/KokkosConfig.cmake)
if(EXISTS ${knudsen_kokkos_prefix}/recipe)
  list(APPEND knudsen_kokkos_configs ${knudsen_built_kokkos})
endif()
knudsen_choose_kokkos("${knudsen_kokkos_configs}")

if(NOT Kokkos_DIR AND KNUDSEN_FETCH)
  message(STATUS "No installed Kokkos has the ${knudsen_backend} backend; building one")
  execute_process(
    COMMAND ${PROJECT_SOURCE_DIR}/tools/build-kokkos.sh --backend ${knudsen_backend}
            ${knudsen_kokkos_prefix}
    RESULT_VARIABLE knudsen_kokkos_failed)
  if(NOT knudsen_kokkos_failed)
    knudsen_choose_kokkos(${knudsen_built_kokkos})
  endif()
endif()
if(NOT Kokkos_DIR)
  message(FATAL_ERROR
    "No Kokkos with the ${knudsen_backend} backend (and Kokkos-Kernels) is installed"
    " or could be built. Do one of these:\n"
    " - give the prefix of an installed one:  -DCMAKE_PREFIX_PATH=/its/prefix\n"
    " - let CMake download and build it:  -DKNUDSEN_FETCH=ON (needs a network)\n"
    " - build it from your copy of the sources:  KOKKOS_SOURCE=... KOKKOS_KERNELS_SOURCE=..."
    " tools/build-kokkos.sh --backend ${knudsen_backend} ${knudsen_kokkos_prefix}\n"
    "See docs/building.md.")
endif()
message(STATUS "Kokkos: ${Kokkos_DIR}")

# nvcc_wrapper is installed with Kokkos. It compiles both host and device code.
if(KNUDSEN_CUDA AND NOT CMAKE_CXX_COMPILER)
  get_filename_component(knudsen_nvcc_wrapper ${Kokkos_DIR}/../../../bin/nvcc_wrapper REALPATH)
  if(EXISTS ${knudsen_nvcc_wrapper})
    set(CMAKE_CXX_COMPILER ${knudsen_nvcc_wrapper} CACHE FILEPATH "C++ compiler")
  endif()
endif()
