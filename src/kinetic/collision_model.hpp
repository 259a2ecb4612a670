#pragma once

#include <cmath>

#include "device/function.hpp"
#include "kinetic/maxwellian_state.hpp"
#include "kinetic/moments.hpp"

// What all collision models of the gas methods share. Each model has a header in kinetic/models and
// an entry in collision_models.hpp.

namespace knudsen {

/// Collision parameters of a step, the same for all cells.
struct Collision {
  Gas gas;
  double time_step = 0;       ///< in L / sqrt(2 R T_ref)
  bool conservative = false;  ///< whether the discrete moments of the target are exact
  /// Relative error allowed in the moments of a conservative target; 0: as far as rounding allows.
  double tolerance = 1e-12;
  /// Velocity gained from the body force in a time step.
  double velocity_gain[3] = {0, 0, 0};
};

/// Target and relaxation of one cell: a step replaces f by kept_share x f + relaxed_share x target.
/// The target of BGK is constant during the relaxation. Those of the other models depend on the
/// heat flux or the stress, which decay; the target is chosen so that both end at the values that
/// RelaxationStep gives them.
template <class Model, class Real>
struct CellTarget {
  Maxwellian maxwellian;
  Real kept_share = 1;                            ///< 1 - RelaxationStep::relaxed
  Real relaxed_share = 0;                         ///< 1 - kept_share, without rounding
  Real velocity[3] = {0, 0, 0};                   ///< mean velocity of the gas
  Real half_temperature = 0;                      ///< T / 2 = R T
  typename Model::template Parameters<Real> own;  ///< what the model needs besides
  /// Conservative, unless the target is a Maxwellian: coefficients of the term added to the target,
  /// see invariant_correction.
  Real correction[5] = {0, 0, 0, 0, 0};
};

/// Progress of the relaxation in a step: exact, or by the implicit Euler method.
struct RelaxationStep {
  double time;            ///< rate x time step
  double relaxed;         ///< exact: 1 - exp(-time); implicit: time / (1 + time)
  bool implicit = false;  ///< moments decay by 1 / (1 + speed x time) instead of exp(-speed x time)

  /// Weight of the present moment in the target that makes it decay as it should in a step;
  /// 1 - speed in the limit of a short step.
  KNUDSEN_INLINE_FUNCTION double target_share(double speed) const {
    if (implicit) return (1 - speed) / (1 + speed * time);
    return relaxed > 0 ? 1 + std::expm1(-speed * time) / relaxed : 1 - speed;
  }
};

/// Base of the collision models, with what most of them have in common. A model adds:
///
/// - `name`: as a case spells it.
/// - `Parameters<Real>`: its own numbers of a target (CellTarget::own), set by
///   set_parameters(state, gas, step, integrated, target), where `integrated` is the number of
///   velocity components integrated out.
/// - value(target, maxwellian, cx, cy, cz, square, integrated_share): the target at one velocity.
///   `square` is c^2. integrated_share(variance) is the factor of an entry of a reduced
///   distribution, 1 or the sum of variances given.
/// - For the sweeps of `shakhov`, which evaluate rows of velocities along z:
///   pack(target, amplitude, numbers) writes at most six `numbers` and may replace the amplitude,
///   which is that of the Maxwellian; row(numbers, scaled, cx, cy, c) writes the four coefficients
///   of a row, `scaled` being rate x amplitude x quadrature weights (and Maxwellian factors) of x
///   and y; row_value(c0, c1, c2, c3, table_z, cz) is rate x target, `table_z` being the weight
///   (and factor) of z. A model that does not factorise has integrated_variance(numbers), of a
///   target with components integrated out.
struct ModelDefaults {
  /// Raw moments that the target needs: 5, 13 or, with rotation, 14.
  static constexpr int moments = 13;
  /// Whether the target is the Maxwellian itself.
  static constexpr bool is_maxwellian = false;
  /// Whether the model is of a gas with rotation. `Parameters` then has the factor `rotation` of
  /// the entries of the rotational energy over those of f.
  static constexpr bool rotates = false;
  /// Whether the target is a polynomial times the Maxwellian, which factorises over the components.
  static constexpr bool factorises = true;

  /// Rate of the relaxation: p / mu.
  KNUDSEN_INLINE_FUNCTION static double relaxation_rate(const Gas& gas, double density,
                                                        double temperature) {
    return gas.stress_relaxation_rate(density, temperature);
  }
};

}  // namespace knudsen
