#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/sides.hpp"
#include "core/text.hpp"
#include "kinetic/case/gas_case.hpp"
#include "model/method.hpp"

namespace knudsen {

/// What to say of a face of a pressure side, beside `cell`, with the Mach number `mach` of 1 or
/// more (PressureEmission).
inline Divergence sonic_side(const std::array<std::int64_t, 3>& cell, int side, double mach) {
  return {cell,
          "the flow through the side \"" + side_names[static_cast<std::size_t>(side)] +
              "\" of given pressure has the Mach number " + number_text(rounded(mach)) +
              ", must be below 1",
          "give pressures that differ less, or an initial state closer to the flow"};
}

}  // namespace knudsen
