#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "output/csv.hpp"
#include "output/profile.hpp"
#include "paths.hpp"
#include "problem.hpp"

// The cavity at Kn = 1, to compare with recorded runs.
namespace knudsen::shakhov::test {

/// Results of a cavity; `drag` and `flow` have one value.
struct CavityFlow {
  std::vector<double> u;     ///< velocity along x over the lid's speed, on the vertical centre line
  std::vector<double> v;     ///< velocity along y over the lid's speed, on the horizontal line
  std::vector<double> drag;  ///< D
  std::vector<double> flow;  ///< G
};

inline CavityFlow cavity_flow(Method& method, int cells) {
  CartesianGrid grid;
  for (std::size_t d = 0; d < 3; ++d) {
    grid.cells[d] = cells;
    grid.spacing[d] = 1.0 / cells;
  }
  const Field velocity = method.field("velocity");
  ProfileLine line;
  line.value_scale = 0.1;  // the lid's speed
  line.axis = 1;
  const auto u = extract_profile(grid, velocity, line);
  line.component = 1;
  line.axis = 0;
  const auto v = extract_profile(grid, velocity, line);
  return {u.values, v.values, {method.monitor("drag_coefficient")}, {method.monitor("flow_rate")}};
}

/// Results of the recorded run with `cells` cells and velocities an axis.
inline CavityFlow recorded_cavity(int cells) {
  const std::string path = std::string(KNUDSEN_TEST_DATA) + "/shakhov_cavity_3d";
  const CsvTable profiles(path + "_profiles_" + std::to_string(cells) + ".csv");
  CavityFlow flow{profiles.column("u"), profiles.column("v"), {}, {}};
  const CsvTable runs(path + ".csv");
  for (std::size_t i = 0; i < runs.rows(); ++i) {
    if (runs.column("cells")[i] != cells) continue;
    flow.drag = {runs.column("drag_coefficient")[i]};
    flow.flow = {runs.column("flow_rate")[i]};
  }
  return flow;
}

}  // namespace knudsen::shakhov::test
