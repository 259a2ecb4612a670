#pragma once

#include <array>
#include <string>

namespace knudsen {

/// A gas with the viscosity law mu = viscosity (T / 273 K)^viscosity_exponent.
struct NamedGas {
  const char* name;
  double molecule_mass;       ///< kg
  double viscosity;           ///< at 273 K, in Pa s
  double viscosity_exponent;  ///< of variable hard spheres, around 273 K
  int rotation;               ///< degrees of freedom of a molecule's rotation

  double viscosity_at(double temperature) const;  ///< Pa s; the temperature in K
  /// Diameter of variable hard spheres of this viscosity at 273 K, in m.
  double diameter() const;
};

/// G. A. Bird, Molecular Gas Dynamics and the Direct Simulation of Gas Flows, Oxford 1994, Tables
/// A1 and A2: masses, viscosities and exponents of the viscosity.
inline constexpr std::array<NamedGas, 9> named_gases{{
    {"helium", 6.65e-27, 1.865e-5, 0.66, 0},
    {"neon", 33.5e-27, 2.975e-5, 0.66, 0},
    {"argon", 66.3e-27, 2.117e-5, 0.81, 0},
    {"krypton", 139.1e-27, 2.328e-5, 0.80, 0},
    {"xenon", 218.0e-27, 2.107e-5, 0.85, 0},
    {"nitrogen", 46.5e-27, 1.656e-5, 0.74, 2},
    {"oxygen", 53.12e-27, 1.919e-5, 0.77, 2},
    {"air", 48.1e-27, 1.719e-5, 0.77, 2},
    {"carbon-dioxide", 73.1e-27, 1.380e-5, 0.93, 2},
}};

/// The gas of this name; null if there is none.
const NamedGas* find_gas(const std::string& name);

}  // namespace knudsen
