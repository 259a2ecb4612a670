#include <gtest/gtest.h>

#include "problem.hpp"
#include "support/profiled_walls.hpp"

// Sides whose conditions depend on the place.
namespace knudsen::boltzmann {
namespace {

using namespace test;

std::unique_ptr<Method> advanced(const nlohmann::json& json) {
  auto method = read(json)->create(default_backend());
  method->initialise();
  method->advance(6);
  return method;
}

TEST(Profile, OfLikeWallsIsThatOfOneWall) {
  for (const char* patch :
       {R"_({})_", R"_({"precision": "single", "propagation": {"order": 2}})_",
        R"_({"propagation": {"scheme": "separate"}, "domain": {"progression": [0.8, 0.9]}})_"}) {
    auto json = with(patch);
    json["domain"]["cells"] = {6, 5};
    const auto found = advanced(knudsen::test::like_walls(json, false));
    const auto expected = advanced(knudsen::test::like_walls(json, true));
    knudsen::test::expect_same_fields(*found, *expected, patch);
  }
}

TEST(Profile, SetsTheSizeOfDeviations) {
  const auto scale = [](const char* profile) {
    auto json = with(R"_({"boundaries": {"north": {"velocity": null}}})_");
    json["boundaries"]["south"]["profile"]["temperature"] = profile;
    return read(json)->scales.at("velocity");
  };
  EXPECT_NEAR(scale("1 + 0.4*(x > 0.9)"), 0.4, 1e-12);
  EXPECT_NEAR(scale("1 - 0.2*(x > 0.9)"), 0.2, 1e-12);
}

}  // namespace
}  // namespace knudsen::boltzmann
