#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/steady_state.hpp"

namespace knudsen {

/// Starts a lattice method whose case has a temperature without buoyancy and the scalar "dye" with
/// the same conditions, both with these values, and compares fields and monitors after each of the
/// numbers of steps. `surfaces`: names of sides and solids.
inline void expect_scalar_is_temperature(Method& method, const std::vector<double>& values,
                                         const std::vector<int>& numbers_of_steps,
                                         const std::vector<std::string>& surfaces, double tolerance,
                                         double flow_tolerance) {
  GivenFields given;
  given.temperature = values;
  given.scalars["dye"] = values;
  method.initialise(given);
  for (const int steps : numbers_of_steps) {
    method.advance(steps);
    const auto temperature = values_of(method, "temperature");
    const auto dye = values_of(method, "dye");
    for (std::size_t i = 0; i < dye.size(); ++i) {
      if (std::isnan(temperature[i]) && std::isnan(dye[i])) continue;
      ASSERT_NEAR(dye[i], temperature[i], tolerance) << "node " << i << ", " << steps << " steps";
    }
    EXPECT_NEAR(method.monitor("mean_dye"), method.monitor("mean_temperature"), tolerance);
    for (const std::string& surface : surfaces) {
      EXPECT_NEAR(method.monitor(surface + ".dye_flow"), method.monitor(surface + ".heat_flow"),
                  flow_tolerance)
          << surface;
    }
  }
}

}  // namespace knudsen
