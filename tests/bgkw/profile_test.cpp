#include <gtest/gtest.h>

#include "flows.hpp"
#include "support/profiled_walls.hpp"

// Sides whose conditions depend on the place.
namespace knudsen::bgkw {
namespace {

using namespace test;

nlohmann::json box(bool plain, const std::string& patch) {
  auto json = knudsen::test::like_walls(
      with(R"_({"domain": {"cells": [7, 5], "size": [1, 0.7]}, "gas": {"rarefaction": 2}})_"),
      plain);
  json.merge_patch(nlohmann::json::parse(patch));
  return json;
}

TEST(Profile, OfLikeWallsIsThatOfOneWall) {
  for (const char* patch :
       {R"_({})_", R"_({"precision": "single", "tuning": {"single_pass": "always"}})_",
        R"_({"propagation": {"order": 2}})_",
        R"_({"propagation": {"split": true, "courant": 1.7}})_",
        R"_({"propagation": {"scheme": "separate"}, "collision": {"model": "shakhov"}})_",
        R"_({"propagation": {"scheme": "tiles"}})_"}) {
    const auto found = run(box(false, patch), 0.4);
    const auto expected = run(box(true, patch), 0.4);
    knudsen::test::expect_same_fields(*found, *expected, patch);
  }
}

TEST(Profile, StatesItsMemory) {
  const auto plain = read(box(true, R"_({})_"));
  const auto parts = read(box(false, R"_({})_"));
  // A row of 512 values for each of 24 faces.
  EXPECT_EQ(parts->memory_bytes - plain->memory_bytes, 24U * 512 * 8);
}

TEST(Profile, OfWallsDrivesNoFreeMolecules) {
  // What leaves each wall has the density n with n sqrt(T) the same everywhere, hence the same mass
  // flux in every direction.
  const auto speed = [](double rarefaction) {
    auto json = with(R"_({
      "domain": {"cells": [10, 10]},
      "velocity_grid": {"type": "half-range", "count": [16, 16, 4], "minimum": null,
                        "maximum": null},
      "propagation": {"courant": 0.9},
      "boundaries": {"west": {"profile": {"temperature": "1 + 0.2*sin(3*y)"}},
                     "south": {"type": "wall", "profile": {"temperature": "1 + 0.3*x*(1 - x)"}},
                     "north": {"type": "wall", "profile": {"temperature": "1.2 - 0.2*x"}}}})_");
    json["gas"]["rarefaction"] = rarefaction;
    return run(json, 10)->monitor("max_speed");
  };
  const double of_free_molecules = speed(0);
  EXPECT_LT(of_free_molecules, 2e-4);
  EXPECT_GT(speed(2), 10 * of_free_molecules);
}

}  // namespace
}  // namespace knudsen::bgkw
