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

namespace knudsen::lbm {
namespace {

/// The low-Mach expansion of the equilibrium is meaningless beyond this Mach number (mach_rule).
constexpr double highest_mach = 0.3;
constexpr double comfortable_mach = 0.1;
/// Nodes along an axis are counted by 32-bit integers.
constexpr double max_extent = 2147483647;
/// Beyond this relaxation time, in steps, a lattice resolves neither the fluid's motion nor the
/// gas's; single precision soon cannot hold the change in a step.
constexpr double max_relaxation_time = 1e6;
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
  const auto resolution =
      domain.number("resolution", "Number of nodes per length unit. Requires `size`.", lengths);
  Grid grid;
  if (domain.describing()) return {std::vector<int>(dimensions, 0), 1};
  if (nodes.has_value() == size.has_value()) {
    domain.fail("", "give either \"nodes\", or \"size\" with \"resolution\"");
  }
  if (size.has_value() != resolution.has_value()) {
    domain.fail(size ? "resolution" : "size", "\"size\" and \"resolution\" go together");
  }
  double all = 1;
  for (std::size_t axis = 0; axis < dimensions; ++axis) {
    const double extent = nodes ? static_cast<double>((*nodes)[axis])
                                : std::max(1.0, std::round((*size)[axis] * *resolution));
    domain.check_derived(nodes ? "nodes" : "resolution",
                         "number of nodes along " + axis_names[axis], extent,
                         Range::between(1, max_extent));
    all *= extent;
    if (all > max_nodes) {
      domain.fail(
          nodes ? "nodes" : "resolution",
          "the grid has more than " + number_text(max_nodes) + " nodes, the limit of this method");
    }
    grid.nodes.push_back(static_cast<int>(extent));
  }
  grid.unit = resolution.value_or(1);
  return grid;
}

Fluid read_fluid(CaseNode& root, double length, double unit, bool single_precision,
                 std::vector<std::string>& warnings) {
  Fluid p;
  p.length = length;
  root.require_object(
      "fluid",
      "The fluid, in lattice units: node spacing, time step and reference density are 1. Give two "
      "of `reynolds`, `velocity` and a viscosity (`relaxation_time` or `kinematic_viscosity`), or "
      "the viscosity alone.",
      [&](CaseNode& fluid) {
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
            "Characteristic length, in the case's length unit. Default: the extent along y.",
            lengths);
        const auto relaxation_time = fluid.number(
            "relaxation_time",
            "Relaxation time in steps; the kinematic viscosity is (relaxation_time - 1/2) / 3.",
            Range{0.5, max_relaxation_time, true, false});
        const auto viscosity =
            fluid.number("kinematic_viscosity", "Kinematic viscosity in node spacings^2 per step.",
                         Range::positive());
        if (fluid.describing()) return;
        if (given_length) p.length = *given_length * unit;
        if (relaxation_time && viscosity) {
          fluid.fail("kinematic_viscosity",
                     "\"relaxation_time\" already sets the viscosity; give only one of the two");
        }
        const bool has_viscosity = relaxation_time || viscosity;
        if (relaxation_time) p.kinematic_viscosity = (*relaxation_time - 0.5) / 3;
        if (viscosity) p.kinematic_viscosity = *viscosity;
        if (reynolds && velocity && has_viscosity) {
          fluid.fail("reynolds",
                     "velocity and viscosity already set the Reynolds number; leave one of the "
                     "three out");
        }
        if (reynolds && !velocity && !has_viscosity) {
          fluid.fail("reynolds",
                     "needs \"velocity\", \"relaxation_time\" or \"kinematic_viscosity\" as well");
        }
        if (!reynolds && !has_viscosity) {
          fluid.fail("",
                     "the viscosity is missing: give \"reynolds\" with \"velocity\", "
                     "\"relaxation_time\" or \"kinematic_viscosity\"");
        }
        p.has_velocity = velocity || reynolds;
        if (velocity) p.velocity = *velocity;
        if (reynolds && velocity) p.kinematic_viscosity = *velocity * p.length / *reynolds;
        if (reynolds && !velocity) p.velocity = *reynolds * p.kinematic_viscosity / p.length;
        const std::string from = reynolds ? "reynolds" : "kinematic_viscosity";
        fluid.check_derived("length", "characteristic length in node spacings", p.length,
                            {0, 1e12, true, false});
        fluid.check_derived(reynolds && !velocity ? "reynolds" : "velocity",
                            "characteristic velocity in node spacings a step", p.velocity,
                            Range::at_least(min_velocity));
        p.relaxation_time = 3 * p.kinematic_viscosity + 0.5;
        fluid.check_derived(from, "relaxation time", p.relaxation_time,
                            Range::between(0.5, max_relaxation_time));
        fluid.check_derived(from, "Reynolds number", p.velocity * p.length / p.kinematic_viscosity,
                            Range::positive());
        // Compare as stored: in single precision 0.50000001 is 0.5.
        const bool too_small = single_precision ? static_cast<float>(p.relaxation_time) <= 0.5F
                                                : p.relaxation_time <= 0.5;
        if (too_small) {
          fluid.fail(from, "gives the relaxation time " + number_text(p.relaxation_time) +
                               ", which must be greater than 0.5 in the case's precision");
        }
        if (p.relaxation_time < 0.502) {
          warnings.push_back("relaxation time " + number_text(p.relaxation_time) +
                             " is close to the stability limit 1/2: bgk is likely to diverge where "
                             "the flow is not well resolved");
        }
      });
  return p;
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

double read_smagorinsky_constant(CaseNode& collision, const std::string& collision_operator) {
  const auto operators = operators_with(&OperatorTraits::has_eddy_viscosity);
  const double constant = collision.number_or("smagorinsky", 0,
                                              "Smagorinsky constant of the eddy viscosity, for " +
                                                  join(operators, " and ") +
                                                  ". A usual value is 0.1; 0: no eddy viscosity.",
                                              Range::between(0, 1));
  if (constant > 0 && !operator_traits(collision_operator).has_eddy_viscosity) {
    collision.fail("smagorinsky", belongs_to(operators));
  }
  return constant;
}

void check_operator(CaseNode& collision, const std::string& collision_operator, int populations,
                    const Fluid& fluid) {
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

bool is_too_fast(double speed) { return speed / sound_speed > highest_mach; }

void MachCheck::check(CaseNode& root, std::vector<std::string>& warnings) const {
  const std::string found = where_ + ": " + speed_text(speed_);
  if (is_too_fast(speed_)) root.fail_hard("", found + mach_rule);
  if (speed_ / sound_speed > comfortable_mach) {
    warnings.push_back(found +
                       "; compressibility errors grow with its square, so keep it below 0.1");
  }
}

void describe_fluid(const Fluid& fluid, std::vector<ResolvedValue>& resolved) {
  const auto add = [&](const std::string& name, double value, const std::string& unit) {
    resolved.push_back({name, value_text(value), unit});
  };
  add("characteristic length", fluid.length, "spacings");
  if (fluid.has_velocity) {
    const double reynolds = fluid.velocity * fluid.length / fluid.kinematic_viscosity;
    const double mach = fluid.velocity / sound_speed;
    add("characteristic velocity", fluid.velocity, "spacings/step");
    add("Reynolds number", reynolds, "1");
    add("Mach number", mach, "1");
    add("Knudsen number", mach / reynolds * std::sqrt(std::numbers::pi / 2), "1");
    add("steps of a convective time", fluid.length / fluid.velocity, "steps");
  }
  add("kinematic viscosity", fluid.kinematic_viscosity, "spacings^2/step");
  add("relaxation time", fluid.relaxation_time, "steps");
  add("omega", fluid.relaxation_rate(), "1/step");
}

Divergence divergence_at(const std::array<std::int64_t, 3>& node, double density, double speed) {
  const std::string what =
      std::isnan(density)       ? "a population is not finite"
      : !std::isfinite(density) ? "the density is not finite"
      : !(density > 0)
          ? "the density is " + value_text(density) + ", must be greater than 0"
          : "the speed is " + value_text(speed) + " node spacings a step, must be at most " +
                value_text(highest_valid_speed);
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
