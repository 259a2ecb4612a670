#pragma once

#include <array>
#include <cmath>

#include "device/kokkos.hpp"

// Units of all discrete-velocity methods: a reference density and temperature, the velocity
// sqrt(2 R T_ref), a length L chosen by the case, the time L / sqrt(2 R T_ref). The gas constant is
// then 1/2: the pressure is density x temperature / 2, a Maxwellian density / (pi T)^(3/2)
// exp(-c^2 / T). Results give pressures and stresses in reference pressures, twice the number.

namespace knudsen {

/// A Maxwellian's density, mean velocity and temperature.
struct GasState {
  double density = 1;
  std::array<double, 3> velocity{0, 0, 0};
  double temperature = 1;
};

/// Boltzmann's constant, J/K.
constexpr double boltzmann_constant = 1.380649e-23;

/// Viscosity law mu = mu_ref (T / T_ref)^omega of a monatomic gas.
struct Gas {
  double rarefaction = 1;  ///< delta = p_ref L / (mu_ref sqrt(2 R T_ref))
  double omega = 1;
  double prandtl = 1;  ///< 1 for BGK

  /// p / mu: rate of relaxation of the stress of BGK and Shakhov models.
  KOKKOS_INLINE_FUNCTION double stress_relaxation_rate(double density, double temperature) const {
    return rarefaction * density *
           (omega == 1 ? 1.0 : std::exp((1 - omega) * std::log(temperature)));
  }
};

/// What a case given in SI units says of the reference state; results stay in reference values.
struct SiReference {
  double pressure = 0;       ///< Pa
  double temperature = 0;    ///< K
  double length = 0;         ///< m
  double molecule_mass = 0;  ///< kg
  double viscosity = 0;      ///< Pa s, at the reference temperature

  double velocity() const;  ///< sqrt(2 k T / m), m/s
  double rarefaction() const { return pressure * length / (viscosity * velocity()); }
};

/// Knudsen number from the rarefaction parameter, with the mean free path
/// mu sqrt(pi R T / 2) / p: sqrt(pi) / (2 delta).
double knudsen_from_rarefaction(double rarefaction);

/// Speed of sound at the reference temperature of a monatomic gas: sqrt(5/6).
double reference_sound_speed();

/// States before and behind a normal shock wave along x that stands still, upstream state
/// density 1, temperature 1 (Rankine and Hugoniot, monatomic gas). Mach number above 1.
std::array<GasState, 2> rankine_hugoniot(double mach);

}  // namespace knudsen
