#pragma once

#include <array>
#include <cmath>

#include "device/function.hpp"

// Units of all discrete-velocity methods: density and temperature in reference values, velocity in
// sqrt(2 R T_ref), length in a unit L chosen by the case, time in L / sqrt(2 R T_ref). The gas
// constant is then 1/2, the pressure density x temperature / 2, and a Maxwellian
// density / (pi T)^(3/2) exp(-c^2 / T). Results give pressures and stresses in reference pressures,
// which are twice these numbers.

namespace knudsen {

/// Density, mean velocity and temperature of a Maxwellian.
struct GasState {
  double density = 1;
  std::array<double, 3> velocity{0, 0, 0};
  double temperature = 1;
};

/// Boltzmann's constant, J/K.
constexpr double boltzmann_constant = 1.380649e-23;

/// A gas with the viscosity law mu = mu_ref (T / T_ref)^viscosity_exponent.
struct Gas {
  double rarefaction = 1;         ///< delta = p_ref L / (mu_ref sqrt(2 R T_ref))
  double viscosity_exponent = 1;  ///< of the viscosity law
  double prandtl = 1;             ///< Prandtl number; 1 for BGK
  double rotation = 0;            ///< degrees of freedom of a molecule's rotation; 0: monatomic
  /// Rate at which the rotational and the translational temperature approach each other, in p / mu.
  double rotation_rate = 0;

  /// Bulk viscosity over viscosity, from the lag of the rotation behind a slow compression.
  double bulk_viscosity_ratio() const {
    return rotation > 0 ? 2 * rotation / (3 * (3 + rotation) * rotation_rate) : 0;
  }

  /// p / mu, the rate at which the stress of the BGK and Shakhov models relaxes.
  KNUDSEN_INLINE_FUNCTION double stress_relaxation_rate(double density, double temperature) const {
    return rarefaction * density *
           (viscosity_exponent == 1 ? 1.0
                                    : std::exp((1 - viscosity_exponent) * std::log(temperature)));
  }
};

/// Reference state of a case given in SI units. Results stay in reference values.
struct SiReference {
  double pressure = 0;       ///< Pa
  double temperature = 0;    ///< K
  double length = 0;         ///< m
  double molecule_mass = 0;  ///< kg
  double viscosity = 0;      ///< Pa s, at the reference temperature

  double velocity() const;  ///< sqrt(2 k T / m), m/s
  double density() const { return 2 * pressure / (velocity() * velocity()); }  ///< kg/m^3
  double rarefaction() const { return pressure * length / (viscosity * velocity()); }
};

/// Knudsen number sqrt(pi) / (2 delta), with the mean free path mu sqrt(pi R T / 2) / p. The same
/// function gives delta from the Knudsen number.
double knudsen_from_rarefaction(double rarefaction);

/// Gas::rotation_rate for a collision number Z by Jeans's law: the rate of change of the rotational
/// temperature is its distance from the translational one over Z collision times pi mu / (4 p).
double rotation_rate(double rotation, double collision_number);
/// Prandtl number of a gas by Eucken's formula 4 gamma / (9 gamma - 5); 2/3 if it is monatomic.
double eucken_prandtl(double rotation);

/// Speed of sound at the reference temperature, sqrt(gamma / 2) sqrt(2 R T_ref), of a gas with
/// `rotation` degrees of freedom of the rotation.
double reference_sound_speed(double rotation = 0);

/// States upstream and downstream of a stationary normal shock wave (Rankine and Hugoniot) in a gas
/// with `rotation` degrees of freedom of the rotation. The upstream state has density 1,
/// temperature 1 and flows along x. Throws std::invalid_argument unless mach > 1.
std::array<GasState, 2> rankine_hugoniot(double mach, double rotation = 0);

}  // namespace knudsen
