#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/sides.hpp"
#include "kinetic/gas.hpp"

namespace knudsen {

/// Kinds of boundary condition; `symmetry` is specular reflection, `antisymmetric` a reflection
/// that reverses further components of the velocity. A `pump` keeps a share of what reaches it, an
/// `inlet` has a given net mass flux; both emit the rest as diffuse walls do. A `pressure` side has
/// a given pressure (kinetic/pressure_side.hpp).
enum class SideKind : int {
  periodic,
  wall,
  reservoir,
  symmetry,
  antisymmetric,
  pump,
  inlet,
  pressure
};

/// Coefficients of the scattering kernel of Cercignani and Lampis, from 0 to 1.
struct CercignaniLampis {
  double tangential = 1;  ///< accommodation of the momentum along the wall
  double normal = 1;      ///< accommodation of the energy of the motion normal to the wall
};

/// Boundary condition on a side of the box.
struct SideCondition {
  SideKind kind = SideKind::periodic;
  double accommodation = 1;  ///< wall: fraction of molecules reflected diffusely
  /// Of a reservoir, with density 0 the vacuum; velocity and temperature of a wall, pump or inlet;
  /// of a pressure side, at rest.
  GasState state;
  bool sets_temperature = false;  ///< pressure side: what enters has the temperature of `state`
  /// Antisymmetric: components of the velocity that it reverses besides the normal one, a bit each.
  int turned = 0;
  double capture = 0;    ///< pump: fraction of molecules that it keeps
  double mass_flux = 0;  ///< inlet: net mass flux into the box
  /// Inlet: net mass flow through the whole side in rho_ref v_ref L^(d-1), if given. Then mass_flux
  /// follows from it (set_inlet_fluxes).
  std::optional<double> mass_flow = {};

  /// Wall: its kernel, in place of `accommodation`.
  std::optional<CercignaniLampis> cercignani_lampis = {};
  /// Wall: heat flux into the gas in p_ref v_ref, which each face finds a temperature for; that of
  /// `state` is then not used.
  std::optional<double> heat_flux = {};

  /// Of a side whose state or mass flux depends on the place: the conditions that differ. They are
  /// of the same kind, and the members above are those of the first one, but for `mass_flux`, which
  /// is the largest. Empty where one condition holds everywhere.
  std::vector<SideCondition> parts{};
  /// By side_face: the place in `parts` of a face.
  std::vector<int> part_of_face{};

  bool is_vacuum() const { return kind == SideKind::reservoir && state.density == 0; }
};

/// Number, among the faces of a side, of the one beside the cell `at`: along the lower, then the
/// higher of the two other axes.
inline std::size_t side_face(const std::array<int, 3>& cells, int side,
                             const std::array<int, 3>& at) {
  const std::size_t low = side / 2 == 0 ? 1 : 0;
  const std::size_t high = side / 2 == 2 ? 1 : 2;
  return static_cast<std::size_t>(at[high]) * static_cast<std::size_t>(cells[low]) +
         static_cast<std::size_t>(at[low]);
}

/// Calls body(condition) for each condition that differs from others of its side.
template <class Body>
void each_condition(const SideCondition& side, const Body& body) {
  if (side.parts.empty()) body(side);
  for (const SideCondition& part : side.parts) body(part);
}

}  // namespace knudsen
