#pragma once

#include <array>

#include "device/function.hpp"
#include "kinetic/side_condition.hpp"
#include "kinetic/velocity_grid.hpp"

// The boundary conditions of all gas methods. A surface is a side of the box or a face of a solid.
// At a velocity that points into the gas it sends back
//
//   f(v) = share x density x M(v) + (1 - share) x f(mirror image of v),
//
// where M is a Maxwellian. The mirror of an antisymmetric side also reverses components of the
// velocity along it. A method itself knows only where in memory these values are. Walls of
// Cercignani and Lampis and of a given heat flux are other laws (SurfaceLaw::made_by_face).

namespace knudsen {

/// The mass flux from a surface into the gas, where it follows from what reaches the surface.
struct MassBalance {
  double returned = 1;  ///< share of the mass flux onto the surface that comes back
  double added = 0;     ///< mass flux that comes besides

  /// Whether no net mass crosses the surface.
  bool closed() const { return returned == 1 && added == 0; }

  /// Density of the Maxwellian: `leaving` is the mass flux onto the surface, `unit_inflow` that of
  /// the Maxwellian of density one into the gas, both in the units of `added`. Specular reflection
  /// does not change the balance.
  KNUDSEN_INLINE_FUNCTION double density(double leaving, double unit_inflow) const {
    return (returned * leaving + added) / unit_inflow;
  }
};

/// What a surface does with the molecules that reach it.
struct SurfaceLaw {
  /// Share of the molecules from the surface that have a Maxwellian distribution. The others are
  /// reflected specularly or, on a periodic side, come from the opposite one.
  double diffuse_share = 0;
  bool specular = false;  ///< whether some molecules are reflected specularly
  /// Components of the velocity that the reflection reverses besides the normal one, a bit each.
  int turned = 0;
  /// Whether the density of the Maxwellian follows from what reaches the surface, by `balance`.
  bool balanced = false;
  /// Whether all molecules are scattered by the kernel of Cercignani and Lampis. A method then
  /// makes what enters by a kernel of its own (kinetic/scatter.hpp).
  bool scatters = false;
  /// Whether each face re-emits diffusely at the temperature with which it adds `heat`, an energy
  /// flux in rho_ref v_ref^3 (kinetic/wall_temperature.hpp). A method makes what enters likewise.
  bool heated = false;
  double heat = 0;
  /// Whether each face emits what goes with the side's pressure and the gas beside it
  /// (kinetic/pressure_side.hpp), at its own temperature or that of `emitted`. A method makes what
  /// enters likewise.
  bool has_pressure = false;
  bool sets_temperature = false;
  MassBalance balance;
  GasState emitted;  ///< state of the Maxwellian; of density one if `balanced`

  /// Temperature of what the surface emits, where it has one that is given; else 0.
  double temperature() const {
    const bool emits = diffuse_share > 0 && emitted.density > 0;
    return emits || scatters || sets_temperature ? emitted.temperature : 0;
  }
  /// Whether a kernel of its own makes what enters at each face, from what leaves there or is
  /// beside it.
  bool made_by_face() const { return scatters || heated || has_pressure; }
  /// Whether a step must find the density of the Maxwellian.
  bool needs_density() const { return balanced && diffuse_share > 0; }
  /// Whether net mass may cross the surface.
  bool open() const {
    return has_pressure || (diffuse_share > 0 && !(balanced && balance.closed()));
  }
};

/// The law of a side or solid. This is the only place that tells the kinds of boundary apart.
SurfaceLaw surface_law(const SideCondition& condition);

/// Weights of the two parts of what enters the gas from a surface.
template <class Real>
struct InflowWeights {
  Real emitted;   ///< of the Maxwellian M
  Real mirrored;  ///< of what leaves the gas at the mirror image of the velocity

  KNUDSEN_INLINE_FUNCTION InflowWeights(Real diffuse_share, Real density)
      : emitted(diffuse_share * density), mirrored(1 - diffuse_share) {}

  /// What enters at a velocity.
  KNUDSEN_FORCEINLINE_FUNCTION Real operator()(Real maxwellian, Real leaving) const {
    return emitted * maxwellian + mirrored * leaving;
  }
};

/// Number of fluxes through a surface: mass, momentum along x, y, z, energy v^2 / 2.
inline constexpr int flux_count = 5;
using SurfaceFlux = std::array<double, flux_count>;

/// Components of the velocity that the mirror of each side of a box reverses, a bit each. Solids
/// beside antisymmetric sides do not reflect specularly, so it holds for faces of solids as well.
inline std::array<int, 6> reversed_components(const std::array<SideCondition, 6>& sides) {
  std::array<int, 6> reversed{};
  for (std::size_t side = 0; side < 6; ++side) {
    reversed[side] = (1 << (side / 2)) | surface_law(sides[side]).turned;
  }
  return reversed;
}

/// Flux number `flux` of molecules that leave with `value` and come back with the components
/// `reversed` of their velocity reversed.
KNUDSEN_INLINE_FUNCTION double mirrored_flux(int flux, int reversed, double value) {
  return flux > 0 && flux < 4 && (reversed >> (flux - 1) & 1) != 0 ? -value : value;
}

/// Net flux number `flux` out of the gas through a face whose mirror reverses the components
/// `reversed`. `leaving` is the flux of the molecules that leave, `unit_inflow` that of the
/// Maxwellian of density one into the gas, both positive for the mass.
KNUDSEN_INLINE_FUNCTION double net_flux(const InflowWeights<double>& weights, int flux,
                                        int reversed, double leaving, double unit_inflow) {
  return leaving - weights.emitted * unit_inflow -
         weights.mirrored * mirrored_flux(flux, reversed, leaving);
}

/// Fluxes into the gas, through the face on the given side of a cell, of the molecules of a
/// Maxwellian that move inwards (sums over the nodes of the velocity grid).
SurfaceFlux half_range_flux(const VelocityGrid& velocities, const GasState& state, int side);

}  // namespace knudsen
