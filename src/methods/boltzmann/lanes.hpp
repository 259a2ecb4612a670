#pragma once

#include "core/kokkos.hpp"

/// Before a loop over lanes, which is one SIMD operation on the host.
#if !defined(__CUDA_ARCH__) && (defined(_OPENMP) || defined(KNUDSEN_OPENMP_SIMD))
#define KNUDSEN_SIMD _Pragma("omp simd")
#else
#define KNUDSEN_SIMD
#endif

namespace knudsen::boltzmann {

/// Values of several cells at one velocity, side by side: a SIMD register on the host, one access
/// of scratch memory on a GPU.
template <class Real, int Lanes>
struct alignas(sizeof(Real) * Lanes) Pack {
  Real lane[Lanes];
};

/// Sums over velocities, one for each lane.
template <class Real, int Lanes, int Count>
struct LaneSums {
  Pack<Real, Lanes> value[Count] = {};
};

}  // namespace knudsen::boltzmann
