#pragma once

namespace knudsen::shakhov {

/// What corrects the moments after each sweep (README.md, "Synthetic acceleration").
enum class Acceleration {
  none,
  synthetic,             ///< towards the solution of the sweeps
  asymptotic_preserving  ///< towards that of a continuum on cells of many mean free paths
};

}  // namespace knudsen::shakhov
