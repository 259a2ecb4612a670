#include "kinetic/case/read_sides.hpp"

#include <cmath>

#include "kinetic/case/gas_case.hpp"
#include "kinetic/surface.hpp"

namespace knudsen {
namespace {

void read_emission(CaseNode& node, SideCondition& condition) {
  condition.state.temperature = node.number_or(
      "temperature", 1, "Temperature of the molecules that enter, in units of T_ref.",
      temperature_range);
}

void read_inflow(CaseNode& node, SideCondition& condition) {
  const auto flux =
      node.number("mass_flux",
                  "Net mass flux into the domain, in units of rho_ref sqrt(2 R T_ref). "
                  "Give either this or `si`.",
                  mass_flux_range);
  node.object("si", "The flow in SI units. Requires `gas.si`.", [&](CaseNode& si) {
    condition.si_mass_flow = si.require_number(
        "mass_flow",
        "Net mass flow into the domain through the whole side: in kg/s in three dimensions, in "
        "kg/(m s) in two, in kg/(m^2 s) in one.",
        Range::at_least(0));
  });
  if (node.describing()) return;
  if (flux.has_value() == condition.si_mass_flow.has_value()) {
    node.fail("", "give either \"mass_flux\" or \"si\"");
  }
  condition.mass_flux = flux.value_or(0);
}

/// Reads a side. A reservoir has the state `beside` by default, unless the initial state steps
/// along the side.
void read_side(CaseNode& boundaries, std::size_t side, const GasState& beside,
               bool initial_state_steps, SideCondition& condition) {
  boundaries.object(
      side_names[side],
      "Boundary condition on the " + side_names[side] + " side; default: periodic.",
      [&](CaseNode& node) {
        node.alternatives(
            "type", "Kind of boundary condition.",
            {{"periodic", "Molecules that leave through this side enter through the opposite side.",
              [&](CaseNode&) { condition.kind = SideKind::periodic; }},
             {"wall",
              "Maxwell's wall: diffuse and specular reflection, no mass flux through the wall.",
              [&](CaseNode&) { read_wall(node, condition, side / 2); }},
             {"reservoir",
              "Reservoir: the inflow is a Maxwellian. Default: that of the initial state next to "
              "the side.",
              [&](CaseNode&) {
                condition.kind = SideKind::reservoir;
                for (const char* key : {"density", "velocity", "temperature"}) {
                  if (!initial_state_steps || node.has(key)) continue;
                  node.fail(key, "must be given, since the initial state changes along this side");
                }
                condition.state = read_gas_state(node, beside);
              }},
             {"vacuum", "Nothing comes in, and what reaches the side is lost.",
              [&](CaseNode&) {
                condition.kind = SideKind::reservoir;
                condition.state.density = 0;
              }},
             {"pump",
              "Pump: a fraction of the molecules that reach the side is lost, the others are "
              "re-emitted diffusely.",
              [&](CaseNode&) {
                condition.kind = SideKind::pump;
                condition.capture = node.require_number(
                    "capture", "Fraction of the molecules that is lost.", Range::between(0, 1));
                read_emission(node, condition);
              }},
             {"inlet",
              "Inlet: what reaches the side is re-emitted diffusely, and so much more gas that the "
              "net mass flux into the domain is the given one in each cell of the side.",
              [&](CaseNode&) {
                condition.kind = SideKind::inlet;
                read_inflow(node, condition);
                read_emission(node, condition);
              }},
             {"symmetry", "Symmetry plane: specular reflection.",
              [&](CaseNode&) { condition.kind = SideKind::symmetry; }}});
      });
}

}  // namespace

void read_wall(CaseNode& node, SideCondition& condition, std::optional<std::size_t> axis) {
  condition.accommodation = node.number_or(
      "accommodation", 1,
      "Accommodation coefficient: fraction of the molecules that are re-emitted diffusely with the "
      "wall's temperature and velocity. The others are reflected specularly.",
      Range::between(0, 1));
  read_wall_state(node, condition);
  if (axis && condition.state.velocity[*axis] != 0) {
    node.fail("velocity",
              "a wall moves along itself only: the " + axis_names[*axis] + " component must be 0");
  }
}

void read_wall_state(CaseNode& node, SideCondition& condition) {
  condition.kind = SideKind::wall;
  condition.state.velocity = to_array(node.numbers_or(
      "velocity", {0, 0, 0}, 3,
      "Velocity of the wall along x, y and z, in units of sqrt(2 R T_ref).", velocity_range));
  condition.state.temperature = node.number_or(
      "temperature", 1, "Temperature of the wall, in units of T_ref.", temperature_range);
}

void check_reflection(CaseNode& node, const std::string& key, const SideCondition& condition,
                      const VelocityGrid& grid, std::size_t axis) {
  const SurfaceLaw law = surface_law(condition);
  if (!law.balanced && !law.specular) return;
  const VelocityAxis& velocities = grid[axis];
  if (law.specular && !velocities.symmetric()) {
    node.fail(key, "reflects specularly, so the velocities along " + axis_names[axis] +
                       " must be symmetric about 0: see \"velocity_grid\"");
  }
  for (const double velocity : velocities.nodes) {
    if (std::abs(velocity) <= 1e-12 * velocities.max_speed()) {
      node.fail(key, "a wall or symmetry plane requires that no velocity along " +
                         axis_names[axis] + " is 0; take an even count in \"velocity_grid\"");
    }
  }
}

void read_sides(CaseNode& boundaries, std::array<SideCondition, 6>& sides,
                const GasState& initial_west, const GasState& initial_east) {
  const bool steps = initial_west.density != initial_east.density ||
                     initial_west.velocity != initial_east.velocity ||
                     initial_west.temperature != initial_east.temperature;
  for (std::size_t side = 0; side < 6; ++side) {
    read_side(boundaries, side, side == east ? initial_east : initial_west,
              steps && side != west && side != east, sides[side]);
  }
}

void check_sides(CaseNode& boundaries, const std::array<SideCondition, 6>& sides, int dimensions,
                 const VelocityGrid& velocities) {
  if (boundaries.describing()) return;
  for (std::size_t side = 0; side < 6; ++side) {
    if (side / 2 >= static_cast<std::size_t>(dimensions) && boundaries.has(side_names[side])) {
      boundaries.fail(side_names[side], "the domain has " + std::to_string(dimensions) +
                                            (dimensions == 1 ? " dimension" : " dimensions") +
                                            ": there is no such side");
    }
  }
  for (std::size_t side = 0; side < 6; ++side) {
    const std::size_t other = side ^ 1U;
    if (sides[side].kind == SideKind::periodic && sides[other].kind != SideKind::periodic) {
      boundaries.fail(side_names[side], "is periodic, so the opposite side (" + side_names[other] +
                                            ") must be periodic too");
    }
    check_reflection(boundaries, side_names[side], sides[side], velocities, side / 2);
  }
}

}  // namespace knudsen
