#include "methods/lattice/scalars_case.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "case/part_names.hpp"
#include "core/text.hpp"
#include "lattice/passive_scalar.hpp"

namespace knudsen::lbm {
namespace {

using Side = ScalarSurroundings::Side;

/// Values such that no product of theirs overflows in single precision.
const Range values = Range::between(-1e9, 1e9);

struct Reader {
  const Fluid& fluid;
  const ScalarSurroundings& around;
  std::vector<std::string>& warnings;
  PartNames names{};

  double unit_of_velocity() const { return fluid.si ? fluid.velocity_unit : 1; }

  void check_name(const CaseNode& node, const std::string& name) const {
    if (node.describing()) return;
    const auto letter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    if (!letter(name.front()) || name.find('-') != std::string::npos) {
      node.fail("name", "must be letters, digits and \"_\", and must not begin with a digit");
    }
    const auto refuse = [&](const std::string& quantity) {
      node.fail("name", quote(quantity) + " is a quantity of the method; choose another name");
    };
    const std::array<const char*, 6> of_tensors{"xx", "yy", "zz", "xy", "yz", "xz"};
    for (const Quantity& field : around.fields) {
      if (field.name == name) refuse(name);
      for (std::size_t c = 0; c < static_cast<std::size_t>(field.components); ++c) {
        if (field.components == 1) continue;
        const std::string part = field.components == 6 ? of_tensors[c] : axis_names[c];
        if (field.name + '_' + part == name) refuse(name);
      }
    }
    // Also in cases without `heat`.
    for (const char* of_heat : {"temperature", "heat"}) {
      if (name == of_heat) refuse(name);
    }
    for (const Quantity& monitor : around.monitors) {
      for (const char* kind : {"mean_", "min_", "max_"}) {
        if (kind + name == monitor.name) refuse(monitor.name);
      }
    }
  }

  double read_diffusivity(CaseNode& node) const {
    const auto diffusivity =
        node.number("diffusivity",
                    "Diffusivity in node spacings^2 per step (SI: m^2/s). Give this or `schmidt`.",
                    Range::positive());
    const auto schmidt = node.number(
        "schmidt", "Schmidt number: kinematic viscosity / diffusivity.", Range::positive());
    if (node.describing()) return 1;
    if (diffusivity.has_value() == schmidt.has_value()) {
      node.fail_hard(schmidt ? "schmidt" : "",
                     schmidt ? "\"diffusivity\" sets it already; give only one of the two"
                             : "the diffusivity is missing: give \"diffusivity\" or \"schmidt\"");
    }
    if (schmidt) return fluid.kinematic_viscosity / *schmidt;
    if (!fluid.si) return *diffusivity;
    return *diffusivity * fluid.si->time_step / (fluid.si->spacing * fluid.si->spacing);
  }

  void check_relaxation_time(const CaseNode& node, const PassiveScalar& scalar) const {
    const double time = scalar.heat.relaxation_time();
    const std::string from = node.has("schmidt") ? "schmidt" : "diffusivity";
    node.check_derived(from, "relaxation time of the scalar", time,
                       Range::between(0.5, max_relaxation_time));
    if (fluid.rounds_to_float ? static_cast<float>(time) <= 0.5F : time <= 0.5) {
      node.fail(from,
                "the diffusivity is too small for the lattice: it gives the relaxation time " +
                    number_text(time) +
                    ", which must be greater than 0.5 in the case's precision; choose more nodes, "
                    "or a larger velocity");
    }
    if (time < near_half) {
      warnings.push_back("scalars: relaxation time " + number_text(time) + " of " +
                         quote(scalar.name) + text_near_half(time));
    }
  }

  /// What a wall or a solid does.
  SurfaceHeat read_surface(CaseNode& node, const Heat& heat) const {
    const auto value = node.number(
        "value",
        "Value at the surface; with `transfer_coefficient` that of the surroundings. At an open "
        "side the value of what enters: default `reference_value` at a side with given velocity, "
        "else that of the outermost nodes, as at an outflow.",
        values);
    const auto coefficient = node.number(
        "transfer_coefficient",
        "Exchange with surroundings of the given `value`: flux over the difference to the value "
        "at the surface, in node spacings per step (SI: m/s). Walls and solids.",
        Range{0, 1e6, true, false});
    const auto flux = node.number(
        "flux",
        "What enters the fluid through a unit of area and time: a value times a velocity, in node "
        "spacings per step (SI: m/s). Walls and solids. Default without `value`: 0.",
        values);
    if (node.describing()) return {};
    if (value && flux) {
      node.fail("flux", "\"value\" is given already; give only one of the two");
    }
    if (coefficient && !value) {
      node.fail("transfer_coefficient",
                "needs \"value\", that of the surroundings with which the fluid exchanges");
    }
    if (coefficient) {
      return {SurfaceHeat::Kind::exchange, *value - heat.reference,
              *coefficient * unit_of_velocity()};
    }
    if (value) return {SurfaceHeat::Kind::temperature, *value - heat.reference};
    return {SurfaceHeat::Kind::flux, flux.value_or(0) * unit_of_velocity()};
  }

  void read_sides(CaseNode& scalar, bool diagonals, Heat& heat) const {
    for (std::size_t side = 0; side < around.sides.size(); ++side) {
      const Side kind = around.sides[side];
      if (kind == Side::velocity) {
        heat.sides[side] = {SurfaceHeat::Kind::temperature, 0};
        heat.sides[side].entering = true;
      }
      if (kind == Side::pressure || kind == Side::outflow) {
        heat.sides[side] = {SurfaceHeat::Kind::outflow, 0};
      }
    }
    scalar.object(
        "sides",
        "What the sides of the domain do to the scalar. The kinds of sides are those of "
        "`boundaries`. Default: walls let nothing through.",
        [&](CaseNode& sides) {
          for (std::size_t side = 0; side < around.sides.size(); ++side) {
            const std::string& name = side_names[side];
            sides.object(name, "The " + name + " side.", [&](CaseNode& node) {
              const SurfaceHeat given = read_surface(node, heat);
              if (node.describing()) return;
              const Side kind = around.sides[side];
              if (kind == Side::periodic || kind == Side::outflow) {
                sides.fail(name, std::string("is ") +
                                     (kind == Side::periodic ? "periodic" : "an outflow") +
                                     " (boundaries." + name +
                                     "), which takes no value; leave this key out");
              }
              if (kind != Side::wall) {
                for (const char* key : {"transfer_coefficient", "flux"}) {
                  if (node.has(key)) {
                    node.fail(key, "is for walls and solids; an open side takes a \"value\"");
                  }
                }
                if (!node.has("value")) return;
              }
              heat.sides[side] = given;
              heat.sides[side].entering =
                  kind == Side::velocity || (kind == Side::pressure && diagonals);
            });
          }
        });
  }

  void read_solids(CaseNode& scalar, Heat& heat) const {
    heat.solids.assign(around.solids.size(), {});
    std::vector<bool> given(around.solids.size(), false);
    scalar.list("solids", "What solids do to the scalar. Default: they let nothing through.",
                [&](CaseNode& node) {
                  const std::string name =
                      node.require_text("name", "Name of a solid of `geometry.solids`.");
                  const SurfaceHeat surface = read_surface(node, heat);
                  if (node.describing()) return;
                  const auto found = std::find(around.solids.begin(), around.solids.end(), name);
                  if (found == around.solids.end()) {
                    node.fail_hard(
                        "name", around.solids.empty()
                                    ? std::string("is no solid: the case has none")
                                    : "is no solid, must be one of " + quote_list(around.solids));
                  }
                  const auto number = static_cast<std::size_t>(found - around.solids.begin());
                  if (given[number]) node.fail("name", "the solid is in the list already");
                  given[number] = true;
                  heat.solids[number] = surface;
                });
  }

  PassiveScalar read(CaseNode& node) {
    PassiveScalar scalar;
    Heat& heat = scalar.heat;
    scalar.name = node.require_text(
        "name",
        "Name of the scalar, which its field has, too: letters, digits and \"_\", not beginning "
        "with a digit. Unique, not the name of a quantity of the method.");
    names.add(node, "name", scalar.name, "another scalar");
    check_name(node, scalar.name);
    scalar.diagonals =
        node.choice_or("lattice", around.axes, {around.axes, around.diagonals},
                       "Lattice of the scalar. With " + around.diagonals +
                           " its diffusivity does not depend on the velocity, and the same in all "
                           "directions to higher order; it takes more memory and time.") ==
        around.diagonals;
    heat.set_lattice(scalar.diagonals ? diagonal_variance : around.diffusivity_factor);
    heat.diffusivity = read_diffusivity(node);
    heat.reference = node.number_or(
        "reference_value", 0,
        "Value from which the populations store the difference. In single precision, choose one "
        "amid those of the flow.",
        values);
    heat.magic = node.number_or(
        "magic", 0.25,
        "Product of (relaxation time - 1/2) of the symmetric and the antisymmetric populations of "
        "the scalar.",
        Range{0, 1e6, true, false});
    heat.initial = 0;
    scalar.length = fluid.si ? fluid.si->spacing : 1;
    scalar.initial = node.formula(
        "initial", {"x", "y", "z"},
        "Value of the fluid at step 0, in node spacings (SI: m) from the lower corner of the "
        "domain. Default: `reference_value`. A field of that name in the file of `initial_fields` "
        "takes precedence.");
    read_sides(node, scalar.diagonals, heat);
    read_solids(node, heat);
    if (node.describing()) return scalar;
    check_relaxation_time(node, scalar);
    return scalar;
  }
};

}  // namespace

double PassiveScalar::initial_at(int x, int y, int z) const {
  if (!initial) return heat.initial;
  const double value =
      (*initial)(std::array{(x + 0.5) * length, (y + 0.5) * length, (z + 0.5) * length});
  if (std::isfinite(value) && values.contains(value)) return value - heat.reference;
  throw InputError("scalars: the initial value of " + quote(name) + " is " + number_text(value) +
                   " in node (" + std::to_string(x) + ", " + std::to_string(y) + ", " +
                   std::to_string(z) + "), must be finite and " + values.text() +
                   "; change the formula");
}

std::vector<PassiveScalar> read_scalars(CaseNode& root, const Fluid& fluid,
                                        const ScalarSurroundings& around,
                                        std::vector<std::string>& warnings) {
  std::vector<PassiveScalar> scalars;
  Reader reader{fluid, around, warnings};
  root.list("scalars",
            "Passive scalars that the flow carries, such as concentrations, besides `heat` or "
            "without it. They do not act on the flow. Each one has its own diffusivity and costs a "
            "kernel a step.",
            [&](CaseNode& node) {
              PassiveScalar scalar = reader.read(node);
              if (!node.describing()) scalars.push_back(std::move(scalar));
            });
  return scalars;
}

std::string scalars_variant(const std::vector<PassiveScalar>& scalars) {
  if (scalars.empty()) return "";
  return ' ' + std::to_string(scalars.size()) + (scalars.size() == 1 ? " scalar" : " scalars");
}

void describe_scalars(const std::vector<PassiveScalar>& scalars, const Fluid& fluid,
                      std::vector<ResolvedValue>& resolved) {
  for (const PassiveScalar& scalar : scalars) {
    const auto add = [&](const std::string& what, double value, const std::string& unit) {
      resolved.push_back({what + " of " + scalar.name, value_text(value), unit});
    };
    add("diffusivity", scalar.heat.diffusivity, "dx^2 / dt");
    add("relaxation time", scalar.heat.relaxation_time(), "dt");
    add("Schmidt number", fluid.kinematic_viscosity / scalar.heat.diffusivity, "1");
  }
}

}  // namespace knudsen::lbm
