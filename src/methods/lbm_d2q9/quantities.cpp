#include "methods/lbm_d2q9/quantities.hpp"

#include <map>

#include "methods/lattice/conditional_quantities.hpp"
#include "methods/lattice/field_values.hpp"
#include "methods/lattice/heat_quantities.hpp"
#include "methods/lattice/quantities.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

using lbm::pressure_unit;
using lbm::velocity_unit;

double permeability(Solution& solution) {
  const Parameters& p = solution.parameters();
  const FlowSums& sums = solution.sums();
  const double fx = solution.body_force()[0];
  const double fy = solution.body_force()[1];
  const double all_nodes = double(p.nx) * p.ny;
  const double square = fx * fx + fy * fy;
  if (square == 0) return 0;  // a flow control may need no force
  return p.kinematic_viscosity * (sums.momentum_x * fx + sums.momentum_y * fy) /
         (all_nodes * square);
}

MonitorTable<Solution>::Row permeability_monitor() {
  return {{"permeability", "dx^2",
           "Permeability: kinematic viscosity x superficial velocity along the body force / body "
           "force."},
          permeability};
}

/// Force on a body over half of density x velocity^2 x length.
double force_coefficient(Solution& solution, std::size_t body, std::size_t axis) {
  const Parameters& p = solution.parameters();
  const double scale = 2 / (p.velocity * p.velocity * p.length);
  return solution.forces()[body][axis] * scale;
}

void add_body(const Parameters& p, std::size_t body, MonitorTable<Solution>& monitors) {
  const std::string& name = p.solids.bodies[body].name;
  for (const std::size_t axis : {0U, 1U}) {
    monitors.add({{name + ".force_" + axis_names[axis], "rho_0 dx^3 / dt^2",
                   "Force of the fluid on " + name + " along " + axis_names[axis] +
                       ", by momentum exchange."},
                  [body, axis](Solution& solution) { return solution.forces()[body][axis]; }});
  }
  if (!p.has_velocity) return;
  for (const std::size_t axis : {0U, 1U}) {
    const std::string coefficient = axis == 0 ? "drag" : "lift";
    monitors.add(
        {{name + "." + coefficient + "_coefficient", "1",
          coefficient + " of " + name + ": " + lbm::coefficient_text(p, 2) + '.'},
         [body, axis](Solution& solution) { return force_coefficient(solution, body, axis); }});
  }
}

}  // namespace

std::optional<NodeField> node_field(const std::string& name, const Parameters& p) {
  if (p.heat && name == "temperature") {
    return lbm::temperature_field(NodeQuantity::scalar, *p.heat);
  }
  if (p.si && name == "pressure") {
    return NodeField{NodeQuantity::density_deviation, 1, lbm::Shown::gauge_pressure};
  }
  static const std::map<std::string, NodeField> fields{
      {"density", {NodeQuantity::density_deviation, 1, lbm::Shown::density}},
      {"pressure", {NodeQuantity::density_deviation, 1, lbm::Shown::pressure}},
      {"velocity", {NodeQuantity::velocity_x, 2}},
      {"stress_xx", {NodeQuantity::stress_xx}},
      {"stress_yy", {NodeQuantity::stress_yy}},
      {"stress_xy", {NodeQuantity::stress_xy}}};
  const auto found = fields.find(name);
  return found == fields.end() ? std::nullopt : std::optional(found->second);
}

FieldTable<Solution> field_table(const Parameters& p) {
  const std::string stress = "Viscous stress, from the non-equilibrium populations.";
  const auto node_field = [&p](const std::string& name) {
    return lbm::value_of<Solution>(*knudsen::lbm_d2q9::node_field(name, p));
  };
  FieldTable<Solution> fields({
      {{"density", "rho_0", "Density; 1 at rest."}, node_field("density")},
      {{"pressure", pressure_unit,
        p.si ? "Gauge pressure: that above the pressure of the reference density."
             : "Pressure: density / 3."},
       node_field("pressure")},
      {{"velocity", velocity_unit, "Velocity.", 2}, node_field("velocity")},
      {{"speed", velocity_unit, "Magnitude of the velocity."},
       [](Solution& solution) {
         return lbm::magnitude_of(solution.node_values(NodeQuantity::velocity_x),
                                  solution.node_values(NodeQuantity::velocity_y));
       }},
      {{"vorticity", "1 / dt", "Vorticity dv/dx - du/dy, by differences between fluid neighbours."},
       [](Solution& solution) { return solution.vorticity(); }},
      {{"stream_function", "dx^2 / dt",
        "Stream function: integral of u along y from the south side. Its derivative along x is "
        "-v."},
       [](Solution& solution) { return solution.stream_function(); }},
      {{"stress_xx", pressure_unit, stress}, node_field("stress_xx")},
      {{"stress_yy", pressure_unit, stress}, node_field("stress_yy")},
      {{"stress_xy", pressure_unit, "Viscous shear stress, from the non-equilibrium populations."},
       node_field("stress_xy")},
      {{"solid", "1", "1 in solid nodes, 0 in fluid nodes."},
       [](Solution& solution) { return solution.solid(); }},
  });
  if (p.heat) fields.add({lbm::temperature_quantity(), node_field("temperature")});
  lbm::add_scalar_fields(p.scalars, fields);
  return fields;
}

MonitorTable<Solution> common_monitors() {
  return MonitorTable<Solution>({
      lbm::mass_monitor<Solution>(2),
      lbm::kinetic_energy_monitor<Solution>(2),
      {{"mean_velocity_x", velocity_unit, "Mean velocity along x of the fluid nodes."},
       [](Solution& solution) { return solution.sums().velocity_x / solution.fluid_nodes(); }},
      {{"mean_velocity_y", velocity_unit, "Mean velocity along y of the fluid nodes."},
       [](Solution& solution) { return solution.sums().velocity_y / solution.fluid_nodes(); }},
      lbm::max_speed_monitor<Solution>(),
      lbm::velocity_change_monitor<Solution>(),
  });
}

MonitorTable<Solution> monitor_table(const Parameters& p) {
  MonitorTable<Solution> monitors = common_monitors();
  if (p.has_body_force()) monitors.add(permeability_monitor());
  if (p.flow_control) monitors.add(lbm::driving_force_monitor<Solution>(p.flow_control->axis));
  for (std::size_t body = 0; body < p.solids.bodies.size(); ++body) add_body(p, body, monitors);
  if (p.heat) {
    std::vector<int> side_nodes;
    for (int side = 0; side < side_count; ++side) {
      const bool periodic = p.sides[static_cast<std::size_t>(side)].kind == SideKind::periodic;
      side_nodes.push_back(periodic ? 0 : (is_across_x(side) ? p.ny : p.nx));
    }
    lbm::add_heat_monitors(p, side_nodes, monitors);
  }
  std::vector<bool> periodic;
  for (const SideCondition& side : p.sides) periodic.push_back(side.kind == SideKind::periodic);
  lbm::add_scalar_monitors(p.scalars, periodic, p.solid_names(), monitors);
  return monitors;
}

std::vector<Quantity> field_quantities() {
  Parameters p;
  p.heat.emplace();
  return field_table(p).quantities();
}
std::vector<Quantity> monitor_quantities() { return common_monitors().quantities(); }

std::vector<Quantity> part_quantities() {
  Parameters p;
  p.has_velocity = true;
  p.heat.emplace();
  p.solids.bodies.push_back({"<solid>", {0, 0}, {}});
  MonitorTable<Solution> monitors;
  add_body(p, 0, monitors);
  return monitors.quantities();
}

std::vector<ConditionalQuantities> conditional_quantities() {
  std::vector<ConditionalQuantities> found{
      {"a body force or flow_control", {}, {permeability_monitor().quantity}},
      {"collision.flow_control", {}, {lbm::driving_force_monitor<Solution>(0).quantity}}};
  Parameters p;
  p.solids.bodies.push_back({"<solid>", {0, 0}, {}});
  lbm::add_conditional_quantities<Solution>(p, found);
  return found;
}

}  // namespace knudsen::lbm_d2q9
