#include "kinetic/case/gas_case.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <stdexcept>

#include "core/text.hpp"

namespace knudsen {

const std::array<const char*, 6> side_names{"west", "east", "south", "north", "bottom", "top"};
const std::array<std::string, 3> axis_names{"x", "y", "z"};

namespace {

/// Cells are numbered by 32-bit integers.
constexpr double most_cells = 2147483647.0;

/// Shares of a Maxwellian that the ranges of velocities may leave out.
constexpr double worrying_share = 1e-4;
constexpr double hopeless_share = 0.02;
/// Relative error of a Maxwellian's density, summed over the grid.
constexpr double worrying_error = 1e-3;

/// Density that a Maxwellian of unit density has, summed over the grid.
double density_on_grid(const VelocityGrid& velocities, const GasState& state) {
  double sum = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    double line = 0;
    const VelocityAxis& axis = velocities[d];
    if (axis.integrated) continue;
    for (std::size_t i = 0; i < axis.nodes.size(); ++i) {
      const double c = axis.nodes[i] - state.velocity[d];
      line += axis.weights[i] * std::exp(-c * c / state.temperature);
    }
    sum *= line / std::sqrt(std::numbers::pi * state.temperature);
  }
  return sum;
}

SiReference read_si(CaseNode& node) {
  SiReference si;
  si.pressure = node.require_number("pressure", "Reference pressure in Pa.", Range::positive());
  si.temperature =
      node.require_number("temperature", "Reference temperature in K.", Range::positive());
  si.length = node.require_number("length", "Unit of length in m.", Range::positive());
  si.molecule_mass =
      node.require_number("molecule_mass", "Mass of a molecule in kg.", Range::positive());
  const auto diameter =
      node.number("molecule_diameter",
                  "Diameter of hard spheres in m: the viscosity is 5/16 sqrt(pi m k T) / (pi d^2).",
                  Range::positive());
  const auto viscosity = node.number(
      "viscosity", "Viscosity at the reference temperature in Pa s, instead.", Range::positive());
  if (node.describing()) return si;
  if (diameter.has_value() == viscosity.has_value()) {
    node.fail("", "give either \"molecule_diameter\" or \"viscosity\"");
  }
  si.viscosity = viscosity ? *viscosity
                           : 5.0 / 16 *
                                 std::sqrt(std::numbers::pi * si.molecule_mass *
                                           boltzmann_constant * si.temperature) /
                                 (std::numbers::pi * *diameter * *diameter);
  return si;
}

/// `beside` is the initial state beside the side, at its lower end where `beside_steps`.
void read_side(CaseNode& boundaries, std::size_t side, const GasState& beside, bool beside_steps,
               SideCondition& condition) {
  boundaries.object(
      side_names[side],
      "Condition on the " + std::string(side_names[side]) + " side; default: periodic.",
      [&](CaseNode& node) {
        node.alternatives(
            "type", "What holds there.",
            {{"periodic", "What leaves here comes in on the opposite side.",
              [&](CaseNode&) { condition.kind = SideKind::periodic; }},
             {"wall", "Maxwell's wall: diffuse and specular reflection, no mass crosses it.",
              [&](CaseNode&) { read_wall(node, condition, side / 2); }},
             {"reservoir",
              "A Maxwellian comes in; default: that of the initial state beside the side.",
              [&](CaseNode&) {
                condition.kind = SideKind::reservoir;
                for (const char* key : {"density", "velocity", "temperature"}) {
                  if (!beside_steps || node.has(key)) continue;
                  node.fail(key,
                            "must be given, since the initial state beside this side steps from "
                            "one to another along it");
                }
                condition.state = read_gas_state(node, beside);
              }},
             {"symmetry", "Specular reflection.",
              [&](CaseNode&) { condition.kind = SideKind::symmetry; }}});
      });
}

}  // namespace

double rounded(double value) {
  const double scale = std::pow(10, 4 - std::ceil(std::log10(std::abs(value) + 1e-300)));
  return std::round(value * scale) / scale;
}

std::string model_name(CollisionModel model) {
  return model == CollisionModel::bgk       ? "bgk"
         : model == CollisionModel::shakhov ? "shakhov"
                                            : "es-bgk";
}

std::array<double, 3> to_array(const std::vector<double>& v) { return {v[0], v[1], v[2]}; }

bool read_single_precision(CaseNode& root) {
  return root.choice_or("precision", "single", {"single", "double"},
                        "Precision of the stored distribution and of the arithmetic on it.") ==
         "single";
}

void check_length(CaseNode& domain, const std::string& key,
                  const std::optional<std::vector<double>>& list, std::size_t dimensions) {
  if (list && list->size() != dimensions) {
    domain.fail(key, "must have as many numbers as \"cells\", " + std::to_string(dimensions));
  }
}

CellGridSize read_cells(CaseNode& domain) {
  const auto cells = domain.require_integers(
      "cells", 0, "Cells along x, or x and y, or x, y and z.", Range::at_least(1));
  const auto size = domain.numbers(
      "size", 0,
      "Extents along the same axes, in the length that `gas` refers to; default: 1 along x, "
      "cells as wide along the other axes.",
      Range::positive());
  CellGridSize box;
  if (domain.describing()) return box;
  if (cells.empty() || cells.size() > 3) {
    domain.fail("cells", "must be a list of 1, 2 or 3 integers: one for each dimension");
  }
  check_length(domain, "size", size, cells.size());
  box.dimensions = static_cast<int>(cells.size());
  double total = 1;
  for (const auto count : cells) total *= static_cast<double>(count);
  if (total > most_cells) domain.fail("cells", "there may be at most 2147483647 cells");
  for (std::size_t d = 0; d < cells.size(); ++d) {
    box.cells[d] = static_cast<int>(cells[d]);
    box.size[d] = size ? (*size)[d] : double(box.cells[d]) / box.cells[0];
  }
  return box;
}

std::optional<double> read_time_step(CaseNode& propagation) {
  const auto time_step = propagation.number(
      "time_step", "Time step in units of L / sqrt(2 R T_ref), instead of these two limits.",
      Range::positive());
  if (time_step && (propagation.has("courant") || propagation.has("relaxation_fraction"))) {
    propagation.fail("time_step",
                     "sets the step already; leave \"courant\" and \"relaxation_fraction\" out");
  }
  return time_step;
}

void add_monitor(Method& method, const std::string& name,
                 std::map<std::string, std::string>& results) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", method.monitor(name));
  results[name] = text;
}

void add_wall_monitors(Method& method, const std::array<SideCondition, 6>& sides,
                       std::map<std::string, std::string>& results) {
  for (std::size_t side = 0; side < sides.size(); ++side) {
    if (sides[side].kind != SideKind::wall) continue;
    for (const char* quantity : {".force_x", ".force_y", ".energy_flux"}) {
      add_monitor(method, side_names[side] + std::string(quantity), results);
    }
  }
}

CollisionModel read_collision_model(CaseNode& collision, const std::string& fallback) {
  const std::string name = collision.choice_or(
      "model", fallback, {"bgk", "shakhov", "es-bgk"},
      "bgk: relaxation to a Maxwellian, Prandtl number 1. shakhov, es-bgk: the right Prandtl "
      "number.");
  return name == "bgk"       ? CollisionModel::bgk
         : name == "shakhov" ? CollisionModel::shakhov
                             : CollisionModel::es_bgk;
}

std::array<double, 3> read_body_force(CaseNode& collision) {
  return to_array(collision.numbers_or(
      "body_force", {0, 0, 0}, 3,
      "Force on a unit of mass along x, y and z, in units of 2 R T_ref / L. It acts on the "
      "equilibrium part of the distribution."));
}

double read_rarefaction(CaseNode& gas, std::optional<SiReference>* si) {
  const auto rarefaction = gas.number(
      "rarefaction",
      "Rarefaction parameter delta = p_ref L / (mu_ref sqrt(2 R T_ref)), L being the unit of "
      "length; 0: no collisions. Give this or `knudsen`.",
      Range::at_least(0));
  const auto knudsen =
      gas.number("knudsen", "Knudsen number sqrt(pi) / (2 delta), instead of `rarefaction`.",
                 Range::positive());
  if (si != nullptr) {
    gas.object("si",
               "The reference state in SI units, from which the rarefaction parameter follows; "
               "instead of `rarefaction`. All else in the case stays in units of it.",
               [&](CaseNode& node) { *si = read_si(node); });
  }
  if (gas.describing()) return 0;
  const bool has_si = si != nullptr && si->has_value();
  const int given = (rarefaction ? 1 : 0) + (knudsen ? 1 : 0) + (has_si ? 1 : 0);
  if (given != 1) {
    gas.fail("", si == nullptr ? "give either \"rarefaction\" or \"knudsen\""
                               : "give either \"rarefaction\" or \"knudsen\" or \"si\"");
  }
  if (has_si) return (*si)->rarefaction();
  return rarefaction ? *rarefaction : knudsen_from_rarefaction(*knudsen);
}

Gas read_gas(CaseNode& root, CollisionModel model, std::optional<SiReference>* si) {
  Gas result;
  root.require_object("gas", "A monatomic gas.", [&](CaseNode& gas) {
    result.rarefaction = read_rarefaction(gas, si);
    const std::string law =
        gas.choice_or("law", "hard-sphere", {"hard-sphere", "maxwell", "argon", "soft-sphere"},
                      "Viscosity as (T / T_ref)^omega: hard-sphere 0.5, maxwell 1, argon 0.81, "
                      "soft-sphere 0.74 "
                      "(Frezzotti 2009).");
    const auto omega =
        gas.number("omega", "Exponent of the viscosity law, instead of a named `law`.");
    const auto prandtl =
        gas.number("prandtl", "Prandtl number of the models shakhov and es-bgk; default: 2/3.",
                   Range::positive());
    if (gas.describing()) return;
    if (omega && gas.has("law")) gas.fail("omega", "\"law\" sets it already; give one of them");
    result.omega = omega                  ? *omega
                   : law == "hard-sphere" ? 0.5
                   : law == "maxwell"     ? 1
                   : law == "argon"       ? 0.81
                                          : 0.74;
    const bool bgk = model == CollisionModel::bgk;
    if (prandtl && bgk) gas.fail("prandtl", "belongs to the models \"shakhov\" and \"es-bgk\"");
    result.prandtl = prandtl.value_or(bgk ? 1 : 2.0 / 3);
  });
  return result;
}

void add_si_reference(const SiReference& si, std::vector<ResolvedValue>& resolved) {
  const auto add = [&](const std::string& name, double value, const std::string& unit) {
    resolved.push_back({name, number_text(rounded(value)), unit});
  };
  const double velocity = si.velocity();
  add("reference pressure", si.pressure, "Pa");
  add("reference temperature", si.temperature, "K");
  add("reference length", si.length, "m");
  add("reference viscosity", si.viscosity, "Pa s");
  add("reference velocity sqrt(2 R T)", velocity, "m/s");
  add("reference density", 2 * si.pressure / (velocity * velocity), "kg/m^3");
  add("time unit", si.length / velocity, "s");
}

GasState read_gas_state(CaseNode& node, const GasState& fallback) {
  GasState state;
  state.density = node.number_or("density", fallback.density, "Density.", Range::positive());
  state.velocity = to_array(node.numbers_or(
      "velocity", {fallback.velocity[0], fallback.velocity[1], fallback.velocity[2]}, 3,
      "Velocity in units of sqrt(2 R T_ref)."));
  state.temperature =
      node.number_or("temperature", fallback.temperature, "Temperature.", Range::positive());
  return state;
}

void read_wall(CaseNode& node, SideCondition& condition, std::optional<std::size_t> axis) {
  condition.kind = SideKind::wall;
  condition.accommodation =
      node.number_or("accommodation", 1,
                     "Share of molecules re-emitted with the wall's temperature and velocity; the "
                     "others are reflected specularly.",
                     Range::between(0, 1));
  condition.state.velocity =
      to_array(node.numbers_or("velocity", {0, 0, 0}, 3, "Velocity in units of sqrt(2 R T_ref)."));
  condition.state.temperature =
      node.number_or("temperature", 1, "Temperature in units of T_ref.", Range::positive());
  if (axis && condition.state.velocity[*axis] != 0) {
    node.fail("velocity",
              "a wall moves along itself only: the " + axis_names[*axis] + " component must be 0");
  }
}

void check_reflection(CaseNode& node, const std::string& key, const SideCondition& condition,
                      const VelocityGrid& grid, std::size_t axis) {
  const bool wall = condition.kind == SideKind::wall;
  if (!wall && condition.kind != SideKind::symmetry) return;
  const VelocityAxis& velocities = grid[axis];
  if ((!wall || condition.accommodation < 1) && !velocities.symmetric()) {
    node.fail(key, "reflects specularly, so the velocities along " + axis_names[axis] +
                       " must be symmetric about 0: see \"velocity_grid\"");
  }
  for (const double velocity : velocities.nodes) {
    if (std::abs(velocity) <= 1e-12 * velocities.highest()) {
      node.fail(key, "is met by no molecule with the velocity 0 along " + axis_names[axis] +
                         ", which is on the grid: take an even number of them, see "
                         "\"velocity_grid\"");
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
      boundaries.fail(side_names[side], "is periodic, so the opposite side (" +
                                            std::string(side_names[other]) +
                                            ") must be periodic too");
    }
    check_reflection(boundaries, side_names[side], sides[side], velocities, side / 2);
  }
}

void add_side_states(const std::array<SideCondition, 6>& sides, std::vector<NamedState>& states) {
  for (std::size_t side = 0; side < 6; ++side) {
    const SideKind kind = sides[side].kind;
    if (kind == SideKind::wall || kind == SideKind::reservoir) {
      states.push_back({"boundaries." + std::string(side_names[side]), sides[side].state});
    }
  }
}

void check_velocities(CaseNode& root, const VelocityGrid& velocities,
                      const std::vector<NamedState>& states, std::vector<std::string>& warnings) {
  for (const NamedState& named : states) {
    const GasState& s = named.state;
    const double outside = share_outside(velocities, s.velocity, s.temperature);
    const auto tells = [&](double share) {
      return number_text(rounded(100 * share)) + " % of the Maxwellian of \"" + named.where +
             "\" (temperature " + number_text(rounded(s.temperature)) + ", velocity " +
             number_text(rounded(s.velocity[0])) + ", " + number_text(rounded(s.velocity[1])) +
             ", " + number_text(rounded(s.velocity[2])) + ")";
    };
    if (outside > hopeless_share) {
      root.fail("velocity_grid", "leaves out " + tells(outside) + ", may be at most " +
                                     number_text(100 * hopeless_share) +
                                     " %; widen \"minimum\" and \"maximum\"");
    }
    if (outside > worrying_share) {
      warnings.push_back("velocity_grid: leaves out " + tells(outside));
      continue;
    }
    const double sum = density_on_grid(velocities, s);
    if (std::abs(sum - 1) > worrying_error) {
      warnings.push_back("velocity_grid: too few velocities for \"" + named.where +
                         "\": its density comes out as " + number_text(rounded(sum)) +
                         " of what it is");
    }
  }
}

std::vector<Quantity> gas_field_quantities() {
  return {{"density", "rho_ref", "Density."},
          {"velocity", "v_ref", "Velocity.", 3},
          {"speed", "v_ref", "Magnitude of the velocity."},
          {"temperature", "T_ref", "Temperature."},
          {"pressure", "p_ref", "A third of the trace of the pressure tensor."},
          {"pressure_tensor", "p_ref", "Pressure tensor.", 6},
          {"heat_flux", "p_ref v_ref", "Heat flux.", 3}};
}

double gas_field_value(const std::string& name, const Macroscopic& s, std::size_t component) {
  if (name == "density") return s.density;
  if (name == "velocity") return s.velocity[component];
  if (name == "speed") return speed_of(s);
  if (name == "temperature") return s.temperature;
  if (name == "pressure") return s.density * s.temperature;
  if (name == "pressure_tensor") return 2 * s.stress[component];
  if (name == "heat_flux") return 2 * s.heat_flux[component];
  throw std::logic_error("no field " + name);
}

double speed_of(const Macroscopic& s) {
  return std::hypot(s.velocity[0], s.velocity[1], s.velocity[2]);
}

std::string fault_of(const Macroscopic& s) {
  if (!std::isfinite(s.density + speed_of(s) + s.temperature)) {
    return "the distribution is not finite";
  }
  if (!(s.density > 0)) return "the density is not positive";
  if (!(s.temperature > 0)) return "the temperature is not positive";
  return "";
}

}  // namespace knudsen
