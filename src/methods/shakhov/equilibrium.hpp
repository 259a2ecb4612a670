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
  inverse_temperature_number = 4,  ///< 1 / T of the Maxwellian, where the target factorises
  rotation_number = 4,             ///< twice the mean rotational energy of targets that do not
  amplitude_number = 5,            ///< amplitude of the Maxwellian, or as the model replaces it
  own_number = 6,                  ///< numbers of the model, up to 6, see ModelDefaults
};

/// Quadrature weight times the factor of the Maxwellian for one component. The weight alone for a
/// model whose target does not factorise.
template <class Model, class Real>
KOKKOS_INLINE_FUNCTION Real table_entry(const Real* target, int axis, Real node, Real weight) {
  if constexpr (!Model::factorises) return weight;
  const Real c = node - target[velocity_number + axis];
  return weight * math::exp(-c * c * target[inverse_temperature_number]);
}

/// The same for entry `entry` along z if components are integrated out, the number `integrated`.
template <class Model, class Real>
KOKKOS_INLINE_FUNCTION Real integrated_table_entry(const Real* target, int integrated, int entry,
                                                   Real weight) {
  if constexpr (!Model::factorises) {
    return entry == 0 ? weight : weight * Model::integrated_variance(target + own_number);
  } else {
    return weight * entry_factor(integrated, entry, 1 / target[inverse_temperature_number]);
  }
}

/// The value of c_z with which a row has this entry: its polynomial is one in c_z^2, since nothing
/// moves along z, in place of which comes the mean of the squares integrated out.
template <class Model, class Real>
KOKKOS_INLINE_FUNCTION Real integrated_component(const Real* target, int integrated, int entry) {
  if constexpr (!Model::factorises) {
    return 0;
  } else {
    return math::sqrt(entry_square(integrated, entry, 1 / target[inverse_temperature_number]));
  }
}

/// The target of a block over that of f at the same velocities.
template <class Model, class Space, class Real>
KOKKOS_INLINE_FUNCTION Real target_factor(const Space& space, const Block& block,
                                          const Real* target) {
  if constexpr (Model::factorises) {
    return 1;
  } else {
    return block.in_octant < space.first_rotational_block() ? Real(1) : target[rotation_number];
  }
}

/// Equilibrium of a row of velocities with equal x and y components.
template <class Model, class Real, bool Force = true>
struct TargetRow {
  Real c[4];  ///< coefficients of the model, of a polynomial in c_z where its target factorises

  /// `outer` is the product of the table entries of x and y; (x, y) is the velocity of the row;
  /// `force` is twice the body force, with a fourth entry that is 0 if there is none.
  KOKKOS_FORCEINLINE_FUNCTION TargetRow(const Real* target, Real outer, Real x, Real y,
                                        const Real (&force)[4]) {
    const Real cx = x - target[velocity_number];
    const Real cy = y - target[velocity_number + 1];
    const Real e = outer * target[amplitude_number];
    const Real scaled = e * target[rate_number];
    Model::row(target + own_number, scaled, cx, cy, c);
    if constexpr (Model::factorises) {
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
    return Model::row_value(c[0], c[1], c[2], c[3], table_z, cz);
  }
};

}  // namespace knudsen::shakhov
