#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "kinetic/case/gas_units.hpp"
#include "kinetic/gas.hpp"
#include "kinetic/side_condition.hpp"
#include "kinetic/velocity_grid.hpp"
#include "methods/gas/solids.hpp"
#include "model/problem.hpp"

namespace knudsen {

/// Base of the problems of all discrete-velocity methods: sizes, scales and resolved values.
class GasProblem : public Problem {
 protected:
  /// Sets precision, sizes and updates a step; an update is one phase-space point.
  void set_sizes(const std::array<int, 3>& cells, int dimensions, const VelocityGrid& velocities,
                 bool single_precision);
  /// Sets the scales of results: the velocity scale is the speed of the fastest wall, or 1 if none
  /// moves.
  void set_scales(const std::array<SideCondition, 6>& sides);
  /// Sets host_bytes from what the method keeps of each cell on the host, and the grid that is
  /// written with the fields.
  void set_host_bytes(double bytes_a_cell);

  /// States the reference state in SI units, if the case gives it; sizes must be set.
  void set_si(const GasUnits& units, int dimensions);
  /// States the fields on surfaces, if there are any, and lists the mass flux of inlets whose flow
  /// is given in SI units.
  void describe_surfaces(const std::array<SideCondition, 6>& sides, const GasSolids& solids);
  /// Marks the problem as estimated unless its solids are built. memory_bytes must be set.
  void set_built(bool built);

  /// Faults of given fields with whose states the cells would begin: what the velocity grid leaves
  /// out of them.
  std::vector<GivenFault> faults_of_states(const VelocityGrid& velocities, const GasUnits& units,
                                           const GivenFields& given,
                                           const std::function<GasState(std::size_t)>& state) const;

  /// Adds a line to `knudsen validate`, with four digits.
  void add(const std::string& name, double value, const std::string& unit);
  /// Adds a count to `knudsen validate`, with all its digits.
  void count(const std::string& name, double value);
  /// Adds the numbers of a gas with rotation to `knudsen validate`.
  void describe_rotation(const Gas& gas);
  /// Adds what differences of first order add to the viscosity (added_viscosity), and warns of
  /// much. `grid` must be set.
  void describe_added_viscosity(
      double rarefaction, const std::function<double(double)>& share = [](double) { return 1.0; });
  /// Adds the numbers of velocities and of phase-space points to `knudsen validate`.
  void describe_velocities(const VelocityGrid& velocities);
};

}  // namespace knudsen
