#include "methods/lbm_d3q27/step_esoteric_twist.hpp"

namespace knudsen::lbm_d3q27 {

KNUDSEN_D3Q27_FOR_NARROW(KNUDSEN_INSTANTIATE_TWIST, HalfStorage)

}  // namespace knudsen::lbm_d3q27
