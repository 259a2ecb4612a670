#include "methods/boltzmann/molecules.hpp"

#include <numbers>

namespace knudsen::boltzmann {
namespace {

/// Relative excess of the viscosity of hard spheres over the first Sonine approximation.
constexpr double exact_excess = 0.016034;
/// The same for the second Sonine approximation.
constexpr double second_excess = 3.0 / 202;

}  // namespace

Molecules variable_hard_spheres(double rarefaction, double viscosity_exponent) {
  Molecules molecules;
  const double a = viscosity_exponent - 0.5;
  molecules.softness = a;
  // The collision integrals Omega_2^(2), (3) and (4) are as 1 : 4 - a : (4 - a) (5 - a).
  const double b12 = 7 - 2 * (4 - a);
  const double b22 = 301.0 / 12 - 7 * (4 - a) + (4 - a) * (5 - a);
  const double second = 1 / (1 - b12 * b12 / (4 * b22));
  const double viscosity = 1 + (second - 1) * exact_excess / second_excess;
  const double hard_sphere_rate =
      rarefaction * viscosity * 5 * std::sqrt(std::numbers::pi) / (8 * std::sqrt(2.0));
  // Gives the same Omega_2^(2) as hard spheres with this rate.
  molecules.rate = hard_sphere_rate * std::pow(2.0, a) * std::tgamma(4.0) / std::tgamma(4 - a);
  return molecules;
}

double collision_frequency(const Molecules& molecules, double speed) {
  const double relative = speed > 0 ? std::exp(-speed * speed) / std::sqrt(std::numbers::pi) +
                                          (speed + 0.5 / speed) * std::erf(speed)
                                    : 2 / std::sqrt(std::numbers::pi);
  return molecules.rate * std::pow(relative, 1 - 2 * molecules.softness);
}

}  // namespace knudsen::boltzmann
