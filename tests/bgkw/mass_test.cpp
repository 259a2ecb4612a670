#include <gtest/gtest.h>

#include <cmath>

#include "flows.hpp"

namespace knudsen::bgkw {
namespace {

using test::run;
using test::with;

struct Kernels {
  const char* scheme;
  const char* single_pass;
};

/// Change of the mass in a cavity after `steps` steps from rest, in single precision.
double mass_change(double delta, const Kernels& kernels, int steps, double time_step) {
  auto json = with(R"({"precision": "single", "domain": {"cells": [8, 8]},
      "collision": {"conservative": true},
      "boundaries": {"south": {"type": "wall"},
                     "north": {"type": "wall", "velocity": [0.1, 0, 0]}}})");
  json["gas"]["rarefaction"] = delta;
  json["propagation"] = {{"time_step", time_step}, {"scheme", kernels.scheme}};
  json["tuning"]["single_pass"] = kernels.single_pass;
  const auto method = run(json, steps * time_step);
  return method->monitor("mass") - 1;
}

TEST(Mass, IsKeptInSinglePrecisionButForTheRoundingOfTheMaxwellian) {
  // Rounding errors of streaming and relaxation are of either sign and cancel. Those of a cell's
  // Maxwellian are the same in all steps of a steady flow, so the bound is one rounding error of
  // the relaxed share in each step.
  constexpr int steps = 2000;
  constexpr double time_step = 0.01;
  for (const Kernels& kernels : {Kernels{"fused", "never"}, Kernels{"fused", "always"},
                                 Kernels{"separate", "never"}, Kernels{"tiles", "never"}}) {
    for (const double delta : {1.0, 10.0}) {
      const double relaxes = -std::expm1(-delta * time_step);
      EXPECT_LE(std::abs(mass_change(delta, kernels, steps, time_step)),
                steps * relaxes * std::exp2(-24))
          << kernels.scheme << ", single pass " << kernels.single_pass << ", delta " << delta;
    }
  }
}

}  // namespace
}  // namespace knudsen::bgkw
