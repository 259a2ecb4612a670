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

double reference_sound_speed() { return std::sqrt(5.0 / 6); }

std::array<GasState, 2> rankine_hugoniot(double mach) {
  if (!(mach > 1)) throw std::invalid_argument("the Mach number of a shock wave must exceed 1");
  const double square = mach * mach;
  const double compression = 4 * square / (square + 3);
  const double heating = (5 * square - 1) * (square + 3) / (16 * square);
  const double speed = mach * reference_sound_speed();
  return {GasState{1, {speed, 0, 0}, 1},
          GasState{compression, {speed / compression, 0, 0}, heating}};
}

}  // namespace knudsen
