#pragma once

#include "device/instantiate.hpp"
#include "methods/lbm_d3q27/lattice_state.hpp"

// The Lattice types of this method: every backend, precision and velocity set. `macro` is called
// with the type and must be variadic, since the type contains commas.
#define KNUDSEN_D3Q27_FOR_VELOCITIES(macro, ExecutionSpace, Precision)                  \
  macro(::knudsen::lbm_d3q27::Lattice<ExecutionSpace, Precision, ::knudsen::D3Q27>)     \
      macro(::knudsen::lbm_d3q27::Lattice<ExecutionSpace, Precision, ::knudsen::D3Q19>) \
          KNUDSEN_D3Q27_WITH_SCALAR_##Precision(macro, ExecutionSpace, Precision)
// There is no scalar with 16-bit storage. These macros are named after the types.
// NOLINTBEGIN(readability-identifier-naming)
#define KNUDSEN_D3Q27_WITH_SCALAR(macro, ExecutionSpace, Precision) \
  macro(::knudsen::lbm_d3q27::Lattice<ExecutionSpace, Precision, ::knudsen::HeatedD3Q27>)
#define KNUDSEN_D3Q27_WITH_SCALAR_SinglePrecision KNUDSEN_D3Q27_WITH_SCALAR
#define KNUDSEN_D3Q27_WITH_SCALAR_DoublePrecision KNUDSEN_D3Q27_WITH_SCALAR
#define KNUDSEN_D3Q27_WITH_SCALAR_HalfStorage(macro, ExecutionSpace, Precision)
// NOLINTEND(readability-identifier-naming)
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
#define KNUDSEN_D3Q27_FOR_PRECISION(macro, Precision)                           \
  KNUDSEN_D3Q27_FOR_VELOCITIES(macro, ::knudsen::HostExecutionSpace, Precision) \
  KNUDSEN_D3Q27_FOR_VELOCITIES(macro, ::knudsen::DeviceExecutionSpace, Precision)
#else
#define KNUDSEN_D3Q27_FOR_PRECISION(macro, Precision) \
  KNUDSEN_D3Q27_FOR_VELOCITIES(macro, ::knudsen::HostExecutionSpace, Precision)
#endif
#define KNUDSEN_D3Q27_FOR_LATTICES(macro)             \
  KNUDSEN_D3Q27_FOR_PRECISION(macro, SinglePrecision) \
  KNUDSEN_D3Q27_FOR_PRECISION(macro, DoublePrecision) \
  KNUDSEN_D3Q27_FOR_PRECISION(macro, HalfStorage)
