#pragma once

#include "core/kokkos.hpp"

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

  KOKKOS_INLINE_FUNCTION LaneSums& operator+=(const LaneSums& other) {
    for (int n = 0; n < Count; ++n) {
      for (int l = 0; l < Lanes; ++l) value[n].lane[l] += other.value[n].lane[l];
    }
    return *this;
  }
};

}  // namespace knudsen::boltzmann

namespace Kokkos {
template <class Real, int Lanes, int Count>
struct reduction_identity<knudsen::boltzmann::LaneSums<Real, Lanes, Count>> {
  KOKKOS_FORCEINLINE_FUNCTION static knudsen::boltzmann::LaneSums<Real, Lanes, Count> sum() {
    return {};
  }
};
}  // namespace Kokkos
