#include <gtest/gtest.h>

#include "gas_box.hpp"

namespace knudsen::boltzmann {
namespace {

using test::Cells;
using test::Gas;

/// Integrals over time of the autocorrelations of stress and heat flux (Green and Kubo) of a gas at
/// delta = 1: viscosity and conductivity over p / delta and (5/2) R p / delta.
std::array<double, 2> transport(int count, bool linear, double time, double step) {
  VelocityGrid grid;
  for (VelocityAxis& axis : grid) axis = stretched_axis(-3.2, 3.2, count, 1.5);
  Gas<double> gas(grid, 2, 32000,
                  {0, Update::explicit_set, Estimator::reversible, Conservation::equilibrium, {}},
                  {4, true}, step);
  gas.sampling.linear = linear;
  Cells h(2);
  double flux = 0;
  double square = 0;
  for (const test::Node& node : gas.nodes) {
    const double* v = node.v;
    square += node.weight * v[0] * v[0];
    flux += node.weight * v[0] * v[0] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
  // The heat flux carries no momentum on this grid.
  for (const test::Node& node : gas.nodes) {
    const double* v = node.v;
    h[0].push_back(v[0] * v[1]);
    h[1].push_back(v[0] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - flux / square));
  }
  test::upload(h, gas.state);
  const auto first = deviations(gas.context, gas.state);
  std::array<double, 2> sums{step, step};
  for (double now = step; now < time; now += step) {
    gas.step(static_cast<std::uint64_t>(std::lround(now / step)));
    const auto present = deviations(gas.context, gas.state);
    // The explicit step makes a geometric series of a decay: its left sum is exact.
    sums[0] += step * present[0].stress[3] / first[0].stress[3];
    sums[1] += step * present[1].heat_flux[0] / first[1].heat_flux[0];
  }
  return sums;
}

// Extrapolated to zero width of the velocity cells, in which the error is quadratic.
TEST(Transport, CoefficientsAreThoseOfHardSpheres) {
  const auto coarse = transport(16, true, 6, 0.004);
  const auto fine = transport(20, true, 6, 0.004);
  constexpr double refinement = 20.0 * 20 / (16 * 16) - 1;
  constexpr double prandtl = 0.660694;  // tests/data/hardsphere_transport_and_slip_constants.csv
  EXPECT_NEAR(fine[0], 1, 0.02);
  EXPECT_NEAR(fine[0] + (fine[0] - coarse[0]) / refinement, 1, 0.01);
  EXPECT_NEAR(prandtl * fine[1], 1, 0.01);
}

}  // namespace
}  // namespace knudsen::boltzmann
