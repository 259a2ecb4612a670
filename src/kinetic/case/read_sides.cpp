#include "kinetic/case/read_sides.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "core/text.hpp"
#include "kinetic/case/gas_case.hpp"
#include "kinetic/surface.hpp"
#include "model/place_functions.hpp"
#include "model/side_rules.hpp"

namespace knudsen {
namespace {

/// Most faces of a side with a profile, whose conditions are all kept.
constexpr double max_profile_faces = 4194304;
/// Most different conditions along a Cercignani-Lampis wall, each of which has matrices of its own.
constexpr std::size_t max_scattering_parts = 1024;

/// What the block of a side needs besides its keys.
struct SidePlace {
  int side = 0;
  const CartesianGrid& grid;
  int dimensions = 0;
  const GasUnits& units;
};

void read_emission(CaseNode& node, const GasUnits& units, SideCondition& condition) {
  condition.state.temperature = units.temperature().number_or(
      node, "temperature", 1, "Temperature of the molecules that enter.", temperature_range);
}

/// Reads the mass flux of an inlet, or its mass flow; whether one of them is given.
bool read_inflow(CaseNode& node, const SidePlace& place, SideCondition& condition) {
  const GasUnits& units = place.units;
  const auto flux = units.mass_flux().number(
      node, "mass_flux",
      "Net mass flux into the domain. Give this, that of `profile`, or `mass_flow`.",
      mass_flux_range);
  condition.mass_flow = units.mass_flow(place.dimensions)
                            .number(node, "mass_flow",
                                    "Net mass flow into the domain through the whole side, in "
                                    "place of `mass_flux`.",
                                    mass_flux_range);
  if (condition.mass_flow && flux) {
    node.fail("mass_flow", "\"mass_flux\" gives the flow already; leave one of them out");
  }
  node.object("si", "The flow in SI units, in a case that is in other units. Requires `gas.si`.",
              [&](CaseNode& si) {
                const double flow = si.require_number(
                    "mass_flow",
                    "Net mass flow into the domain through the whole side: in kg/s in three "
                    "dimensions, in kg/(m s) in two, in kg/(m^2 s) in one.",
                    Range::at_least(0));
                if (si.describing()) return;
                refuse_si_block(node, units, "\"mass_flow\" in kg/s");
                if (flux || condition.mass_flow) {
                  node.fail("si", quote(flux ? "mass_flux" : "mass_flow") +
                                      " gives the flow already; leave one of them out");
                }
                if (!units.reference) {
                  si.fail_hard("", "requires the reference state in SI units, \"gas.si\"");
                }
                const GasUnits of_block{units.reference, true};
                condition.mass_flow = of_block.mass_flow(place.dimensions).from_case(flow);
              });
  condition.mass_flux = flux.value_or(0);
  return flux || condition.mass_flow;
}

/// Pressure and temperature of a side in units of the reference state, where given in SI units.
struct SiState {
  std::optional<double> pressure;
  std::optional<double> temperature;
};

/// Reads the block "si" of a side. The keys `same` of the side, and of its profile, give the same.
SiState read_si_state(CaseNode& node, const GasUnits& units, const std::vector<std::string>& same) {
  SiState state;
  node.object("si",
              "Pressure and temperature of the side in SI units, in place of " + quote_list(same) +
                  ", in a case that is in other units. Requires `gas.si`.",
              [&](CaseNode& si) {
                const auto pressure = si.number("pressure", "Pressure in Pa.", Range::above(0));
                const auto temperature =
                    si.number("temperature", "Temperature in K.", Range::above(0));
                if (si.describing()) return;
                refuse_si_block(node, units, "\"pressure\" in Pa and \"temperature\" in K");
                if (!units.reference) {
                  si.fail_hard("", "requires the reference state in SI units, \"gas.si\"");
                }
                if (!pressure && !temperature) {
                  si.fail_hard("", "must give \"pressure\" in Pa or \"temperature\" in K");
                }
                if (pressure) {
                  state.pressure = *pressure / units.reference->pressure;
                  si.check_derived("pressure", "pressure in units of p_ref", *state.pressure,
                                   density_range);
                }
                if (temperature) {
                  state.temperature = *temperature / units.reference->temperature;
                  si.check_derived("temperature", "temperature in units of T_ref",
                                   *state.temperature, temperature_range);
                }
              });
  const auto exclude = [&](const std::string& key, bool given) {
    if (given && node.has(key)) {
      node.fail(key, "\"si\" gives it already; leave one of them out");
    }
  };
  exclude(same.front(), state.pressure.has_value());
  exclude(same.back(), state.temperature.has_value());
  return state;
}

/// Reads a side of given pressure. `beside` is the initial state next to it.
void read_pressure(CaseNode& node, const SidePlace& place, const GasState& beside,
                   SideCondition& condition) {
  condition.kind = SideKind::pressure;
  const GasUnits& units = place.units;
  auto pressure = units.pressure().number(node, "pressure", "Pressure. Give this, or that of `si`.",
                                          density_range);
  auto temperature = units.temperature().number(node, "temperature", "Temperature of what enters.",
                                                temperature_range);
  const SiState si = read_si_state(node, units, {"pressure", "temperature"});
  if (si.pressure) pressure = si.pressure;
  if (si.temperature) temperature = si.temperature;
  if (!pressure) {
    node.fail("pressure", units.si ? "is missing; give it in Pa"
                                   : "is missing; give it, or the \"pressure\" of \"si\" in Pa");
  }
  condition.sets_temperature = temperature.has_value();
  condition.state = {pressure.value_or(1), {0, 0, 0}, temperature.value_or(beside.temperature)};
  condition.state.density /= condition.state.temperature;
}

/// What a profile may set of a condition.
struct ProfileKey {
  std::string name;
  std::string documentation;
  CaseUnit unit;
  Range range;
  std::vector<std::string> replaced;  ///< keys that set the same everywhere
  void (*set)(SideCondition&, double);

  PlacedQuantity quantity() const {
    return {name, unit.documented(documentation), unit.in_case(range)};
  }
};

/// In the order in which they are set.
std::vector<ProfileKey> profile_keys(SideKind kind, const GasUnits& units) {
  const bool is_reservoir = kind == SideKind::reservoir;
  std::vector<ProfileKey> keys;
  if (kind == SideKind::inlet) {
    keys.push_back({"mass_flux",
                    "Net mass flux into the domain.",
                    units.mass_flux(),
                    mass_flux_range,
                    {"mass_flux"},
                    [](SideCondition& c, double value) { c.mass_flux = value; }});
  }
  if (is_reservoir) {
    keys.push_back({"density",
                    "Density.",
                    units.density(),
                    density_range,
                    {"density", "pressure"},
                    [](SideCondition& c, double value) { c.state.density = value; }});
  }
  if (is_reservoir || kind == SideKind::wall) {
    const auto add = [&](const std::string& axis, void (*set)(SideCondition&, double)) {
      keys.push_back({"velocity_" + axis,
                      "Velocity along " + axis + ".",
                      units.velocity(),
                      velocity_range,
                      {"velocity"},
                      set});
    };
    add("x", [](SideCondition& c, double value) { c.state.velocity[0] = value; });
    add("y", [](SideCondition& c, double value) { c.state.velocity[1] = value; });
    add("z", [](SideCondition& c, double value) { c.state.velocity[2] = value; });
  }
  keys.push_back({"temperature",
                  "Temperature.",
                  units.temperature(),
                  temperature_range,
                  {"temperature"},
                  [](SideCondition& c, double value) { c.state.temperature = value; }});
  if (is_reservoir) {
    keys.push_back(
        {"pressure",
         "Pressure, in place of the density.",
         units.pressure(),
         density_range,
         {"density", "pressure"},
         [](SideCondition& c, double value) { c.state.density = value / c.state.temperature; }});
  }
  return keys;
}

/// What distinguishes the parts of a side.
using PartValues = std::array<double, 6>;
PartValues values_of(const SideCondition& part) {
  const auto& [x, y, z] = part.state.velocity;
  return {part.state.density, x, y, z, part.state.temperature, part.mass_flux};
}

/// Sets the conditions of the faces of a side from a profile.
void set_parts(const CaseNode& block, const PlaceFunctions& profile,
               const std::vector<ProfileKey>& keys, const SidePlace& place,
               SideCondition& condition) {
  const std::size_t axis = static_cast<std::size_t>(place.side) / 2;
  const std::size_t low = axis == 0 ? 1 : 0;
  const std::size_t high = axis == 2 ? 1 : 2;
  const CartesianGrid& grid = place.grid;
  const double faces = double(grid.cells[low]) * grid.cells[high];
  if (faces > max_profile_faces) {
    block.fail_hard("", "the side has " + number_text(faces) + " faces, may have at most " +
                            number_text(max_profile_faces) + " with a profile");
  }
  const auto centre = [&](std::size_t d, int cell) {
    return static_cast<int>(d) < place.dimensions
               ? 0.5 * (grid.edge(d, cell) + grid.edge(d, cell + 1))
               : 0.0;
  };
  std::map<PartValues, int> known;
  SideCondition part = condition;
  // In the unit of the case.
  PlacePoint at{};
  const CaseUnit length = place.units.length();
  at[axis] = length.in_case(grid.edge(axis, place.side % 2 == 0 ? 0 : grid.cells[axis]));
  for (int b = 0; b < grid.cells[high]; ++b) {
    at[high] = length.in_case(centre(high, b));
    for (int a = 0; a < grid.cells[low]; ++a) {
      at[low] = length.in_case(centre(low, a));
      for (const ProfileKey& key : keys) {
        if (profile.has(key.name)) key.set(part, key.unit.from_case(profile.value(key.name, at)));
      }
      const auto [found, is_new] =
          known.try_emplace(values_of(part), static_cast<int>(condition.parts.size()));
      if (is_new) condition.parts.push_back(part);
      condition.part_of_face.push_back(found->second);
    }
  }
  if (condition.cercignani_lampis && condition.parts.size() > max_scattering_parts) {
    block.fail_hard("", "gives the side " +
                            number_text(static_cast<double>(condition.parts.size())) +
                            " different temperatures and velocities, may give a wall with "
                            "\"cercignani_lampis\" at most " +
                            number_text(max_scattering_parts));
  }
  condition.state = condition.parts.front().state;
  for (const SideCondition& each : condition.parts) {
    condition.mass_flux = std::max(condition.mass_flux, each.mass_flux);
  }
  if (condition.parts.size() > 1) return;
  condition.parts.clear();
  condition.part_of_face.clear();
}

/// Reads the block "profile" of a side. `condition` has its kind and what holds everywhere. Returns
/// the keys of the side that the profile replaces.
std::set<std::string> read_profile(CaseNode& node, const SidePlace& place,
                                   SideCondition& condition) {
  std::set<std::string> replaced;
  node.object(
      "profile",
      "Values that depend on the place on the side, in place of the keys of the same names: "
      "numbers, formulas of the coordinates x, y and z, or a file. The values at the centres of "
      "the cells' faces are taken. Coordinates in L (SI: m).",
      [&](CaseNode& block) {
        const std::vector<ProfileKey> keys = profile_keys(condition.kind, place.units);
        std::vector<PlacedQuantity> quantities;
        for (const ProfileKey& key : keys) quantities.push_back(key.quantity());
        const PlaceFunctions profile(block, quantities, {});
        if (block.describing()) return;
        if (profile.empty()) {
          std::vector<std::string> names;
          for (const ProfileKey& key : keys) names.push_back(key.name);
          block.fail_hard("", "must give one of " + quote_list(names) + " or \"file\"");
        }
        if (profile.has("density") && profile.has("pressure")) {
          block.fail_hard("", "\"pressure\" gives the density already; leave one of them out");
        }
        for (const ProfileKey& key : keys) {
          if (!profile.has(key.name)) continue;
          if (key.name == "temperature" && condition.heat_flux) {
            node.fail("heat_flux",
                      "must not be given together with the temperature of \"profile\"; leave one "
                      "of them out");
          }
          for (const std::string& same : key.replaced) {
            replaced.insert(same);
            if (!node.has(same)) continue;
            node.fail(same, "\"profile\" sets it already; leave one of them out");
          }
        }
        if (place.side / 2 >= place.dimensions) return;  // check_sides refuses the side
        set_parts(block, profile, keys, place, condition);
        const std::string& normal = axis_names[static_cast<std::size_t>(place.side) / 2];
        each_condition(condition, [&](const SideCondition& part) {
          if (condition.kind != SideKind::wall ||
              part.state.velocity[static_cast<std::size_t>(place.side) / 2] == 0) {
            return;
          }
          block.fail(block.has("file") ? "file" : "velocity_" + normal,
                     wall_motion_rule(static_cast<std::size_t>(place.side) / 2));
        });
      });
  return replaced;
}

/// Reads a reservoir. Where the initial state steps along the side, everything must be given.
void read_reservoir(CaseNode& node, const SidePlace& place, const GasState& beside,
                    bool initial_state_steps, SideCondition& condition) {
  condition.kind = SideKind::reservoir;
  condition.state = read_gas_state(node, place.units, beside);
  const SiState si = read_si_state(node, place.units, {"density", "temperature"});
  if (si.temperature) {
    if (node.has("pressure"))
      condition.state.density *= condition.state.temperature / *si.temperature;
    condition.state.temperature = *si.temperature;
  }
  if (si.pressure) {
    condition.state.density = *si.pressure / condition.state.temperature;
    node.check_derived("si", "density in units of rho_ref", condition.state.density, density_range);
  }
  auto given = read_profile(node, place, condition);
  const auto exclude = [&](const std::string& key, bool by_si) {
    if (by_si && given.contains(key)) {
      node.fail("si", "the " + key + " of \"profile\" gives it already; leave one of them out");
    }
    if (by_si) given.insert(key);
  };
  exclude("density", si.pressure.has_value());
  exclude("temperature", si.temperature.has_value());
  if (si.pressure && node.has("pressure")) {
    node.fail("pressure", "\"si\" gives it already; leave one of them out");
  }
  // The density follows from the temperature, which must not vary then.
  if ((si.pressure || node.has("pressure")) && given.contains("temperature") && !si.temperature) {
    node.fail(si.pressure ? "si" : "pressure",
              "the temperature of \"profile\" varies; give the density or the pressure there, too");
  }
  if (node.has("pressure")) given.insert("density");
  for (const char* key : {"density", "velocity", "temperature"}) {
    if (!initial_state_steps || node.has(key) || given.contains(key)) continue;
    node.fail(key, "must be given, since the initial state changes along this side");
  }
}

/// Reads a side. A reservoir has the state `beside` by default, unless the initial state steps
/// along the side.
void read_side(CaseNode& boundaries, const SidePlace& place, const GasState& beside,
               bool initial_state_steps, SideCondition& condition) {
  const auto side = static_cast<std::size_t>(place.side);
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
              [&](CaseNode&) {
                read_wall(node, condition, side / 2, place.units);
                read_profile(node, place, condition);
              }},
             {"reservoir",
              "Reservoir: the inflow is a Maxwellian. Default: that of the initial state next to "
              "the side.",
              [&](CaseNode&) {
                read_reservoir(node, place, beside, initial_state_steps, condition);
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
                read_emission(node, place.units, condition);
                read_profile(node, place, condition);
              }},
             {"inlet",
              "Inlet: what reaches the side is re-emitted diffusely, and so much more gas that the "
              "net mass flux into the domain is the given one in each cell of the side.",
              [&](CaseNode&) {
                condition.kind = SideKind::inlet;
                const bool given = read_inflow(node, place, condition);
                read_emission(node, place.units, condition);
                const auto replaced = read_profile(node, place, condition);
                if (given == replaced.contains("mass_flux")) {
                  node.fail("", given ? "\"mass_flow\" gives the flow already; leave the "
                                        "\"mass_flux\" of \"profile\" out"
                                      : "give \"mass_flux\", that of \"profile\", or "
                                        "\"mass_flow\"");
                }
              }},
             {"pressure",
              "Inlet or outlet of given pressure, for flows slower than sound: what enters is a "
              "Maxwellian whose velocity normal to the side follows from the gas beside it. With "
              "`temperature` an inlet: what enters has this temperature, and no velocity along the "
              "side. Without it an outlet: temperature and velocity along the side follow from the "
              "gas.",
              [&](CaseNode&) {
                read_pressure(node, place, initial_state_steps ? GasState{} : beside, condition);
              }},
             {"symmetry", "Symmetry plane: specular reflection.",
              [&](CaseNode&) { condition.kind = SideKind::symmetry; }},
             {"antisymmetric",
              "Plane in the middle of a flow that is the same when it is turned by 180 degrees, as "
              "between two plates that move in opposite directions: the velocity on it is zero. "
              "What leaves comes back with its velocity normal to the side reversed, and with "
              "those along the axes that the domain does not have. Requires a domain of one or two "
              "dimensions, without `reduced`.",
              [&](CaseNode&) {
                condition.kind = SideKind::antisymmetric;
                for (int d = place.dimensions; d < 3; ++d) condition.turned |= 1 << d;
              }}});
      });
}

/// Fails if the velocities along the axes `turned`, a bit each, cannot be reversed.
void check_turned(CaseNode& node, const std::string& key, int turned, const VelocityGrid& grid) {
  const std::string instead = "; take \"symmetry\", or give the whole flow";
  if (turned == 0) {
    node.fail(key,
              "an antisymmetric side requires a domain of one or two dimensions: in three, what "
              "comes back through a face leaves through another one" +
                  instead);
    return;
  }
  for (std::size_t d = 0; d < 3; ++d) {
    if ((turned >> d & 1) == 0) continue;
    const VelocityAxis& axis = grid[d];
    if (axis.integrated) {
      node.fail(key, "an antisymmetric side reverses velocities along " + axis_names[d] +
                         ", which \"reduced\" has integrated out" + instead);
      return;
    }
    const double least = 1e-12 * axis.max_speed();
    const bool has_zero = std::any_of(axis.nodes.begin(), axis.nodes.end(),
                                      [&](double velocity) { return std::abs(velocity) <= least; });
    if (has_zero || !axis.symmetric()) {
      node.fail(key, "an antisymmetric side reverses velocities along " + axis_names[d] +
                         ", which must be symmetric about 0 and not 0: see \"velocity_grid\"");
    }
  }
}

}  // namespace

void read_heat_flux(CaseNode& node, SideCondition& condition, const GasUnits& units) {
  condition.heat_flux = units.heat_flux().number(
      node, "heat_flux",
      "Heat flux from the wall into the gas, in place of `temperature`: each face of a cell "
      "re-emits diffusely at the temperature with which it has this flux. 0: adiabatic wall.",
      Range::between(-1e6, 1e6));
  if (!condition.heat_flux) return;
  for (const char* key : {"temperature", "accommodation", "cercignani_lampis"}) {
    if (!node.has(key)) continue;
    node.fail(key, std::string("must not be given together with \"heat_flux\", ") +
                       (key == std::string("temperature") ? "from which it follows"
                                                          : "whose walls re-emit diffusely") +
                       "; leave one of them out");
  }
}

void read_cercignani_lampis(CaseNode& node, SideCondition& condition) {
  node.object(
      "cercignani_lampis",
      "Scattering by the kernel of Cercignani and Lampis, in place of `accommodation`: the "
      "momentum "
      "along the wall and the energy of the motion normal to it have coefficients of their own.",
      [&](CaseNode& kernel) {
        const auto read = [&](const std::string& coefficient, const std::string& of) {
          return kernel.require_number(coefficient, "Accommodation coefficient of " + of + ".",
                                       Range::between(0, 1));
        };
        condition.cercignani_lampis =
            CercignaniLampis{read("tangential", "the momentum along the wall"),
                             read("normal", "the energy of the motion normal to the wall")};
        if (node.has("accommodation")) {
          node.fail("accommodation",
                    "must not be given together with \"cercignani_lampis\"; leave one of them out");
        }
      });
}

void read_wall(CaseNode& node, SideCondition& condition, std::optional<std::size_t> axis,
               const GasUnits& units) {
  condition.accommodation = node.number_or(
      "accommodation", 1,
      "Accommodation coefficient: fraction of the molecules that are re-emitted diffusely with the "
      "wall's temperature and velocity. The others are reflected specularly.",
      Range::between(0, 1));
  read_cercignani_lampis(node, condition);
  read_heat_flux(node, condition, units);
  read_wall_state(node, condition, units);
  if (axis && condition.state.velocity[*axis] != 0) {
    node.fail("velocity", wall_motion_rule(*axis));
  }
}

void read_wall_state(CaseNode& node, SideCondition& condition, const GasUnits& units) {
  condition.kind = SideKind::wall;
  condition.state.velocity = to_array(units.velocity().numbers_or(
      node, "velocity", {0, 0, 0}, 3, "Velocity of the wall along x, y and z.", velocity_range));
  condition.state.temperature = units.temperature().number_or(
      node, "temperature", 1, "Temperature of the wall.", temperature_range);
}

void check_reflection(CaseNode& node, const std::string& key, const SideCondition& condition,
                      const VelocityGrid& grid, std::size_t axis) {
  const SurfaceLaw law = surface_law(condition);
  if (condition.kind == SideKind::antisymmetric) check_turned(node, key, law.turned, grid);
  if (!law.balanced && !law.specular) return;
  const VelocityAxis& velocities = grid[axis];
  if ((law.specular || law.made_by_face()) && !velocities.symmetric()) {
    const std::string what = law.specular ? "reflects specularly"
                             : law.heated ? "is a wall of given heat flux"
                                          : "is a wall of Cercignani and Lampis";
    node.fail(key, what + ", so the velocities along " + axis_names[axis] +
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
                const CartesianGrid& grid, int dimensions, const GasState& initial_west,
                const GasState& initial_east, const GasUnits& units) {
  const bool steps = initial_west.density != initial_east.density ||
                     initial_west.velocity != initial_east.velocity ||
                     initial_west.temperature != initial_east.temperature;
  for (std::size_t side = 0; side < 6; ++side) {
    read_side(boundaries, {static_cast<int>(side), grid, dimensions, units},
              side == east ? initial_east : initial_west, steps && side != west && side != east,
              sides[side]);
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
  check_periodic_sides(boundaries, sides.size(),
                       [&](std::size_t side) { return sides[side].kind == SideKind::periodic; });
  for (std::size_t side = 0; side < sides.size(); ++side) {
    check_reflection(boundaries, side_names[side], sides[side], velocities, side / 2);
  }
}

}  // namespace knudsen
