#include "methods/gas/cavity.hpp"

#include <cmath>

namespace knudsen {
namespace {

/// Linear interpolation to the middle of an axis.
struct Middle {
  int low = 0;       ///< cell whose centre is below the middle
  int high = 0;      ///< cell whose centre is at or above it
  double share = 1;  ///< weight of `high`
};

Middle middle_of(const std::vector<double>& widths) {
  double length = 0;
  for (const double width : widths) length += width;
  Middle middle;
  double centre = 0.5 * widths[0];
  while (centre < 0.5 * length && middle.high + 1 < static_cast<int>(widths.size())) {
    middle.low = middle.high++;
    const auto low = static_cast<std::size_t>(middle.low);
    const double span = 0.5 * (widths[low] + widths[low + 1]);
    centre += span;
    middle.share = 1 - (centre - 0.5 * length) / span;
  }
  return middle;
}

}  // namespace

bool is_cavity(const std::array<SideCondition, 6>& sides, int dimensions) {
  if (dimensions < 2) return false;
  for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(dimensions); ++side) {
    if (side >= 4 && sides[side].kind == SideKind::periodic) continue;
    const auto& velocity = sides[side].state.velocity;
    if (sides[side].kind != SideKind::wall || velocity[2] != 0) return false;
    bool uniform = true;
    each_condition(sides[side], [&](const SideCondition& part) {
      uniform = uniform && part.state.velocity == velocity;
    });
    if (!uniform) return false;
    const bool moves = velocity[0] != 0 || velocity[1] != 0;
    if (moves != (side == north)) return false;
  }
  return true;
}

Quantity drag_coefficient_quantity() {
  return {"drag_coefficient", "1",
          "Drag coefficient of the lid: its mean shear stress over p_ref x lid velocity / v_ref, "
          "from the momentum flux through the lid. D of Frezzotti 2010, eq. (27)."};
}

Quantity flow_rate_quantity() {
  return {"flow_rate", "1",
          "Flow rate: integral of |u| along the vertical line through the middle, over lid "
          "velocity x height. G of Frezzotti 2010, eq. (27)."};
}

void add_lid_stress_monitor(std::vector<Quantity>& monitors) {
  monitors.push_back(
      {"lid_stress", "1",
       "Drag coefficient from the shear stress in the cells next to the lid, as in Table 1 of "
       "Frezzotti 2009 and 2010. Its error is of first order in the height of the cells."});
}

void add_vortex_flow_rate_monitor(std::vector<Quantity>& monitors) {
  monitors.push_back({"vortex_flow_rate", "1",
                      "Flow rate of the main vortex: twice the integral of u along the vertical "
                      "line through the middle, from the vortex centre to the lid, over lid "
                      "velocity x height. G of Frezzotti 2009, Table 1."});
}

double cavity_drag(double force_x, const std::array<SideCondition, 6>& sides) {
  return -force_x / sides[north].state.velocity[0];
}

double cavity_lid_stress(const std::array<SideCondition, 6>& sides,
                         const std::vector<double>& widths,
                         const std::function<double(int)>& stress_xy) {
  double sum = 0;
  double length = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    sum += widths[i] * stress_xy(static_cast<int>(i));
    length += widths[i];
  }
  return cavity_drag(sum / length, sides);
}

double cavity_flow_rate(const std::array<SideCondition, 6>& sides,
                        const std::array<std::vector<double>, 3>& widths,
                        const std::function<double(int, int, int)>& velocity_x) {
  const Middle x = middle_of(widths[0]);
  const Middle z = middle_of(widths[2]);
  double sum = 0;
  double height = 0;
  for (std::size_t row = 0; row < widths[1].size(); ++row) {
    const int j = static_cast<int>(row);
    const auto along_x = [&](int k) {
      return (1 - x.share) * velocity_x(x.low, j, k) + x.share * velocity_x(x.high, j, k);
    };
    sum += std::abs((1 - z.share) * along_x(z.low) + z.share * along_x(z.high)) * widths[1][row];
    height += widths[1][row];
  }
  return sum / height / std::abs(sides[north].state.velocity[0]);
}

double cavity_vortex_flow_rate(const std::array<SideCondition, 6>& sides,
                               const std::vector<double>& velocity_x) {
  const double lid = sides[north].state.velocity[0];
  const auto& u = velocity_x;
  std::size_t y = u.size() - 1;
  if (!(u[y] * lid > 0)) return 0;
  // Between the top cell centre and the lid the profile is extrapolated from the two uppermost
  // cells. Below, it is linear between cell centres down to its change of sign.
  double sum = y > 0 ? 0.5 * u[y] + 0.125 * (u[y] - u[y - 1]) : 0.5 * u[y];
  for (; y > 0; --y) {
    const double above = u[y];
    const double below = u[y - 1];
    if (below * lid <= 0) {
      sum += 0.5 * above * above / (above - below);
      break;
    }
    sum += 0.5 * (above + below);
  }
  return 2 * sum / static_cast<double>(u.size()) / lid;
}

}  // namespace knudsen
