#include "kinetic/gas.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace knudsen {

double SiReference::velocity() const {
  return std::sqrt(2 * boltzmann_constant * temperature / molecule_mass);
}

double knudsen_from_rarefaction(double rarefaction) {
  return std::sqrt(std::numbers::pi) / (2 * rarefaction);
}

double rotation_rate(double rotation, double collision_number) {
  return (1 + rotation / 3) * 4 / (std::numbers::pi * collision_number);
}

double eucken_prandtl(double rotation) { return 2 * (5 + rotation) / (15 + 2 * rotation); }

double reference_sound_speed(double rotation) {
  const double freedom = 3 + rotation;
  return std::sqrt((freedom + 2) / (2 * freedom));
}

std::array<GasState, 2> rankine_hugoniot(double mach, double rotation) {
  if (!(mach > 1)) throw std::invalid_argument("the Mach number of a shock wave must exceed 1");
  const double square = mach * mach;
  // With the degrees of freedom of a molecule, gamma is 1 + 2 / freedom.
  const double freedom = 3 + rotation;
  const double compression = (freedom + 1) * square / (square + freedom);
  const double heating =
      ((freedom + 2) * square - 1) * (square + freedom) / ((freedom + 1) * (freedom + 1) * square);
  const double speed = mach * reference_sound_speed(rotation);
  return {GasState{1, {speed, 0, 0}, 1},
          GasState{compression, {speed / compression, 0, 0}, heating}};
}

}  // namespace knudsen
