#pragma once

#include <cstdint>

#include "device/function.hpp"

// Conversions of rows of IEEE halves on the host, by the processor's instructions where it has
// them. The values are those of half_conversion.hpp; of a NaN only the payload may differ. GCC 12
// does not vectorise conversions within a loop of its own.

namespace knudsen {

/// values[i] = factor * halves[i].
KNUDSEN_HOST_FUNCTION void floats_of_halves(const std::uint16_t* halves, int count, float factor,
                                            float* values);
/// halves[i] = factor * values[i], rounded to nearest, ties to even.
KNUDSEN_HOST_FUNCTION void halves_of_floats(const float* values, int count, float factor,
                                            std::uint16_t* halves);

}  // namespace knudsen
