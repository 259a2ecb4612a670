#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iostream>

#include "output/csv.hpp"
#include "paths.hpp"
#include "problem.hpp"

// Accuracy at full resolution: seconds to a minute each on a GPU, minutes or hours on a host. The
// printed rows are recorded in perf/results/boltzmann.

namespace knudsen::boltzmann {
namespace {

using nlohmann::json;
using test::read;

class OnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (default_backend() == Backend::host) GTEST_SKIP() << "hours on a host";
  }
};
using PaperGrid = OnGpu;
using UniformGrids = OnGpu;
using Cavity = OnGpu;
using Slab = OnGpu;

/// A row of Table 1 of Frezzotti 2010, with its grids.
struct TableRow {
  double delta;
  int cells;
  double progression[2];
  int velocities;
  double velocity_progression;
  int samples;
  double time;  ///< until the flow is steady, L / sqrt(2 R T_0)
  double drag, flow_rate, exact_drag, exact_flow_rate;
};
const TableRow table[3] = {
    {0.1, 160, {0.996, 0.998}, 20, 0.945, 1024, 9, 0.6712, 0.0955, 0.6815, 0.0977},
    {1, 160, {0.996, 0.998}, 20, 0.945, 6144, 5, 0.6266, 0.1017, 0.6389, 0.1039},
    {10, 192, {0.990, 0.995}, 18, 0.970, 8192, 7, 0.4096, 0.1427, 0.4176, 0.1451}};

/// The cavity of a row with uniform cells.
json cavity(const TableRow& row, int cells) {
  const double ratio = std::pow(row.velocity_progression, -0.5 * (row.velocities - 1));
  const int v = row.velocities;
  json result = test::base_case();
  result["precision"] = "single";
  result["domain"]["cells"] = {cells, cells};
  result["velocity_grid"]["count"] = {v, v, v};
  result["velocity_grid"]["ratio"] = {ratio, ratio, ratio};
  result["gas"]["rarefaction"] = row.delta;
  result["collision"]["samples"] = row.samples;
  result["propagation"] = {{"courant", 0.95}};
  return result;
}

struct CavityResult {
  double drag, drag_deviation, stress, stress_deviation, flow_rate, flow_rate_deviation;
};

/// Means over the last fifth of the steps.
CavityResult run_cavity(const std::string& what, json json, double time) {
  const auto steps = std::llround(time / read(json)->time_per_step);
  json["statistics"] = {{"from_step", steps * 4 / 5}, {"every", std::max(1LL, steps / 400)}};
  const auto problem = read(json);
  const auto method = problem->create(default_backend());
  method->initialise();
  method->advance(steps);
  EXPECT_FALSE(method->find_divergence());
  const CavityResult r{
      method->monitor("drag_coefficient_mean"), method->monitor("drag_coefficient_deviation"),
      method->monitor("lid_stress_mean"),       method->monitor("lid_stress_deviation"),
      method->monitor("flow_rate_mean"),        method->monitor("flow_rate_deviation")};
  std::cout << "cavity," << what << "," << json["gas"]["rarefaction"].get<double>() << ","
            << json["domain"]["cells"][0].get<int>() << "," << steps << "," << r.stress << ","
            << r.stress_deviation << "," << r.drag << "," << r.drag_deviation << "," << r.flow_rate
            << "," << r.flow_rate_deviation << std::endl;
  return r;
}

/// The paper's D is the stress in the cells beside the lid, so that it is as far below D_e as in
/// the table.
void check_paper_grid(const TableRow& row) {
  json json = cavity(row, row.cells);
  json["domain"]["progression"] = {row.progression[0], row.progression[1]};
  json["domain"]["finest_y"] = "high";
  const CavityResult r = run_cavity("paper grid", json, row.time);
  EXPECT_NEAR(r.stress / row.drag, 1, 0.01);
  EXPECT_NEAR(r.flow_rate / row.flow_rate, 1, 0.01);
  EXPECT_NEAR(r.drag / row.exact_drag, 1, 0.02);
  if (row.delta == 1) {
    EXPECT_LT(r.stress_deviation, 5e-4 * r.stress);
  }
}

TEST_F(PaperGrid, Delta01) { check_paper_grid(table[0]); }
TEST_F(PaperGrid, Delta1) { check_paper_grid(table[1]); }
TEST_F(PaperGrid, Delta10) { check_paper_grid(table[2]); }

void check_uniform_grids(const TableRow& row, int finest) {
  CavityResult r[3];
  for (int n = 0; n < 3; ++n) {
    r[n] = run_cavity("uniform grid", cavity(row, finest >> (2 - n)), row.time);
  }
  const auto check = [&](const char* what, double coarse, double middle, double fine,
                         double exact) {
    const double order = std::log2((middle - coarse) / (fine - middle));
    const double limit = 2 * fine - middle;
    std::cout << "extrapolated," << what << "," << row.delta << "," << finest << "," << order << ","
              << limit << "," << exact << std::endl;
    EXPECT_GT(order, 0.7);
    EXPECT_LT(order, 1.2);
    EXPECT_NEAR(limit / exact, 1, 0.01);
  };
  check("lid_stress", r[0].stress, r[1].stress, r[2].stress, row.exact_drag);
  check("flow_rate", r[0].flow_rate, r[1].flow_rate, r[2].flow_rate, row.exact_flow_rate);
}

TEST_F(UniformGrids, Delta01) { check_uniform_grids(table[0], 128); }
TEST_F(UniformGrids, Delta1) { check_uniform_grids(table[1], 128); }
TEST_F(UniformGrids, Delta10) { check_uniform_grids(table[2], 192); }

TEST_F(Cavity, SecondOrderIsNearTheLimitOnCoarseGrids) {
  const TableRow& row = table[1];
  for (const int cells : {40, 80}) {
    json json = cavity(row, cells);
    json["propagation"] = {{"order", 2}, {"courant", 0.8}};
    const CavityResult r = run_cavity("second order", json, row.time);
    EXPECT_NEAR(r.drag / row.exact_drag, 1, 0.01);
    EXPECT_NEAR(r.flow_rate / row.exact_flow_rate, 1, 0.015);
  }
}

TEST_F(Cavity, NoiseIsTheSameShareAtAnySpeed) {
  std::vector<double> shares;
  for (const double speed : {1e-2, 1e-3, 1e-4, 1e-5}) {
    json json = cavity(table[1], 40);
    json["boundaries"]["north"]["velocity"] = {speed, 0, 0};
    const CavityResult r = run_cavity("lid " + std::to_string(speed), json, 4);
    shares.push_back(r.drag_deviation / r.drag);
    EXPECT_NEAR(shares.back() / shares.front(), 1, 0.05);
    EXPECT_LT(shares.back(), 5e-4);
  }
}

TEST_F(Cavity, StartsSmoothlyAndTheSameWithAnySeed) {
  std::unique_ptr<Method> methods[2];
  double time_step = 0;
  for (int n = 0; n < 2; ++n) {
    json json = cavity(table[1], 80);
    json["collision"]["seed"] = n + 1;
    const auto problem = read(json);
    time_step = problem->time_per_step;
    methods[n] = problem->create(default_backend());
    methods[n]->initialise();
  }
  constexpr int every = 20;
  std::vector<double> drag[2];
  for (int n = 0; n < 100; ++n) {
    for (int m = 0; m < 2; ++m) {
      methods[m]->advance(every);
      drag[m].push_back(methods[m]->monitor("drag_coefficient"));
    }
    if (n % 4 == 0) {
      std::cout << "start," << (n + 1) * every * time_step << "," << drag[0].back() << ","
                << drag[1].back() << std::endl;
    }
  }
  for (std::size_t n = 0; n < drag[0].size(); ++n) {
    EXPECT_NEAR(drag[1][n] / drag[0][n], 1, 2e-3) << n;
    if (n < 12 || n + 1 == drag[0].size()) continue;
    EXPECT_NEAR((drag[0][n - 1] + drag[0][n + 1]) / (2 * drag[0][n]), 1, 1e-3) << n;
  }
}

/// Ratio of the temperature amplitudes at two times of a wave of the linearised Navier-Stokes and
/// Fourier equations at delta, in the units of the method. Temperature and density are sines of
/// 2 pi x, the velocity along x is a cosine. The wave starts at rest and at constant pressure with
/// a temperature of 1. `heat` is the thermal diffusivity kappa / (rho c_p) times 2 delta. The wave
/// also emits sound, which alters the decay by up to a half.
double temperature_ratio(double delta, double heat, double from, double to) {
  const double k = 2 * std::acos(-1.0);
  const double viscosity = 1 / (2 * delta);
  const auto change = [&](const std::array<double, 3>& wave) -> std::array<double, 3> {
    const auto [density, velocity, temperature] = wave;
    return {k * velocity, -k * (density + temperature) / 2 - 4.0 / 3 * viscosity * k * k * velocity,
            2.0 / 3 * k * velocity - 5.0 / 3 * heat * viscosity * k * k * temperature};
  };
  const auto plus = [](std::array<double, 3> wave, const std::array<double, 3>& rate, double dt) {
    for (std::size_t i = 0; i < 3; ++i) wave[i] += dt * rate[i];
    return wave;
  };
  constexpr int steps = 2200;
  const double dt = to / steps;
  const auto first = std::llround(from / dt);
  std::array<double, 3> wave{-1, 0, 1};
  double earlier = 1;
  for (int step = 0; step < steps; ++step) {
    if (step == first) earlier = wave[2];
    const auto middle = plus(wave, change(plus(wave, change(wave), dt / 2)), dt);
    wave = plus(plus(wave, change(wave), dt / 2), change(middle), dt / 2);
  }
  return wave[2] / earlier;
}

/// Diffusivity of a wave over that of momentum, 1 / (2 delta), from its decay with `count`^3
/// velocities. The wave is a hundred mean free paths long, which changes its rate by two parts in a
/// thousand. Distributions are constant in a velocity cell, since with interpolation noise grows.
double diffusivity(bool thermal, int count) {
  constexpr double delta = 100;
  constexpr double time_step = 2e-4;
  json json = test::periodic(R"({
    "precision": "single",
    "domain": {"cells": [64]},
    "velocity_grid": {"minimum": [-3.2, -3.2, -3.2], "maximum": [3.2, 3.2, 3.2],
                      "ratio": [1, 1, 1]},
    "collision": {"form": "linearised", "sample_temperature": 2, "sequence": "quasi-random"},
    "propagation": {"order": 2, "limiter": "none"},
    "initial": {"wave": {"amplitude": 0.01}}})");
  json["velocity_grid"]["count"] = {count, count, count};
  json["collision"]["samples"] = count * count * count * 3 / 4;
  json["gas"]["rarefaction"] = delta;
  json["propagation"]["time_step"] = time_step;
  json["initial"]["wave"]["kind"] = thermal ? "thermal" : "shear";
  const auto wave = read(json)->create(default_backend());
  wave->initialise();
  const std::string monitor = thermal ? "thermal_wave" : "shear_wave";
  constexpr int from = 500;
  constexpr int to = 5500;
  wave->advance(from);
  const double first = wave->monitor(monitor);
  wave->advance(to - from);
  const double ratio = wave->monitor(monitor) / first;
  if (!thermal) {
    const double wave_number = 2 * std::acos(-1.0);
    return -2 * delta * std::log(ratio) / (time_step * (to - from) * wave_number * wave_number);
  }
  double low = 0.5;
  double high = 3;
  while (high - low > 1e-6) {
    const double middle = (low + high) / 2;
    const bool too_slow =
        temperature_ratio(delta, middle, time_step * from, time_step * to) > ratio;
    (too_slow ? low : high) = middle;
  }
  return low;
}

/// Extrapolated to zero width of the velocity cells, in which the error is quadratic.
double extrapolated_diffusivity(bool thermal) {
  const double coarse = diffusivity(thermal, 20);
  const double fine = diffusivity(thermal, 28);
  std::cout << "diffusivity," << coarse << "," << fine << std::endl;
  const double share = (20.0 * 20) / (28 * 28);
  return (fine - share * coarse) / (1 - share);
}

double transport_constant(const std::string& name) {
  std::ifstream file(std::string(KNUDSEN_TEST_DATA) +
                     "/hardsphere_transport_and_slip_constants.csv");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(name + ",", 0) == 0) return std::stod(line.substr(name.size() + 1));
  }
  throw std::logic_error("no constant " + name);
}

TEST(Decay, OfShearGivesTheViscosity) {
  const double expected = transport_constant("gamma1_viscosity_HS");
  const double found = expected * extrapolated_diffusivity(false);
  std::cout << "gamma1," << found << "," << expected << std::endl;
  EXPECT_NEAR(found / expected, 1, 0.01);
}

TEST(Decay, OfHeatGivesTheConductivity) {
  const double expected = transport_constant("gamma2_conductivity_HS");
  const double found = transport_constant("gamma1_viscosity_HS") * extrapolated_diffusivity(true);
  std::cout << "gamma2," << found << "," << expected << std::endl;
  EXPECT_NEAR(found / expected, 1, 0.01);
}

struct SlabVelocities {
  int across, along;
  double ratio;  ///< across, of the widths of the outermost and innermost cells
  int samples;
  const char* interpolation;
};

/// Flow rate G_P of plane Poiseuille flow, the mean over the last fifth of the steps.
double poiseuille_flow_rate(double delta, const SlabVelocities& velocities) {
  constexpr double force = 0.01;
  json json = test::periodic(R"({
    "precision": "single",
    "domain": {"cells": [60], "progression": [0.95]},
    "velocity_grid": {"minimum": [-3.2, -3.2, -3.2], "maximum": [3.2, 3.2, 3.2]},
    "collision": {"form": "linearised", "sample_temperature": 2, "body_force": [0, 0.01, 0]},
    "propagation": {"order": 2, "courant": 0.9, "relaxation_fraction": 0.05, "time_step": null},
    "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"}}})");
  json["gas"]["rarefaction"] = delta;
  json["velocity_grid"]["count"] = {velocities.across, velocities.along, velocities.along};
  json["velocity_grid"]["ratio"] = {velocities.ratio, 1, 1};
  json["collision"]["samples"] = velocities.samples;
  json["collision"]["interpolation"] = velocities.interpolation;
  const auto problem = read(json);
  const auto method = problem->create(default_backend());
  method->initialise();
  // Until slow molecules have collided, and until momentum has diffused.
  const auto steps = std::llround((10 + 4 / delta + delta) / problem->time_per_step);
  constexpr int values = 40;
  method->advance(steps - steps / 5);
  double mean = 0;
  for (int n = 0; n < values; ++n) {
    method->advance(steps / (5 * values));
    mean += method->monitor("mean_velocity_y") / force / values;
  }
  return mean;
}

/// In a denser gas noise grows with linear interpolation. Distributions that are constant in a
/// velocity cell have an error quadratic in its width, and need no finer cells around zero.
double accurate_poiseuille_flow_rate(double delta) {
  if (delta < 5) return poiseuille_flow_rate(delta, {48, 26, 20, 12000, "linear"});
  const double coarse = poiseuille_flow_rate(delta, {16, 16, 1, 3072, "constant"});
  const double fine = poiseuille_flow_rate(delta, {24, 24, 1, 10368, "constant"});
  constexpr double share = (16.0 * 16) / (24 * 24);
  return (fine - share * coarse) / (1 - share);
}

void check_poiseuille(double k) {
  const CsvTable reference(std::string(KNUDSEN_TEST_DATA) +
                           "/poiseuille_plane_LBE_hardsphere_ohwada1989.csv");
  const auto ks = reference.column("k");
  const auto row = static_cast<std::size_t>(std::find(ks.begin(), ks.end(), k) - ks.begin());
  const double expected = reference.column("G_P")[row];
  const double found = accurate_poiseuille_flow_rate(reference.column("delta_visc_derived")[row]);
  std::cout << "poiseuille," << k << "," << found << "," << expected << std::endl;
  EXPECT_NEAR(found / expected, 1, 0.01);
}

TEST_F(Slab, PoiseuilleK01) { check_poiseuille(0.1); }
TEST_F(Slab, PoiseuilleK04) { check_poiseuille(0.4); }
TEST_F(Slab, PoiseuilleK1) { check_poiseuille(1); }
TEST_F(Slab, PoiseuilleK2) { check_poiseuille(2); }
TEST_F(Slab, PoiseuilleK10) { check_poiseuille(10); }

}  // namespace
}  // namespace knudsen::boltzmann
