#include "kinetic/surface.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace knudsen {
namespace {

const GasState warm{1.7, {0.2, 0, -0.3}, 1.3};

VelocityGrid grid() {
  return {uniform_axis(-6, 6, 24), half_range_axis(12, 1.0), stretched_axis(-6, 6, 20, 2.0)};
}

/// The fluxes of a Maxwellian through a face along `side`, node by node: of the velocities out of
/// the gas if `outwards`, else of those into it.
SurfaceFlux flux_of(const VelocityGrid& v, const GasState& state, int side, bool outwards) {
  const auto axis = static_cast<std::size_t>(side / 2);
  const double normal = side % 2 == 0 ? -1 : 1;
  const double amplitude = state.density / std::pow(std::numbers::pi * state.temperature, 1.5);
  SurfaceFlux sum{};
  for (std::size_t i = 0; i < v[0].nodes.size(); ++i) {
    for (std::size_t j = 0; j < v[1].nodes.size(); ++j) {
      for (std::size_t k = 0; k < v[2].nodes.size(); ++k) {
        const double node[3] = {v[0].nodes[i], v[1].nodes[j], v[2].nodes[k]};
        const double speed = normal * node[axis];
        if ((speed > 0) != outwards) continue;
        double square = 0;
        for (std::size_t d = 0; d < 3; ++d) square += std::pow(node[d] - state.velocity[d], 2);
        const double flow = std::abs(speed) * v[0].weights[i] * v[1].weights[j] * v[2].weights[k] *
                            amplitude * std::exp(-square / state.temperature);
        const double energy = 0.5 * (node[0] * node[0] + node[1] * node[1] + node[2] * node[2]);
        const double carried[5] = {1, node[0], node[1], node[2], energy};
        for (std::size_t n = 0; n < 5; ++n) sum[n] += flow * carried[n];
      }
    }
  }
  return sum;
}

TEST(SurfaceLaw, OfEachKind) {
  const SurfaceLaw wall = surface_law({SideKind::wall, 0.7, warm});
  EXPECT_EQ(wall.diffuse_share, 0.7);
  EXPECT_TRUE(wall.balanced && wall.specular && wall.needs_density() && !wall.open());
  EXPECT_EQ(wall.emitted.density, 1);
  EXPECT_EQ(wall.emitted.temperature, 1.3);

  EXPECT_FALSE(surface_law({SideKind::wall, 1, warm}).specular);
  const SurfaceLaw smooth = surface_law({SideKind::wall, 0, warm});
  EXPECT_TRUE(smooth.balanced && smooth.specular && !smooth.needs_density() && !smooth.open());

  // The accommodation belongs to walls alone.
  const SurfaceLaw reservoir = surface_law({SideKind::reservoir, 0.7, warm});
  EXPECT_EQ(reservoir.diffuse_share, 1);
  EXPECT_TRUE(!reservoir.balanced && !reservoir.specular && reservoir.open());
  EXPECT_EQ(reservoir.emitted.density, 1.7);

  const SurfaceLaw symmetry = surface_law({SideKind::symmetry, 1, warm});
  EXPECT_EQ(symmetry.diffuse_share, 0);
  EXPECT_TRUE(!symmetry.balanced && symmetry.specular && !symmetry.open());

  const SurfaceLaw periodic = surface_law({SideKind::periodic, 1, warm});
  EXPECT_EQ(periodic.diffuse_share, 0);
  EXPECT_TRUE(!periodic.balanced && !periodic.specular && !periodic.open());
}

TEST(InflowWeights, AddTheMaxwellianAndTheMirrorImage) {
  EXPECT_DOUBLE_EQ((InflowWeights<double>(0.7, 1.5)(0.2, 0.4)), 0.7 * 1.5 * 0.2 + 0.3 * 0.4);
  EXPECT_EQ((InflowWeights<float>(1, 2)(0.25F, 7)), 0.5F);
  EXPECT_EQ((InflowWeights<float>(0, 2)(0.25F, 7)), 7.0F);
}

TEST(HalfRangeFlux, IsTheSumOverTheInwardNodes) {
  for (int side = 0; side < 6; ++side) {
    const SurfaceFlux found = half_range_flux(grid(), warm, side);
    const SurfaceFlux expected = flux_of(grid(), warm, side, false);
    for (std::size_t n = 0; n < 5; ++n) {
      EXPECT_NEAR(found[n], expected[n], 1e-14) << "flux " << n << " of side " << side;
    }
  }
}

TEST(HalfRangeFlux, OfAGasAtRestIsKnown) {
  // Mass: density sqrt(T / pi) / 2. Normal momentum: half the pressure density T / 2. A molecule
  // carries the energy T on average.
  const VelocityAxis axis = half_range_axis(24, 1.0);
  const SurfaceFlux west_flux = half_range_flux({axis, axis, axis}, {2, {0, 0, 0}, 1}, west);
  const double mass = 1 / std::sqrt(std::numbers::pi);
  EXPECT_NEAR(west_flux[0], mass, 1e-12);
  EXPECT_NEAR(west_flux[1], 0.5, 1e-12);
  EXPECT_NEAR(west_flux[2], 0, 1e-14);
  EXPECT_NEAR(west_flux[4], mass, 1e-12);
  EXPECT_NEAR(half_range_flux({axis, axis, axis}, {2, {0, 0, 0}, 1}, east)[1], -0.5, 1e-12);
}

TEST(NetFlux, OfMassIsZeroAtTheBalancedDensity) {
  for (const double share : {0.0, 0.3, 1.0}) {
    for (int side = 0; side < 6; ++side) {
      const SurfaceLaw law = surface_law({SideKind::wall, share, {5, {0, 0.1, 0}, 0.8}});
      const double leaving = flux_of(grid(), warm, side, true)[0];
      const double inflow = half_range_flux(grid(), law.emitted, side)[0];
      const InflowWeights<double> weights(share, MassBalance{}.density(leaving, inflow));
      EXPECT_NEAR(net_flux(weights, 0, 1 << side / 2, leaving, inflow), 0, 1e-15) << share;
    }
  }
}

TEST(NetFlux, IsThatOfThePumpOrInlet) {
  for (int side = 0; side < 6; ++side) {
    SideCondition pump{SideKind::pump, 1, {1, {0, 0, 0}, 0.8}};
    pump.capture = 0.3;
    SideCondition inlet{SideKind::inlet, 1, {1, {0, 0, 0}, 1.2}};
    inlet.mass_flux = 0.05;
    const double leaving = flux_of(grid(), warm, side, true)[0];
    const auto net = [&](const SideCondition& condition) {
      const SurfaceLaw law = surface_law(condition);
      EXPECT_TRUE(law.open() && law.needs_density());
      const double inflow = half_range_flux(grid(), law.emitted, side)[0];
      const InflowWeights<double> weights(1, law.balance.density(leaving, inflow));
      return net_flux(weights, 0, 1 << side / 2, leaving, inflow);
    };
    EXPECT_NEAR(net(pump), 0.3 * leaving, 1e-15);
    EXPECT_NEAR(net(inlet), -0.05, 1e-15);
    pump.capture = 0;
    EXPECT_FALSE(surface_law(pump).open());
  }
}

TEST(NetFlux, OfASpecularSurfaceIsTwiceTheNormalMomentum) {
  const InflowWeights<double> weights(surface_law({SideKind::symmetry, 1, warm}).diffuse_share, 1);
  for (int side = 0; side < 6; ++side) {
    const SurfaceFlux leaving = flux_of(grid(), warm, side, true);
    for (int n = 0; n < flux_count; ++n) {
      const double out = leaving[static_cast<std::size_t>(n)];
      EXPECT_EQ(net_flux(weights, n, 1 << side / 2, out, 3), n == 1 + side / 2 ? 2 * out : 0);
    }
  }
}

TEST(NetFlux, IsWhatLeavesLessWhatEnters) {
  // The gas has the temperature of the wall but another density: mass and energy balance, and the
  // momentum is that of the gas twice over.
  const GasState gas{2.5, {0, 0, 0}, 1.3};
  const SurfaceLaw law = surface_law({SideKind::wall, 0.6, {1, {0, 0, 0}, 1.3}});
  const SurfaceFlux leaving = flux_of(grid(), gas, north, true);
  const SurfaceFlux inflow = half_range_flux(grid(), law.emitted, north);
  const InflowWeights<double> weights(law.diffuse_share,
                                      law.balance.density(leaving[0], inflow[0]));
  const auto net = [&](std::size_t n) {
    return net_flux(weights, static_cast<int>(n), 1 << 1, leaving[n], inflow[n]);
  };
  EXPECT_NEAR(weights.emitted, 0.6 * 2.5, 1e-14);
  for (const std::size_t n : {0, 1, 3, 4}) EXPECT_NEAR(net(n), 0, 1e-14);
  EXPECT_NEAR(net(2), 2 * leaving[2], 1e-14);

  // A reservoir lets in its own state, whatever leaves.
  const SurfaceLaw reservoir = surface_law({SideKind::reservoir, 1, warm});
  const SurfaceFlux entering = half_range_flux(grid(), reservoir.emitted, north);
  for (std::size_t n = 0; n < 5; ++n) {
    EXPECT_DOUBLE_EQ(net_flux({reservoir.diffuse_share, 1}, static_cast<int>(n), 1 << 1, leaving[n],
                              entering[n]),
                     leaving[n] - entering[n]);
  }
}

/// Of components that are integrated out as of many velocities along them.
TEST(HalfRangeFlux, OfIntegratedComponents) {
  const GasState state{1.7, {0.2, 0, 0}, 1.3};
  const VelocityAxis x = uniform_axis(-6, 6, 24);
  const VelocityAxis fine = uniform_axis(-8, 8, 40);
  const SurfaceFlux few =
      half_range_flux({x, integrated_axis(false), integrated_axis(true)}, state, 1);
  const SurfaceFlux many = half_range_flux({x, fine, fine}, state, 1);
  for (std::size_t n = 0; n < flux_count; ++n) EXPECT_NEAR(few[n], many[n], 1e-13) << n;
}

}  // namespace
}  // namespace knudsen
