#pragma once

// The block "si" of a fluid: a case in SI units, and the spacing and time step that follow from it.

#include <optional>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "model/problem.hpp"

namespace knudsen::lbm {

struct Grid;

/// What a case in SI units says of its fluid.
struct SiFluid {
  double density = 0;              ///< kg/m^3
  double kinematic_viscosity = 0;  ///< m^2/s
  double velocity = 0;             ///< characteristic velocity, m/s
  std::optional<double> length;    ///< characteristic length, m
  std::optional<double> mach;
  std::optional<double> time_step;  ///< s
};
/// Reads the keys "name" and "si" of the block "fluid"; nothing for a fluid in lattice units.
std::optional<SiFluid> read_si_fluid(CaseNode& fluid);

/// The units of a lattice in SI, and the fluid.
struct SiScales {
  SiFluid fluid;
  double length = 0;     ///< characteristic length, m
  double spacing = 0;    ///< m
  double time_step = 0;  ///< s

  /// Node spacings a step in a metre a second.
  double velocity_unit() const { return time_step / spacing; }
  /// Density over the reference density at a gauge pressure in Pa.
  double density_at(double gauge_pressure) const;
  /// Reynolds number of the characteristic velocity and the node spacing.
  double grid_reynolds() const { return fluid.velocity * spacing / fluid.kinematic_viscosity; }
  SiUnits units(int dimensions) const;
};

/// Chooses spacing and time step, and completes the grid. Throws InputError.
SiScales choose_scales(CaseNode& root, const SiFluid& fluid, Grid& grid,
                       std::vector<std::string>& warnings);

/// What a key must be in place of a value that gives the grid Reynolds number `found` where at most
/// `limit` is possible.
std::string finer_grid_text(const SiScales& si, double found, double limit);

}  // namespace knudsen::lbm
