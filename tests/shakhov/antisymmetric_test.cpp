#include <gmock/gmock.h>

#include "case/sample_reader.hpp"
#include "problem.hpp"
#include "support/half_of_flow.hpp"

namespace knudsen::shakhov {
namespace {

using namespace knudsen::test;
using namespace test;
using testing::HasSubstr;

std::unique_ptr<Method> converged(const nlohmann::json& json) {
  auto method = start(json);
  EXPECT_LE(converge(*method, 1e-13, 1000), 1000) << json.dump();
  return method;
}

/// Iterations depend on the order of the sweeps, the solution does not.
TEST(AntisymmetricSide, HalfAFlowIsThatOfTheWhole) {
  constexpr int cells = 12;
  for (const int dimensions : {1, 2}) {
    for (const char* patch :
         {R"({"propagation": {"order": 1}})",
          R"({"propagation": {"order": 1, "scheme": "slices"}, "collision": {"model": "bgk"}})",
          R"({"propagation": {"order": 2}})",
          R"({"propagation": {"order": 2}, "collision": {"model": "es-bgk"}})",
          R"({"propagation": {"order": 1, "acceleration": "synthetic"}})",
          R"({"propagation": {"order": 2, "acceleration": "synthetic"}})"}) {
      const auto solve = [&](bool half) {
        auto json = turned_flow(dimensions, cells, half);
        json["gas"] = {{"rarefaction", 2}};
        json["velocity_grid"]["count"] = {8, 10, dimensions == 1 ? 18 : 8};
        json.merge_patch(nlohmann::json::parse(patch));
        return converged(json);
      };
      const auto whole = solve(false);
      const auto half = solve(true);
      expect_half(*whole, *half, cells, 1e-11, std::to_string(dimensions) + patch);
      expect_fluxes(*half, *whole, 1e-11);
    }
  }
}

TEST(AntisymmetricSide, HalfAFlowTakesNoMoreIterationsThanTheWhole) {
  for (const char* acceleration : {"none", "synthetic"}) {
    const auto iterations = [&](bool half) {
      auto json = turned_flow(1, 40, half);
      json["gas"] = {{"rarefaction", 10}};
      json["propagation"] = {{"order", 2}, {"acceleration", acceleration}};
      const auto method = start(json);
      return converge(*method, 1e-9, 2000);
    };
    const int half = iterations(true);
    const int whole = iterations(false);
    EXPECT_LE(half, whole + 2) << acceleration;
  }
}

TEST(AntisymmetricSide, ARestartGoesOnAsTheRunWouldHave) {
  auto json = turned_flow(1, 12, true);
  json["gas"] = {{"rarefaction", 2}};
  json["propagation"] = {{"order", 2}, {"acceleration", "synthetic"}};
  const auto problem = read(json);
  const auto whole = problem->create(default_backend());
  const auto resumed = resumed_after_two(*problem, *whole);
  EXPECT_EQ(resumed->field("heat_flux").values, whole->field("heat_flux").values);
}

TEST(AntisymmetricSide, RefusesWhatItCannotTurn) {
  const auto refusal = [](const char* patch) { return input_error([&] { read(with(patch)); }); };
  EXPECT_THAT(refusal(R"({"boundaries": {"west": {"type": "antisymmetric"}}})"),
              HasSubstr("boundaries.west: an antisymmetric side requires a domain of one or two "
                        "dimensions"));
  EXPECT_THAT(refusal(R"({"domain": {"cells": [4, 4]}, "velocity_grid": {"count": [8, 8, 9]},
                          "boundaries": {"bottom": null, "top": null,
                                         "south": {"type": "antisymmetric"}}})"),
              HasSubstr("boundaries.south: an antisymmetric side reverses velocities along z"));
}

}  // namespace
}  // namespace knudsen::shakhov
