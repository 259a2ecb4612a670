#include "problem.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "output/checkpoint.hpp"
#include "output/csv.hpp"
#include "output/distribution_file.hpp"
#include "output/temporary_directory.hpp"

namespace knudsen::bgkw {
namespace {

using test::read;
using test::with;

std::unique_ptr<Method> start(const Problem& problem) {
  auto method = problem.create(default_backend());
  method->initialise();
  return method;
}

/// Runs for a time and returns the method.
std::unique_ptr<Method> run(const nlohmann::json& json, double time) {
  const auto problem = read(json);
  auto method = start(*problem);
  method->advance(static_cast<std::int64_t>(std::ceil(time / problem->time_per_step)));
  return method;
}

double lookup(const std::string& file, const std::string& column, double delta) {
  const CsvTable table(std::string(KNUDSEN_TEST_DATA) + "/" + file);
  const auto deltas = table.column("delta");
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    if (deltas[i] == delta) return table.column(column)[i];
  }
  ADD_FAILURE() << "no delta " << delta << " in " << file;
  return 0;
}

/// A slab between walls, second order. Velocities across it are fine, since the distribution jumps
/// at zero there.
nlohmann::json slab(double delta, const std::string& patch) {
  nlohmann::json json = with(patch);
  json["domain"]["cells"] = {20};
  json["gas"] = {{"rarefaction", delta}};
  json["collision"]["conservative"] = true;
  json["propagation"] = {{"order", 2}, {"relaxation_fraction", 1}};
  json["velocity_grid"] = {{"type", "stretched"},
                           {"ratio", {20, 1, 1}},
                           {"count", {40, 8, 6}},
                           {"minimum", {-4, -3.5, -3.5}},
                           {"maximum", {4, 3.5, 3.5}}};
  return json;
}

TEST(Slab, CouetteShear) {
  constexpr double wall = 0.02;
  for (const double delta : {0.1, 1.0, 10.0}) {
    const auto method = run(slab(delta, R"({"boundaries": {"west": {"velocity": [0, -0.02, 0]},
                                           "east": {"velocity": [0, 0.02, 0]}}})"),
                            8 + delta);
    const double shear = method->monitor("west.force_y") / (2 * wall);
    EXPECT_NEAR(method->monitor("east.force_y") / method->monitor("west.force_y"), -1, 1e-6);
    const double expected = lookup("couette_plane_BGK_shear.csv", "minus_pxy_per_dU", delta);
    EXPECT_NEAR(shear / expected, 1, 0.005) << delta;
  }
}

TEST(Slab, HeatBetweenPlates) {
  for (const double delta : {0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0}) {
    auto json = slab(delta, R"({"boundaries": {"west": {"temperature": 0.99},
                                               "east": {"temperature": 1.01}}})");
    json["reduced"] = true;
    const auto method = run(json, 8 + 1.5 * delta);
    const double flux = method->monitor("west.energy_flux") / 0.02;
    EXPECT_NEAR(flux / lookup("heat_transfer_plates_BGK.csv", "q_per_dT", delta), 1, 0.005)
        << delta;
  }
}

TEST(Slab, PoiseuilleFlowRate) {
  constexpr double force = 0.005;
  for (const double delta : {0.5, 1.0, 5.0}) {
    const auto method = run(slab(delta, R"({"collision": {"body_force": [0, 0.005, 0]}})"), 16);
    const double rate = method->monitor("mean_velocity_y") / force;
    EXPECT_NEAR(rate / lookup("poiseuille_plane_BGK_loyalka1979.csv", "G_P", delta), 1, 0.005)
        << delta;
  }
}

TEST(Shock, RankineHugoniotEndsAndConstantFlux) {
  const double mach = 1.5;
  const auto method = run(with(R"({
    "domain": {"cells": [80], "size": [40]},
    "gas": {"law": "soft_sphere"},
    "velocity_grid": {"count": [20, 12, 12], "minimum": [-5, -5, -5], "maximum": [6.5, 5, 5]},
    "initial": {"type": "shock", "mach": 1.5},
    "collision": {"conservative": true},
    "boundaries": {"west": {"type": "reservoir"}, "east": {"type": "reservoir"}}})"),
                          140);
  const auto [before, behind] = rankine_hugoniot(mach);
  const Field density = method->field("density");
  const Field temperature = method->field("temperature");
  EXPECT_NEAR(density[0], 1, 1e-3);
  EXPECT_NEAR(temperature[0], 1, 1e-3);
  EXPECT_NEAR(density[79] / behind.density, 1, 1e-3);
  EXPECT_NEAR(temperature[79] / behind.temperature, 1, 1e-3);
  EXPECT_NEAR(method->monitor("east.mass_flux") / before.velocity[0], 1, 1e-3);
  EXPECT_NEAR(method->monitor("east.mass_flux") / -method->monitor("west.mass_flux"), 1, 1e-4);
  EXPECT_NEAR(method->monitor("east.energy_flux") / -method->monitor("west.energy_flux"), 1, 1e-4);
  const double thickness = method->monitor("density_thickness");
  EXPECT_GT(thickness, 2);
  EXPECT_LT(thickness, 12);
}

TEST(SodTube, CollisionlessStepIsExact) {
  // Free flight over many cells is one step of exact shifts.
  constexpr double time = 1;
  const auto method = run(with(R"({
    "domain": {"cells": [200], "size": [10]},
    "gas": {"rarefaction": 0},
    "velocity_grid": {"count": [200, 10, 10], "minimum": [-4.5, -4, -4], "maximum": [4.5, 4, 4]},
    "propagation": {"time_step": 1},
    "initial": {"type": "step", "left": {}, "right": {"density": 0.125, "temperature": 0.8}},
    "boundaries": {"west": {"type": "reservoir"}, "east": {"type": "reservoir"}}})"),
                          time);
  const CsvTable table(std::string(KNUDSEN_TEST_DATA) + "/sod_collisionless_exact.csv");
  const auto position = table.column("x_over_t");
  const Field density = method->field("density");
  const Field velocity = method->field("velocity");
  const Field temperature = method->field("temperature");
  const double root2 = std::sqrt(2.0);  // the table's velocity unit is sqrt(R T)
  int compared = 0;
  for (std::size_t i = 0; i < position.size(); ++i) {
    const double x = position[i] / root2 * time + 5;
    const double place = x / 0.05 - 0.5;
    if (place < 0 || place > 198) continue;
    const auto cell = static_cast<std::size_t>(place);
    const double part = place - double(cell);
    const auto at = [&](const Field& field, std::size_t components) {
      return (1 - part) * field[cell * components] + part * field[(cell + 1) * components];
    };
    EXPECT_NEAR(at(density, 1), table.column("rho")[i], 3e-3) << position[i];
    EXPECT_NEAR(at(velocity, 3) * root2, table.column("u")[i], 1e-2) << position[i];
    EXPECT_NEAR(at(temperature, 1), table.column("T")[i], 1e-2) << position[i];
    ++compared;
  }
  EXPECT_GT(compared, 30);
}

nlohmann::json cavity(double delta, int cells, const std::string& scheme) {
  nlohmann::json json = with(R"({
    "precision": "single",
    "velocity_grid": {"count": [16, 16, 10], "minimum": [-4, -4, -3.5], "maximum": [4, 4, 3.5]},
    "boundaries": {"north": {"type": "wall", "velocity": [0.01, 0, 0]},
                   "south": {"type": "wall"}}})");
  json["domain"]["cells"] = {cells, cells};
  json["gas"]["rarefaction"] = delta;
  json["propagation"]["scheme"] = scheme;
  return json;
}

TEST(Cavity, DragAndFlowRateOfTable1) {
  // A coarse grid: percents off the table, which is for finer ones.
  const auto method = run(cavity(1, 16, "fused"), 4);
  EXPECT_NEAR(method->monitor("drag_coefficient") / 0.624, 1, 0.1);
  EXPECT_NEAR(method->monitor("flow_rate") / 0.103, 1, 0.06);
}

TEST(Cavity, SchemesAgree) {
  const auto fused = run(cavity(1, 6, "fused"), 0.5);
  const auto separate = run(cavity(1, 6, "separate"), 0.5);
  const Field a = fused->field("velocity");
  const Field b = separate->field("velocity");
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-6);
}

TEST(Cavity, IsOddInTheLidVelocity) {
  auto json = cavity(1, 6, "fused");
  json["precision"] = "double";
  const auto right = run(json, 0.5);
  json["boundaries"]["north"]["velocity"] = {-0.01, 0, 0};
  const auto left = run(json, 0.5);
  const Field a = right->field("velocity");
  const Field b = left->field("velocity");
  for (int y = 0; y < 6; ++y) {
    for (int x = 0; x < 6; ++x) {
      const auto here = static_cast<std::size_t>(3 * (6 * y + x));
      const auto mirrored = static_cast<std::size_t>(3 * (6 * y + 5 - x));
      EXPECT_NEAR(a[here], -b[mirrored], 1e-14);
      EXPECT_NEAR(a[here + 1], b[mirrored + 1], 1e-14);
    }
  }
}

TEST(Cavity, RestartContinuesBitForBit) {
  const TemporaryDirectory directory;
  const auto problem = read(cavity(1, 6, "fused"));
  const auto whole = start(*problem);
  whole->advance(7);
  CheckpointWriter writer(directory / "c.h5", "bgkw", "digest", 7);
  whole->save(writer);
  writer.commit();
  whole->advance(6);
  auto restarted = problem->create(default_backend());
  restarted->load(CheckpointReader(directory / "c.h5"));
  restarted->advance(6);
  for (const Quantity& quantity : problem->fields) {
    const Field a = whole->field(quantity.name);
    const Field b = restarted->field(quantity.name);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a[i], b[i]) << quantity.name;
  }
}

TEST(Method, EveryQuantityIsThere) {
  const auto problem = read(cavity(1, 5, "fused"));
  const auto method = start(*problem);
  method->advance(2);
  method->remember();
  method->advance(1);
  for (const Quantity& quantity : problem->monitors) {
    EXPECT_TRUE(std::isfinite(method->monitor(quantity.name))) << quantity.name;
  }
  for (const Quantity& quantity : problem->fields) {
    const Field field = method->field(quantity.name);
    EXPECT_EQ(field.size(), 25U * static_cast<std::size_t>(quantity.components));
  }
  EXPECT_FALSE(method->find_divergence());
  EXPECT_EQ(method->results().count("drag_coefficient"), 1U);
  EXPECT_TRUE(method->distributions().empty());
}

TEST(Method, ShowsTheDistributionAtProbes) {
  const auto problem = read(with(R"({"probes": [{"at": [0.99]}, {"at": [0]}]})"));
  const auto samples = start(*problem)->distributions();
  ASSERT_EQ(samples.size(), 2U);
  EXPECT_DOUBLE_EQ(samples[0].position[0], 7.5 / 8);
  ASSERT_EQ(samples[1].values.size(), 512U);
  const double pi = std::acos(-1.0);
  EXPECT_NEAR(samples[1].values[7 * 64 + 3], std::exp(-3.5 * 3.5 * 2 - 0.25) / std::pow(pi, 1.5),
              1e-15);
  EXPECT_EQ(samples[1].velocities[2].size(), 8U);
}

}  // namespace
}  // namespace knudsen::bgkw
