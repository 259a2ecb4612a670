# KNUDSEN_STATIC: links everything statically except the C library and the GPU driver, so that the
# program runs on machines without the other libraries. Include this after the packages are found.

# HDF5's own dependencies; its libsz is a wrapper of libaec. The parts of glibc stay dynamic, since a
# static libm does not work with the libc of another version.
set(libraries ${HDF5_C_LIBRARIES})
list(FILTER libraries EXCLUDE REGEX "/lib(m|dl|pthread)\\.a$")
find_library(AEC_LIBRARY aec)
if(AEC_LIBRARY)
  list(APPEND libraries ${AEC_LIBRARY})
endif()
set_target_properties(hdf5::hdf5 PROPERTIES INTERFACE_LINK_LIBRARIES "${libraries};dl;m")

# -fopenmp always adds -lgomp. The linker takes the static library if a directory that holds only that
# one comes first in its search path.
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libgomp.a
                OUTPUT_VARIABLE libgomp OUTPUT_STRIP_TRAILING_WHITESPACE)
set(static_dir ${PROJECT_BINARY_DIR}/static)
file(MAKE_DIRECTORY ${static_dir})
file(CREATE_LINK ${libgomp} ${static_dir}/libgomp.a SYMBOLIC)
if(TARGET OpenMP::OpenMP_CXX)
  set_target_properties(OpenMP::OpenMP_CXX PROPERTIES
                        INTERFACE_LINK_LIBRARIES "${libgomp};pthread")
endif()
target_link_options(knudsen_options INTERFACE -static-libstdc++ -static-libgcc -L${static_dir})

if(TARGET CUDA::cudart_static)
  get_target_property(cudart CUDA::cudart_static IMPORTED_LOCATION)
  set_target_properties(CUDA::cudart PROPERTIES IMPORTED_LOCATION ${cudart})
  target_link_libraries(knudsen_options INTERFACE rt dl)
endif()
