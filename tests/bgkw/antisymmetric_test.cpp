#include <gmock/gmock.h>

#include "case/sample_reader.hpp"
#include "problem.hpp"
#include "support/half_of_flow.hpp"

namespace knudsen::bgkw {
namespace {

using test::advanced;
using test::read;
using test::with;
using namespace knudsen::test;
using testing::HasSubstr;

/// Schemes and collisions with kernels of their own for what comes back from a mirror.
TEST(AntisymmetricSide, HalfAFlowIsThatOfTheWhole) {
  struct Variant {
    int dimensions;
    const char* patch;
  };
  const std::vector<Variant> variants{
      {1, R"({"propagation": {"order": 1}})"},
      {1, R"({"propagation": {"order": 1, "scheme": "tiles"}})"},
      {1, R"({"propagation": {"order": 1, "scheme": "separate"}})"},
      {1, R"({"propagation": {"order": 1}, "tuning": {"single_pass": "always"}})"},
      {1, R"({"propagation": {"order": 1}, "tuning": {"single_pass": "never"}})"},
      {1, R"({"propagation": {"order": 1, "courant": 1.8}})"},
      {1, R"({"propagation": {"order": 2}, "collision": {"model": "shakhov"}})"},
      {1, R"({"propagation": {"order": 2, "limiter": "minmod", "courant": 2.3}})"},
      {1, R"({"propagation": {"order": 2, "time_integration": "imex-2"}})"},
      {1, R"({"propagation": {"order": 2}, "collision": {"model": "es-bgk"},
              "gas": {"rotation": {"degrees_of_freedom": 2, "collision_number": 5}}})"},
      {2, R"({"propagation": {"order": 1}})"},
      {2, R"({"propagation": {"order": 1}, "tuning": {"single_pass": "always"}})"},
      {2, R"({"propagation": {"order": 1, "scheme": "tiles"}})"},
      {2, R"({"propagation": {"order": 2, "split": true}, "collision": {"model": "shakhov"}})"},
      {2, R"({"propagation": {"order": 2, "time_integration": "imex-2"}})"}};
  constexpr int cells = 12;
  for (const auto& [dimensions, patch] : variants) {
    const auto start = [&](bool half) {
      auto json = turned_flow(dimensions, cells, half);
      json["gas"] = {{"rarefaction", 2}};
      json.merge_patch(nlohmann::json::parse(patch));
      return advanced(json, 30);
    };
    const auto whole = start(false);
    const auto half = start(true);
    expect_half(*whole, *half, cells, 1e-13, patch);
    expect_fluxes(*half, *whole, 1e-13);
  }
}

TEST(AntisymmetricSide, ShearsAsThePlateBeyondDoes) {
  // Free molecules between plates: half of the molecules have the velocity of either plate.
  auto json = turned_flow(1, 8, true);
  json["velocity_grid"] = {{"type", "half-range"}, {"count", {16, 8, 8}}};
  json["gas"] = {{"rarefaction", 0}};
  json["boundaries"]["east"] = {{"type", "wall"}, {"velocity", {0, 0.1, 0}}};
  const auto method = advanced(json, 2000);
  const double effusion = 0.5 / std::sqrt(std::acos(-1.0));
  EXPECT_NEAR(method->monitor("east.force_y") / (-4 * effusion * 0.1), 1, 1e-3);
  EXPECT_NEAR(method->monitor("mass"), 0.6, 1e-13);
}

std::string refusal(const std::string& patch) {
  return input_error([&] { read(with(patch)); });
}

TEST(AntisymmetricSide, RefusesWhatItCannotTurn) {
  EXPECT_THAT(refusal(R"({"boundaries": {"west": {"type": "antisymmetric"}}, "reduced": true,
                          "velocity_grid": {"count": [8]}})"),
              HasSubstr("boundaries.west: an antisymmetric side reverses velocities along y, which "
                        "\"reduced\" has integrated out; take \"symmetry\""));
  EXPECT_THAT(refusal(R"({"domain": {"cells": [4, 4, 4]},
                          "boundaries": {"west": {"type": "antisymmetric"}}})"),
              HasSubstr("requires a domain of one or two dimensions"));
  EXPECT_THAT(refusal(R"({"boundaries": {"west": {"type": "antisymmetric"}},
                          "velocity_grid": {"count": [8, 8, 9]}})"),
              HasSubstr("reverses velocities along z, which must be symmetric about 0 and not 0"));
  EXPECT_THAT(refusal(R"({"domain": {"cells": [4, 4], "size": [1, 1]},
      "boundaries": {"west": {"type": "antisymmetric"}, "south": {"type": "wall"},
                     "north": {"type": "wall"}},
      "geometry": {"solids": [{"shape": "box", "from": [0.5, 0], "to": [0.75, 0.25],
                               "accommodation": 0.5}]}})"),
              HasSubstr("must be 1 beside an antisymmetric side, as \"west\" is"));
}

}  // namespace
}  // namespace knudsen::bgkw
