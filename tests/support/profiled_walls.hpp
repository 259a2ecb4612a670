#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "model/method.hpp"

// Walls whose faces all have parts of their own, but alike.
namespace knudsen::test {

/// A box in two dimensions with walls all around, of which those that are not plain have a
/// velocity that rounding makes the same everywhere.
inline nlohmann::json like_walls(nlohmann::json json, bool plain) {
  json["boundaries"] = nlohmann::json::object();
  for (const char* side : {"west", "east", "south", "north"}) {
    json["boundaries"][side] = {{"type", "wall"}, {"temperature", 1.2}, {"accommodation", 0.7}};
    if (!plain) {
      json["boundaries"][side]["profile"] = {{"velocity_z", "1e-300*(1 + x + 10*y)"}};
    }
  }
  // All velocities meet such a wall at an angle.
  json["boundaries"]["north"]["accommodation"] = 1;
  return json;
}

inline void expect_same_fields(Method& found, Method& expected, const std::string& what) {
  for (const char* name : {"velocity", "heat_flux"}) {
    const Field a = found.field(name);
    const Field b = expected.field(name);
    EXPECT_TRUE(a.values == b.values) << what << ": " << name;
  }
  for (const char* name : {"south.energy_flux", "north.force_x", "east.mass_flow"}) {
    EXPECT_EQ(found.monitor(name), expected.monitor(name)) << what << ": " << name;
  }
}

}  // namespace knudsen::test
