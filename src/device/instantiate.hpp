#pragma once

#include "device/kokkos.hpp"

// KNUDSEN_FOR_BACKENDS(macro): macro(ExecutionSpace, Real) for every backend of this build and both
// precisions. Templates are instantiated once, in the .cpp that defines them.
#define KNUDSEN_FOR_PRECISIONS(macro, ExecutionSpace) \
  macro(ExecutionSpace, float) macro(ExecutionSpace, double)
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
#define KNUDSEN_FOR_BACKENDS(macro)                            \
  KNUDSEN_FOR_PRECISIONS(macro, ::knudsen::HostExecutionSpace) \
  KNUDSEN_FOR_PRECISIONS(macro, ::knudsen::DeviceExecutionSpace)
#else
#define KNUDSEN_FOR_BACKENDS(macro) KNUDSEN_FOR_PRECISIONS(macro, ::knudsen::HostExecutionSpace)
#endif
