#pragma once

#include <array>
#include <string>

#include "kinetic/side_condition.hpp"
#include "kinetic/velocity_grid.hpp"
#include "model/problem.hpp"

namespace knudsen {

/// What the problems of all discrete-velocity methods say of themselves in the same way.
class GasProblem : public Problem {
 protected:
  /// Precision, sizes and updates of a step: phase-space points.
  void set_sizes(const std::array<int, 3>& cells, int dimensions, const VelocityGrid& velocities,
                 bool single_precision);
  /// Velocities are made dimensionless by the fastest wall's where one moves.
  void set_scales(const std::array<SideCondition, 6>& sides);

  /// Lines of `knudsen validate`: a value in four digits, a number in full.
  void add(const std::string& name, double value, const std::string& unit);
  void count(const std::string& name, double value);
  void describe_velocities(const VelocityGrid& velocities);

  /// Monitors of the fluxes through the sides that are not periodic; `of_force` says more of
  /// forces.
  void add_side_monitors(const std::array<SideCondition, 6>& sides, int dimensions,
                         const std::string& of_force = "");
  /// Monitors of the force on a solid and of the energy that it takes up.
  void add_solid_monitors(const std::string& name);
};

}  // namespace knudsen
