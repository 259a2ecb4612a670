# Compiler flags of every target of this project. They are not exported with the installed package.
add_library(knudsen_options INTERFACE)
target_compile_options(knudsen_options INTERFACE -Wall -Wextra)
if(KNUDSEN_WERROR)
  target_compile_options(knudsen_options INTERFACE -Werror)
endif()
if(KNUDSEN_NATIVE)
  target_compile_options(knudsen_options INTERFACE -march=native)
  # By themselves compilers take half of the vectors of AVX-512, for the sake of processors that lower
  # their clock for whole ones. On a Xeon that does not (Sapphire Rapids, 16 threads) whole ones make
  # sweeps of shakhov 19 % and steps of bgkw 6 % faster.
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-mprefer-vector-width=512 KNUDSEN_WHOLE_VECTORS)
  if(KNUDSEN_WHOLE_VECTORS)
    target_compile_options(knudsen_options INTERFACE -mprefer-vector-width=512)
  endif()
endif()
# Support for errno and for trapping floating-point exceptions prevents vectorisation. The code uses
# neither.
target_compile_options(knudsen_options INTERFACE -fno-math-errno -fno-trapping-math)
if(KNUDSEN_SANITIZE)
  target_compile_options(knudsen_options INTERFACE -fsanitize=address,undefined
                         -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(knudsen_options INTERFACE -fsanitize=address,undefined)
endif()
if(KNUDSEN_FUZZ)
  set(sanitizers -fsanitize=fuzzer-no-link,address,undefined)
  target_compile_options(knudsen_options INTERFACE ${sanitizers} -fno-sanitize-recover=undefined -g)
  target_link_options(knudsen_options INTERFACE ${sanitizers})
endif()
if(KNUDSEN_BOUNDS_CHECK)
  # The check is in Kokkos' headers, so the Kokkos library need not be rebuilt.
  target_compile_definitions(knudsen_options INTERFACE KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK)
endif()
if(KNUDSEN_STATIC)
  include(StaticLibraries)
endif()
