#pragma once

#include "device/kokkos.hpp"

namespace knudsen::boltzmann {

/// Values of several cells at one velocity: a SIMD register on the host, one access of shared
/// memory on a GPU.
template <class Real, int Lanes>
struct alignas(sizeof(Real) * Lanes) Pack {
  Real lane[Lanes];
};

/// `Count` sums over the velocities for each lane.
template <class Real, int Lanes, int Count>
struct LaneSums {
  Pack<Real, Lanes> value[Count] = {};
};

}  // namespace knudsen::boltzmann
