#include "methods/lbm_d3q27/quantities.hpp"

#include <map>

#include "methods/lattice/conditional_quantities.hpp"
#include "methods/lattice/field_values.hpp"
#include "methods/lattice/heat_quantities.hpp"
#include "methods/lattice/quantities.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

using lbm::pressure_unit;
using lbm::velocity_unit;

double permeability(Solution& solution) {
  const Parameters& p = solution.parameters();
  const FlowSums& sums = solution.sums();
  const std::array<double, 3>& force = solution.body_force();
  double along = 0;
  double square = 0;
  double all_nodes = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    along += sums.momentum[a] * force[a];
    square += force[a] * force[a];
    all_nodes *= p.nodes[a];
  }
  if (square == 0) return 0;  // a flow control may need no force
  return p.kinematic_viscosity * along / (all_nodes * square);
}

/// Force on a body over half of density x velocity^2 x length^2.
double force_coefficient(Solution& solution, std::size_t body, std::size_t axis) {
  const Parameters& p = solution.parameters();
  const double scale = 2 / (p.velocity * p.velocity * p.length * p.length);
  return solution.loads()[body].force[axis] * scale;
}

MonitorTable<Solution>::Row mean_velocity(std::size_t axis) {
  return {{"mean_velocity_" + axis_names[axis], velocity_unit,
           "Mean velocity along " + axis_names[axis] + " of the fluid nodes."},
          [axis](Solution& solution) {
            return solution.sums().velocity[axis] / solution.fluid_nodes();
          }};
}

void add_permeability(const Parameters& p, MonitorTable<Solution>& monitors) {
  monitors.add({{"permeability", "dx^2",
                 "Permeability: kinematic viscosity x superficial velocity along the body force / "
                 "body force."},
                permeability});
  if (!p.spacing) return;
  monitors.add(
      {{"permeability_si", "m^2", "Permeability in square metres."}, [](Solution& solution) {
         const double spacing = *solution.parameters().spacing;
         return permeability(solution) * spacing * spacing;
       }});
}

Quantity eddy_viscosity_quantity() {
  return {"eddy_viscosity", "dx^2 / dt", "Eddy viscosity of the model WALE."};
}

void add_plane(const Parameters& p, std::size_t number, MonitorTable<Solution>& monitors) {
  const FlowPlane& plane = p.planes[number];
  monitors.add(
      {{plane.name + ".flow_rate", "rho_0 dx^3 / dt",
        "Sum of density x velocity along " + axis_names[static_cast<std::size_t>(plane.axis)] +
            " over the nodes of the plane."},
       [number](Solution& solution) {
         return solution.flow_rate(solution.parameters().planes[number]);
       }});
}

void add_body(const Parameters& p, std::size_t body, MonitorTable<Solution>& monitors) {
  const std::string& name = p.solids.bodies[body].name;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    monitors.add({{name + ".force_" + axis_names[axis], "rho_0 dx^4 / dt^2",
                   "Force of the fluid on " + name + " along " + axis_names[axis] +
                       ", by momentum exchange."},
                  [body, axis](Solution& solution) { return solution.loads()[body].force[axis]; }});
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    monitors.add(
        {{name + ".torque_" + axis_names[axis], "rho_0 dx^5 / dt^2",
          "Torque about " + axis_names[axis] + " through the centre of " + name + "'s nodes."},
         [body, axis](Solution& solution) { return solution.loads()[body].torque[axis]; }});
  }
  if (!p.has_velocity) return;
  for (const std::size_t axis : {0U, 2U}) {
    const std::string coefficient = axis == 0 ? "drag" : "lift";
    monitors.add(
        {{name + "." + coefficient + "_coefficient", "1",
          coefficient + " of " + name + " (along " + axis_names[axis] +
              "): " + lbm::coefficient_text(p, 3) + '.'},
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
      {"velocity", {NodeQuantity::velocity_x, 3}},
      {"stress", {NodeQuantity::stress_xx, 6}}};
  const auto found = fields.find(name);
  return found == fields.end() ? std::nullopt : std::optional(found->second);
}

FieldTable<Solution> field_table(const Parameters& p) {
  const auto node_field = [&p](const std::string& name) {
    return lbm::value_of<Solution>(*knudsen::lbm_d3q27::node_field(name, p));
  };
  FieldTable<Solution> fields({
      {{"density", "rho_0", "Density; 1 at rest."}, node_field("density")},
      {{"pressure", pressure_unit,
        p.si ? "Gauge pressure: that above the pressure of the reference density."
             : "Pressure: density / 3."},
       node_field("pressure")},
      {{"velocity", velocity_unit, "Velocity.", 3}, node_field("velocity")},
      {{"speed", velocity_unit, "Magnitude of the velocity."},
       [](Solution& solution) {
         const FieldValues w = solution.node_values(NodeQuantity::velocity_z);
         return lbm::magnitude_of(solution.node_values(NodeQuantity::velocity_x),
                                  solution.node_values(NodeQuantity::velocity_y), &w);
       }},
      {{"vorticity", "1 / dt",
        "Vorticity: curl of the velocity, by differences between fluid neighbours.", 3},
       [](Solution& solution) { return vorticity(solution.box_flow()); }},
      {{"stress", pressure_unit, "Viscous stress, from the non-equilibrium populations.", 6},
       node_field("stress")},
      {{"solid", "1", "1 in solid nodes, 0 in fluid nodes."},
       [](Solution& solution) { return solution.solid(); }},
  });
  if (p.wale_constant > 0) {
    fields.add(
        {eddy_viscosity_quantity(), [](Solution& solution) { return solution.eddy_viscosity(); }});
  }
  if (p.heat) fields.add({lbm::temperature_quantity(), node_field("temperature")});
  lbm::add_scalar_fields(p.scalars, fields);
  return fields;
}

MonitorTable<Solution> common_monitors() {
  return MonitorTable<Solution>({
      lbm::mass_monitor<Solution>(3),
      lbm::kinetic_energy_monitor<Solution>(3),
      {{"enstrophy", "dx^3 / dt^2", "Sum of vorticity^2 / 2 over the fluid nodes."},
       [](Solution& solution) { return enstrophy(solution.box_flow()); }},
      mean_velocity(0),
      mean_velocity(1),
      mean_velocity(2),
      lbm::max_speed_monitor<Solution>(),
      lbm::velocity_change_monitor<Solution>(),
  });
}

MonitorTable<Solution> monitor_table(const Parameters& p) {
  MonitorTable<Solution> monitors = common_monitors();
  if (p.forced()) add_permeability(p, monitors);
  if (p.flow_control) monitors.add(lbm::driving_force_monitor<Solution>(p.flow_control->axis));
  for (std::size_t plane = 0; plane < p.planes.size(); ++plane) add_plane(p, plane, monitors);
  for (std::size_t body = 0; body < p.solids.bodies.size(); ++body) add_body(p, body, monitors);
  if (p.heat) {
    std::vector<int> side_nodes;
    for (std::size_t side = 0; side < p.sides.size(); ++side) {
      const std::size_t axis = side / 2;
      const bool periodic = p.sides[side].kind == SideKind::periodic;
      side_nodes.push_back(periodic ? 0 : p.nodes[(axis + 1) % 3] * p.nodes[(axis + 2) % 3]);
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
  p.wale_constant = 1;
  return field_table(p).quantities();
}
std::vector<Quantity> monitor_quantities() { return common_monitors().quantities(); }

std::vector<Quantity> part_quantities() {
  Parameters p;
  p.has_velocity = true;
  p.solids.bodies.push_back({"<solid>", {0, 0, 0}, nullptr});
  p.planes.push_back({"<plane>", 0, 0});
  MonitorTable<Solution> monitors;
  add_body(p, 0, monitors);
  add_plane(p, 0, monitors);
  return monitors.quantities();
}

std::vector<ConditionalQuantities> conditional_quantities() {
  Parameters p;
  p.solids.bodies.push_back({"<solid>", {0, 0, 0}, nullptr});
  p.spacing = 1;
  MonitorTable<Solution> of_force;
  add_permeability(p, of_force);
  const std::vector<Quantity> permeabilities = of_force.quantities();
  std::vector<ConditionalQuantities> found{
      {"a body force or flow_control", {}, {permeabilities[0]}},
      {"the same and domain.spacing", {}, {permeabilities[1]}},
      {"collision.flow_control", {}, {lbm::driving_force_monitor<Solution>(0).quantity}},
      {"collision.wale", {eddy_viscosity_quantity()}, {}}};
  lbm::add_conditional_quantities<Solution>(p, found);
  return found;
}

}  // namespace knudsen::lbm_d3q27
