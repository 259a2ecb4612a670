#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "output/csv.hpp"
#include "paths.hpp"
#include "problem.hpp"

namespace knudsen::shakhov {
namespace {

/// Gas between plates at x = 0 and 1 with the BGK model and acceleration.
nlohmann::json plates() {
  return nlohmann::json::parse(R"({
    "precision": "double",
    "domain": {"x": [{"cells": 40, "length": 0.5, "ratio": 1.06},
                     {"cells": 40, "length": 0.5, "ratio": 0.9434}]},
    "velocity_grid": {"type": "half-range", "count": [32, 8, 8]},
    "collision": {"model": "bgk", "conservative": true},
    "propagation": {"order": 2, "acceleration": "synthetic"},
    "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"}}})");
}

/// Runs a case at each rarefaction of a table and compares what the west plate takes up with the
/// table, up to `highest`. `most_iterations` are those until the moments change by less than 1e-6.
/// The values are compared after a change of 1e-8, since stresses and fluxes of a dense gas are
/// small.
void expect_as_in_table(nlohmann::json json, const std::string& monitor, double unit,
                        const std::string& file, const std::string& column, double highest,
                        double tolerance, int most_iterations) {
  const CsvTable table(std::string(KNUDSEN_TEST_DATA) + "/" + file);
  const auto delta = table.column("delta");
  const auto expected = table.column(column);
  for (std::size_t i = 0; i < delta.size(); ++i) {
    if (delta[i] > highest) continue;
    json["gas"] = {{"rarefaction", delta[i]}};
    const auto method = test::start(json);
    EXPECT_LE(test::converge(*method, 1e-6, 100), most_iterations) << file << ", " << delta[i];
    EXPECT_LE(test::converge(*method, 1e-8, 20), 20) << file << ", " << delta[i];
    const double west = method->monitor("west." + monitor);
    EXPECT_NEAR(west / unit / expected[i], 1, tolerance) << file << ", " << delta[i];
    EXPECT_NEAR(method->monitor("east." + monitor) / west, -1, 1e-4) << file << ", " << delta[i];
  }
}

TEST(Plates, ShearStressIsThatOfTheTablesAtAnyRarefaction) {
  auto json = plates();
  json["boundaries"]["west"]["velocity"] = {0, -0.005, 0};
  json["boundaries"]["east"]["velocity"] = {0, 0.005, 0};
  const auto expect = [&](const std::string& file, double tolerance) {
    expect_as_in_table(json, "force_y", 0.01, file, "minus_pxy_per_dU", 1000, tolerance, 12);
  };
  expect("plates_BGK_limits.csv", 3e-4);
  expect("couette_plane_BGK_shear.csv", 5e-4);
}

TEST(Plates, HeatFluxIsThatOfTheTablesAtAnyRarefaction) {
  auto json = plates();
  json["boundaries"]["west"]["temperature"] = 0.995;
  json["boundaries"]["east"]["temperature"] = 1.005;
  const auto expect = [&](const std::string& file, double highest, double tolerance) {
    expect_as_in_table(json, "energy_flux", 0.01, file, "q_per_dT", highest, tolerance, 24);
  };
  expect("plates_BGK_limits.csv", 1000, 3e-4);
  // The table misses the continuum with a jump of the temperature more and more from delta = 5 on.
  expect("heat_transfer_plates_BGK.csv", 4, 1.2e-3);
}

/// Gas between plates at 1.1 and 1 T_ref with `across` velocities along y and z. Eight of them lose
/// 3e-4 of the Maxwellian of the hotter plate.
nlohmann::json hot_and_cold(const char* model, int across, double rarefaction) {
  return {{"precision", "double"},
          {"domain", {{"cells", {40}}}},
          {"velocity_grid", {{"type", "half-range"}, {"count", {24, across, across}}}},
          {"gas", {{"rarefaction", rarefaction}}},
          {"collision", {{"model", model}}},
          {"propagation", {{"order", 2}}},
          {"boundaries",
           {{"west", {{"type", "wall"}, {"temperature", 1.1}}}, {"east", {{"type", "wall"}}}}}};
}

TEST(Plates, CollisionsAreNoSourceOfHeatOnCoarseVelocityGrids) {
  // Where molecules collide thousands of times on their way such grids took most of the heat out of
  // the gas, unless its targets conserve, which is the default in gas as dense as this.
  for (const char* model : {"bgk", "shakhov", "es-bgk"}) {
    std::vector<double> fluxes;
    for (const int across : {8, 16}) {
      const auto method = test::start(hot_and_cold(model, across, 1000));
      EXPECT_LE(test::converge(*method, 1e-7, 100), 24) << model << ", " << across;
      const double west = method->monitor("west.energy_flux");
      EXPECT_NEAR(method->monitor("east.energy_flux") / west, -1, 1e-4) << model << ", " << across;
      fluxes.push_back(west);
    }
    EXPECT_NEAR(fluxes[0] / fluxes[1], 1, 1e-3) << model;
  }
}

TEST(Plates, WarnWhereCollisionsTakeHeat) {
  for (const char* model : {"bgk", "es-bgk"}) {
    auto json = hot_and_cold(model, 8, 100);
    const auto warnings = [&] {
      const auto method = test::start(json);
      EXPECT_LE(test::converge(*method, 1e-7, 100), 30) << model;
      return method->warnings();
    };
    EXPECT_THAT(warnings(), testing::IsEmpty()) << model;
    json["collision"]["conservative"] = false;
    EXPECT_THAT(warnings(), testing::Contains(testing::HasSubstr("an energy flow of "))) << model;
  }
}

// As much as `validate` says (added_viscosity), but for the slip.
TEST(Plates, DifferencesOfFirstOrderAddToTheViscosity) {
  auto json = plates();
  json["gas"] = {{"rarefaction", 1000}};
  json["boundaries"]["west"]["velocity"] = {0, -0.005, 0};
  json["boundaries"]["east"]["velocity"] = {0, 0.005, 0};
  const auto stress = [&] {
    const auto method = test::start(json);
    EXPECT_LE(test::converge(*method, 1e-8, 60), 60);
    return method->monitor("west.force_y");
  };
  const double right = stress();
  json["propagation"]["order"] = 1;
  const auto problem = test::read(json);
  const auto row = std::find_if(
      problem->resolved.begin(), problem->resolved.end(),
      [](const auto& each) { return each.name == "viscosity added by order 1 along x"; });
  ASSERT_NE(row, problem->resolved.end());
  const double added = std::stod(row->value);
  EXPECT_NEAR(stress() / right, 1 + added, 0.03 * (1 + added));
  EXPECT_THAT(problem->warnings, testing::Contains(testing::HasSubstr("more viscous")));
  json["propagation"]["acceleration"] = "asymptotic-preserving";
  EXPECT_THAT(test::read(json)->warnings,
              testing::Not(testing::Contains(testing::HasSubstr("more viscous"))));
  EXPECT_NEAR(stress() / right, 1, 0.002);
}

}  // namespace
}  // namespace knudsen::shakhov
