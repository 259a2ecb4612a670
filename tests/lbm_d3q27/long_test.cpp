#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <map>

#include "flow_runner.hpp"

// Minutes each on a few cores: what the method is measured by at full resolution. On a GPU build
// they run there.

namespace knudsen::lbm_d3q27 {
namespace {

/// Lines of a reference file with two values each.
std::vector<std::pair<std::string, double>> reference(const std::string& name) {
  std::ifstream file(std::string(KNUDSEN_TEST_DATA) + "/" + name);
  std::vector<std::pair<std::string, double>> rows;
  std::string line;
  while (std::getline(file, line) && line[0] == '#') {
  }
  while (std::getline(file, line)) {
    const auto comma = line.find(',');
    if (comma != std::string::npos) {
      rows.emplace_back(line.substr(0, comma), std::stod(line.substr(comma + 1)));
    }
  }
  return rows;
}

TEST(CubicArrayAt64, has_the_drag_of_Zick_and_Homsy) {
  int compared = 0;
  for (const auto& [fraction_text, drag] : reference("zick_homsy1982_simple_cubic_K.csv")) {
    const double fraction = std::stod(fraction_text);
    if (fraction < 0.027 || fraction > 0.45) continue;
    ++compared;
    for (const CollisionOperator collision_operator :
         {CollisionOperator::trt, CollisionOperator::cumulant_galilean}) {
      Parameters p = domain(64, 64, 64, 0.6);
      p.collision_operator = collision_operator;
      p.sparse = true;
      const double found = cubic_array_drag(64, fraction, 1e-6, p, default_backend());
      std::cout << "volume fraction " << fraction << ", "
                << (collision_operator == CollisionOperator::trt ? "trt" : "cumulant") << ": K "
                << found << ", off by " << 100 * (found / drag - 1) << " %" << std::endl;
      EXPECT_NEAR(found / drag, 1, 0.005);
    }
  }
  EXPECT_EQ(compared, 6);
}

/// Taylor-Green vortices at Re = 1600: highest dissipation, from the decay of the kinetic energy,
/// and its time, in units of the highest initial velocity and 1 / wave number.
TEST(TaylorGreenAt256, has_the_dissipation_peak_of_Re_1600) {
  if (!has_device_backend) GTEST_SKIP() << "hours on a host";
  std::map<std::string, double> expected;
  for (const auto& [name, value] : reference("taylor_green_Re1600_peak.csv")) {
    expected[name] = value;
  }
  constexpr int n = 256;
  const double length = n / (2 * pi);
  const double velocity = 0.05;
  const double viscosity = velocity * length / 1600;
  Parameters p = domain(n, n, n, 3 * viscosity + 0.5);
  p.precision = StoragePrecision::single_precision;
  p.collision_operator = CollisionOperator::cumulant_galilean;
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

}  // namespace
}  // namespace knudsen::lbm_d3q27
