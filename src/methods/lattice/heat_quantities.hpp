#pragma once

// Fields and monitors of the temperature that all lattice Boltzmann methods share. `Solution` is a
// method's interface for them, with parameters(), sums(), fluid_nodes(), heat_flow(surface) and
// mean_scalar(body).

#include <string>
#include <vector>

#include "core/sides.hpp"
#include "methods/lattice/heat_case.hpp"
#include "methods/lattice/node_field.hpp"
#include "methods/lattice/quantities.hpp"

namespace knudsen::lbm {

/// The field of the temperature; `scalar` is the quantity of a node, less the reference and in the
/// unit in which populations are stored.
template <class NodeQuantity>
NodeField<NodeQuantity> temperature_field(NodeQuantity scalar, const Heat& heat) {
  return {scalar, 1, Shown::above_offset, heat.reference, heat.stored_unit};
}
inline Quantity temperature_quantity() {
  return {"temperature", temperature_unit, "Temperature, or what is carried as such."};
}

/// Adds the mean temperature, the heat through the sides with nodes beyond and through the solids,
/// and the Nusselt numbers of sides that heat. `side_nodes`: number of nodes beside each side, 0
/// where it is periodic. Surfaces are numbered by side, then by solid.
template <class Solution, class Parameters>
void add_heat_monitors(const Parameters& p, const std::vector<int>& side_nodes,
                       MonitorTable<Solution>& monitors) {
  monitors.add({{"mean_temperature", temperature_unit, "Mean temperature of the fluid nodes."},
                [](Solution& solution) {
                  const Heat& heat = *solution.parameters().heat;
                  return heat.reference +
                         heat.stored_unit * solution.sums().scalar / solution.fluid_nodes();
                }});
  const bool in_watts = p.heat->heat_capacity.has_value();
  const std::string dimensions = std::to_string(side_nodes.size() / 2);
  const std::string unit =
      (in_watts ? heat_capacity_unit + ' ' : "") + temperature_unit + " dx^" + dimensions + " / dt";
  const std::string over = in_watts ? "." : ", over density x heat capacity of the fluid.";
  const auto add = [&](const std::string& name, std::size_t surface) {
    monitors.add({{name + ".heat_flow", unit,
                   "Heat that enters the fluid, or a solid that conducts, from " + name +
                       " in a unit of time" + over},
                  [surface](Solution& solution) { return solution.heat_flow(surface); }});
  };
  for (std::size_t side = 0; side < side_nodes.size(); ++side) {
    if (side_nodes[side] == 0) continue;
    const std::string& name = side_names[side];
    add(name, side);
    if (!p.heat->difference || !p.heat->sides[side].heats()) continue;
    const double scale = p.length / (p.heat->diffusivity * *p.heat->difference * side_nodes[side]);
    monitors.add({{name + ".nusselt_number", "1",
                   "Mean Nusselt number of " + name +
                       ": heat flow x length / (diffusivity x temperature difference x extent)."},
                  [side, scale](Solution& solution) { return solution.heat_flow(side) * scale; }});
  }
  for (std::size_t body = 0; body < p.solids.bodies.size(); ++body) {
    const std::string& name = p.solids.bodies[body].name;
    add(name, side_nodes.size() + body);
    if (p.heat->conduction(static_cast<int>(body)) == nullptr) continue;
    monitors.add(
        {{name + ".mean_temperature", temperature_unit, "Mean temperature of " + name + "."},
         [body](Solution& solution) {
           const Heat& heat = *solution.parameters().heat;
           return heat.reference + heat.stored_unit * solution.mean_scalar(body);
         }});
  }
}

/// Adds the Nusselt numbers to the results of a run.
inline void add_nusselt_numbers(Method& method, const std::vector<Quantity>& monitors,
                                std::map<std::string, std::string>& results) {
  for (const Quantity& each : monitors) {
    if (each.name.ends_with(".nusselt_number")) {
      results[each.name] = number_text(method.monitor(each.name));
    }
  }
}

}  // namespace knudsen::lbm
