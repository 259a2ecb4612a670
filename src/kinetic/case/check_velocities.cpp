#include "kinetic/case/check_velocities.hpp"

#include <cmath>
#include <numbers>

#include "core/text.hpp"
#include "kinetic/case/gas_case.hpp"
#include "kinetic/surface.hpp"

namespace knudsen {
namespace {

/// Fraction of a Maxwellian outside the velocity grid above which a warning is given.
constexpr double warning_share = 1e-4;
/// Fraction of a Maxwellian outside the velocity grid above which the case is refused.
constexpr double max_share = 0.02;
/// Relative error of the discrete density of a Maxwellian above which a warning is given.
constexpr double warning_error = 1e-3;

/// Discrete density of a Maxwellian of unit density.
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

}  // namespace

void add_side_states(const std::array<SideCondition, 6>& sides, std::vector<NamedState>& states) {
  for (std::size_t side = 0; side < 6; ++side) {
    const SurfaceLaw law = surface_law(sides[side]);
    if (law.balanced || law.open()) {
      states.push_back({"boundaries." + side_names[side], sides[side].state});
    }
  }
}

void check_velocities(CaseNode& root, const VelocityGrid& velocities,
                      const std::vector<NamedState>& states, std::vector<std::string>& warnings) {
  for (const NamedState& named : states) {
    const GasState& s = named.state;
    const double outside = share_outside(velocities, s.velocity, s.temperature);
    const auto text_of = [&](double share) {
      return number_text(rounded(100 * share)) + " % of the Maxwellian of \"" + named.where +
             "\" (temperature " + number_text(rounded(s.temperature)) + ", velocity " +
             number_text(rounded(s.velocity[0])) + ", " + number_text(rounded(s.velocity[1])) +
             ", " + number_text(rounded(s.velocity[2])) + ")";
    };
    if (outside > max_share) {
      root.fail("velocity_grid", "leaves out " + text_of(outside) + ", may be at most " +
                                     number_text(100 * max_share) +
                                     " %; widen \"minimum\" and \"maximum\"");
    }
    if (outside > warning_share) {
      warnings.push_back("velocity_grid: leaves out " + text_of(outside));
      continue;
    }
    const double sum = density_on_grid(velocities, s);
    if (std::abs(sum - 1) > warning_error) {
      warnings.push_back("velocity_grid: too few velocities for \"" + named.where +
                         "\": the discrete density of its Maxwellian is " +
                         number_text(rounded(sum)) + " times the exact one");
    }
  }
}

}  // namespace knudsen
