#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include "collide_nodes.hpp"
#include "textbook3d.hpp"

// The decay of a periodic shear wave shows the viscosity of a collision: its error at finite
// velocity, and at finite resolution.
namespace knudsen {
namespace {

struct ShearWave {
  int nodes;                           ///< along x, and along y where the wave varies there
  std::array<int, 2> wave{1, 1};       ///< waves in the domain each way
  std::array<double, 2> background{};  ///< mean velocity
  double amplitude = 1e-5;

  std::array<double, 2> normal() const {
    const double length = std::hypot(wave[0], wave[1]);
    return {wave[0] / length, wave[1] / length};
  }
};

/// Viscosity measured from the decay between two times, divided by (1 / omega - 1/2) / 3.
double relative_viscosity(const std::string& collision_operator,
                          const CollisionParameters<double>& fluid, const ShearWave& flow,
                          int steps) {
  const Collision3D collision{27, collision_operator};
  const auto n = static_cast<std::size_t>(flow.nodes);
  const std::size_t rows = flow.wave[1] == 0 ? 1 : n;
  const double nx = flow.normal()[0];
  const double ny = flow.normal()[1];
  const auto phase = [&](std::size_t x, std::size_t y) {
    return 2 * std::numbers::pi *
           (flow.wave[0] * static_cast<double>(x) + flow.wave[1] * static_cast<double>(y)) /
           flow.nodes;
  };
  std::vector<double> g;
  for (std::size_t y = 0; y < rows; ++y) {
    for (std::size_t x = 0; x < n; ++x) {
      const double u = flow.amplitude * std::sin(phase(x, y));
      const auto f = textbook3d::equilibrium(
          collision, {1, {flow.background[0] - ny * u, flow.background[1] + nx * u, 0}});
      for (int q = 0; q < 27; ++q) {
        g.push_back(
            static_cast<double>(f[static_cast<std::size_t>(q)] - textbook3d::weight(27, q)));
      }
    }
  }
  const auto amplitude = [&] {
    std::complex<double> sum = 0;
    for (std::size_t y = 0; y < rows; ++y) {
      for (std::size_t x = 0; x < n; ++x) {
        double transverse = 0;
        for (int q = 0; q < 27; ++q) {
          const auto c = textbook3d::velocity(q);
          transverse += (nx * c[1] - ny * c[0]) * g[(y * n + x) * 27 + static_cast<std::size_t>(q)];
        }
        sum += transverse * std::polar(1.0, phase(x, y));
      }
    }
    return std::abs(sum);
  };
  std::array<std::array<int, 3>, 27> velocity{};
  for (int q = 0; q < 27; ++q) velocity[static_cast<std::size_t>(q)] = textbook3d::velocity(q);
  std::vector<double> streamed(g.size());
  const auto advance = [&](int count) {
    for (int step = 0; step < count; ++step) {
      collide_nodes(Backend::host, collision, fluid, g);
      for (std::size_t y = 0; y < rows; ++y) {
        for (std::size_t x = 0; x < n; ++x) {
          for (std::size_t q = 0; q < 27; ++q) {
            const std::size_t to_x = (x + n + static_cast<std::size_t>(velocity[q][0])) % n;
            const std::size_t to_y = (y + rows + static_cast<std::size_t>(velocity[q][1])) % rows;
            streamed[(to_y * n + to_x) * 27 + q] = g[(y * n + x) * 27 + q];
          }
        }
      }
      g.swap(streamed);
    }
  };
  advance(steps);
  const double before = amplitude();
  advance(steps);
  const double wave_number =
      2 * std::numbers::pi / flow.nodes * std::hypot(flow.wave[0], flow.wave[1]);
  const double viscosity = (1 / fluid.relaxation_rate - 0.5) / 3;
  return std::log(before / amplitude()) / (steps * wave_number * wave_number * viscosity);
}

CollisionParameters<double> fluid_of(double omega) {
  CollisionParameters<double> fluid{omega, omega};
  CumulantParametrised::set_rates(fluid);
  return fluid;
}

double viscosity_error(const std::string& collision_operator, const ShearWave& flow) {
  return std::abs(relative_viscosity(collision_operator, fluid_of(1.9), flow, 150) - 1);
}

TEST(ShearWave, GalileanCorrectionKeepsTheViscosityAtFiniteVelocity) {
  const ShearWave moving{16, {1, 1}, {0.2, 0}};
  EXPECT_GT(viscosity_error(Bgk::name, moving), 0.05);
  EXPECT_GT(viscosity_error(Cascaded::name, moving), 0.08);
  EXPECT_GT(viscosity_error(UncorrectedCumulant::name, moving), 0.08);
  EXPECT_LT(viscosity_error(Cumulant::name, moving), 0.015);
  EXPECT_LT(viscosity_error(CumulantParametrised::name, moving), 0.015);
}

TEST(ShearWave, ShearAlongAnAxisIsGalileanInvariantWithoutCorrection) {
  const ShearWave moving{16, {1, 0}, {0.2, 0}};
  EXPECT_GT(viscosity_error(Bgk::name, moving), 0.1);
  EXPECT_LT(viscosity_error(Cascaded::name, moving), 0.02);
  EXPECT_LT(viscosity_error(UncorrectedCumulant::name, moving), 0.02);
}

TEST(ShearWave, ParametrisedDiffusionIsOfFourthOrder) {
  for (const auto wave : {std::array{1, 0}, std::array{1, 1}}) {
    const auto gain = [&](const std::string& collision_operator) {
      return viscosity_error(collision_operator, {12, wave}) /
             viscosity_error(collision_operator, {24, wave});
    };
    EXPECT_NEAR(gain(UncorrectedCumulant::name), 4, 1) << wave[1];
    EXPECT_GT(gain(CumulantParametrised::name), 10) << wave[1];
    EXPECT_LT(viscosity_error(CumulantParametrised::name, {24, wave}), 3e-4) << wave[1];
  }
  EXPECT_GT(viscosity_error(UncorrectedCumulant::name, {24, {1, 2}}), 1e-2);
  EXPECT_LT(viscosity_error(CumulantParametrised::name, {24, {1, 2}}), 3e-4);
}

}  // namespace
}  // namespace knudsen
