#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <map>
#include <numbers>
#include <sstream>

#include "flow_runner.hpp"
#include "lbm_d3q27/heated_cube.hpp"
#include "paths.hpp"

// Minutes each on a few cores: what the method is measured by at full resolution. On a GPU build
// they run there.

namespace knudsen::lbm_d3q27 {
namespace {

/// Lines of a reference file, each of some values.
std::vector<std::vector<std::string>> reference(const std::string& name) {
  std::ifstream file(std::string(KNUDSEN_TEST_DATA) + "/" + name);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  while (std::getline(file, line) && line[0] == '#') {
  }
  while (std::getline(file, line)) {
    std::istringstream values(line);
    rows.emplace_back();
    for (std::string value; std::getline(values, value, ',');) rows.back().push_back(value);
  }
  return rows;
}

void expect_drag(CubicLattice lattice, const std::string& name, double fraction, double drag) {
  for (const std::string collision_operator : {Trt::name, Cumulant::name}) {
    // Where the wall's own error, which depends on the rates, is small.
    Parameters p = domain(64, 64, 64, collision_operator == Trt::name ? 0.6 : 0.7);
    p.magic = 1 / 6.0;
    p.collision_operator = collision_operator;
    p.sparse = true;
    const double found = array_drag(lattice, 64, fraction, drag, 1e-6, p, default_backend());
    std::cout << name << ", volume fraction " << fraction << ", " << collision_operator << ": K "
              << found << ", off by " << 100 * (found / drag - 1) << " %" << std::endl;
    EXPECT_NEAR(found / drag, 1, 0.005);
  }
}

TEST(SimpleArrayAt64, has_the_drag_of_Zick_and_Homsy) {
  int compared = 0;
  for (const auto& row : reference("zick_homsy1982_simple_cubic_K.csv")) {
    const double fraction = std::stod(row.at(0));
    if (fraction < 0.027 || fraction > 0.45) continue;
    ++compared;
    expect_drag(CubicLattice::simple, "simple", fraction, std::stod(row.at(1)));
  }
  EXPECT_EQ(compared, 6);
}

TEST(CentredArraysAt64, have_the_drag_of_Stokes_flow) {
  for (const auto& row : reference("sphere_array_drag.csv")) {
    const CubicLattice lattice =
        row.at(0) == "BCC" ? CubicLattice::body_centred : CubicLattice::face_centred;
    expect_drag(lattice, row.at(0), std::stod(row.at(1)), std::stod(row.at(2)));
  }
}

/// Taylor-Green vortices at Re = 1600: highest dissipation, from the decay of the kinetic energy,
/// and its time, in units of the highest initial velocity and 1 / wave number.
TEST(TaylorGreenAt256, has_the_dissipation_peak_of_Re_1600) {
  if (!has_device_backend) GTEST_SKIP() << "hours on a host";
  std::map<std::string, double> expected;
  for (const auto& row : reference("taylor_green_Re1600_peak.csv")) {
    expected[row.at(0)] = std::stod(row.at(1));
  }
  constexpr int n = 256;
  const double length = n / (2 * std::numbers::pi);
  const double velocity = 0.05;
  const double viscosity = velocity * length / 1600;
  Parameters p = domain(n, n, n, 3 * viscosity + 0.5);
  p.precision = StoragePrecision::single_precision;
  p.collision_operator = Cumulant::name;
  p.initial.kind = InitialKind::taylor_green;
  p.initial.velocity[0] = velocity;
  const auto method = started(p, default_backend());
  const double unit = length / velocity;
  const int interval = 41;
  const auto energy = [&] {
    return method->monitor("kinetic_energy") / (double(n) * n * n * velocity * velocity);
  };
  double before = energy();
  EXPECT_NEAR(before, expected.at("E_at_t0"), 1e-4);
  double peak = 0;
  double time = 0;
  for (int step = interval; step < 10.5 * unit; step += interval) {
    method->advance(interval);
    const double now = energy();
    const double dissipation = (before - now) / (interval / unit);
    if (dissipation > peak) {
      peak = dissipation;
      time = (step - interval / 2.0) / unit;
    }
    before = now;
  }
  std::cout << "dissipation peak " << peak << " at " << time << ", off by "
            << 100 * (peak / expected.at("peak_minus_dEdt") - 1) << " %" << std::endl;
  EXPECT_NEAR(peak / expected.at("peak_minus_dEdt"), 1, 0.02);
  EXPECT_NEAR(time / expected.at("time_of_peak"), 1, 0.03);
}

// The mean Nusselt numbers of Wakashima and Saitoh (Int. J. Heat Mass Transfer 47 (2004) 845) and
// of Tric, Labrosse and Betrouni (the same 43 (2000) 4043) differ by less than 0.1 %.
TEST(HeatedCube, Rayleigh1e5) { expect_nusselt_number(48, 1e5, 0.022, 4.337); }
TEST(HeatedCube, Rayleigh1e6) {
  if (!has_device_backend) GTEST_SKIP() << "an hour on a host";
  expect_nusselt_number(96, 1e6, 0.013, 8.64);
}

}  // namespace
}  // namespace knudsen::lbm_d3q27
