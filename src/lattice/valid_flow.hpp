#pragma once

#include "device/kokkos.hpp"

namespace knudsen {

/// Speed, in node spacings a step, above which a run has diverged. Populations move by at most one
/// spacing along an axis in a step, so positive ones cannot carry a faster flow along it. The limit
/// is neither the speed of sound, 0.577, nor 0.816, above which the equilibrium of the resting
/// population is negative: a start that is out of balance may pass both for some steps and settle.
inline constexpr double highest_valid_speed = 1;
/// The same for densities, in that of the fluid: far beyond what pressures make of it, so that mass
/// has come in for which there was no room.
inline constexpr double highest_valid_density = 10;

/// Whether a lattice can represent a flow; false where a value is NaN.
KNUDSEN_INLINE_FUNCTION bool is_valid_flow(double density, double speed) {
  return density > 0 && density <= highest_valid_density && speed <= highest_valid_speed;
}

}  // namespace knudsen
