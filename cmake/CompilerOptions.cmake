# Flags that every target of this project is compiled with; not exported to its users.
add_library(knudsen_options INTERFACE)
target_compile_options(knudsen_options INTERFACE -Wall -Wextra)
if(KNUDSEN_WERROR)
  target_compile_options(knudsen_options INTERFACE -Werror)
endif()
if(KNUDSEN_NATIVE)
  target_compile_options(knudsen_options INTERFACE -march=native)
endif()
# errno and trapping keep loops scalar and nothing here reads either of them.
target_compile_options(knudsen_options INTERFACE -fno-math-errno -fno-trapping-math)
if(KNUDSEN_SANITIZE)
  target_compile_options(knudsen_options INTERFACE -fsanitize=address,undefined
                         -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(knudsen_options INTERFACE -fsanitize=address,undefined)
endif()
if(KNUDSEN_BOUNDS_CHECK)
  # The check stands in the headers of Kokkos, so its library need not be built for it.
  target_compile_definitions(knudsen_options INTERFACE KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK)
endif()
if(KNUDSEN_STATIC)
  include(StaticLibraries)
endif()
