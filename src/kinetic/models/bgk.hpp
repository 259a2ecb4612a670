#pragma once

#include "kinetic/collision_model.hpp"

namespace knudsen {

/// Bhatnagar, Gross, Krook (1954) and Welander (1954): the target is a Maxwellian, the rate p / mu.
struct BgkModel : ModelDefaults {
  static constexpr const char* name = "bgk";
  static constexpr int moments = 5;
  static constexpr bool is_maxwellian = true;

  template <class Real>
  struct Parameters {};

  template <class Real>
  KNUDSEN_INLINE_FUNCTION static void set_parameters(const Macroscopic& /*state*/,
                                                     const Gas& /*gas*/,
                                                     const RelaxationStep& /*step*/,
                                                     int /*integrated*/,
                                                     CellTarget<BgkModel, Real>& /*target*/) {}

  template <class Real, class IntegratedShare>
  KNUDSEN_FORCEINLINE_FUNCTION static Real value(const CellTarget<BgkModel, Real>& /*target*/,
                                                 Real maxwellian, Real /*cx*/, Real /*cy*/,
                                                 Real /*cz*/, Real /*square*/,
                                                 const IntegratedShare& /*integrated_share*/) {
    return maxwellian;
  }

  template <class Real>
  KNUDSEN_INLINE_FUNCTION static void pack(const CellTarget<BgkModel, Real>& /*target*/,
                                           Real& /*amplitude*/, Real* /*numbers*/) {}
  template <class Real>
  KNUDSEN_FORCEINLINE_FUNCTION static void row(const Real* /*numbers*/, Real scaled, Real /*cx*/,
                                               Real /*cy*/, Real* c) {
    c[0] = scaled;
    c[1] = 0;
    c[2] = 0;
    c[3] = 0;
  }
  /// c[1] comes from a body force.
  template <class Real>
  KNUDSEN_FORCEINLINE_FUNCTION static Real row_value(Real c0, Real c1, Real /*c2*/, Real /*c3*/,
                                                     Real table_z, Real cz) {
    return table_z * (c0 + cz * c1);
  }
};

}  // namespace knudsen
