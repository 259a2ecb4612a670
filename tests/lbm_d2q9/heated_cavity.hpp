#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>

#include "lbm_d2q9/case_problem.hpp"
#include "support/steady_state.hpp"

namespace knudsen::lbm_d2q9 {

/// Natural convection in a square cavity between walls at +-1/2, Prandtl number 0.71: the mean
/// Nusselt number of the hot wall, and the largest velocities on the centre lines in units of the
/// diffusivity over the width.
struct HeatedCavity {
  double nusselt = 0, largest_u = 0, largest_v = 0;
};

/// The steady state on an even number of nodes along each side.
inline HeatedCavity settled_cavity(int nodes, double rayleigh, double viscosity) {
  const std::string n = std::to_string(nodes);
  const auto problem =
      problem_of(R"({"precision": "double", "domain": {"nodes": [)" + n + ", " + n +
                 R"(]}, "fluid": {"kinematic_viscosity": )" + std::to_string(viscosity) +
                 R"(}, "collision": {"operator": "trt"}, "heat": {"prandtl": 0.71, "rayleigh": )" +
                 std::to_string(rayleigh) +
                 R"(, "gravity": [0, -1], "temperature_difference": 1},
          "boundaries": {"west": {"type": "wall", "temperature": 0.5},
            "east": {"type": "wall", "temperature": -0.5}, "south": {"type": "wall"},
            "north": {"type": "wall"}}})");
  const auto method = problem->create(Backend::host);
  method->initialise();
  EXPECT_TRUE(run_to_steady_state(*method, 1000, 1e-6, 1000000, "west.nusselt_number"));
  HeatedCavity found{method->monitor("west.nusselt_number")};
  EXPECT_NEAR(method->monitor("east.nusselt_number"), -found.nusselt, 2e-3 * found.nusselt);
  const auto u = values_of(*method, "velocity", 0);
  const auto v = values_of(*method, "velocity", 1);
  const double unit = nodes / (viscosity / 0.71);
  const auto at = [&](const std::vector<double>& w, int x, int y) {
    return w[static_cast<std::size_t>(y) * static_cast<std::size_t>(nodes) +
             static_cast<std::size_t>(x)] *
           unit;
  };
  const int half = nodes / 2;
  for (int i = 0; i < nodes; ++i) {
    found.largest_u = std::max(found.largest_u, 0.5 * (at(u, half - 1, i) + at(u, half, i)));
    found.largest_v = std::max(found.largest_v, 0.5 * (at(v, i, half - 1) + at(v, i, half)));
  }
  return found;
}

/// Compares with G. de Vahl Davis, Int. J. Numer. Methods Fluids 3 (1983) 249, within 1 %.
inline void expect_de_vahl_davis(int nodes, double rayleigh, double viscosity,
                                 const HeatedCavity& expected) {
  const HeatedCavity found = settled_cavity(nodes, rayleigh, viscosity);
  std::cout << "Ra " << rayleigh << ", " << nodes << " nodes: Nusselt number " << found.nusselt
            << ", largest u " << found.largest_u << ", v " << found.largest_v << std::endl;
  EXPECT_NEAR(found.nusselt, expected.nusselt, 0.01 * expected.nusselt);
  EXPECT_NEAR(found.largest_u, expected.largest_u, 0.01 * expected.largest_u);
  EXPECT_NEAR(found.largest_v, expected.largest_v, 0.01 * expected.largest_v);
}

}  // namespace knudsen::lbm_d2q9
