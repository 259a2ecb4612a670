#include "methods/lbm_d2q9/solid_slip.hpp"

#include <array>

#include "methods/lattice/slip.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

/// Components of the velocity of population q along a normal n and along t = (-n_y, n_x).
struct Components {
  double normal;
  double along;
};
Components components(int q, const Point2D& n) {
  return {D2Q9::cx(q) * n[0] + D2Q9::cy(q) * n[1], D2Q9::cy(q) * n[0] - D2Q9::cx(q) * n[1]};
}

}  // namespace

SlipClass<double> SolidSlip::slip_class(const std::vector<SlipLink>& links, const WallFrame& wall,
                                        double of_wall) const {
  using Nine = std::array<double, 9>;
  const Point2D& n = wall.surface.normal;
  const double even = relaxation_time - 0.5;
  const double antisymmetric_time = magic / even + 0.5;

  // Along walls that no lattice direction is parallel to, the second derivative of a straight flow
  // would be unstable (NOTES.md).
  const bool exact = wall.surface.curvature == 0 && is_aligned(n);

  // The shear rate at the node, and the second derivative W along the normal of the velocity
  // along the wall, as functions of the populations.
  Nine shear_rate{};
  Nine second{};
  const double product = n[0] * n[1];
  const double norm = 2.0 / 27 - 2.0 / 9 * product * product;
  for (int q = 0; q < 9; ++q) {
    const auto [normal, along] = components(q, n);
    const auto i = static_cast<std::size_t>(q);
    shear_rate[i] = -3 * along * normal / relaxation_time;
    second[i] = exact ? along * (normal * normal - 1.0 / 3) / (3 * antisymmetric_time * even * norm)
                      : -2 * wall.surface.curvature * shear_rate[i];
  }

  // What the links take in for a slip velocity and for W of one.
  Nine of_slip{};
  Nine of_second{};
  for (const SlipLink& link : links) {
    const auto [normal, along] = components(link.q, link.normal);
    const auto i = static_cast<std::size_t>(link.q);
    of_slip[i] = 6 * D2Q9::weight<double>(link.q) * along / (1 + link.distance);
    of_second[i] = of_slip[i] * (magic * (normal * normal - 1.0 / 3) -
                                 link.distance * link.distance * normal * normal / 2);
  }

  // accommodation x slip = first (shear rate - distance W) - accommodation x second order W, with
  // both sides of the populations after they are added: two equations for slip and W.
  const double first = lbm::first_coefficient(coefficients, of_wall) * mean_free_path;
  const double of_curvature =
      first * wall.distance + of_wall * coefficients.second_order * mean_free_path * mean_free_path;
  const auto product_of = [](const Nine& a, const Nine& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  const double a11 = of_wall - first * product_of(shear_rate, of_slip);
  const double a12 = of_curvature - first * product_of(shear_rate, of_second);
  const double a21 = -product_of(second, of_slip);
  const double a22 = 1 - product_of(second, of_second);
  const double determinant = a11 * a22 - a12 * a21;
  SlipClass<double> found;
  for (std::size_t r = 0; r < 9; ++r) {
    const double slip = (a22 * first * shear_rate[r] - a12 * second[r]) / determinant;
    const double bend = (a11 * second[r] - a21 * first * shear_rate[r]) / determinant;
    for (std::size_t q = 0; q < 9; ++q) {
      found.gain[q][r] = of_slip[q] * slip + of_second[q] * bend;
    }
  }
  return found;
}

}  // namespace knudsen::lbm_d2q9
