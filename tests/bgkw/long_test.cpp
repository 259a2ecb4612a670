#include <gtest/gtest.h>

#include <iostream>
#include <numbers>

#include "flows.hpp"

// These tests take seconds each on a GPU and most take too long on a host. A GPU build runs them on
// the GPU.

namespace knudsen::bgkw {
namespace {

using namespace test;

/// A cavity with a uniform velocity grid, on which sums of a Maxwellian are accurate.
nlohmann::json fine_cavity(double delta, int cells, int velocities, double reach) {
  auto json = cavity(delta, cells, "fused");
  json["precision"] = "double";
  json["reduced"] = true;
  json["velocity_grid"] = {{"count", {velocities, velocities, velocities}},
                           {"minimum", {-reach, -reach, -reach}},
                           {"maximum", {reach, reach, reach}}};
  return json;
}

TEST(CavityOfTable1, ThePapersValuesOnItsGrid) {
  if (!has_device_backend) GTEST_SKIP() << "an hour on a host";
  struct Row {
    double delta, drag, lowest_rate, highest_rate;
  };
  // At delta = 1 the paper prints a flow rate of 0.103: any value that rounds to it.
  for (const Row& row : {Row{0.1, 0.675, 0.0975, 0.0975}, Row{1, 0.624, 0.1025, 0.1035},
                         Row{10, 0.393, 0.143, 0.143}}) {
    const auto method = run(fine_cavity(row.delta, 160, 20, 3), 12);
    const double drag = method->monitor("lid_stress");
    const double rate = method->monitor("vortex_flow_rate");
    std::cout << "delta " << row.delta << ": D " << drag << ", G " << rate << std::endl;
    EXPECT_NEAR(drag / row.drag, 1, 0.01) << row.delta;
    EXPECT_GT(rate, 0.99 * row.lowest_rate) << row.delta;
    EXPECT_LT(rate, 1.01 * row.highest_rate) << row.delta;
  }
}

// The drag is taken from the cells next to the lid. The flux across the lid is 1.6 % above the
// reference at delta = 1 and not much less on finer grids, since stresses are singular in the
// corners.
TEST(CavityOfTable1, ValuesOfThePapersReferenceInSecondOrder) {
  if (!has_device_backend) GTEST_SKIP() << "an hour on a host";
  // In a rarefied gas the distribution is discontinuous near zero velocity: refine there.
  auto rare = fine_cavity(0.1, 160, 32, 3.5);
  rare["velocity_grid"]["type"] = "stretched";
  rare["velocity_grid"]["ratio"] = {4, 4, 4};
  rare["collision"] = {{"conservative", true}};
  // In a dense gas a truncated velocity grid loses mass in every collision, and the stress varies
  // over the half cell next to the lid.
  auto dense = fine_cavity(10, 160, 24, 4);
  dense["propagation"]["time_step"] = 12.0 / 8534;  // as recorded
  struct Row {
    nlohmann::json json;
    double lowest_drag, highest_drag, lowest_rate, highest_rate;
  };
  for (const Row& row : {Row{rare, 0.676, 0.678, 0.0973, 0.0976},
                         Row{fine_cavity(1, 120, 24, 3.5), 0.625, 0.631, 0.104, 0.105},
                         Row{dense, 0.412, 0.415, 0.145, 0.145}}) {
    auto json = row.json;
    json["propagation"]["order"] = 2;
    const auto method = run(json, 12);
    const double drag = method->monitor("lid_stress");
    const double rate = method->monitor("flow_rate");
    std::cout << "delta " << json["gas"]["rarefaction"] << ": D " << drag << ", G " << rate
              << std::endl;
    EXPECT_GT(drag, 0.99 * row.lowest_drag);
    EXPECT_LT(drag, 1.01 * row.highest_drag);
    EXPECT_GT(rate, 0.99 * row.lowest_rate);
    EXPECT_LT(rate, 1.01 * row.highest_rate);
  }
}

SlabGrid resolution(double delta) {
  if (delta < 0.05) return {40, 160, 1e4, 10};
  if (delta < 1) return {40, 100, 1e3, 3};
  if (delta < 5) return {80, 80, 100, 2};
  return {delta < 20 ? 160 : 320, 80, 100, 2};
}

/// Compares with every row of a table but that of delta = `left_out`: within half a percent.
template <class Compute>
void compare_with(const std::string& file, const std::string& column, const Compute& compute,
                  double left_out = 0) {
  if (!has_device_backend) GTEST_SKIP() << "half an hour on a host";
  const CsvTable table = reference_table(file);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double delta = table.column("delta")[i];
    if (delta == left_out) continue;
    const double value = compute(delta, resolution(delta), 8 + 6 / delta + 2 * delta);
    std::cout << file << ", delta " << delta << ": off by "
              << 100 * (value / table.column(column)[i] - 1) << " %" << std::endl;
    EXPECT_NEAR(value / table.column(column)[i], 1, 0.005) << delta;
  }
}

TEST(SlabTables, Couette) {
  compare_with("couette_plane_BGK_shear.csv", "minus_pxy_per_dU", couette_shear);
}

TEST(SlabTables, PoiseuilleBgk) {
  compare_with("poiseuille_plane_BGK_loyalka1979.csv", "G_P",
               [](double delta, const SlabGrid& grid, double time) {
                 return poiseuille_flow_rate(delta, "bgk", grid, time);
               });
}

TEST(SlabTables, PoiseuilleShakhov) {
  const auto compute = [](double delta, const SlabGrid& grid, double time) {
    return poiseuille_flow_rate(delta, "shakhov", grid, time);
  };
  // The row at 0.2 is 0.4 % above a polynomial in the logarithm of delta through those beside it.
  compare_with("poiseuille_plane_Smodel_sharipov1999.csv", "G_P", compute, 0.2);
  if (!has_device_backend) return;
  EXPECT_NEAR(compute(0.2, resolution(0.2), 40) / 1.8153, 1, 0.005);
}

/// Position at which a rising profile first crosses one half.
double middle_of(const std::vector<double>& x, const std::vector<double>& values) {
  std::size_t i = 1;
  while (values[i] < 0.5) ++i;
  return x[i - 1] + (x[i] - x[i - 1]) * (0.5 - values[i - 1]) / (values[i] - values[i - 1]);
}

TEST(ArgonShock, IsThatOfAUnifiedGasKineticScheme) {
  constexpr int cells = 320;
  constexpr double mach = 8;
  constexpr double spacing = 80.0 / cells;
  const auto method = run(shock(mach, "shakhov", 0.72, cells, 80), 130);
  const auto [before, behind] = rankine_hugoniot(mach);
  std::vector<double> x(cells), density(cells), temperature(cells);
  const Field rho = method->field("density");
  const Field kelvin = method->field("temperature");
  for (std::size_t i = 0; i < cells; ++i) {
    x[i] = (double(i) + 0.5) * spacing;
    density[i] = (rho[i] - 1) / (behind.density - 1);
    temperature[i] = (kelvin[i] - 1) / (behind.temperature - 1);
  }
  EXPECT_NEAR(density[cells - 1], 1, 1e-3);
  EXPECT_NEAR(temperature[cells - 1], 1, 1e-3);
  const CsvTable table = reference_table("shock_argon_Ma8_UGKS_shakhov_digitised.csv");
  const auto place = table.column("x_over_lambda");
  const auto expected_density = table.column("rho_normalised");
  const auto expected_temperature = table.column("T_normalised");
  const double shift = middle_of(place, expected_density);
  const double middle = middle_of(x, density);
  // The data's mean free path is that of hard spheres: mu = 5 sqrt(pi) / 16 rho v_ref path.
  const double path = 8 / (5 * std::sqrt(std::numbers::pi));
  for (std::size_t n = 0; n < place.size(); ++n) {
    const double at = (middle + (place[n] - shift) * path) / spacing - 0.5;
    const auto i = static_cast<std::size_t>(at);
    const double part = at - double(i);
    const auto between = [&](const std::vector<double>& values) {
      return (1 - part) * values[i] + part * values[i + 1];
    };
    EXPECT_NEAR(between(density), expected_density[n], 0.006) << place[n];
    EXPECT_NEAR(between(temperature), expected_temperature[n], 0.006) << place[n];
  }
}

}  // namespace
}  // namespace knudsen::bgkw
