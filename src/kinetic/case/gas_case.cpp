#include "kinetic/case/gas_case.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/text.hpp"

namespace knudsen {

namespace {

/// Cells are numbered by 32-bit integers.
constexpr double max_cells = 2147483647.0;
/// Rarefaction parameters of a gas with collisions.
const Range rarefaction_range = Range::between(1e-12, 1e12);

/// Temperatures in K at which the viscosity laws of named gases are within some 3 % of
/// measurements.
const Range fitted_temperatures = Range::between(200, 500);

SiReference read_si(CaseNode& node, const NamedGas* named) {
  SiReference si;
  si.pressure = node.require_number("pressure", "Reference pressure in Pa.", Range::positive());
  si.temperature =
      node.require_number("temperature", "Reference temperature in K.", Range::positive());
  si.length = node.require_number(
      "length", "Length L in m; all lengths of the case are in units of it.", Range::positive());
  const auto mass = node.number("molecule_mass", "Mass of a molecule in kg; needs no `gas.name`.",
                                Range::positive());
  const auto diameter =
      node.number("molecule_diameter",
                  "Diameter of a hard-sphere molecule in m. It gives the reference viscosity 5/16 "
                  "sqrt(pi m k T) / (pi d^2). Give this, `viscosity` or `gas.name`.",
                  Range::positive());
  const auto viscosity = node.number("viscosity",
                                     "Viscosity at the reference temperature in Pa s. Give this, "
                                     "`molecule_diameter` or `gas.name`.",
                                     Range::positive());
  if (node.describing()) return si;
  if (named != nullptr) {
    for (const char* key : {"molecule_mass", "molecule_diameter", "viscosity"}) {
      if (node.has(key)) node.fail(key, "\"gas.name\" sets it already; leave one of them out");
    }
    si.molecule_mass = named->molecule_mass;
    si.viscosity = named->viscosity_at(si.temperature);
    return si;
  }
  if (!mass) node.fail("molecule_mass", "is missing; give it or \"gas.name\"");
  si.molecule_mass = *mass;
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

std::optional<SiReference> read_si_block(CaseNode& gas, const NamedGas* named) {
  std::optional<SiReference> si;
  gas.object(
      "si",
      "Reference state in SI units, which gives the rarefaction parameter; instead of "
      "`rarefaction` or `knudsen`. All other values of the case are in units of this state, or "
      "with `units` \"si\" in SI units.",
      [&](CaseNode& node) { si = read_si(node, named); });
  return si;
}

/// The key "rotation" of a block "gas".
struct Rotation {
  bool given = false;
  double freedom = 2;
  double collision_number = 5;
};

Rotation read_rotation(CaseNode& gas) {
  Rotation rotation;
  gas.object(
      "rotation",
      "Molecules rotate and take up rotational energy (Andries et al. 2000). Requires model "
      "es-bgk. "
      "{} takes the defaults. Without this block the gas is monatomic.",
      [&](CaseNode& node) {
        rotation.given = true;
        rotation.freedom = node.number_or(
            "degrees_of_freedom", rotation.freedom,
            "Degrees of freedom of the rotation: 2 for linear molecules such as N2, 3 for others. "
            "The ratio of the specific heats is 1 + 2 / (3 + this number).",
            Range::between(1, 20));
        rotation.collision_number =
            node.number_or("collision_number", rotation.collision_number,
                           "Rotational collision number Z: the rotational "
                           "temperature approaches the translational "
                           "one in Z collision times pi mu / (4 p), by Jeans's law.",
                           Range{0, 1e6, true, false});
      });
  return rotation;
}

/// Checks that the Gaussians of ES-BGK have positive variances, whatever the stress.
void check_rotation(CaseNode& gas, const Rotation& rotation, const Gas& of) {
  const double least = 1 - std::max(2 * (1 / of.prandtl - 1), 1 - 1 / of.prandtl);
  if (!(least > 0)) {
    gas.fail("prandtl", "must be greater than 0.6667 for a gas with \"rotation\"");
  }
  // The share of the rotational temperature that relaxes at the rate of the model.
  const double most = std::min(1.0, least * (3 + rotation.freedom) / rotation.freedom);
  const double lowest = rotation_rate(rotation.freedom, 1) / (of.prandtl * most);
  if (rotation.collision_number < lowest) {
    gas.fail("rotation.collision_number",
             number_text(rotation.collision_number) + " is too small, must be at least " +
                 number_text(rounded(lowest)) + " with " + number_text(rotation.freedom) +
                 " \"degrees_of_freedom\" and the Prandtl number " +
                 number_text(rounded(of.prandtl)) +
                 ": variances of the model es-bgk could become negative");
  }
}

}  // namespace

double rounded(double value) {
  const double digits = 4 - std::ceil(std::log10(std::abs(value) + 1e-300));
  // Powers of ten are exact, their inverses are not.
  if (digits < 0) return std::round(value / std::pow(10, -digits)) * std::pow(10, -digits);
  const double scale = std::pow(10, digits);
  return std::round(value * scale) / scale;
}

std::string model_name(CollisionModel model) {
  std::string name;
  dispatch_model(model, [&](auto found) { name = found.name; });
  return name;
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

std::optional<std::vector<double>> read_size(CaseNode& domain, const GasUnits& units) {
  return units.length().numbers(domain, "size", 0,
                                "Extents of the domain along the same axes. Default: L along x, "
                                "and cells of the same width along the other axes.",
                                size_range);
}

void check_cell_count(CaseNode& domain, const std::string& key, double cells) {
  if (cells > max_cells) {
    domain.fail(key, "a domain must not have more than 2147483647 cells");
  }
}

CellGridSize read_cells(CaseNode& domain, const GasUnits& units, std::optional<bool> segments) {
  const std::string text =
      "Number of cells along each axis: one number for a one-dimensional domain, two for x and y, "
      "three for x, y and z.";
  const Range range = Range::at_least(1);
  std::optional<std::vector<std::int64_t>> given;
  if (segments) {
    given = domain.integers("cells", 0, text, range);
  } else {
    given = domain.require_integers("cells", 0, text, range);
  }
  const auto size = read_size(domain, units);
  CellGridSize box;
  if (domain.describing()) return box;
  if (segments && given.has_value() == *segments) {
    domain.fail("", "give either \"cells\" or segments \"x\", \"y\", \"z\"");
  }
  if (segments && size && *segments) {
    domain.fail("size", "requires \"cells\"; segments have their own \"length\"");
  }
  if (!given) return box;
  const std::vector<std::int64_t>& cells = *given;
  if (cells.empty() || cells.size() > 3) {
    domain.fail("cells", "must be a list of 1, 2 or 3 integers, one for each dimension");
  }
  check_length(domain, "size", size, cells.size());
  box.dimensions = static_cast<int>(cells.size());
  double total = 1;
  for (const auto count : cells) total *= static_cast<double>(count);
  check_cell_count(domain, "cells", total);
  for (std::size_t d = 0; d < cells.size(); ++d) {
    box.cells[d] = static_cast<int>(cells[d]);
    box.size[d] = size ? (*size)[d] : double(box.cells[d]) / box.cells[0];
  }
  return box;
}

std::optional<double> read_time_step(CaseNode& propagation, const GasUnits& units) {
  const auto time_step = units.time().number(
      propagation, "time_step",
      "Time step. It replaces the limits `courant` and `relaxation_fraction`.", time_step_range);
  if (time_step && (propagation.has("courant") || propagation.has("relaxation_fraction"))) {
    propagation.fail("time_step",
                     "sets the step already; leave \"courant\" and \"relaxation_fraction\" out");
  }
  return time_step;
}

CollisionModel read_collision_model(CaseNode& collision, const std::string& fallback) {
  const auto& names = CollisionModels::names;
  const std::string name = collision.choice_or(
      "model", fallback, {names.begin(), names.end()},
      "Model of the collision term. bgk: relaxation to a Maxwellian, with Prandtl number 1. "
      "shakhov, es-bgk: relaxation to a target that gives the Prandtl number `gas.prandtl`.");
  const auto found = std::find(names.begin(), names.end(), name);
  return static_cast<CollisionModel>(found - names.begin());
}

std::array<double, 3> read_body_force(CaseNode& collision, const GasUnits& units) {
  return to_array(units.acceleration().numbers_or(
      collision, "body_force", {0, 0, 0}, 3,
      "Force per unit mass along x, y and z. It acts on the equilibrium part of the distribution.",
      Range::between(-1000, 1000)));
}

const NamedGas* read_gas_name(CaseNode& gas) {
  std::vector<std::string> names{"other"};
  for (const NamedGas& each : named_gases) names.emplace_back(each.name);
  return find_gas(gas.choice_or(
      "name", "other", names,
      "Gas whose molecular mass, viscosity and viscosity law are known (Bird 1994, Tables A1 and "
      "A2). other: a gas that the other keys describe. Gases of several atoms are computed without "
      "their internal energy, with a warning, unless a method has `rotation`."));
}

std::optional<SiReference> read_si_reference(CaseNode& gas) {
  return read_si_block(gas, read_gas_name(gas));
}

void refuse_rotation(CaseNode& gas) {
  if (gas.has("rotation")) {
    gas.fail("rotation",
             "is not available in this method, whose gases are monatomic; take \"shakhov\" or "
             "\"bgkw\"");
  }
}

void warn_of_gas(const NamedGas* named, const std::optional<SiReference>& si, double rotation,
                 std::vector<std::string>& warnings) {
  if (named == nullptr) return;
  const std::string name = named->name;
  if (named->rotation > 0 && rotation == 0) {
    warnings.push_back("gas.name: " + name +
                       " is computed as a monatomic gas: its rotation takes up no heat, so heat "
                       "fluxes and the speed of sound are not those of the gas; \"rotation\" of "
                       "the methods \"shakhov\" and \"bgkw\" has it");
  }
  if (name == "carbon-dioxide" && rotation == named->rotation) {
    warnings.push_back("gas.name: " + name +
                       " is computed without the vibration of its molecules, which takes up heat "
                       "at room temperature already");
  }
  if (si && !fitted_temperatures.contains(si->temperature)) {
    warnings.push_back("gas.si.temperature: the viscosity law of " + std::string(named->name) +
                       " is a fit for " + fitted_temperatures.text().substr(5) +
                       " K; far from there its viscosity is some 10 % off");
  }
}

double read_rarefaction(CaseNode& gas, std::optional<SiReference>* si, const NamedGas* named) {
  const auto rarefaction = gas.number(
      "rarefaction",
      "Rarefaction parameter delta = p_ref L / (mu_ref sqrt(2 R T_ref)), where L is the unit of "
      "length. 0: free-molecular flow without collisions. Give either this or `knudsen`.",
      Range::at_least(0));
  const auto knudsen = gas.number(
      "knudsen", "Knudsen number sqrt(pi) / (2 delta). Give either this or `rarefaction`.",
      Range::positive());
  if (si != nullptr) {
    *si = read_si_block(gas, named);
  }
  if (gas.describing()) return 0;
  const bool has_si = si != nullptr && si->has_value();
  const int given = (rarefaction ? 1 : 0) + (knudsen ? 1 : 0) + (has_si ? 1 : 0);
  if (given != 1) {
    gas.fail("", si == nullptr ? "give either \"rarefaction\" or \"knudsen\""
                               : "give either \"rarefaction\" or \"knudsen\" or \"si\"");
  }
  const double found = has_si        ? (*si)->rarefaction()
                       : rarefaction ? *rarefaction
                                     : knudsen_from_rarefaction(*knudsen);
  // 0 is a gas without collisions.
  if (rarefaction && found == 0) return 0;
  gas.check_derived(has_si ? "si" : (rarefaction ? "rarefaction" : "knudsen"),
                    "rarefaction parameter", found, rarefaction_range);
  gas.check_derived(has_si ? "si" : (rarefaction ? "rarefaction" : "knudsen"), "Knudsen number",
                    knudsen_from_rarefaction(found), Range::positive());
  return found;
}

Gas read_gas(CaseNode& root, CollisionModel model, std::optional<SiReference>& si,
             std::vector<std::string>& warnings) {
  Gas result;
  root.require_object("gas", "The gas, which is monatomic without `rotation`.", [&](CaseNode& gas) {
    const NamedGas* named = read_gas_name(gas);
    result.rarefaction = read_rarefaction(gas, &si, named);
    const Rotation rotation = read_rotation(gas);
    const std::string law =
        gas.choice_or("law", "hard-sphere", {"hard-sphere", "maxwell", "argon", "soft-sphere"},
                      "Viscosity law mu_ref (T / T_ref)^omega with omega = 0.5 for hard-sphere, 1 "
                      "for maxwell, 0.81 for argon, 0.74 for soft-sphere (Frezzotti 2009).");
    const auto omega = gas.number("omega", "Exponent omega of the viscosity law, instead of `law`.",
                                  Range::between(0, 2));
    const auto prandtl = gas.number("prandtl",
                                    "Prandtl number, for the models shakhov and es-bgk. Default: "
                                    "2/3, with `rotation` 4 gamma / (9 gamma - 5) (Eucken).",
                                    Range::between(0.1, 10));
    if (gas.describing()) return;
    if (rotation.given) {
      if (model != CollisionModel::es_bgk) {
        gas.fail("rotation", "requires \"model\" \"es-bgk\" in \"collision\"");
      }
      if (named != nullptr && named->rotation == 0) {
        gas.fail("rotation", "must not be given for " + std::string(named->name) +
                                 ", whose molecules are single atoms");
      }
      result.rotation = rotation.freedom;
      result.rotation_rate = rotation_rate(rotation.freedom, rotation.collision_number);
    }
    warn_of_gas(named, si, result.rotation, warnings);
    if (omega && gas.has("law")) {
      gas.fail("omega", "cannot be combined with \"law\", which sets the exponent too");
    }
    if (named != nullptr && gas.has("law")) {
      gas.fail("law", "\"name\" sets the viscosity law already; leave one of them out");
    }
    result.viscosity_exponent = omega                  ? *omega
                                : named != nullptr     ? named->viscosity_exponent
                                : law == "hard-sphere" ? 0.5
                                : law == "maxwell"     ? 1
                                : law == "argon"       ? 0.81
                                                       : 0.74;
    const bool bgk = model_constant(model, [](auto m) { return m.is_maxwellian; });
    if (prandtl && bgk) gas.fail("prandtl", "belongs to the models \"shakhov\" and \"es-bgk\"");
    result.prandtl = prandtl.value_or(bgk              ? 1
                                      : rotation.given ? eucken_prandtl(rotation.freedom)
                                                       : 2.0 / 3);
    if (rotation.given) check_rotation(gas, rotation, result);
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

GasState read_gas_state(CaseNode& node, const GasUnits& units, const GasState& fallback) {
  GasState state;
  state.density = units.density().number_or(node, "density", fallback.density,
                                            "Density. Give this or `pressure`.", density_range);
  const auto pressure = units.pressure().number(
      node, "pressure", "Pressure, in place of the density.", density_range);
  state.velocity = to_array(units.velocity().numbers_or(
      node, "velocity", {fallback.velocity[0], fallback.velocity[1], fallback.velocity[2]}, 3,
      "Velocity along x, y and z.", velocity_range));
  state.temperature = units.temperature().number_or(node, "temperature", fallback.temperature,
                                                    "Temperature.", temperature_range);
  if (!pressure) return state;
  if (node.has("density")) {
    node.fail("pressure", "\"density\" gives it already; leave one of them out");
  }
  state.density = *pressure / state.temperature;
  node.check_derived("pressure", "density in rho_ref", state.density, density_range);
  return state;
}

}  // namespace knudsen
