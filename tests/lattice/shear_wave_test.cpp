#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <vector>

#include "collide_nodes.hpp"
#include "textbook3d.hpp"

// The decay of a periodic shear wave shows the viscosity of a collision: its error at finite
// velocity, and at finite resolution.
namespace knudsen {
namespace {

struct ShearWave {
  int nodes;                           ///< each way in x and y
  std::array<int, 2> wave{1, 1};       ///< waves in the domain each way
  std::array<double, 2> background{};  ///< mean velocity
  double amplitude = 1e-5;

  std::array<double, 2> normal() const {
    const double length = std::hypot(wave[0], wave[1]);
    return {wave[0] / length, wave[1] / length};
  }
};

/// Viscosity measured from the decay between two times, divided by (1 / omega - 1/2) / 3.
double relative_viscosity(CollisionOperator collision_operator, const Relaxation3D<double>& fluid,
                          const ShearWave& flow, int steps) {
  const Collision3D collision{27, collision_operator};
  const auto n = static_cast<std::size_t>(flow.nodes);
  const auto [nx, ny] = flow.normal();
  const auto phase = [&](std::size_t x, std::size_t y) {
    return 2 * std::numbers::pi *
           (flow.wave[0] * static_cast<double>(x) + flow.wave[1] * static_cast<double>(y)) /
           flow.nodes;
  };
  std::vector<double> g;
  for (std::size_t y = 0; y < n; ++y) {
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
    for (std::size_t y = 0; y < n; ++y) {
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
  std::vector<double> streamed(g.size());
  const auto advance = [&](int count) {
    for (int step = 0; step < count; ++step) {
      collide_nodes(Backend::host, collision, fluid, g);
      for (std::size_t y = 0; y < n; ++y) {
        for (std::size_t x = 0; x < n; ++x) {
          for (int q = 0; q < 27; ++q) {
            const auto c = textbook3d::velocity(q);
            const std::size_t to_x = (x + n + static_cast<std::size_t>(c[0])) % n;
            const std::size_t to_y = (y + n + static_cast<std::size_t>(c[1])) % n;
            streamed[(to_y * n + to_x) * 27 + static_cast<std::size_t>(q)] =
                g[(y * n + x) * 27 + static_cast<std::size_t>(q)];
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
  const double viscosity = (1 / fluid.omega - 0.5) / 3;
  return std::log(before / amplitude()) / (steps * wave_number * wave_number * viscosity);
}

Relaxation3D<double> fluid_of(double omega) {
  Relaxation3D<double> fluid{omega, omega};
  parametrised_rates(fluid);
  return fluid;
}

TEST(ShearWave, Explore) {
  using enum CollisionOperator;
  for (const auto op : {bgk, central_moments, cumulant, cumulant_galilean, cumulant_parametrised}) {
    for (const double omega : {1.8, 1.95}) {
      for (const double u : {0.0, 0.1, 0.2}) {
        std::printf("op %d omega %g u %g: diag %.3e axis %.3e\n", static_cast<int>(op), omega, u,
                    relative_viscosity(op, fluid_of(omega), {24, {1, 1}, {u, 0}}, 150) - 1,
                    relative_viscosity(op, fluid_of(omega), {24, {1, 0}, {u, 0}}, 150) - 1);
      }
    }
  }
  for (const auto op : {cumulant, cumulant_parametrised}) {
    for (const double omega : {1.8, 1.95}) {
      for (const auto wave : {std::array{1, 1}, std::array{1, 0}, std::array{1, 2}}) {
        std::printf("op %d omega %g wave %d %d:", static_cast<int>(op), omega, wave[0], wave[1]);
        for (const int n : {12, 16, 24}) {
          std::printf(" %d: %.3e", n, relative_viscosity(op, fluid_of(omega), {n, wave}, 100) - 1);
        }
        std::printf("\n");
      }
    }
  }
}

}  // namespace
}  // namespace knudsen
