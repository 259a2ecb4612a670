#pragma once

#include "device/instantiate.hpp"
#include "methods/lbm_d3q27/lattice_state.hpp"

// The Lattice types of this method: every backend, precision and velocity set, and those with
// 64-bit node numbers on the host, since 2^32 nodes need more memory than a GPU has. `macro` is
// called with the type and must be variadic, since the type contains commas.
#define KNUDSEN_D3Q27_FOR_VELOCITIES(macro, ExecutionSpace, Precision, Index)              \
  macro(::knudsen::lbm_d3q27::Lattice<ExecutionSpace, Precision, ::knudsen::D3Q27, Index>) \
      macro(::knudsen::lbm_d3q27::Lattice<ExecutionSpace, Precision, ::knudsen::D3Q19, Index>)
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
#define KNUDSEN_D3Q27_FOR_BACKENDS(macro, Precision, Index)                            \
  KNUDSEN_D3Q27_FOR_VELOCITIES(macro, ::knudsen::HostExecutionSpace, Precision, Index) \
  KNUDSEN_D3Q27_FOR_VELOCITIES(macro, ::knudsen::DeviceExecutionSpace, Precision, Index)
#else
#define KNUDSEN_D3Q27_FOR_BACKENDS(macro, Precision, Index) \
  KNUDSEN_D3Q27_FOR_VELOCITIES(macro, ::knudsen::HostExecutionSpace, Precision, Index)
#endif
#define KNUDSEN_D3Q27_WIDE(macro, Precision)                                    \
  KNUDSEN_D3Q27_FOR_VELOCITIES(macro, ::knudsen::HostExecutionSpace, Precision, \
                               ::knudsen::lbm_d3q27::WideNodeIndex)
#define KNUDSEN_D3Q27_NARROW(macro, Precision) \
  KNUDSEN_D3Q27_FOR_BACKENDS(macro, Precision, ::knudsen::lbm_d3q27::NodeIndex)
#define KNUDSEN_D3Q27_FOR_PRECISION(macro, Precision) \
  KNUDSEN_D3Q27_NARROW(macro, Precision)              \
  KNUDSEN_D3Q27_WIDE(macro, Precision)
#define KNUDSEN_D3Q27_FOR_LATTICES(macro)             \
  KNUDSEN_D3Q27_FOR_PRECISION(macro, SinglePrecision) \
  KNUDSEN_D3Q27_FOR_PRECISION(macro, DoublePrecision) \
  KNUDSEN_D3Q27_FOR_PRECISION(macro, HalfStorage)
