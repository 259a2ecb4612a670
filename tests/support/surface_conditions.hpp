#pragma once

#include <sstream>
#include <string>

namespace knudsen {

/// A number with all its digits.
inline std::string text_of(double value) {
  std::ostringstream out;
  out.precision(17);
  out << value;
  return out.str();
}

/// The condition of a solid for the temperature, and the same for a scalar: keys of a case, each
/// after a comma.
struct SurfaceCondition {
  std::string of_heat, of_scalar;
};
inline SurfaceCondition given_temperature(double value) {
  return {R"(, "temperature": )" + text_of(value), R"(, "value": )" + text_of(value)};
}
inline SurfaceCondition given_flux(double value) {
  return {R"(, "heat_flux": )" + text_of(value), R"(, "flux": )" + text_of(value)};
}
inline SurfaceCondition exchange_with(double value, double coefficient) {
  const SurfaceCondition around = given_temperature(value);
  return {around.of_heat + R"(, "heat_transfer_coefficient": )" + text_of(coefficient),
          around.of_scalar + R"(, "transfer_coefficient": )" + text_of(coefficient)};
}

}  // namespace knudsen
