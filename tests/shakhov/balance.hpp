#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "problem.hpp"

namespace knudsen::shakhov::test {

/// Expects that force and energy on all surfaces add up to 1e-10 of the largest on a side, in a box
/// of 1 by 1.1 in a plane with the bodies "ball" and "slope", which covers the last corner from 0.3
/// of the eastern and 0.6 of the northern side on.
inline void expect_balance(Method& method, const std::string& what = "") {
  const double open[4] = {1.1, 0.3, 1, 0.6};
  const char* const sides[4] = {"west", "east", "south", "north"};
  for (const char* quantity : {".force_x", ".force_y", ".force_z", ".energy_flux"}) {
    double sum = method.monitor(std::string("ball") + quantity) +
                 method.monitor(std::string("slope") + quantity);
    double largest = 0;
    for (int side = 0; side < 4; ++side) {
      // The mean over the open part of the side.
      const double flux = method.monitor(std::string(sides[side]) + quantity);
      sum += flux * open[side];
      largest = std::max(largest, std::abs(flux) * open[side]);
    }
    EXPECT_NEAR(sum, 0, 1e-10 * largest) << quantity << " " << what;
  }
}

}  // namespace knudsen::shakhov::test
