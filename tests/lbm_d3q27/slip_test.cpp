#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "flow_runner.hpp"
#include "lattice/slip_channel.hpp"

// Walls with slip in three dimensions: parallel flows, which all lattices and schemes have exactly.

namespace knudsen::lbm_d3q27 {
namespace {

/// A channel of n nodes across an axis, whose relaxation times follow from the Knudsen number.
Parameters channel(int n, std::size_t across, double knudsen, std::array<double, 2> accommodation) {
  std::array<int, 3> nodes{2, 2, 2};
  nodes[across] = n;
  const double path = knudsen * n;
  Parameters p = domain(nodes[0], nodes[1], nodes[2], 0.5 + path * std::sqrt(6 / std::numbers::pi));
  p.length = n;
  p.slip.emplace();
  p.magic = lbm::magic_with_slip(p);
  for (std::size_t i = 0; i < 2; ++i) {
    SideCondition& side = p.sides[2 * across + i];
    side.kind = SideKind::wall;
    side.mirrored = lbm::mirrored_share(*p.slip, accommodation[i]);
  }
  return p;
}

SlipChannel exact(const Parameters& p, std::array<double, 2> accommodation) {
  SlipChannel flow;
  flow.width = p.length;
  flow.viscosity = p.kinematic_viscosity;
  flow.mean_free_path = p.mean_free_path();
  flow.accommodation = accommodation;
  return flow;
}

/// Largest difference from the exact flow at steady state, over its largest velocity.
double error_of(const Parameters& p, std::size_t across, std::size_t along,
                const SlipChannel& flow) {
  const auto method = started(p);
  method->advance(
      static_cast<std::int64_t>(12 * (20 + p.length * p.length / p.kinematic_viscosity)));
  const auto found = values_of(*method, "velocity", along);
  double worst = 0;
  double largest = 0;
  std::size_t i = 0;
  for (int z = 0; z < p.nodes[2]; ++z) {
    for (int y = 0; y < p.nodes[1]; ++y) {
      for (int x = 0; x < p.nodes[0]; ++x, ++i) {
        const double at = std::array<int, 3>{x, y, z}[across] + 0.5;
        worst = std::max(worst, std::fabs(found[i] - flow.velocity(at)));
        largest = std::max(largest, std::fabs(flow.velocity(at)));
      }
    }
  }
  return worst / largest;
}

TEST(Slip, PoiseuilleFlowIsExactAcrossAllAxes) {
  const std::array<double, 2> walls{0.8, 1};
  for (const double knudsen : {0.02, 0.2}) {
    for (const int populations : {19, 27}) {
      for (const std::size_t across : {0U, 1U, 2U}) {
        const std::size_t along = (across + 1) % 3;
        Parameters p = channel(5, across, knudsen, walls);
        p.populations = populations;
        p.body_force[along] = 1e-10;
        SlipChannel flow = exact(p, walls);
        flow.force = 1e-10;
        EXPECT_LT(error_of(p, across, along, flow), 1e-11)
            << "Kn " << knudsen << ", D3Q" << populations << ", across " << across;
      }
    }
  }
}

TEST(Slip, IsTheSameInAllSchemes) {
  Parameters p = channel(6, 1, 0.1, {1, 0.5});
  p.body_force[0] = 1e-10;
  p.sides[3].velocity = {1e-9, 0, 2e-9};
  SlipChannel flow = exact(p, {1, 0.5});
  flow.force = 1e-10;
  flow.speed = 1e-9;
  for (const Propagation scheme : {Propagation::esoteric_twist, Propagation::esoteric_pull,
                                   Propagation::aa_pattern, Propagation::two_array}) {
    p.propagation = scheme;
    EXPECT_LT(error_of(p, 1, 0, flow), 1e-11) << static_cast<int>(scheme);
    p.walls = WallTreatment::half_way;
    EXPECT_LT(error_of(p, 1, 0, flow), 1e-11) << static_cast<int>(scheme);
    p.walls = WallTreatment::implicit;
  }
  p.propagation = Propagation::esoteric_twist;
  p.sparse = true;
  EXPECT_LT(error_of(p, 1, 0, flow), 1e-11) << "sparse";
}

TEST(Slip, CavityKeepsItsMass) {
  for (const int populations : {19, 27}) {
    Parameters p = domain(6, 5, 7, 0.9);
    p.populations = populations;
    p.magic = lbm::magic_with_slip(p);
    p.body_force = {1e-5, -2e-5, 1e-5};
    p.walls = WallTreatment::half_way;
    const std::array<double, 6> accommodation{1, 0.3, 0.1, 1, 0, 0.9};
    for (std::size_t side = 0; side < 6; ++side) {
      p.sides[side].kind = SideKind::wall;
      if (side != 3) p.sides[side].mirrored = lbm::mirrored_share({}, accommodation[side]);
    }
    p.sides[1].velocity = {0, 0.01, -0.02};
    p.sides[2].velocity = {0.03, 0, 0.01};
    const auto method = started(p);
    const double mass = method->monitor("mass");
    method->advance(200);
    EXPECT_NEAR(method->monitor("mass") / mass, 1, 1e-14) << populations;
    EXPECT_FALSE(method->find_divergence());
  }
}

}  // namespace
}  // namespace knudsen::lbm_d3q27
