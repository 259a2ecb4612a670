#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/sides.hpp"
#include "kinetic/side_condition.hpp"
#include "model/method.hpp"
#include "model/quantity_table.hpp"

// Monitors of sides and solids, and results at the end of a run, of all discrete-velocity methods.

namespace knudsen {

/// Monitors of the fluxes through a side for a unit area: mass, force along x, y and z, energy.
/// `of_force` is appended to the description of the forces.
std::vector<Quantity> side_quantities(const std::string& side, const std::string& of_force = "");

/// Monitors of the mass flow through a whole side, and of its throughput. In units of the reference
/// state both are the same number, since rho_ref R T_ref is p_ref.
std::array<Quantity, 2> flow_quantities(const std::string& side);
template <class Solution>
void add_flows(const std::string& side, const std::function<double(Solution&)>& mass_flow,
               MonitorTable<Solution>& monitors) {
  for (const Quantity& flow : flow_quantities(side)) monitors.add({flow, mass_flow});
}

/// Pressure in p_ref of a side of given pressure, of a reservoir or a vacuum; nothing if it depends
/// on the place, and for other sides.
std::optional<double> given_pressure(const SideCondition& side);
/// The two open sides of a box with given pressures.
struct PressureEnds {
  std::size_t high = 0;   ///< that of the higher pressure
  std::size_t low = 0;    ///< the other one
  double difference = 0;  ///< of the pressures, in p_ref
};
/// Nothing unless a box has exactly two open sides, with different given pressures.
std::optional<PressureEnds> pressure_ends(const std::array<SideCondition, 6>& sides);
Quantity conductance_quantity();
/// Adds the conductance of a box with such ends. The mass flows must be in the table.
template <class Solution>
void add_conductance(const std::array<SideCondition, 6>& sides, MonitorTable<Solution>& monitors) {
  const auto ends = pressure_ends(sides);
  if (!ends) return;
  const auto flow = [&](std::size_t side) {
    return monitors.row(flow_quantities(side_names[side])[0].name).value;
  };
  monitors.add({conductance_quantity(), [high = flow(ends->high), low = flow(ends->low),
                                         difference = ends->difference](Solution& solution) {
                  return 0.5 * (low(solution) - high(solution)) / difference;
                }});
}

/// Monitor of the Mach number across a side of given pressure.
Quantity mach_quantity(const std::string& side);
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
/// The same for open sides: mass flow, throughput and Mach number, and the conductance of a box
/// that has one.
void add_flow_monitors(Method& method, const std::array<SideCondition, 6>& sides,
                       std::map<std::string, std::string>& results);

}  // namespace knudsen
