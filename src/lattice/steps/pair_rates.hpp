#pragma once

namespace knudsen {

/// Relaxation rates of the symmetric and antisymmetric half of a pair of opposite populations.
enum class PairRates {
  one,  ///< both relaxation_rate (bgk)
  two   ///< relaxation_rate and antisymmetric_rate (trt)
};

}  // namespace knudsen
