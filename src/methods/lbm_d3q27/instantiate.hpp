#pragma once

#include "core/instantiate.hpp"
#include "methods/lbm_d3q27/lattice_state.hpp"

// Lattices of this method: every backend, precision and set of velocities. A macro gets the
// arguments of the Lattice template, as a type with commas cannot be an argument of a macro.
#define KNUDSEN_D3Q27_FOR_PRECISION(macro, ExecutionSpace, Precision) \
  macro(ExecutionSpace, Precision, ::knudsen::D3Q27)                  \
      macro(ExecutionSpace, Precision, ::knudsen::D3Q19)
#define KNUDSEN_D3Q27_FOR_HOST(macro, Precision) \
  KNUDSEN_D3Q27_FOR_PRECISION(macro, ::knudsen::HostExecutionSpace, Precision)
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
#define KNUDSEN_D3Q27_FOR_BACKENDS(macro, Precision) \
  KNUDSEN_D3Q27_FOR_HOST(macro, Precision)           \
  KNUDSEN_D3Q27_FOR_PRECISION(macro, ::knudsen::DeviceExecutionSpace, Precision)
#else
#define KNUDSEN_D3Q27_FOR_BACKENDS(macro, Precision) KNUDSEN_D3Q27_FOR_HOST(macro, Precision)
#endif
#define KNUDSEN_D3Q27_FOR_LATTICES(macro)            \
  KNUDSEN_D3Q27_FOR_BACKENDS(macro, SinglePrecision) \
  KNUDSEN_D3Q27_FOR_BACKENDS(macro, DoublePrecision) \
  KNUDSEN_D3Q27_FOR_BACKENDS(macro, HalfStorage)
