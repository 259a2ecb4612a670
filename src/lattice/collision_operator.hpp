#pragma once

namespace knudsen {

/// What takes populations towards equilibrium. Each lattice says which of them it has.
enum class CollisionOperator {
  bgk,
  trt,
  central_moments,        ///< factorised cascaded (Geier, Greiner, Korvink 2009)
  cumulant,               ///< all rates but the shear's 1 (Geier et al. 2015)
  cumulant_galilean,      ///< with its correction of the viscosity at finite velocity
  cumulant_parametrised,  ///< that with the optimised rates of Geier, Pasquali, Schoenherr 2017
};

enum class Forcing { none, guo, velocity_shift };

enum class EddyViscosity { none, smagorinsky };

}  // namespace knudsen
