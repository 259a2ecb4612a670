#include "kinetic/named_gases.hpp"

#include <cmath>
#include <numbers>

#include "kinetic/gas.hpp"

namespace knudsen {
namespace {

constexpr double reference_temperature = 273;  // K

}  // namespace

double NamedGas::viscosity_at(double temperature) const {
  return viscosity * std::pow(temperature / reference_temperature, viscosity_exponent);
}

double NamedGas::diameter() const {
  const double thermal =
      std::sqrt(molecule_mass * boltzmann_constant * reference_temperature / std::numbers::pi);
  return std::sqrt(15 * thermal /
                   (2 * (5 - 2 * viscosity_exponent) * (7 - 2 * viscosity_exponent) * viscosity));
}

const NamedGas* find_gas(const std::string& name) {
  for (const NamedGas& gas : named_gases) {
    if (name == gas.name) return &gas;
  }
  return nullptr;
}

}  // namespace knudsen
