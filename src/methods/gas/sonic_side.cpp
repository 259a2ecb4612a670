#include "methods/gas/sonic_side.hpp"

#include <cmath>
#include <cstddef>
#include <optional>

#include "core/sides.hpp"
#include "core/text.hpp"
#include "kinetic/case/gas_case.hpp"
#include "methods/gas/quantities.hpp"

namespace knudsen {
namespace {

/// Pressure at the speed of sound over that at rest, of a dense gas that flows without friction:
/// (2 / (gamma + 1))^(gamma / (gamma - 1)).
double critical_pressure_ratio(double rotation) {
  const double freedom = 3 + rotation;
  return std::pow(freedom / (freedom + 1), (freedom + 2) / 2);
}

/// What is true of both ends.
std::string beyond(double ratio, double rotation) {
  return "below the critical ratio " + number_text(rounded(critical_pressure_ratio(rotation))) +
         " of a gas with " + number_text(3 + rotation) + " degrees of freedom (found " +
         number_text(rounded(ratio)) +
         "): where little friction slows it down, the flow reaches the speed of sound at this "
         "side, "
         "which is for slower flow and then ends the run; take ";
}

}  // namespace

void warn_of_choking(const std::array<SideCondition, 6>& sides, double rotation,
                     std::vector<std::string>& warnings) {
  std::optional<std::size_t> high;
  std::optional<std::size_t> low;
  const auto pressure = [&](std::size_t side) { return given_pressure(sides[side]).value(); };
  for (std::size_t side = 0; side < sides.size(); ++side) {
    if (!given_pressure(sides[side])) continue;
    if (!high || pressure(side) > pressure(*high)) high = side;
    if (!low || pressure(side) < pressure(*low)) low = side;
  }
  if (!high) return;
  const double critical = critical_pressure_ratio(rotation);
  bool leaves = false;  // through a side of given pressure, of which is warned
  for (std::size_t side = 0; side < sides.size(); ++side) {
    const double ratio = given_pressure(sides[side]).value_or(1) / pressure(*high);
    if (sides[side].kind != SideKind::pressure || ratio >= critical) continue;
    leaves = true;
    warnings.push_back("boundaries." + side_names[side] + ": its pressure over that of the side " +
                       quote(side_names[*high]) + " is " + beyond(ratio, rotation) +
                       "\"reservoir\" or \"vacuum\", with some of the room behind the outlet in "
                       "the domain");
  }
  const double ratio = pressure(*low) / pressure(*high);
  if (leaves || sides[*high].kind != SideKind::pressure || ratio >= critical) return;
  warnings.push_back("boundaries." + side_names[*high] + ": the pressure of the side " +
                     quote(side_names[*low]) + " over its own is " + beyond(ratio, rotation) +
                     "\"reservoir\", with some of the room before the inlet in the domain");
}

Divergence sonic_side(const std::array<std::int64_t, 3>& cell, int side, double mach) {
  return {
      cell,
      "the flow through the side \"" + side_names[static_cast<std::size_t>(side)] +
          "\" of given pressure has the Mach number " + number_text(rounded(mach)) +
          ", must be below 1",
      "give pressures that differ less, or an initial state closer to the flow; for flow at the "
      "speed of sound make the side a \"reservoir\" or a \"vacuum\""};
}

std::vector<std::string> warnings_of_limits(const std::array<double, 6>& mach) {
  std::vector<std::string> warnings;
  for (std::size_t side = 0; side < mach.size(); ++side) {
    if (!(mach[side] >= 1)) continue;
    warnings.push_back("boundaries." + side_names[side] +
                       ": between checks the Mach number across "
                       "this side of given pressure reached " +
                       number_text(rounded(mach[side])) +
                       ", and the side limited the velocity to that of sound; a steady flow that "
                       "the run came to later is not affected, what it computed until then is");
  }
  return warnings;
}

}  // namespace knudsen
