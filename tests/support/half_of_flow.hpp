#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "model/method.hpp"

// Flows that stay the same when they are turned by 180 degrees about their middle, and their halves
// beside an antisymmetric side.

namespace knudsen::test {

/// Blocks of a case: gas between plates that move in opposite directions, along y and z in one
/// dimension and along z in two, `cells` of them from plate to plate along x. The half is that with
/// the higher x.
inline nlohmann::json turned_flow(int dimensions, int cells, bool half) {
  auto json = nlohmann::json::parse(R"({
    "precision": "double",
    "velocity_grid": {"count": [8, 10, 8], "minimum": [-4, -4, -4], "maximum": [4, 4, 4]},
    "boundaries": {"west": {"type": "wall", "temperature": 1.1, "accommodation": 0.8}}})");
  const double along_y = dimensions == 1 ? 0.3 : 0;
  auto& sides = json["boundaries"];
  sides["east"] = sides["west"];
  sides["west"]["velocity"] = {0, -along_y, 0.2};
  sides["east"]["velocity"] = {0, along_y, -0.2};
  json["domain"] = {{"cells", {cells}}, {"size", {1.2}}};
  if (dimensions == 2) {
    json["domain"] = {{"cells", {cells, 3}}, {"size", {1.2, 0.5}}};
    sides["south"] = {{"type", "wall"}, {"temperature", 0.9}};
    sides["north"] = {{"type", "symmetry"}};
  }
  if (half) {
    json["domain"]["cells"][0] = cells / 2;
    json["domain"]["size"][0] = 0.6;
    sides["west"] = {{"type", "antisymmetric"}};
  }
  return json;
}

/// Expects the fields of the half to be those of the whole where it lies, to `tolerance`.
inline void expect_half(Method& whole, Method& half, int cells, double tolerance,
                        const std::string& what) {
  for (const char* name : {"density", "velocity", "temperature", "heat_flux", "pressure_tensor"}) {
    const Field of_whole = whole.field(name);
    const auto all = std::get<std::vector<double>>(of_whole.values);
    const auto part = std::get<std::vector<double>>(half.field(name).values);
    const auto components = static_cast<std::size_t>(of_whole.quantity.components);
    const auto row = static_cast<std::size_t>(cells) * components;
    ASSERT_EQ(all.size(), 2 * part.size());
    for (std::size_t i = 0; i < part.size(); ++i) {
      const std::size_t line = i / (row / 2);
      ASSERT_NEAR(part[i], all[line * row + row / 2 + i % (row / 2)], tolerance)
          << what << " " << name << " " << i;
    }
  }
}

/// Expects the side in the middle to stop momentum and energy as the flow beyond it does: no mass
/// crosses it, and of the fluxes those are 0 that the turned flow brings back.
inline void expect_fluxes(Method& half, Method& whole, double tolerance) {
  EXPECT_NEAR(half.monitor("west.mass_flux"), 0, tolerance);
  EXPECT_NEAR(half.monitor("west.energy_flux"), 0, tolerance);
  for (const char* side : {"east.force_y", "east.force_z", "east.energy_flux"}) {
    EXPECT_NEAR(half.monitor(side), whole.monitor(side), tolerance) << side;
  }
}

}  // namespace knudsen::test
