#pragma once

// Monitors and results that all lattice Boltzmann methods share. `Solution` is a method's interface
// for monitors, with fluid_nodes(), sums(), sums_with_change() and body_force().

#include <cmath>
#include <map>
#include <string>

#include "core/sides.hpp"
#include "core/text.hpp"
#include "model/method.hpp"
#include "model/problem.hpp"
#include "model/quantity_table.hpp"

namespace knudsen::lbm {

// Units: the node spacing dx, the time step dt and the reference density rho_0, which are 1.
inline const std::string velocity_unit = "dx / dt";
/// The unit of the case's temperatures: K in SI units.
inline const std::string temperature_unit = "T_case";
inline const std::string pressure_unit = "rho_0 dx^2 / dt^2";

template <class Solution>
using Monitor = typename MonitorTable<Solution>::Row;

template <class Solution>
Monitor<Solution> mass_monitor(int dimensions) {
  return {{"mass", "rho_0 dx^" + std::to_string(dimensions),
           "Mass: sum of the density over the fluid nodes."},
          [](Solution& solution) {
            return solution.fluid_nodes() + solution.sums().density_deviation;
          }};
}

template <class Solution>
Monitor<Solution> kinetic_energy_monitor(int dimensions) {
  return {{"kinetic_energy", "rho_0 dx^" + std::to_string(dimensions + 2) + " / dt^2",
           "Sum of density x velocity^2 / 2 over the fluid nodes."},
          [](Solution& solution) { return solution.sums().kinetic_energy; }};
}

template <class Solution>
Monitor<Solution> max_speed_monitor() {
  return {{"max_speed", velocity_unit, "Largest speed of all nodes."},
          [](Solution& solution) { return solution.sums().highest_speed; }};
}

/// Eq. 24 of Gomes 2016: root mean square change over mean speed, sqrt(N sum change^2) / sum speed.
template <class Solution>
Monitor<Solution> velocity_change_monitor() {
  return {{"velocity_change", "1",
           "Normalised root mean square change of the velocity in one step (Gomes 2016, eq. 24)."},
          [](Solution& solution) {
            const auto changed = solution.sums_with_change();
            return std::sqrt(solution.fluid_nodes() * changed.change_squared) / changed.speed;
          }};
}

/// The force that holds the mean velocity along an axis (flow_control.hpp).
template <class Solution>
Monitor<Solution> driving_force_monitor(std::size_t axis) {
  return {{"driving_force", "rho_0 dx / dt^2",
           "Force on a unit of volume along " + axis_names[axis] +
               " that holds the mean velocity: the mean pressure drop over the length."},
          [axis](Solution& solution) { return solution.body_force()[axis]; }};
}

/// The field of a quantity of the nodes that kernels evaluate.
template <class Solution, class NodeFieldType>
auto value_of(const NodeFieldType& field) {
  return [field](Solution& solution) {
    return field.on_host([&](auto quantity) { return solution.node_values(quantity); });
  };
}

/// Adds the coefficients of all bodies, and what they refer to, to the results of a run.
template <class Bodies>
void add_coefficients(Method& method, const Bodies& bodies, const ResolvedValue& reference,
                      std::map<std::string, std::string>& results) {
  if (!bodies.empty()) results[reference.name] = reference.value + ' ' + reference.unit;
  for (const auto& body : bodies) {
    for (const char* name : {"drag_coefficient", "lift_coefficient"}) {
      const std::string key = body.name + "." + name;
      results[key] = number_text(method.monitor(key));
    }
  }
}

}  // namespace knudsen::lbm
