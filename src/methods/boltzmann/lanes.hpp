#pragma once

#include "device/kokkos.hpp"

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
