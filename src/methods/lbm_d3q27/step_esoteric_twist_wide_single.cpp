#include "methods/lbm_d3q27/step_esoteric_twist.hpp"

namespace knudsen::lbm_d3q27 {

KNUDSEN_D3Q27_FOR_WIDE(KNUDSEN_INSTANTIATE_SPARSE_TWIST, SinglePrecision)

}  // namespace knudsen::lbm_d3q27
