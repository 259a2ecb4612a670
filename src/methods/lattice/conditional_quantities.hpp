#pragma once

// Fields and monitors of cases with heat or scalars, for `knudsen list`.

#include <string>
#include <vector>

#include "methods/lattice/heat_quantities.hpp"
#include "methods/lattice/scalars_case.hpp"
#include "model/method_entry.hpp"

namespace knudsen::lbm {

/// Adds those of a side and a solid, called "<side>" and "<solid>", and of a scalar, "<scalar>".
/// `p` has no heat and one solid, "<solid>".
template <class Solution, class Parameters>
void add_conditional_quantities(Parameters p, std::vector<ConditionalQuantities>& all) {
  const std::string& side = side_names[0];
  // With one side whose name is then replaced.
  const auto named = [&](std::vector<Quantity> quantities) {
    for (Quantity& each : quantities) {
      if (each.name.starts_with(side + '.')) each.name.replace(0, side.size(), "<side>");
    }
    return quantities;
  };
  p.heat.emplace();
  p.heat->difference = 1;
  p.heat->sides[0].kind = SurfaceHeat::Kind::temperature;
  p.heat->solids.resize(1);
  p.heat->solids[0].conduction.emplace();
  std::vector<int> side_nodes(p.sides.size(), 0);
  side_nodes[0] = 1;
  MonitorTable<Solution> of_heat;
  add_heat_monitors(p, side_nodes, of_heat);
  ConditionalQuantities heat{"heat", {temperature_quantity()}, {}};
  ConditionalQuantities numbers{"heat.temperature_difference", {}, {}};
  ConditionalQuantities conduction{"geometry.solids.conduction", {}, {}};
  for (const Quantity& each : named(of_heat.quantities())) {
    const bool number = each.name.ends_with(".nusselt_number");
    const bool conducts = each.name.ends_with(".mean_temperature");
    (number ? numbers : conducts ? conduction : heat).monitors.push_back(each);
  }
  PassiveScalar scalar;
  scalar.name = "<scalar>";
  FieldTable<Solution> fields;
  add_scalar_fields({scalar}, fields);
  MonitorTable<Solution> of_scalar;
  add_scalar_monitors({scalar}, {false}, {"<solid>"}, of_scalar);
  all.push_back(heat);
  all.push_back(numbers);
  all.push_back(conduction);
  all.push_back({"scalars", fields.quantities(), named(of_scalar.quantities())});
}

}  // namespace knudsen::lbm
