#include "methods/lattice/heat_case.hpp"

#include <algorithm>
#include <cmath>

#include "core/sides.hpp"
#include "core/text.hpp"

namespace knudsen::lbm {
namespace {

/// Temperatures such that no product of theirs overflows in single precision.
const Range temperatures = Range::between(-1e9, 1e9);

const std::string no_heat =
    "needs the temperature of the fluid, but the case has no block \"heat\"; add it with a "
    "\"diffusivity\", or leave this key out";

/// Reads the diffusivity, in lattice units.
double read_diffusivity(CaseNode& heat, const Fluid& fluid) {
  const auto diffusivity = heat.number(
      "diffusivity",
      "Thermal diffusivity, or that of a concentration, in node spacings^2 per step (SI: m^2/s). "
      "Give this or `prandtl`.",
      Range::positive());
  const auto prandtl =
      heat.number("prandtl", "Prandtl (or Schmidt) number: kinematic viscosity / diffusivity.",
                  Range::positive());
  if (heat.describing()) return 1;
  if (diffusivity.has_value() == prandtl.has_value()) {
    heat.fail_hard(prandtl ? "prandtl" : "",
                   prandtl ? "\"diffusivity\" sets it already; give only one of the two"
                           : "the diffusivity is missing: give \"diffusivity\" or \"prandtl\"");
  }
  if (prandtl) return fluid.kinematic_viscosity / *prandtl;
  if (!fluid.si) return *diffusivity;
  return *diffusivity * fluid.si->time_step / (fluid.si->spacing * fluid.si->spacing);
}

/// Below this, a change in temperature across the characteristic length in K, or a Biot number.
constexpr double least_effect = 1e-4;

/// Walls that are closer to a node count as if they were at this distance.
constexpr double least_wall_distance = 1e-3;

/// Heat that enters over a link of a velocity side, over the weight of the link and what the node
/// lacks to the temperature of the side, which so holds at the nodes. The velocity that the side
/// imposes has a divergence at its ends, and on lattices with diagonals half-way reversal alone is
/// unstable there at small diffusivities.
constexpr double hold = 60;

/// Exchange with half of the link, by a coefficient. `layer`: share of a layer between half of the
/// link and the wall in the resistance. What the flow carries along the link does not pass the
/// wall.
SurfaceLink exchange_through(double weight, double coefficient, double layer, double value) {
  const double ratio = coefficient / (2 * weight);
  return {{(1 - ratio) / (1 + ratio), coefficient * value / (1 + ratio)}, {0, layer / (1 + ratio)}};
}

/// Reads the lattice of the temperature, of which there is one: the kernels of the flow collide its
/// populations, too.
void check_lattice(CaseNode& node, std::size_t dimensions) {
  const bool plane = dimensions == 2;
  const std::string own = plane ? "D2Q5" : "D3Q7";
  const std::string larger = plane ? "D2Q9" : "D3Q19";
  const std::string text =
      "Lattice of the temperature. One without gravity on " + larger + " is one of `scalars`.";
  // The message says more than that of a choice.
  const std::string lattice = node.describing() ? node.choice_or("lattice", own, {own}, text)
                                                : node.text_or("lattice", own, text);
  if (node.describing() || lattice == own) return;
  node.fail("lattice", "must be " + quote(own) +
                           " for a temperature; without \"gravity\" list it in \"scalars\" with "
                           "\"lattice\": " +
                           quote(larger) + ", else leave this key out");
}

/// Reads gravity and what gives the expansion.
void read_buoyancy(CaseNode& node, const Fluid& fluid, std::size_t dimensions, Heat& heat) {
  const auto gravity = node.numbers(
      "gravity", dimensions,
      "Gravity: with `expansion` the acceleration in node spacings per step^2 (SI: m/s^2), with "
      "`rayleigh` its direction. Without it the temperature is a passive scalar.");
  const auto expansion =
      node.number("expansion",
                  "Thermal expansion: relative decrease of the density in a unit of temperature. "
                  "The buoyancy is that of Boussinesq. Requires `gravity`.");
  const auto rayleigh = node.number(
      "rayleigh",
      "Rayleigh number, gravity x expansion x `temperature_difference` x `fluid.length`^3 / "
      "(kinematic viscosity x diffusivity), in place of `expansion`. Requires `gravity`.",
      Range::positive());
  if (node.describing()) return;
  if (!gravity) {
    if (expansion) node.fail("expansion", "is buoyancy, which needs \"gravity\"");
    if (rayleigh) node.fail("rayleigh", "is buoyancy, which needs \"gravity\", its direction");
    return;
  }
  if (expansion && rayleigh) {
    node.fail("rayleigh", "\"expansion\" sets the buoyancy already; give only one of the two");
  }
  if (!expansion && !rayleigh) {
    node.fail("gravity", "needs \"expansion\" or \"rayleigh\", which set the buoyancy");
  }
  double length = 0;
  for (const double component : *gravity) length = std::hypot(length, component);
  if (!(length > 0) || !std::isfinite(length)) {
    node.fail("gravity", "must be a vector that is not 0");
  }
  double scale = 0;
  if (rayleigh) {
    if (!heat.difference) {
      node.fail("rayleigh", "needs \"temperature_difference\", from which the buoyancy follows");
    }
    heat.rayleigh = rayleigh;
    scale = *rayleigh * fluid.kinematic_viscosity * heat.diffusivity /
            (*heat.difference * std::pow(fluid.length, 3)) / length;
  } else {
    scale = *expansion * (fluid.si ? fluid.force_unit : 1);
  }
  for (std::size_t a = 0; a < dimensions; ++a) heat.buoyancy[a] = -scale * (*gravity)[a];
  if (heat.difference) {
    const double force = scale * length * *heat.difference;
    node.check_derived(rayleigh ? "rayleigh" : "expansion", "buoyancy in lattice units", force,
                       force_range);
    heat.rayleigh =
        force * std::pow(fluid.length, 3) / fluid.kinematic_viscosity / heat.diffusivity;
    const double speed = std::sqrt(std::abs(force) * fluid.length);
    if (is_too_fast(speed)) {
      node.fail(rayleigh ? "rayleigh" : "expansion",
                "gives the buoyant velocity sqrt(gravity x expansion x temperature_difference x "
                "length): " +
                    speed_text(speed) + mach_rule +
                    "; choose a smaller viscosity, or more nodes across the length");
    }
  }
}

}  // namespace

std::string text_near_half(double relaxation_time) {
  const double steps = 1 / (2 * (relaxation_time - 0.5));
  return " is close to the stability limit 1/2: what changes at once, as at the start, leaves a "
         "part "
         "that alternates in sign from step to step, also in flows through surfaces, and that "
         "takes "
         "some " +
         number_text(std::round(steps)) +
         " steps to fall to a third; steep layers overshoot. Choose more nodes or a larger "
         "velocity, or take averages over an even number of steps";
}

SurfaceLink SurfaceHeat::link(double weight, double diffusivity, const WallPlace& place,
                              double share) const {
  // Half-way along the link the temperature is (incoming + outgoing) / (2 w), and the flux is
  // incoming less outgoing. A wall further away is exchange through the layer between, a wall
  // closer has a temperature on the line through those of the node and half-way along the link.
  const double beyond = std::max(0.0, place.distance - 0.5);
  const double distance = std::clamp(place.distance, least_wall_distance, 0.5);
  const double own = share * coefficient * place.facing;
  switch (kind) {
    case Kind::flux:
      return {{1, share * place.facing * value}};
    case Kind::temperature:
      if (entering) return {{-1, (2 + hold) * weight * value}, {-hold * weight, 0}};
      if (beyond == 0) {
        return {{-1, weight * value / distance}, {weight * (2 - 1 / distance), 0}};
      }
      return exchange_through(weight, share * diffusivity / beyond, 1, value);
    case Kind::exchange: {
      if (beyond > 0) {
        const double layer = coefficient * place.facing * beyond / diffusivity;
        return exchange_through(weight, own / (1 + layer), layer / (1 + layer), value);
      }
      const double ratio = own / weight * distance;
      return {{(1 - ratio) / (1 + ratio), own * value / (1 + ratio)},
              {-own * (1 - 2 * distance) / (1 + ratio), 0}};
    }
    case Kind::outflow:
      break;
  }
  return {{}, {0, 1}};
}

ScalarParameters<double> Heat::parameters(double conductivity) const {
  const double time = relaxation_time(conductivity);
  ScalarParameters<double> found;
  found.antisymmetric_rate = 1 / time;
  found.symmetric_rate = 1 / (magic / (time - 0.5) + 0.5);
  found.weight = weight;
  found.rest_weight = rest_weight;
  for (std::size_t a = 0; a < 3; ++a) found.buoyancy[a] = buoyancy[a] * stored_unit;
  return found;
}

bool Heat::any_conduction() const {
  return std::any_of(solids.begin(), solids.end(),
                     [](const SurfaceHeat& solid) { return solid.conduction.has_value(); });
}

std::optional<Heat> read_heat(CaseNode& root, const Fluid& fluid, std::size_t dimensions,
                              double diffusivity_factor, std::vector<std::string>& warnings) {
  std::optional<Heat> found;
  root.object(
      "heat",
      "Temperature that the fluid carries, with or without buoyancy, or any other scalar such as a "
      "concentration. Its unit is that of the case's temperatures (SI: K).",
      [&](CaseNode& node) {
        Heat heat;
        heat.set_lattice(diffusivity_factor);
        check_lattice(node, dimensions);
        heat.diffusivity = read_diffusivity(node, fluid);
        heat.heat_capacity = node.number(
            "volumetric_heat_capacity",
            "Density x heat capacity of the fluid in J/(m^3 K), in cases in SI units. With it heat "
            "fluxes of walls and solids are in W/m^2, their heat transfer coefficients in "
            "W/(m^2 K) and the results `heat_flow` in W (in two dimensions W/m), and `conduction` "
            "may be given in SI units. Without it they are over density x heat capacity.",
            Range::positive());
        if (heat.heat_capacity && !fluid.si) {
          node.fail("volumetric_heat_capacity",
                    "belongs to cases in SI units; leave it out, and give solids a "
                    "\"conductivity_ratio\" and a \"heat_capacity_ratio\"");
        }
        heat.reference = node.number_or(
            "reference_temperature", 0,
            "Temperature at which there is no buoyancy, and of what enters and of the start where "
            "the case gives none. In single precision, choose one amid those of the flow. Required "
            "in SI units.",
            temperatures);
        if (fluid.si && !node.has("reference_temperature")) {
          node.fail("",
                    "needs \"reference_temperature\" in a case in SI units, where 0 would be 0 K");
        }
        heat.difference = node.number("temperature_difference",
                                      "Temperature difference of Rayleigh and Nusselt numbers.",
                                      Range::between(1e-9, 1e9));
        heat.magic = node.number_or(
            "magic", 0.25,
            "Product of (relaxation time - 1/2) of the symmetric and the antisymmetric "
            "populations of the scalar.",
            Range{0, 1e6, true, false});
        read_buoyancy(node, fluid, dimensions, heat);
        if (node.describing()) return;
        const double time = heat.relaxation_time();
        const std::string from = node.has("prandtl") ? "prandtl" : "diffusivity";
        node.check_derived(from, "relaxation time of the scalar", time,
                           Range::between(0.5, max_relaxation_time));
        const bool too_small =
            fluid.rounds_to_float ? static_cast<float>(time) <= 0.5F : time <= 0.5;
        if (too_small) {
          node.fail(from,
                    "the diffusivity is too small for the lattice: it gives the relaxation "
                    "time " +
                        number_text(time) +
                        ", which must be greater than 0.5 in the case's precision; choose "
                        "more nodes, or a larger velocity");
        }
        if (time < near_half) {
          warnings.push_back("heat: relaxation time " + number_text(time) + " of the scalar" +
                             text_near_half(time));
        }
        found = heat;
      });
  return found;
}

SurfaceHeat read_wall_heat(CaseNode& surface, const std::optional<Heat>& heat, const Fluid& fluid,
                           std::vector<std::string>& warnings) {
  const auto temperature = surface.number(
      "temperature",
      "Temperature of the surface, in cases with `heat`; with `heat_transfer_coefficient` that of "
      "the surroundings.",
      temperatures);
  const auto coefficient = surface.number(
      "heat_transfer_coefficient",
      "Convective exchange with surroundings of the given `temperature`: heat flux over the "
      "difference to the temperature of the surface and over density x heat capacity, in node "
      "spacings per step (SI: m/s). With `heat.volumetric_heat_capacity` in W/(m^2 K).",
      Range{0, 1e6, true, false});
  const auto flux = surface.number(
      "heat_flux",
      "Heat that enters the fluid through a unit of area and time, over density x heat capacity: "
      "a temperature times a velocity, in node spacings per step (SI: K m/s). With "
      "`heat.volumetric_heat_capacity` in W/m^2. Default without `temperature`: 0, adiabatic.",
      temperatures);
  if (surface.describing()) return {};
  for (const char* key : {"temperature", "heat_transfer_coefficient", "heat_flux"}) {
    if (!heat && surface.has(key)) surface.fail(key, no_heat);
  }
  if (temperature && flux) {
    surface.fail("heat_flux", "\"temperature\" is given already; give only one of the two");
  }
  if (coefficient && !temperature) {
    surface.fail("heat_transfer_coefficient",
                 "needs \"temperature\", that of the surroundings with which heat is exchanged");
  }
  const double unit =
      (fluid.si ? fluid.velocity_unit : 1) / (heat ? heat->heat_capacity.value_or(1) : 1);
  // Values over the heat capacity, as where the case does not give it, are some 1e-6 times as
  // large.
  const auto warn_if_small = [&](const char* key, double value, const char* si_unit) {
    if (!heat || !heat->heat_capacity) return;
    const double change = std::abs(value) * unit * fluid.length / heat->diffusivity;
    if (value == 0 || change >= least_effect) return;
    warnings.push_back(surface.path(key) + ": " + number_text(value) + ' ' + si_unit +
                       " has no visible effect; the value is in " + si_unit +
                       ", since the case gives \"heat.volumetric_heat_capacity\"");
  };
  if (coefficient) warn_if_small("heat_transfer_coefficient", *coefficient, "W/(m^2 K)");
  if (flux) warn_if_small("heat_flux", *flux, "W/m^2");
  if (coefficient) {
    return {SurfaceHeat::Kind::exchange, *temperature - heat->reference, *coefficient * unit};
  }
  if (temperature) return {SurfaceHeat::Kind::temperature, *temperature - heat->reference};
  return {SurfaceHeat::Kind::flux, flux.value_or(0) * unit};
}

namespace {

/// Reads one property of a solid over that of the fluid: as a ratio, or in SI units.
double read_ratio(CaseNode& block, const std::string& ratio_key, const std::string& ratio_text,
                  const Range& range, const std::string& si_key, const std::string& si_text,
                  std::optional<double> default_ratio, std::optional<double> of_fluid) {
  const auto ratio = block.number(ratio_key, ratio_text, range);
  const auto in_si = block.number(si_key, si_text, Range::positive());
  if (block.describing()) return 1;
  if (ratio && in_si) {
    block.fail(si_key, "\"" + ratio_key + "\" is given already; give only one of the two");
  }
  if (!in_si) {
    if (!ratio && !default_ratio) {
      block.fail_hard("", "needs \"" + ratio_key + "\", or \"" + si_key + "\" in SI units");
    }
    return ratio ? *ratio : *default_ratio;
  }
  if (!of_fluid) {
    block.fail(si_key,
               "needs the heat capacity of the fluid, \"heat.volumetric_heat_capacity\", in a case "
               "in SI units; or give \"" +
                   ratio_key + "\"");
    return 1;
  }
  block.check_derived(si_key, ratio_key, *in_si / *of_fluid, range);
  return *in_si / *of_fluid;
}

}  // namespace

SurfaceHeat read_solid_heat(CaseNode& solid, const std::optional<Heat>& heat, const Fluid& fluid,
                            std::vector<std::string>& warnings) {
  SurfaceHeat found = read_wall_heat(solid, heat, fluid, warnings);
  solid.object(
      "conduction",
      "The solid conducts heat and has a temperature of its own. At its surface temperature and "
      "heat flux are continuous. In cases with `heat`.",
      [&](CaseNode& block) {
        if (!heat) solid.fail("conduction", no_heat);
        std::optional<double> capacity;
        std::optional<double> conductivity;
        if (heat && heat->heat_capacity) {
          capacity = heat->heat_capacity;
          conductivity = *capacity * heat->diffusivity * fluid.si->spacing * fluid.si->spacing /
                         fluid.si->time_step;
        }
        Conduction conduction;
        conduction.conductivity = read_ratio(
            block, "conductivity_ratio", "Thermal conductivity over that of the fluid.",
            Range::between(1e-6, 1e6), "conductivity",
            "Thermal conductivity in W/(m K), in place of `conductivity_ratio`. Requires "
            "`heat.volumetric_heat_capacity`.",
            std::nullopt, conductivity);
        conduction.heat_capacity = read_ratio(
            block, "heat_capacity_ratio",
            "Density x heat capacity over that of the fluid. A steady state does not depend on it. "
            "Default: 1.",
            Range::between(0.2, 1e6), "volumetric_heat_capacity",
            "Density x heat capacity in J/(m^3 K), in place of `heat_capacity_ratio`. Requires "
            "`heat.volumetric_heat_capacity`.",
            1.0, capacity);
        const auto initial = block.number(
            "initial_temperature",
            "Temperature of the solid at step 0. Default: `initial.temperature`. A temperature in "
            "`initial_fields` takes precedence.",
            temperatures);
        if (block.describing()) return;
        if (initial) conduction.initial = *initial - heat->reference;
        for (const char* key : {"temperature", "heat_transfer_coefficient", "heat_flux"}) {
          if (!solid.has(key)) continue;
          solid.fail(key,
                     "sets what is at the surface of the solid, which follows from its "
                     "\"conduction\"; give only one of the two");
        }
        if (solid.has("velocity")) {
          solid.fail("velocity", "is not for a solid with \"conduction\", which must be at rest");
        }
        if (fluid.rounds_to_float && conduction.heat_capacity > 100) {
          warnings.push_back(
              block.path() + ": at " + number_text(conduction.heat_capacity) +
              " times the heat capacity of the fluid, what enters a node in a step may be lost in "
              "rounding; take \"double\" precision, or for a steady state a ratio of 1");
        }
        found = {};
        found.conduction = conduction;
      });
  return found;
}

void set_conduction(CaseNode& geometry, const Fluid& fluid, Heat& heat, bool interpolated,
                    std::vector<std::string>& warnings) {
  if (interpolated && heat.any_conduction()) {
    geometry.fail("walls",
                  "must not be \"interpolated\" where a solid has \"conduction\": the surfaces of "
                  "such solids are half-way between nodes; choose \"half-way\"");
  }
  double smallest = 1;
  for (const SurfaceHeat& solid : heat.solids) {
    if (solid.conduction) smallest = std::min(smallest, solid.conduction->heat_capacity);
  }
  if (smallest < 1) {
    // Multiples of 2^-16, so that the weights of a node sum to exactly one in single precision.
    const double moving = std::round((1 - heat.rest_weight) / heat.weight);
    heat.weight = std::floor(heat.weight * smallest * 65536) / 65536;
    heat.rest_weight = 1 - moving * heat.weight;
  }
  for (std::size_t i = 0; i < heat.solids.size(); ++i) {
    if (!heat.solids[i].conduction) continue;
    const double time = heat.relaxation_time(heat.solids[i].conduction->conductivity);
    const bool too_small = fluid.rounds_to_float ? static_cast<float>(time) <= 0.5F : time <= 0.5;
    if (!too_small && time < near_half) {
      warnings.push_back("geometry.solids[" + std::to_string(i) + "].conduction: relaxation time " +
                         number_text(time) + " of the temperature" + text_near_half(time));
    }
    if (!too_small && time <= max_relaxation_time) continue;
    geometry.fail("solids[" + std::to_string(i) + "].conduction",
                  "the conductivity gives the relaxation time " + number_text(time) +
                      " of the temperature, which must be greater than 0.5 in the case's precision "
                      "and at most " +
                      number_text(max_relaxation_time) +
                      "; choose a conductivity closer to that of the fluid, or another "
                      "\"heat.diffusivity\"");
  }
}

void set_stored_unit(CaseNode& root, double extent, Heat& heat) {
  double largest = std::max(std::abs(heat.initial), heat.difference.value_or(0));
  const auto add = [&](const SurfaceHeat& surface) {
    // What a flux does across the domain by diffusion alone.
    const double scale = surface.kind == SurfaceHeat::Kind::flux ? extent / heat.diffusivity : 1;
    largest = std::max(largest, std::abs(surface.value) * scale);
    if (!surface.conduction) return;
    largest = std::max(largest, std::abs(surface.conduction->initial.value_or(0)));
  };
  for (const SurfaceHeat& side : heat.sides) add(side);
  for (const SurfaceHeat& solid : heat.solids) add(solid);
  if (largest == 0) {
    root.fail(
        "precision",
        "stores temperatures in 16 bits, for which it takes the largest difference from "
        "\"heat.reference_temperature\" of those that the case gives, and there is none; give "
        "a \"heat.temperature_difference\", or choose \"single\"");
    return;
  }
  // The populations of a node sum to at most 1/8 for the differences that are known. Of those at
  // rest, which are the largest, 1/2 is kept to all digits and 1 is finite (InTwoParts).
  heat.stored_unit = std::exp2(std::ceil(std::log2(largest)) + 3);
}

SurfaceHeat read_open_heat(CaseNode& side, const std::optional<Heat>& heat, bool gives_velocity) {
  const auto temperature = side.number(
      "temperature",
      gives_velocity ? "Temperature of what enters, in cases with `heat`. Default: "
                       "`heat.reference_temperature`."
                     : "Temperature at the side, in cases with `heat`. Default: that of the "
                       "outermost nodes, as at an outflow.",
      temperatures);
  if (side.describing()) return {};
  if (!heat && temperature) side.fail("temperature", no_heat);
  SurfaceHeat found;
  found.kind = SurfaceHeat::Kind::outflow;
  if (temperature || gives_velocity) found.kind = SurfaceHeat::Kind::temperature;
  if (temperature) found.value = *temperature - heat->reference;
  found.entering = gives_velocity;
  return found;
}

void read_initial_heat(CaseNode& initial, std::optional<Heat>& heat) {
  const auto temperature = initial.number(
      "temperature",
      "Temperature of the fluid, in cases with `heat`. Default: "
      "`heat.reference_temperature`. For one that depends on the place see `initial_fields`.",
      temperatures);
  if (initial.describing() || !temperature) return;
  if (!heat) return initial.fail("temperature", no_heat);
  heat->initial = *temperature - heat->reference;
}

SiUnits units_in_si(const SiScales& scales, const std::optional<Heat>& heat, int dimensions) {
  SiUnits units = scales.units(dimensions);
  if (heat && heat->heat_capacity) {
    units.symbols[heat_capacity_unit] = {*heat->heat_capacity, {1, -1, -2, -1}};
  }
  return units;
}

void describe_heat(const Heat& heat, const Fluid& fluid, std::vector<ResolvedValue>& resolved) {
  const auto add = [&](const std::string& name, double value, const std::string& unit) {
    resolved.push_back({name, value_text(value), unit});
  };
  add("diffusivity", heat.diffusivity, "dx^2 / dt");
  add("relaxation time of the scalar", heat.relaxation_time(), "dt");
  std::vector<double> in_solids;
  for (const SurfaceHeat& solid : heat.solids) {
    if (!solid.conduction) continue;
    in_solids.push_back(heat.relaxation_time(solid.conduction->conductivity));
  }
  if (!in_solids.empty()) {
    const auto [least, most] = std::minmax_element(in_solids.begin(), in_solids.end());
    add("least relaxation time in conducting solids", *least, "dt");
    add("largest relaxation time in conducting solids", *most, "dt");
  }
  add("Prandtl number", fluid.kinematic_viscosity / heat.diffusivity, "1");
  if (heat.rayleigh) add("Rayleigh number", *heat.rayleigh, "1");
  for (std::size_t a = 0; a < 3; ++a) {
    if (heat.buoyancy[a] == 0) continue;
    add("buoyancy along " + axis_names[a], heat.buoyancy[a], "rho_0 dx / (dt^2 temperature)");
  }
}

}  // namespace knudsen::lbm
