#pragma once

#include <array>
#include <string>

#include "kinetic/side_condition.hpp"
#include "kinetic/velocity_grid.hpp"
#include "model/problem.hpp"

namespace knudsen {

/// Base of the problems of all discrete-velocity methods: sizes, scales, resolved values and the
/// monitors of sides and solids.
class GasProblem : public Problem {
 protected:
  /// Sets precision, sizes and updates a step; an update is one phase-space point.
  void set_sizes(const std::array<int, 3>& cells, int dimensions, const VelocityGrid& velocities,
                 bool single_precision);
  /// Sets the scales of results: the velocity scale is the speed of the fastest wall, or 1 if none
  /// moves.
  void set_scales(const std::array<SideCondition, 6>& sides);

  /// Adds a line to `knudsen validate`, with four digits.
  void add(const std::string& name, double value, const std::string& unit);
  /// Adds a count to `knudsen validate`, with all its digits.
  void count(const std::string& name, double value);
  /// Adds the numbers of velocities and of phase-space points to `knudsen validate`.
  void describe_velocities(const VelocityGrid& velocities);

  /// Adds the monitors of the fluxes through the sides that are not periodic. `of_force` is
  /// appended to the description of the forces.
  void add_side_monitors(const std::array<SideCondition, 6>& sides, int dimensions,
                         const std::string& of_force = "");
  /// Adds the monitors of the force on a solid and of the energy that it absorbs.
  void add_solid_monitors(const std::string& name);
};

}  // namespace knudsen
