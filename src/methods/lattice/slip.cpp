#include "methods/lattice/slip.hpp"

#include <cmath>
#include <numbers>

#include "core/text.hpp"
#include "lattice/operators/trt.hpp"

namespace knudsen::lbm {

std::optional<SlipCoefficients> read_slip(CaseNode& fluid) {
  std::optional<SlipCoefficients> found;
  fluid.object(
      "slip",
      "Slip of the gas at walls with `accommodation`: the velocity along such a wall, less that of "
      "the wall, is first_order x (2 - accommodation) / accommodation x (0.8808 + 0.1192 "
      "accommodation) x mean free path x its first derivative along the normal into the gas - "
      "second_order x mean free path^2 x its second derivative.",
      [&](CaseNode& node) {
        SlipCoefficients slip;
        slip.first_order = node.number_or(
            "first_order", slip.first_order,
            "First slip coefficient of a diffuse wall. The default is that of the models of "
            "Bhatnagar, Gross and Krook and of Shakhov; hard spheres have 1.11.",
            Range{0, 100, true, false});
        slip.second_order = node.number_or(
            "second_order", slip.second_order,
            "Second slip coefficient. The default gives the flow rates of these models through a "
            "plane channel; hard spheres have 0.31. It sets the magic parameter of trt.",
            Range::between(0, 100));
        found = slip;
      });
  return found;
}

std::optional<double> read_accommodation_of(CaseNode& wall, const Fluid& fluid,
                                            const std::string& collision_operator,
                                            bool has_eddy_viscosity, const std::string& rule) {
  const auto accommodation = wall.number(
      "accommodation",
      std::string("Accommodation coefficient of the momentum along the wall, which makes the fluid "
                  "slip (`fluid.slip`): 1 is a diffuse wall, 0 one without friction. Default: no "
                  "slip.") +
          rule,
      Range::between(0, 1));
  if (wall.describing() || !accommodation) return std::nullopt;
  if (collision_operator != Trt::name) {
    wall.fail("accommodation",
              "needs the operator \"trt\", whose second relaxation time sets the second slip "
              "coefficient; collision.operator is " +
                  quote(collision_operator));
  }
  if (has_eddy_viscosity) {
    wall.fail("accommodation",
              "is for laminar flow of a gas, without an eddy viscosity; leave out "
              "\"collision.smagorinsky\" or \"accommodation\"");
  }
  if (fluid.si) {
    wall.fail("accommodation",
              "needs a case in lattice units, with \"fluid.knudsen\": in SI units the program "
              "chooses the Mach number, and with it the mean free path");
  }
  return accommodation;
}

std::string accommodation_needs_shape(const std::string& solid) {
  return quote(solid) +
         " has an \"accommodation\", which needs a shape with a surface, not an image or a node "
         "map";
}

double read_accommodation(CaseNode& wall, const Fluid& fluid, const std::string& collision_operator,
                          bool has_eddy_viscosity) {
  const auto found = read_accommodation_of(wall, fluid, collision_operator, has_eddy_viscosity);
  return found ? mirrored_share(fluid.slip.value_or(SlipCoefficients{}), *found) : 0;
}

double first_coefficient(const SlipCoefficients& slip, double accommodation) {
  return slip.first_order * (2 - accommodation) *
         (1 - SlipCoefficients::less_by * (1 - accommodation));
}

double mirrored_share(const SlipCoefficients& slip, double accommodation) {
  const double mirrored = first_coefficient(slip, accommodation) * std::sqrt(std::numbers::pi / 6);
  return mirrored / (mirrored + accommodation);
}

double magic_with_slip(const Fluid& fluid) {
  const double path = fluid.mean_free_path();
  return 3.0 / 16 + 1.5 * fluid.slip.value_or(SlipCoefficients{}).second_order * path * path;
}

void describe_slip(const Fluid& fluid, std::vector<ResolvedValue>& resolved) {
  const SlipCoefficients slip = fluid.slip.value_or(SlipCoefficients{});
  const auto add = [&](const std::string& name, double value, const std::string& unit) {
    resolved.push_back({name, value_text(value), unit});
  };
  add("mean free path", fluid.mean_free_path(), "spacings");
  if (!fluid.gives_knudsen) add("Knudsen number", fluid.knudsen(), "1");
  add("first slip coefficient", slip.first_order, "1");
  add("second slip coefficient", slip.second_order, "1");
}

}  // namespace knudsen::lbm
