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

ScalarLink<double> SurfaceHeat::link(double weight) const {
  switch (kind) {
    case Kind::flux:
      return {1, value};
    case Kind::temperature:
      return {-1, 2 * weight * value};
    case Kind::exchange: {
      // The temperature of the wall is (incoming + outgoing) / (2 w), the flux incoming less
      // outgoing.
      const double ratio = coefficient / (2 * weight);
      return {(1 - ratio) / (1 + ratio), coefficient * value / (1 + ratio)};
    }
    case Kind::outflow:
      break;
  }
  return {};
}

ScalarParameters<double> Heat::parameters() const {
  ScalarParameters<double> found;
  found.antisymmetric_rate = 1 / relaxation_time();
  found.symmetric_rate = 1 / (magic / (relaxation_time() - 0.5) + 0.5);
  std::copy(buoyancy.begin(), buoyancy.end(), found.buoyancy);
  return found;
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
        heat.diffusivity_factor = diffusivity_factor;
        heat.diffusivity = read_diffusivity(node, fluid);
        heat.reference = node.number_or(
            "reference_temperature", 0,
            "Temperature at which there is no buoyancy. In single precision, choose one amid those "
            "of the flow.",
            temperatures);
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
        if (time < 0.502) {
          warnings.push_back("heat: relaxation time " + number_text(time) +
                             " of the scalar is close to the stability limit 1/2: it oscillates "
                             "where it is not well resolved");
        }
        found = heat;
      });
  return found;
}

SurfaceHeat read_wall_heat(CaseNode& surface, const std::optional<Heat>& heat, const Fluid& fluid) {
  const auto temperature = surface.number(
      "temperature",
      "Temperature of the surface, in cases with `heat`; with `heat_transfer_coefficient` that of "
      "the surroundings.",
      temperatures);
  const auto coefficient = surface.number(
      "heat_transfer_coefficient",
      "Convective exchange with surroundings of the given `temperature`: heat flux over the "
      "difference to the temperature of the surface and over density x heat capacity, in node "
      "spacings per step (SI: m/s).",
      Range{0, 1e6, true, false});
  const auto flux = surface.number(
      "heat_flux",
      "Heat that enters the fluid through a unit of area and time, over density x heat capacity: "
      "a temperature times a velocity, in node spacings per step (SI: K m/s). Default without "
      "`temperature`: 0, adiabatic.",
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
  const double unit = fluid.si ? fluid.velocity_unit : 1;
  if (coefficient) {
    return {SurfaceHeat::Kind::exchange, *temperature - heat->reference, *coefficient * unit};
  }
  if (temperature) return {SurfaceHeat::Kind::temperature, *temperature - heat->reference};
  return {SurfaceHeat::Kind::flux, flux.value_or(0) * unit};
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
  if (temperature) return {SurfaceHeat::Kind::temperature, *temperature - heat->reference};
  return {gives_velocity ? SurfaceHeat::Kind::temperature : SurfaceHeat::Kind::outflow, 0};
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

void describe_heat(const Heat& heat, const Fluid& fluid, std::vector<ResolvedValue>& resolved) {
  const auto add = [&](const std::string& name, double value, const std::string& unit) {
    resolved.push_back({name, value_text(value), unit});
  };
  add("diffusivity", heat.diffusivity, "dx^2 / dt");
  add("relaxation time of the scalar", heat.relaxation_time(), "dt");
  add("Prandtl number", fluid.kinematic_viscosity / heat.diffusivity, "1");
  if (heat.rayleigh) add("Rayleigh number", *heat.rayleigh, "1");
  for (std::size_t a = 0; a < 3; ++a) {
    if (heat.buoyancy[a] == 0) continue;
    add("buoyancy along " + axis_names[a], heat.buoyancy[a], "rho_0 dx / (dt^2 temperature)");
  }
}

}  // namespace knudsen::lbm
