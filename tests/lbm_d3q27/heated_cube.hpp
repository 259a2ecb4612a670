#pragma once

#include <gtest/gtest.h>

#include <iostream>
#include <string>

#include "lbm_d3q27/case_problem.hpp"
#include "support/steady_state.hpp"

namespace knudsen::lbm_d3q27 {

/// Natural convection in a cube between walls at +-1/2 along x, Prandtl number 0.71. Compares the
/// mean Nusselt number of the hot wall in the steady state with that of a published solution,
/// within 1 %.
inline void expect_nusselt_number(int nodes, double rayleigh, double viscosity, double expected,
                                  const std::string& precision = "single") {
  const std::string n = std::to_string(nodes);
  const auto problem =
      problem_of(R"({"precision": ")" + precision + R"(", "domain": {"nodes": [)" + n + ", " + n +
                 ", " + n + R"(]}, "fluid": {"kinematic_viscosity": )" + std::to_string(viscosity) +
                 R"(}, "heat": {"prandtl": 0.71, "rayleigh": )" + std::to_string(rayleigh) +
                 R"(, "gravity": [0, 0, -1], "temperature_difference": 1},
          "boundaries": {"west": {"type": "wall", "temperature": 0.5},
            "east": {"type": "wall", "temperature": -0.5}, "south": {"type": "wall"},
            "north": {"type": "wall"}, "bottom": {"type": "wall"}, "top": {"type": "wall"}}})");
  const auto method = problem->create(default_backend());
  method->initialise();
  EXPECT_TRUE(run_to_steady_state(*method, 500, 2e-4, 100000, "west.nusselt_number"));
  const double found = method->monitor("west.nusselt_number");
  std::cout << "Ra " << rayleigh << ", " << nodes << "^3 nodes, " << precision
            << ": Nusselt number " << found << ", off by " << 100 * (found / expected - 1) << " %"
            << std::endl;
  EXPECT_NEAR(found, expected, 0.01 * expected);
  EXPECT_NEAR(method->monitor("east.nusselt_number"), -found, 2e-3 * found);
}

}  // namespace knudsen::lbm_d3q27
