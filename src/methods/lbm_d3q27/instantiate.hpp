#pragma once

#include "device/instantiate.hpp"
#include "methods/lbm_d3q27/lattice_state.hpp"

// The Lattice types of this method: every backend, precision and velocity set. `macro` is called
// with the type and must be variadic, since the type contains commas.
#define KNUDSEN_D3Q27_FOR_VELOCITIES(macro, ExecutionSpace, Precision)                  \
  macro(::knudsen::lbm_d3q27::Lattice<ExecutionSpace, Precision, ::knudsen::D3Q27>)     \
      macro(::knudsen::lbm_d3q27::Lattice<ExecutionSpace, Precision, ::knudsen::D3Q19>) \
          macro(::knudsen::lbm_d3q27::Lattice<ExecutionSpace, Precision,                \
                                              ::knudsen::lbm_d3q27::HeatedWith<Precision>>)
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
