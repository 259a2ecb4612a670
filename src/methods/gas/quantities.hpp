#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "kinetic/side_condition.hpp"
#include "model/method.hpp"

// Monitors of sides and solids, and results at the end of a run, of all discrete-velocity methods.

namespace knudsen {

/// Monitors of the fluxes through a side for a unit area: mass, force along x, y and z, energy;
/// then the mass flow, which is the first of them times the area. `of_force` is appended to the
/// description of the forces.
std::vector<Quantity> side_quantities(const std::string& side, const std::string& of_force = "");

/// Monitor of the mean temperature of a wall.
Quantity temperature_quantity(const std::string& wall);

/// Monitors of the load on a solid: force along x, y and z, energy flux.
std::vector<Quantity> solid_quantities(const std::string& solid);
/// A monitor of the torque on a solid about the origin of the coordinates.
struct TorqueMonitor {
  Quantity quantity;
  std::size_t axis;
};
/// Those along x, y and z in three dimensions, along z in two.
std::vector<TorqueMonitor> torque_monitors(const std::string& solid, int dimensions);

/// Text of a number among the results of a run: six digits.
std::string result_text(double value);
/// Adds a monitor to the results of a run.
void add_monitor(Method& method, const std::string& name,
                 std::map<std::string, std::string>& results);
/// Adds the monitors of each wall to the results: force along x and y, energy flux.
void add_wall_monitors(Method& method, const std::array<SideCondition, 6>& sides,
                       std::map<std::string, std::string>& results);

}  // namespace knudsen
