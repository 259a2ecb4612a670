#include "methods/lattice/si_scales.hpp"

#include <algorithm>
#include <cmath>

#include "core/sides.hpp"
#include "core/text.hpp"
#include "methods/lattice/lattice_case.hpp"

namespace knudsen::lbm {
namespace {

/// Mach number and relaxation time below which the time step is chosen if the case does not say it:
/// errors of compressibility are some Mach^2, those of walls grow with the relaxation time.
constexpr double usual_mach = 0.1;
constexpr double usual_relaxation_time = 1;
/// Beyond it the mean free path of the lattice's gas is no longer small beside the spacing.
constexpr double long_relaxation_time = 2;
/// Rounding of the extents to whole nodes that goes without a warning, in nodes.
constexpr double rounding_of_extents = 1e-3;

/// Fluids at 20 degrees Celsius and 101325 Pa.
struct NamedFluid {
  const char* name;
  double density;    ///< kg/m^3
  double viscosity;  ///< Pa s
};
constexpr NamedFluid named_fluids[] = {
    // Wagner and Pruss, J. Phys. Chem. Ref. Data 31 (2002) 387; Huber et al., the same 38 (2009)
    // 101.
    {"water", 998.21, 1.0016e-3},
    // US Standard Atmosphere (1976): p / (287.053 J/(kg K) T) and Sutherland's law.
    {"air", 1.2041, 1.8134e-5}};

std::string text(double value) { return value_text(value); }

/// Reads density and viscosity of the fluid, which `named` has if it is not null.
void read_material(CaseNode& si, const NamedFluid* named, SiFluid& fluid) {
  const auto density =
      si.number("density", "Density in kg/m^3; needs no `fluid.name`.", Range::positive());
  const auto viscosity =
      si.number("viscosity", "Viscosity in Pa s. Give this, `kinematic_viscosity` or `fluid.name`.",
                Range::positive());
  const auto kinematic = si.number(
      "kinematic_viscosity",
      "Kinematic viscosity in m^2/s. Give this, `viscosity` or `fluid.name`.", Range::positive());
  if (si.describing()) return;
  if (named != nullptr) {
    for (const char* key : {"density", "viscosity", "kinematic_viscosity"}) {
      if (si.has(key)) si.fail(key, "\"fluid.name\" sets it already; leave one of them out");
    }
    fluid.density = named->density;
    fluid.kinematic_viscosity = named->viscosity / named->density;
    return;
  }
  if (!density) si.fail("density", "is missing; give it in kg/m^3, or \"fluid.name\"");
  if (viscosity.has_value() == kinematic.has_value()) {
    si.fail("",
            "give either \"viscosity\" in Pa s or \"kinematic_viscosity\" in m^2/s, or "
            "\"fluid.name\"");
  }
  fluid.density = *density;
  fluid.kinematic_viscosity = kinematic ? *kinematic : *viscosity / *density;
}

/// The number of nodes along each axis. Warns of extents that are no whole number of spacings.
void set_nodes(CaseNode& root, Grid& grid, double spacing, std::vector<std::string>& warnings) {
  grid.unit = 1 / spacing;
  for (std::size_t axis = 0; axis < grid.size.size(); ++axis) {
    const double exact = grid.size[axis] / spacing;
    const double nodes = grid.add_axis(root, "domain", exact);
    if (std::abs(exact - nodes) <= rounding_of_extents) continue;
    warnings.push_back("domain.size: " + text(grid.size[axis]) + " m along " + axis_names[axis] +
                       " is " + text(exact) + " spacings of " + text(spacing) +
                       " m; the domain has " + text(nodes) + " nodes and is " +
                       text(nodes * spacing) + " m long");
  }
}

/// The time step in s.
double choose_time_step(const SiFluid& fluid, double spacing) {
  if (fluid.time_step) return *fluid.time_step;
  const double of_sound = sound_speed * spacing / fluid.velocity;
  if (fluid.mach) return *fluid.mach * of_sound;
  const double of_viscosity =
      (usual_relaxation_time - 0.5) / 3 * spacing * spacing / fluid.kinematic_viscosity;
  return std::min(usual_mach * of_sound, of_viscosity);
}

}  // namespace

std::optional<SiFluid> read_si_fluid(CaseNode& node) {
  std::vector<std::string> names{"other"};
  for (const NamedFluid& each : named_fluids) names.emplace_back(each.name);
  const std::string name = node.choice_or(
      "name", "other", names,
      "Fluid at 20 degrees Celsius and 101325 Pa whose density and viscosity are known; requires "
      "`si`. other: a fluid that the other keys describe.");
  const NamedFluid* named = nullptr;
  for (const NamedFluid& each : named_fluids) {
    if (name == each.name) named = &each;
  }
  std::optional<SiFluid> fluid;
  node.object(
      "si",
      "The fluid in SI units, in place of the other keys but `name`. All values of the case are "
      "then in SI units: lengths in m, velocities in m/s, pressures in Pa, times in s. So are "
      "the results. The program chooses the time step.",
      [&](CaseNode& si) {
        fluid.emplace();
        read_material(si, named, *fluid);
        fluid->velocity = si.require_number(
            "velocity", "Characteristic velocity in m/s: about the highest that is expected.",
            Range::positive());
        fluid->length = si.number(
            "length",
            "Characteristic length in m, of the Reynolds number and of drag and lift coefficients, "
            "which in three dimensions refer to its square. Default: the extent along y.",
            Range::positive());
        fluid->mach = si.number(
            "mach",
            "Mach number of the flow in the lattice, which sets the time step: its square is about "
            "the error that compressibility makes, and half of it takes twice as many steps. "
            "Default: 0.1, or less, so that the relaxation time is at most 1.",
            Range{0, highest_mach, true, false});
        fluid->time_step =
            si.number("time_step", "Time step in s. Give this, `mach` or none.", Range::positive());
        if (fluid->mach && fluid->time_step) {
          si.fail("time_step", "\"mach\" sets the time step already; leave one of them out");
        }
      });
  if (node.describing()) return {};
  if (!fluid) {
    if (named != nullptr) {
      node.fail("name",
                "needs \"si\" with at least the \"velocity\" in m/s, since a named fluid has SI "
                "units");
    }
    return {};
  }
  for (const char* key : {"reynolds", "velocity", "length", "relaxation_time",
                          "kinematic_viscosity", "knudsen", "slip"}) {
    if (!node.has(key)) continue;
    node.fail(key,
              "belongs to lattice units, but \"si\" gives the fluid in SI units; leave it out");
  }
  return fluid;
}

double SiScales::density_at(double gauge_pressure) const {
  const double velocity = velocity_unit();
  return 1 + 3 * gauge_pressure / fluid.density * velocity * velocity;
}

SiUnits SiScales::units(int dimensions) const {
  SiUnits units;
  units.dimensions = dimensions;
  units.symbols = {{"rho_0", {fluid.density, {1, -3, 0, 0}}},
                   {"dx", {spacing, {0, 1, 0, 0}}},
                   {"dt", {time_step, {0, 0, 1, 0}}},
                   {"T_case", {1, {0, 0, 0, 1}}}};
  units.length = "dx";
  units.time = "dt";
  units.of_case = true;
  return units;
}

SiScales choose_scales(CaseNode& root, const SiFluid& fluid, Grid& grid,
                       std::vector<std::string>& warnings) {
  if (grid.size.empty()) {
    root.fail_hard("domain.nodes",
                   "belongs to lattice units, but \"fluid.si\" gives the fluid in SI units; give "
                   "the \"size\" in m, with \"spacing\" in m or \"nodes_across\"");
  }
  const int given =
      (grid.spacing ? 1 : 0) + (grid.nodes_across ? 1 : 0) + (grid.resolution ? 1 : 0);
  if (given != 1) {
    root.fail_hard("domain",
                   "give one of \"spacing\" in m, \"nodes_across\" the length \"fluid.si.length\", "
                   "and \"resolution\" in nodes per m");
  }
  SiScales si;
  si.fluid = fluid;
  si.length = fluid.length.value_or(grid.size[1]);
  si.spacing = grid.spacing        ? *grid.spacing
               : grid.nodes_across ? si.length / *grid.nodes_across
                                   : 1 / *grid.resolution;
  set_nodes(root, grid, si.spacing, warnings);
  si.time_step = choose_time_step(fluid, si.spacing);
  const double viscosity = fluid.kinematic_viscosity * si.time_step / (si.spacing * si.spacing);
  const double relaxation_time = 3 * viscosity + 0.5;
  if (relaxation_time > long_relaxation_time) {
    const double mach = fluid.velocity * si.velocity_unit() / sound_speed;
    const double factor = (usual_relaxation_time - 0.5) / (relaxation_time - 0.5);
    warnings.push_back(
        "fluid.si: the relaxation time of " + text(relaxation_time) +
        " steps is so long that walls let the flow slip; choose a Mach number of at most " +
        text(mach * factor) + " (\"mach\"), a time step of at most " + text(si.time_step * factor) +
        " s (\"time_step\"), or leave both out");
  }
  return si;
}

std::string finer_grid_text(const SiScales& si, double found, double limit) {
  const double spacing = si.spacing * limit / found;
  return "choose a spacing of at most " + text(spacing) + " m (now " + text(si.spacing) +
         " m), which is " + text(std::ceil(si.length / spacing * (1 - 1e-9))) +
         " nodes across the length of " + text(si.length) + " m";
}

}  // namespace knudsen::lbm
