#pragma once

#include <cstdint>

#include "device/simd.hpp"
#include "lattice/half_scale.hpp"

// Vectors of populations of adjacent nodes, from memory and to memory, where they are numbers or
// halves (half_scale.hpp).

namespace knudsen {

/// `lanes`: how many nodes, where they are fewer than a vector has.
template <class Real, class... Lanes>
[[gnu::always_inline]] inline Simd<Real> load_populations(const Real* from, Lanes... lanes) {
  return Simd<Real>::load(from, lanes...);
}
template <class Real, class... Lanes>
[[gnu::always_inline]] inline Simd<Real> load_populations(const std::uint16_t* from,
                                                          Lanes... lanes) {
  return Simd<Real>::load_halves(from, lanes...) * Simd<Real>(1 / half_scale);
}

template <class Real, class... Lanes>
[[gnu::always_inline]] inline void store_populations(Simd<Real> values, Real* to, Lanes... lanes) {
  values.store(to, lanes...);
}
template <class Real, class... Lanes>
[[gnu::always_inline]] inline void store_populations(Simd<Real> values, std::uint16_t* to,
                                                     Lanes... lanes) {
  (values * Simd<Real>(half_scale)).store_halves(to, lanes...);
}

}  // namespace knudsen
