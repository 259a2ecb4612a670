#pragma once

#include <optional>

#include "core/sides.hpp"
#include "kinetic/gas.hpp"

namespace knudsen {

/// Kinds of boundary condition; `symmetry` is specular reflection. A `pump` keeps a share of what
/// reaches it, an `inlet` has a given net mass flux; both emit the rest as diffuse walls do.
enum class SideKind : int { periodic, wall, reservoir, symmetry, pump, inlet };

/// Boundary condition on a side of the box.
struct SideCondition {
  SideKind kind = SideKind::periodic;
  double accommodation = 1;  ///< wall: fraction of molecules reflected diffusely
  /// Of a reservoir, with density 0 the vacuum; velocity and temperature of a wall, pump or inlet.
  GasState state;
  double capture = 0;    ///< pump: fraction of molecules that it keeps
  double mass_flux = 0;  ///< inlet: net mass flux into the box
  /// Inlet: net mass flow through the whole side in kg/s, per metre in each dimension that the box
  /// lacks, if given. Then mass_flux follows from it (set_inlet_fluxes).
  std::optional<double> si_mass_flow = {};

  bool is_vacuum() const { return kind == SideKind::reservoir && state.density == 0; }
};

}  // namespace knudsen
