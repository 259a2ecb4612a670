#include "methods/lattice/lattice_case.hpp"

#include <algorithm>
#include <cstdio>
#include <numbers>

#include "core/sides.hpp"
#include "core/text.hpp"
#include "lattice/collision_operators.hpp"
#include "lattice/d2q9.hpp"
#include "lattice/d3q19.hpp"
#include "lattice/d3q27.hpp"
#include "lattice/valid_flow.hpp"
#include "methods/lattice/slip.hpp"

namespace knudsen::lbm {
namespace {

constexpr double comfortable_mach = 0.1;
/// Rounding of a Mach number that the program has chosen.
constexpr double mach_rounding = 1e-9;
/// Deviation of the density at open sides beyond which the flow is no longer nearly incompressible.
constexpr double comfortable_deviation = 0.05;
/// Grid Reynolds number up to which flows past bodies between open sides are stable with trt.
constexpr double comfortable_grid_reynolds = 5;
/// Relative rounding of a pressure at a side beyond which there is a warning.
constexpr double comfortable_rounding = 1e-3;
/// Nodes along an axis are counted by 32-bit integers.
constexpr double max_extent = 2147483647;
/// Speeds below this, in node spacings a step, drown in rounding.
constexpr double min_velocity = 1e-12;
/// Lengths in the case's unit and nodes in it, such that no product of theirs overflows.
const Range lengths = {0, 1e12, true, false};

}  // namespace

Grid read_grid(CaseNode& domain, std::size_t dimensions, double max_nodes) {
  const std::string axes = dimensions == 2 ? "x and y" : "x, y and z";
  const auto nodes = domain.integers(
      "nodes", dimensions,
      "Number of nodes along " + axes + ". The length unit of the case is then the node spacing.",
      Range::between(1, max_extent));
  const auto size = domain.numbers("size", dimensions,
                                   "Extents of the domain along " + axes +
                                       " in a length unit of your choice. Requires `resolution`.",
                                   lengths);
  Grid grid;
  grid.max_nodes = max_nodes;
  grid.resolution =
      domain.number("resolution", "Number of nodes per length unit. Requires `size`.", lengths);
  grid.spacing = domain.number("spacing",
                               "Node spacing in metres, for cases in SI units, which give "
                               "`fluid.si`. In `lbm_d3q27` also for a permeability in m^2 in other "
                               "cases.",
                               Range::between(1e-12, 1e6));
  grid.nodes_across = domain.number(
      "nodes_across",
      "Number of nodes across the length `fluid.si.length`, for cases in SI units, in place of "
      "`spacing` or `resolution`.",
      lengths);
  if (domain.describing()) {
    grid.nodes.assign(dimensions, 0);
    return grid;
  }
  if (nodes.has_value() == size.has_value()) {
    domain.fail("", "give either \"nodes\", or \"size\" with \"resolution\"");
  }
  if (size) grid.size = *size;
  if (nodes && (grid.resolution || grid.nodes_across)) {
    const std::string key = grid.resolution ? "resolution" : "nodes_across";
    domain.fail("size", "\"size\" and " + quote(key) + " go together");
  }
  if (size && !grid.resolution) {
    if (grid.nodes_in_si()) return grid;  // read_fluid completes it, or refuses it
    domain.fail("resolution",
                "\"size\" and \"resolution\" go together; a case in SI units may give \"spacing\" "
                "or \"nodes_across\" instead");
  }
  grid.unit = grid.resolution.value_or(1);
  for (std::size_t axis = 0; axis < dimensions; ++axis) {
    grid.add_axis(domain, nodes ? "nodes" : "resolution",
                  nodes ? static_cast<double>((*nodes)[axis]) : (*size)[axis] * *grid.resolution);
  }
  return grid;
}

double Grid::add_axis(CaseNode& node, const std::string& key, double extent) {
  const double rounded = std::max(1.0, std::round(extent));
  node.check_derived(key, "number of nodes along " + axis_names[nodes.size()], rounded,
                     Range::between(1, max_extent));
  double all = rounded;
  for (const int other : nodes) all *= other;
  if (all > max_nodes) {
    node.fail(key, "the grid has more than " + number_text(max_nodes) +
                       " nodes, the limit of this method");
  }
  nodes.push_back(static_cast<int>(rounded));
  return rounded;
}

namespace {

/// Completes the grid, and sets the scales of a case in SI units.
void set_scales(CaseNode& root, const std::optional<SiFluid>& si, Grid& grid, Fluid& fluid,
                std::vector<std::string>& warnings) {
  if (!si) {
    if (!grid.nodes.empty() && !grid.nodes_across) return;
    root.fail_hard("domain", quote(grid.nodes_across ? "nodes_across" : "spacing") +
                                 " with \"size\" belongs to cases in SI units, which give "
                                 "\"fluid.si\"; give that, or \"resolution\"");
  }
  grid.nodes.clear();
  fluid.si = choose_scales(root, *si, grid, warnings);
  const SiScales& scales = *fluid.si;
  fluid.velocity_unit = scales.velocity_unit();
  fluid.force_unit = scales.velocity_unit() * scales.time_step;
  fluid.length = scales.length / scales.spacing;
  fluid.gives_length = scales.fluid.length.has_value();
  fluid.velocity = scales.fluid.velocity * fluid.velocity_unit;
  fluid.has_velocity = true;
  fluid.kinematic_viscosity =
      scales.fluid.kinematic_viscosity * scales.time_step / (scales.spacing * scales.spacing);
}

/// Checks a fluid in lattice units whose viscosity, length and velocity are set, and sets its
/// relaxation time. `from` is the key that sets the viscosity.
void finish_fluid(const CaseNode& node, const std::string& from, bool single_precision, Fluid& p,
                  std::vector<std::string>& warnings) {
  p.relaxation_time = 3 * p.kinematic_viscosity + 0.5;
  node.check_derived(from, "relaxation time", p.relaxation_time,
                     Range::between(0.5, max_relaxation_time));
  node.check_derived(from, "Reynolds number", p.velocity * p.length / p.kinematic_viscosity,
                     Range::positive());
  // Compare as stored: in single precision 0.50000001 is 0.5.
  const bool too_small =
      single_precision ? static_cast<float>(p.relaxation_time) <= 0.5F : p.relaxation_time <= 0.5;
  if (too_small) {
    node.fail(from, "gives the relaxation time " + number_text(p.relaxation_time) +
                        ", which must be greater than 0.5 in the case's precision" +
                        (p.si ? "; choose a smaller spacing or a higher Mach number" : ""));
  }
  if (p.relaxation_time < 0.502) {
    warnings.push_back("relaxation time " + number_text(p.relaxation_time) +
                       " is close to the stability limit 1/2: the flow may diverge where it is "
                       "not well resolved");
  }
}

/// Fails unless "units" says the same as the block "fluid".
void check_units(const CaseNode& root, const std::string& units, bool si_fluid) {
  if (units == "si" && !si_fluid) {
    root.fail("units", "requires the fluid in SI units, \"fluid.si\"");
  }
  if (units == "lattice" && si_fluid) {
    root.fail("units", "\"fluid.si\" gives the fluid in SI units; leave one of them out");
  }
}

}  // namespace

Fluid read_fluid(CaseNode& root, Grid& grid, bool single_precision,
                 std::vector<std::string>& warnings) {
  Fluid p;
  p.rounds_to_float = single_precision;
  std::optional<SiFluid> si;
  const std::string units = root.choice_or(
      "units", "of-fluid", {"of-fluid", "lattice", "si"},
      "Units of the values and results of the case. si: SI units, which need `fluid.si`. lattice: "
      "lattice units. of-fluid: SI units with `fluid.si`, else lattice units.");
  root.require_object(
      "fluid",
      "The fluid: in SI units, `si`, or in lattice units, in which node spacing, time step and "
      "reference density are 1. For these give two of `reynolds`, `velocity` and a viscosity "
      "(`relaxation_time`, `kinematic_viscosity` or `knudsen`), or the viscosity alone.",
      [&](CaseNode& fluid) {
        si = read_si_fluid(fluid);
        check_units(root, units, si.has_value());
        const auto reynolds = fluid.number(
            "reynolds", "Reynolds number: `velocity` x `length` / kinematic viscosity.",
            Range::positive());
        const auto velocity = fluid.number(
            "velocity",
            "Characteristic velocity in node spacings per step. All other velocities of the case "
            "are in units of it, or in node spacings per step if it is neither given nor derived.",
            Range::positive());
        const auto given_length = fluid.number(
            "length",
            "Characteristic length, in the case's length unit, of the Reynolds number and of drag "
            "and lift coefficients, which in three dimensions refer to its square. Default: the "
            "extent along y.",
            lengths);
        const auto relaxation_time = fluid.number(
            "relaxation_time",
            "Relaxation time in steps; the kinematic viscosity is (relaxation_time - 1/2) / 3.",
            Range{0.5, max_relaxation_time, true, false});
        const auto viscosity =
            fluid.number("kinematic_viscosity", "Kinematic viscosity in node spacings^2 per step.",
                         Range::positive());
        const auto knudsen = fluid.number(
            "knudsen",
            "Knudsen number, in place of a viscosity: mean free path over `length`. The mean free "
            "path is viscosity / pressure x sqrt(pi R T / 2), so that this is sqrt(pi) / (2 delta) "
            "as in the methods for gases.",
            Range::positive());
        p.slip = read_slip(fluid);
        if (fluid.describing()) return;
        set_scales(root, si, grid, p, warnings);
        if (si) {
          fluid.check_derived("si", "characteristic velocity in node spacings a step", p.velocity,
                              Range::at_least(min_velocity));
          return finish_fluid(fluid, "si", single_precision, p, warnings);
        }
        p.gives_length = given_length.has_value();
        p.gives_knudsen = knudsen.has_value();
        p.length = given_length ? *given_length * grid.unit : grid.nodes[1];
        if (relaxation_time && viscosity) {
          fluid.fail("kinematic_viscosity",
                     "\"relaxation_time\" already sets the viscosity; give only one of the two");
        }
        if (knudsen && (relaxation_time || viscosity)) {
          fluid.fail("knudsen", quote(relaxation_time ? "relaxation_time" : "kinematic_viscosity") +
                                    " already sets the viscosity; give only one of the two");
        }
        const bool has_viscosity = relaxation_time || viscosity || knudsen;
        if (relaxation_time) p.kinematic_viscosity = (*relaxation_time - 0.5) / 3;
        if (viscosity) p.kinematic_viscosity = *viscosity;
        if (knudsen) {
          p.kinematic_viscosity =
              *knudsen * p.length * sound_speed * std::sqrt(2 / std::numbers::pi);
        }
        if (reynolds && velocity && has_viscosity) {
          fluid.fail("reynolds",
                     "velocity and viscosity already set the Reynolds number; leave one of the "
                     "three out");
        }
        if (reynolds && !velocity && !has_viscosity) {
          fluid.fail("reynolds",
                     "needs \"velocity\", \"relaxation_time\", \"kinematic_viscosity\" or "
                     "\"knudsen\" as well");
        }
        if (!reynolds && !has_viscosity) {
          fluid.fail("",
                     "the viscosity is missing: give \"reynolds\" with \"velocity\", "
                     "\"relaxation_time\", \"kinematic_viscosity\" or \"knudsen\"");
        }
        p.has_velocity = velocity || reynolds;
        if (velocity) p.velocity = *velocity;
        if (reynolds && velocity) p.kinematic_viscosity = *velocity * p.length / *reynolds;
        if (reynolds && !velocity) p.velocity = *reynolds * p.kinematic_viscosity / p.length;
        const std::string from = knudsen    ? "knudsen"
                                 : reynolds ? "reynolds"
                                            : "kinematic_viscosity";
        fluid.check_derived("length", "characteristic length in node spacings", p.length,
                            {0, 1e12, true, false});
        fluid.check_derived(reynolds && !velocity ? "reynolds" : "velocity",
                            "characteristic velocity in node spacings a step", p.velocity,
                            Range::at_least(min_velocity));
        p.velocity_unit = p.velocity;
        finish_fluid(fluid, from, single_precision, p, warnings);
      });
  return p;
}

std::vector<double> read_body_force(CaseNode& collision, const Fluid& fluid,
                                    std::size_t dimensions) {
  const std::string axes = dimensions == 2 ? "x and y" : "x, y and z";
  const std::vector<double> none(dimensions, 0);
  auto force = collision.numbers_or("body_force", none, dimensions,
                                    "Force per unit volume along " + axes + ", in lattice units.",
                                    force_range);
  const auto acceleration = collision.numbers(
      "acceleration", dimensions,
      "Acceleration of the fluid along " + axes +
          " in m/s^2, as by gravity or by a pressure gradient over the density; in place of "
          "`body_force` in a case in SI units.");
  if (collision.describing()) return force;
  if (!fluid.si) {
    if (acceleration) {
      collision.fail("acceleration",
                     "belongs to cases in SI units, which give \"fluid.si\"; give \"body_force\" "
                     "in lattice units");
    }
    return force;
  }
  if (collision.has("body_force")) {
    collision.fail(
        "body_force",
        "belongs to lattice units, but the case is in SI units; give \"acceleration\" in "
        "m/s^2");
  }
  if (!acceleration) return none;
  force = *acceleration;
  for (double& component : force) {
    component *= fluid.force_unit;
    collision.check_derived("acceleration", "body force in lattice units", component, force_range);
  }
  return force;
}

std::optional<FlowRate> read_flow_rate(CaseNode& node, const Fluid& fluid, std::size_t dimensions,
                                       const std::string& text) {
  const bool plane = dimensions == 2;
  const auto volume =
      node.number("flow_rate", "Volume flow rate " + text +
                                   " In characteristic velocities times the length unit" +
                                   (plane ? "" : " squared") + ", or in " +
                                   (plane ? "m^2/s" : "m^3/s") + " in a case in SI units.");
  const auto mass =
      node.number("mass_flow", std::string("Mass flow in ") + (plane ? "kg/(m s)" : "kg/s") +
                                   ", in place of `flow_rate` in a case in SI "
                                   "units: the flow rate times the density of the "
                                   "fluid.");
  if (node.describing() || (!volume && !mass)) return {};
  if (volume && mass) node.fail("mass_flow", "\"flow_rate\" is given too; leave one of them out");
  if (volume) return FlowRate{*volume, "flow_rate"};
  if (!fluid.si) {
    node.fail("mass_flow",
              "belongs to cases in SI units, which give \"fluid.si\"; give \"flow_rate\"");
  }
  return FlowRate{*mass / fluid.si->fluid.density, "mass_flow"};
}

double read_side_density(CaseNode& side, const Fluid& fluid, std::vector<std::string>& warnings) {
  const double density =
      side.number_or("density", 1, "Density, in units of the reference density.", density_range);
  const auto pressure =
      side.number("pressure",
                  "Gauge pressure in Pa, that above the pressure of the reference "
                  "density; in place of `density` in a case in SI units. Default: "
                  "0.");
  if (side.describing()) return density;
  if (!fluid.si) {
    if (pressure) {
      side.fail("pressure",
                "belongs to cases in SI units, which give \"fluid.si\"; give \"density\", which is "
                "3 x pressure in lattice units");
    }
    return density;
  }
  if (side.has("density")) {
    side.fail("density",
              "belongs to lattice units, but the case is in SI units; give \"pressure\" in Pa");
  }
  const double found = fluid.si->density_at(pressure.value_or(0));
  side.check_derived("pressure", "density over that at rest", found, density_range);
  const double deviation = std::abs(found - 1);
  if (deviation > comfortable_deviation) {
    warnings.push_back(
        side.path("pressure") + ": " + number_text(*pressure) + " Pa changes the density by " +
        value_text(std::round(deviation * 1000) / 10) +
        " %, so the flow is not nearly incompressible; choose a time step of at most " +
        value_text(fluid.si->time_step * std::sqrt(comfortable_deviation / deviation)) +
        " s (\"fluid.si.time_step\")");
  }
  const double rounding = static_cast<double>(static_cast<float>(found)) - found;
  if (fluid.rounds_to_float && std::abs(rounding) > comfortable_rounding * deviation) {
    warnings.push_back(side.path("pressure") + ": " + number_text(*pressure) +
                       " Pa is so small beside the pressure of the lattice that single precision "
                       "rounds it by " +
                       value_text(std::round(std::abs(rounding) / deviation * 1e4) / 100) +
                       " %; choose \"precision\" \"double\", or a longer time step");
  }
  return found;
}

double read_amplitude(CaseNode& initial, const Fluid& fluid, const std::string& documentation) {
  const auto amplitude = initial.number(
      "amplitude",
      documentation + ", " + velocity_unit_text + ". Default: the characteristic velocity.",
      Range::positive());
  return amplitude ? *amplitude * fluid.velocity_unit : fluid.velocity;
}

namespace {

std::string lattice_name(int populations) {
  return populations == D2Q9::populations    ? D2Q9::name
         : populations == D3Q19::populations ? D3Q19::name
                                             : D3Q27::name;
}

/// Names of the operators with a property.
std::vector<std::string> operators_with(bool OperatorTraits::*property) {
  std::vector<std::string> names;
  for (const OperatorTraits& traits : all_operator_traits()) {
    if (traits.*property) names.push_back(traits.name);
  }
  return names;
}

/// Throws InputError if the grid is too coarse for the operator.
void check_stability(CaseNode& collision, const OperatorTraits& traits, int populations,
                     const SiScales& si, std::vector<std::string>& warnings) {
  const double found = si.grid_reynolds();
  if (found <= comfortable_grid_reynolds) return;
  std::vector<std::string> others;
  for (const OperatorTraits& other : all_operator_traits()) {
    if (other.suits(populations) && other.max_grid_reynolds > traits.max_grid_reynolds &&
        other.max_grid_reynolds >= found) {
      others.push_back(other.name);
    }
  }
  const std::string what = quote(traits.name) + " at the grid Reynolds number " +
                           value_text(found) +
                           " (velocity x spacing / kinematic viscosity of \"fluid.si\")";
  const std::string other_operators =
      others.empty() ? "" : ", or one of the operators " + quote_list(others);
  if (found > traits.max_grid_reynolds) {
    collision.fail_hard(
        "operator", what + " is not stable, at most " + value_text(traits.max_grid_reynolds) +
                        " is possible: " + finer_grid_text(si, found, traits.max_grid_reynolds) +
                        other_operators);
  }
  warnings.push_back("collision.operator: " + what +
                     " may be unstable at open sides and behind bodies, " +
                     value_text(comfortable_grid_reynolds) +
                     " is safe: " + finer_grid_text(si, found, comfortable_grid_reynolds));
}

std::string belongs_to(const std::vector<std::string>& operators) {
  return (operators.size() == 1 ? "belongs to the operator " : "belongs to the operators ") +
         quote_list(operators);
}

}  // namespace

std::string read_operator(CaseNode& collision, const std::string& fallback,
                          const std::vector<int>& lattices) {
  std::vector<std::string> names;
  std::vector<std::string> texts;
  for (const OperatorTraits& traits : all_operator_traits()) {
    std::vector<std::string> suited;
    for (const int populations : lattices) {
      if (traits.suits(populations)) suited.push_back(lattice_name(populations));
    }
    if (suited.empty()) continue;
    names.push_back(traits.name);
    texts.push_back(traits.name + ": " + traits.text +
                    (suited.size() < lattices.size() ? "; " + join(suited, ", ") + " only" : "") +
                    ".");
  }
  return collision.choice_or("operator", fallback, names, join(texts, " "));
}

double read_magic(CaseNode& collision, const std::string& collision_operator) {
  const auto operators = operators_with(&OperatorTraits::has_magic);
  const double magic =
      collision.number_or("magic", 0.1875,
                          "Magic parameter of " + join(operators, " and ") +
                              ", (tau_1 - 1/2)(tau_2 - 1/2) of its two relaxation times. With 3/16 "
                              "half-way walls are exactly half-way in Poiseuille flow.",
                          Range{0, 1000, true, false});
  if (collision.has("magic") && !operator_traits(collision_operator).has_magic) {
    collision.fail("magic", belongs_to(operators));
  }
  return magic;
}

double read_eddy_constant(CaseNode& collision, const std::string& collision_operator,
                          const std::string& key, bool OperatorTraits::*has_it,
                          const std::string& text, const std::string& usual) {
  const auto operators = operators_with(has_it);
  const double constant =
      collision.number_or(key, 0,
                          text + ", for " + quote_list(operators) + ". A usual value is " + usual +
                              "; 0: no eddy viscosity.",
                          Range::between(0, 1));
  if (constant > 0 && !(operator_traits(collision_operator).*has_it)) {
    collision.fail(key, belongs_to(operators));
  }
  return constant;
}

void check_operator(CaseNode& collision, const std::string& collision_operator, int populations,
                    const Fluid& fluid, std::vector<std::string>& warnings) {
  if (collision.describing()) return;
  const OperatorTraits& traits = operator_traits(collision_operator);
  if (!traits.suits(populations)) {
    std::vector<std::string> suited;
    for (const int other : {D2Q9::populations, D3Q19::populations, D3Q27::populations}) {
      if (traits.suits(other)) suited.push_back(lattice_name(other));
    }
    collision.fail("operator", "needs the lattice " + quote_list(suited));
  }
  if (fluid.relaxation_rate() < traits.min_relaxation_rate) {
    collision.fail("operator", "needs a kinematic viscosity of at most " +
                                   value_text((1 / traits.min_relaxation_rate - 0.5) / 3) +
                                   " (it is " + number_text(fluid.kinematic_viscosity) + ")");
  }
  // That of Smagorinsky makes up for a coarse grid.
  if (fluid.si && !collision.has("smagorinsky"))
    check_stability(collision, traits, populations, *fluid.si, warnings);
}

CollisionParameters<double> collision_parameters(const Fluid& fluid,
                                                 const std::string& collision_operator,
                                                 double magic, std::span<const double> force,
                                                 double smagorinsky_constant) {
  CollisionParameters<double> parameters{fluid.relaxation_rate()};
  parameters.antisymmetric_rate = fluid.antisymmetric_rate(magic);
  parameters.magic = magic;
  parameters.smagorinsky_constant = smagorinsky_constant;
  std::copy(force.begin(), force.end(), parameters.force);
  operator_traits(collision_operator).set_rates(parameters);
  return parameters;
}

void MachCheck::consider(double speed, const std::string& where) {
  if (speed > speed_) {
    speed_ = speed;
    where_ = where;
  }
}

std::string speed_text(double speed) {
  return "speed " + value_text(speed) + " is Mach number " +
         number_text(std::round(speed / sound_speed * 1e4) / 1e4);
}

bool is_too_fast(double speed) { return speed / sound_speed > highest_mach * (1 + mach_rounding); }

namespace {

/// What is said of a value, and whether it is refused. Empty if there is nothing to say.
struct Verdict {
  std::string text;
  bool refused = false;
};
Verdict judge_speed(double speed, const Fluid& fluid) {
  const double mach = speed / sound_speed;
  if (mach <= comfortable_mach * (1 + mach_rounding)) return {};
  const std::string found =
      "speed " + (fluid.si ? value_text(speed / fluid.velocity_unit) + " m/s" : value_text(speed)) +
      " is Mach number " + number_text(std::round(mach * 1e4) / 1e4);
  // The remedy in SI units.
  const auto with = [&](double limit) {
    return " a time step of at most " + value_text(fluid.si->time_step * limit / mach) +
           " s (\"fluid.si.time_step\"), or \"fluid.si.mach\" " +
           value_text(fluid.velocity / sound_speed * limit / mach);
  };
  if (is_too_fast(speed)) {
    return {found + (fluid.si ? ", must be at most " + number_text(highest_mach) + ": choose" +
                                    with(highest_mach)
                              : mach_rule),
            true};
  }
  return {found + "; compressibility errors grow with its square, so keep it below 0.1" +
          (fluid.si ? " by" + with(comfortable_mach) : "")};
}

/// The same of a density over that at rest.
Verdict judge_density(double density, const Fluid& fluid) {
  const double deviation = std::abs(density - 1);
  if (deviation <= comfortable_deviation) return {};
  const std::string found = fluid.si ? "density " + value_text(density * fluid.si->fluid.density) +
                                           " kg/m^3 is " + value_text(density) +
                                           " times that of the fluid, " +
                                           value_text(fluid.si->fluid.density) + " kg/m^3"
                                     : "density " + value_text(density) + " (at rest it is 1)";
  const double least = *density_range.minimum;
  if (density < least || density > highest_valid_density) {
    return {found + ", must be between " + number_text(least) + " and " +
                number_text(highest_valid_density) + " times it",
            true};
  }
  return {found + ", so the flow is not nearly incompressible; keep it within " +
          number_text(100 * comfortable_deviation) + " %"};
}

}  // namespace

std::vector<GivenFault> faults_of_given(const GivenFields& given, std::size_t components,
                                        const Fluid& fluid, const Problem& problem) {
  std::vector<GivenFault> faults;
  const auto add = [&](const std::string& field, std::size_t cell, const Verdict& verdict) {
    if (!verdict.text.empty()) faults.push_back({field, cell, verdict.text, verdict.refused});
  };
  // Worst is the largest ratio, so that a tenth counts as ten times.
  std::size_t worst = 0;
  double most = 0;
  for (std::size_t i = 0; i < given.density.size(); ++i) {
    const double ratio = std::max(given.density[i], 1 / given.density[i]);
    if (ratio > most && !problem.is_solid(i)) {
      most = ratio;
      worst = i;
    }
  }
  if (most > 0) add("density", worst, judge_density(given.density[worst], fluid));
  double highest = 0;
  for (std::size_t i = 0; i * components < given.velocity.size(); ++i) {
    double speed = 0;
    for (std::size_t a = 0; a < components; ++a) {
      speed = std::hypot(speed, given.velocity[i * components + a]);
    }
    if (speed > highest && !problem.is_solid(i)) {
      highest = speed;
      worst = i;
    }
  }
  add("velocity", worst, judge_speed(highest, fluid));
  return faults;
}

void MachCheck::check(CaseNode& root, const Fluid& fluid,
                      std::vector<std::string>& warnings) const {
  const Verdict verdict = judge_speed(speed_, fluid);
  if (verdict.text.empty()) return;
  if (verdict.refused) root.fail_hard("", where_ + ": " + verdict.text);
  warnings.push_back(where_ + ": " + verdict.text);
}

void check_highest_speed(double speed, const Fluid& fluid, std::vector<std::string>& warnings) {
  if (!is_too_fast(speed)) return;
  warnings.push_back("the largest of the fluid at the end, " + judge_speed(speed, fluid).text);
}

ResolvedValue coefficient_reference(const Fluid& fluid, int dimensions) {
  const double length = fluid.length * (fluid.si ? fluid.si->spacing : 1);
  const std::string unit = fluid.si ? "m" : "dx";
  return dimensions == 2
             ? ResolvedValue{"length of drag and lift coefficients", value_text(length), unit}
             : ResolvedValue{"area of drag and lift coefficients", value_text(length * length),
                             unit + "^2"};
}

std::string coefficient_text(const Fluid& fluid, int dimensions) {
  const ResolvedValue reference = coefficient_reference(fluid, dimensions);
  return "2 force / (density velocity^2 " + std::string(dimensions == 2 ? "length" : "length^2") +
         "), " + (dimensions == 2 ? "length " : "length^2 ") + reference.value + ' ' +
         reference.unit +
         (fluid.gives_length ? "" : " by the extent along y, since the case gives no length");
}

void describe_fluid(const Fluid& fluid, std::vector<ResolvedValue>& resolved) {
  const auto add = [&](const std::string& name, double value, const std::string& unit) {
    resolved.push_back({name, value_text(value), unit});
  };
  if (fluid.si) {
    const SiScales& si = *fluid.si;
    add("reference density", si.fluid.density, "kg/m^3");
    add("reference viscosity", si.fluid.kinematic_viscosity, "m^2/s");
    add("reference velocity", si.fluid.velocity, "m/s");
    add("reference length", si.length, "m");
    add("node spacing", si.spacing, "m");
    add("time step", si.time_step, "s");
    add("grid Reynolds number", si.grid_reynolds(), "1");
  }
  add("characteristic length", fluid.length, "spacings");
  if (fluid.has_velocity) {
    const double reynolds = fluid.velocity * fluid.length / fluid.kinematic_viscosity;
    const double mach = fluid.velocity / sound_speed;
    add("characteristic velocity", fluid.velocity, "spacings/step");
    add("Reynolds number", reynolds, "1");
    add("Mach number", mach, "1");
    add("steps of a convective time", fluid.length / fluid.velocity, "steps");
  }
  // That of a liquid would be a property of the lattice alone.
  if (fluid.gives_knudsen) add("Knudsen number", fluid.knudsen(), "1");
  add("kinematic viscosity", fluid.kinematic_viscosity, "spacings^2/step");
  add("relaxation time", fluid.relaxation_time, "steps");
  add("omega", fluid.relaxation_rate(), "1/step");
}

std::string scales_text(const Fluid& fluid) {
  if (!fluid.si) return "";
  const SiScales& si = *fluid.si;
  return "Reynolds number " +
         value_text(si.fluid.velocity * si.length / si.fluid.kinematic_viscosity) +
         ", Mach number " + value_text(fluid.velocity / sound_speed) + ", grid Reynolds number " +
         value_text(si.grid_reynolds()) + ", relaxation time " + value_text(fluid.relaxation_time) +
         " steps, spacing " + value_text(si.spacing) + " m, time step " + value_text(si.time_step) +
         " s";
}

Divergence divergence_at(const std::array<std::int64_t, 3>& node, double density, double speed,
                         const Fluid& fluid) {
  const std::string what =
      std::isnan(density)       ? "a population is not finite"
      : !std::isfinite(density) ? "the density is not finite"
      : !(density > 0) ? "the density is " + value_text(density) + ", must be greater than 0"
      : density > highest_valid_density
          ? "the density is " + value_text(density) + " times that of the fluid, must be at most " +
                value_text(highest_valid_density)
          : "the speed is " + value_text(speed) + " node spacings a step, must be at most " +
                value_text(highest_valid_speed);
  if (fluid.si) {
    return {node, what,
            "choose a smaller spacing (domain), another collision.operator, or a lower "
            "fluid.si.mach"};
  }
  return {node, what,
          "lower fluid.velocity, raise the viscosity (fluid.relaxation_time, or a lower "
          "fluid.reynolds), use more nodes, or choose another collision.operator"};
}

std::string value_text(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.7g", value);
  return text;
}

}  // namespace knudsen::lbm
