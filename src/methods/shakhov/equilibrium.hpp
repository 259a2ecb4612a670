#pragma once

#include "methods/shakhov/sweep_space.hpp"

// Evaluation of a cell's equilibrium in the sweeps, in three stages: twelve numbers for each cell
// (`target`) give a table of exponentials for each velocity component, then four coefficients for
// each row of velocities with equal x and y components. That leaves two to five operations for each
// velocity.

namespace knudsen::shakhov {

/// Indices into a cell's `target`.
enum TargetNumber : int {
  rate_number = 0,                 ///< relaxation rate 1 / tau of eq. (6)
  velocity_number = 1,             ///< mean velocity of the Maxwellian, 3 numbers
  inverse_temperature_number = 4,  ///< 1 / T of the Maxwellian
  amplitude_number = 5,            ///< amplitude of the Maxwellian or, for ES-BGK, of the Gaussian
  heat_number = 6,  ///< Shakhov, 3 numbers: the correction of eq. (2) is (heat . c) (width c^2 - 5)
  width_number = 9,  ///< Shakhov: 1 / (R T)
  form_number = 6,   ///< ES-BGK, 6 numbers: the Gaussian is exp(-c . form . c)
};

/// Quadrature weight times the factor of the Maxwellian for one component. For ES-BGK the weight
/// alone, because its Gaussian does not factorise.
template <CollisionModel Model, class Real>
KOKKOS_INLINE_FUNCTION Real table_entry(const Real* target, int axis, Real node, Real weight) {
  if constexpr (Model == CollisionModel::es_bgk) return weight;
  const Real c = node - target[velocity_number + axis];
  return weight * math::exp(-c * c * target[inverse_temperature_number]);
}

/// Equilibrium of a row of velocities with equal x and y components.
template <CollisionModel Model, class Real, bool Force = true>
struct TargetRow {
  Real c[4];  ///< coefficients of a polynomial in c_z; for ES-BGK of its exponent, and the scale

  /// `outer` is the product of the table entries of x and y; (x, y) is the velocity of the row;
  /// `force` is twice the body force, with a fourth entry that is 0 if there is none.
  KOKKOS_FORCEINLINE_FUNCTION TargetRow(const Real* target, Real outer, Real x, Real y,
                                        const Real (&force)[4]) {
    const Real cx = x - target[velocity_number];
    const Real cy = y - target[velocity_number + 1];
    const Real e = outer * target[amplitude_number];
    const Real scaled = e * target[rate_number];
    if constexpr (Model == CollisionModel::es_bgk) {
      const Real* form = target + form_number;
      c[0] = form[0] * cx * cx + form[1] * cy * cy + 2 * form[3] * cx * cy;
      c[1] = 2 * (form[5] * cx + form[4] * cy);
      c[2] = form[2];
      c[3] = scaled;
    } else {
      c[0] = scaled;
      c[1] = 0;
      c[2] = 0;
      c[3] = 0;
      if constexpr (Model == CollisionModel::shakhov) {
        const Real* heat = target + heat_number;
        const Real width = target[width_number];
        const Real along = scaled * (heat[0] * cx + heat[1] * cy);
        const Real across = width * (cx * cx + cy * cy) - 5;
        const Real heat_z = scaled * heat[2];
        c[0] += along * across;
        c[1] += heat_z * across;
        c[2] = along * width;
        c[3] = heat_z * width;
      }
      if (Force && force[3] != 0) {
        const Real push = e * target[inverse_temperature_number];
        c[0] += push * (force[0] * cx + force[1] * cy);
        c[1] += push * force[2];
      }
    }
  }
  /// A row whose coefficients were computed before.
  KOKKOS_FORCEINLINE_FUNCTION TargetRow(Real c0, Real c1, Real c2, Real c3) : c{c0, c1, c2, c3} {}

  /// Rate x equilibrium at the peculiar velocity `cz` along z; `table_z` is the table entry of z.
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(Real table_z, Real cz) const {
    if constexpr (Model == CollisionModel::es_bgk) {
      return c[3] * table_z * math::exp(-(c[0] + cz * (c[1] + c[2] * cz)));
    } else if constexpr (Model == CollisionModel::shakhov) {
      return table_z * (c[0] + cz * (c[1] + cz * (c[2] + cz * c[3])));
    } else {
      return table_z * (c[0] + cz * c[1]);
    }
  }
};

}  // namespace knudsen::shakhov
