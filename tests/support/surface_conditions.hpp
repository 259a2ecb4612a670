#pragma once

#include <string>

#include "core/text.hpp"

namespace knudsen {

/// The condition of a solid for the temperature, and the same for a scalar: keys of a case, each
/// after a comma.
struct SurfaceCondition {
  std::string of_heat, of_scalar;
};
inline SurfaceCondition given_temperature(double value) {
  return {R"(, "temperature": )" + number_text(value), R"(, "value": )" + number_text(value)};
}
inline SurfaceCondition given_flux(double value) {
  return {R"(, "heat_flux": )" + number_text(value), R"(, "flux": )" + number_text(value)};
}
inline SurfaceCondition exchange_with(double value, double coefficient) {
  const SurfaceCondition around = given_temperature(value);
  return {around.of_heat + R"(, "heat_transfer_coefficient": )" + number_text(coefficient),
          around.of_scalar + R"(, "transfer_coefficient": )" + number_text(coefficient)};
}

}  // namespace knudsen
