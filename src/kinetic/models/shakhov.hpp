#pragma once

#include "kinetic/collision_model.hpp"

namespace knudsen {

/// Shakhov (1968): the target is a Maxwellian with a heat flux, the rate p / mu.
struct ShakhovModel : ModelDefaults {
  static constexpr const char* name = "shakhov";

  template <class Real>
  struct Parameters {
    /// target / Maxwellian - 1 = (heat . c) (c^2 / half_temperature - 5)
    Real heat[3] = {0, 0, 0};
  };

  template <class Real>
  KNUDSEN_INLINE_FUNCTION static void set_parameters(const Macroscopic& state, const Gas& gas,
                                                     const RelaxationStep& step, int /*integrated*/,
                                                     CellTarget<ShakhovModel, Real>& target) {
    // target / Maxwellian - 1 = share q . c / (5 p R T) (c^2 / (R T) - 5)
    // with p = density T / 2 and R T = T / 2.
    const double share = step.target_share(gas.prandtl);
    const double scale = 4 * share / (5 * state.density * state.temperature * state.temperature);
    for (int d = 0; d < 3; ++d) {
      target.own.heat[d] = static_cast<Real>(scale * state.heat_flux[d]);
    }
  }

  template <class Real, class IntegratedShare>
  KNUDSEN_FORCEINLINE_FUNCTION static Real value(const CellTarget<ShakhovModel, Real>& target,
                                                 Real maxwellian, Real cx, Real cy, Real cz,
                                                 Real square,
                                                 const IntegratedShare& /*integrated_share*/) {
    const Real* heat = target.own.heat;
    const Real flux = heat[0] * cx + heat[1] * cy + heat[2] * cz;
    return maxwellian + maxwellian * flux * (square / target.half_temperature - 5);
  }

  /// Numbers: heat, then 1 / (R T).
  template <class Real>
  KNUDSEN_INLINE_FUNCTION static void pack(const CellTarget<ShakhovModel, Real>& target,
                                           Real& /*amplitude*/, Real* numbers) {
    for (int d = 0; d < 3; ++d) numbers[d] = target.own.heat[d];
    numbers[3] = 1 / target.half_temperature;
  }
  /// Coefficients of a polynomial in c_z.
  template <class Real>
  KNUDSEN_FORCEINLINE_FUNCTION static void row(const Real* numbers, Real scaled, Real cx, Real cy,
                                               Real* c) {
    const Real width = numbers[3];
    const Real along = scaled * (numbers[0] * cx + numbers[1] * cy);
    const Real across = width * (cx * cx + cy * cy) - 5;
    const Real heat_z = scaled * numbers[2];
    c[0] = scaled + along * across;
    c[1] = heat_z * across;
    c[2] = along * width;
    c[3] = heat_z * width;
  }
  template <class Real>
  KNUDSEN_FORCEINLINE_FUNCTION static Real row_value(Real c0, Real c1, Real c2, Real c3,
                                                     Real table_z, Real cz) {
    return table_z * (c0 + cz * (c1 + cz * (c2 + cz * c3)));
  }
};

}  // namespace knudsen
