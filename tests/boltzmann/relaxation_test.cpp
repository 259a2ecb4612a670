#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gas_box.hpp"
#include "methods/boltzmann/equilibrium_part.hpp"

namespace knudsen::boltzmann {
namespace {

using test::Cells;
using test::Gas;

/// Two beams: far from equilibrium, but 1 + h positive.
std::vector<double> beams(const std::vector<test::Node>& nodes) {
  std::vector<double> h;
  for (const test::Node& node : nodes) {
    const double* v = node.v;
    h.push_back(0.5 * std::tanh(v[0] * v[0] - v[1] * v[1]) + 0.3 * std::tanh(v[0]));
  }
  return h;
}

TEST(Relaxation, KeepsTheInvariantsInEveryForm) {
  const VelocityGrid grid = test::velocities(10);
  for (const Update update : {Update::explicit_set, Update::sequential}) {
    for (const Conservation conservation :
         {Conservation::equilibrium, Conservation::distribution}) {
      Gas<double> gas(grid, 1, 1000, {1, update, Estimator::reversible, conservation, {}});
      Cells h{beams(gas.nodes)};
      const auto before = test::invariants_of(gas.nodes, h[0]);
      for (std::uint64_t step = 0; step < 50; ++step) h = gas.step(h, step);
      const auto after = test::invariants_of(gas.nodes, h[0]);
      for (std::size_t a = 0; a < 5; ++a) EXPECT_NEAR(after[a], before[a], 2e-14);
      Gas<float> single(grid, 1, 1000, {1, update, Estimator::one_way, conservation, {}});
      Cells g{beams(gas.nodes)};
      for (std::uint64_t step = 0; step < 50; ++step) g = single.step(g, step);
      const auto rounded = test::invariants_of(gas.nodes, g[0]);
      for (std::size_t a = 0; a < 5; ++a) EXPECT_NEAR(rounded[a], before[a], 3e-6);
    }
  }
}

TEST(Relaxation, EntropyFallsInEveryStep) {
  const VelocityGrid grid = test::velocities(8);
  for (const double deviation : {0.0, 1.0}) {
    Gas<double> gas(
        grid, 1, 3000,
        {deviation, Update::explicit_set, Estimator::reversible, Conservation::equilibrium, {}});
    Cells h{beams(gas.nodes)};
    test::upload(h, gas.state);
    double entropy = deviations(gas.context, gas.state)[0].entropy;
    const double first = entropy;
    for (std::uint64_t step = 0; step < 60; ++step) {
      gas.step(step);
      const double now = deviations(gas.context, gas.state)[0].entropy;
      EXPECT_LT(now, entropy) << "step " << step;
      entropy = now;
    }
    EXPECT_LT(entropy, 0.5 * first);
  }
}

TEST(Relaxation, LinearisedOperatorHasFiveNullVectors) {
  const VelocityGrid grid = test::velocities(8);
  // As functionals: collisions conserve the invariants of any distribution.
  for (const Estimator estimator : {Estimator::one_way, Estimator::reversible}) {
    Gas<double> gas(grid, 4, 500,
                    {0, Update::explicit_set, estimator, Conservation::equilibrium, {}});
    const Cells h = test::arbitrary(4, gas.nodes.size());
    const Cells next = gas.step(h, 0);
    for (std::size_t cell = 0; cell < h.size(); ++cell) {
      const auto before = test::invariants_of(gas.nodes, h[cell]);
      const auto after = test::invariants_of(gas.nodes, next[cell]);
      for (std::size_t a = 0; a < 5; ++a) EXPECT_NEAR(after[a], before[a], 1e-14);
    }
  }
  // As distributions: every sampled pair of a collision and its inverse leaves a change of density
  // unchanged; the other invariants only in the mean and within the error of the velocity cells.
  Gas<double> gas(grid, 1, 500,
                  {0, Update::explicit_set, Estimator::reversible, Conservation::equilibrium, {}});
  const Cells ones{std::vector<double>(gas.nodes.size(), 1.0)};
  const Cells next = gas.step(ones, 0);
  for (const double value : next[0]) ASSERT_NEAR(value, 1, 1e-13);
}

/// A step that collides h without its equilibrium part.
template <class Real>
Cells step_beside_equilibrium(Gas<Real>& gas, const Cells& h, std::uint64_t number) {
  const EquilibriumPart<test::Space> part("part", h.size());
  test::upload(h, gas.state);
  remove_equilibrium_part(gas.context, gas.state, part);
  gas.step(number);
  restore_equilibrium_part(gas.context, gas.state, part);
  return test::download(gas.state);
}

TEST(Relaxation, InvariantsAsDistributionsAreNullVectorsOfTheExactPart) {
  for (const Estimator estimator : {Estimator::one_way, Estimator::reversible}) {
    for (const bool linear : {false, true}) {
      Gas<double> gas(test::velocities(8), invariants, 500,
                      {0, Update::explicit_set, estimator, Conservation::equilibrium, {}});
      gas.sampling.linear = linear;
      Cells psi(invariants);
      for (const test::Node& node : gas.nodes) {
        const double* v = node.v;
        psi[0].push_back(1);
        for (std::size_t d = 0; d < 3; ++d) psi[1 + d].push_back(v[d]);
        psi[4].push_back(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      }
      const Cells next = step_beside_equilibrium(gas, psi, 0);
      for (std::size_t a = 0; a < psi.size(); ++a) {
        for (std::size_t v = 0; v < psi[a].size(); ++v) {
          ASSERT_NEAR(next[a][v], psi[a][v], 1e-11) << "invariant " << a << ", velocity " << v;
        }
      }
      // Any other distribution changes, and its moments do not.
      const Cells h = test::arbitrary(invariants, gas.nodes.size());
      const Cells collided = step_beside_equilibrium(gas, h, 0);
      EXPECT_NE(collided[0], h[0]);
      for (std::size_t cell = 0; cell < h.size(); ++cell) {
        const auto before = test::invariants_of(gas.nodes, h[cell]);
        const auto after = test::invariants_of(gas.nodes, collided[cell]);
        for (std::size_t a = 0; a < 5; ++a) EXPECT_NEAR(after[a], before[a], 1e-14);
      }
    }
  }
}

TEST(Relaxation, LinearisedOperatorIsSelfAdjoint) {
  const VelocityGrid grid = test::velocities(8);
  const auto inner = [](const std::vector<test::Node>& nodes, const std::vector<double>& a,
                        const std::vector<double>& b, const std::vector<double>& less) {
    double sum = 0;
    for (std::size_t v = 0; v < nodes.size(); ++v) sum += nodes[v].weight * a[v] * (b[v] - less[v]);
    return sum;
  };
  for (const Estimator estimator : {Estimator::reversible, Estimator::one_way}) {
    Gas<double> gas(grid, 2, 2000, {0, Update::explicit_set, estimator, Conservation::none, {}});
    Cells h(2);
    for (const test::Node& node : gas.nodes) {
      h[0].push_back(node.v[0] * node.v[1]);
      h[1].push_back(node.v[0] * node.v[1] * (node.v[2] * node.v[2] + 1));
    }
    double forward = 0;
    double backward = 0;
    constexpr int sets = 40;
    for (std::uint64_t set = 0; set < sets; ++set) {
      const Cells next = gas.step(h, set);
      forward += inner(gas.nodes, h[0], next[1], h[1]) / sets;
      backward += inner(gas.nodes, h[1], next[0], h[0]) / sets;
    }
    // To rounding with the reversible estimator, else within the sampling error.
    const double tolerance = estimator == Estimator::reversible ? 1e-12 : 0.03;
    EXPECT_NEAR(forward / backward, 1, tolerance);
    EXPECT_LT(forward, 0);
  }
}

/// Variance of the change in one step of a bounded moment of the distribution.
double variance(int samples, const Collision& collision, UniformSource uniforms) {
  // Steps so short that none of the rare velocity cells changes by much.
  Gas<double> gas(test::velocities(8), 1, samples, collision, uniforms, 1e-6);
  Cells h(1);
  for (const test::Node& node : gas.nodes) h[0].push_back(std::tanh(node.v[0] * node.v[1]));
  std::vector<double> changes;
  for (std::uint64_t set = 0; set < 150; ++set) {
    const Cells next = gas.step(h, set);
    double change = 0;
    for (std::size_t v = 0; v < gas.nodes.size(); ++v) {
      change += gas.nodes[v].weight * h[0][v] * (next[0][v] - h[0][v]);
    }
    changes.push_back(change);
  }
  double mean = 0;
  for (const double change : changes) mean += change / double(changes.size());
  double sum = 0;
  for (const double change : changes) {
    sum += (change - mean) * (change - mean) / double(changes.size());
  }
  return sum;
}

TEST(Relaxation, ErrorFallsAsTheRootOfTheSamples) {
  const Collision collision;
  const double few = variance(500, collision, {3, false});
  const double many = variance(8000, collision, {3, false});
  EXPECT_NEAR(std::sqrt(few / many), 4, 1);
}

TEST(Relaxation, ReversibleAndQuasiRandomSamplesHaveLessVariance) {
  Collision one_way;
  one_way.estimator = Estimator::one_way;
  const double paper = variance(2000, one_way, {3, false});
  const double reversible = variance(2000, {}, {3, false});
  RecordProperty("one_way_over_reversible", std::to_string(paper / reversible));
  EXPECT_LT(reversible, 0.9 * paper);
  const double random = variance(20000, {}, {3, false});
  const double quasi_random = variance(20000, {}, {3, true});
  RecordProperty("random_over_quasi_random", std::to_string(random / quasi_random));
  EXPECT_LT(quasi_random, 0.6 * random);
}

TEST(Relaxation, SequentialAndExplicitAgreeWithinNoise) {
  const VelocityGrid grid = test::velocities(8);
  double stress[2];
  for (const Update update : {Update::explicit_set, Update::sequential}) {
    Gas<double> gas(grid, 1, 4000,
                    {0, update, Estimator::reversible, Conservation::equilibrium, {}});
    Cells h(1);
    for (const test::Node& node : gas.nodes) h[0].push_back(node.v[0] * node.v[1]);
    test::upload(h, gas.state);
    for (std::uint64_t step = 0; step < 50; ++step) gas.step(step);
    stress[update == Update::explicit_set ? 0 : 1] =
        deviations(gas.context, gas.state)[0].stress[3];
  }
  EXPECT_NEAR(stress[0] / stress[1], 1, 0.02);
}

/// Rate at which the stress of a homogeneous gas at delta = 1 decays.
double stress_rate(double viscosity_exponent, int count, bool linear = false) {
  constexpr double step = 0.001;
  constexpr std::uint64_t steps = 150;
  VelocityGrid grid;
  for (VelocityAxis& axis : grid) axis = uniform_axis(-3.2, 3.2, count);
  Gas<double> gas(grid, 1, 8000,
                  {0, Update::explicit_set, Estimator::reversible, Conservation::equilibrium, {}},
                  {2, true}, step);
  gas.sampling.molecules = variable_hard_spheres(1, viscosity_exponent);
  gas.sampling.linear = linear;
  Cells h(1);
  for (const test::Node& node : gas.nodes) h[0].push_back(node.v[0] * node.v[1]);
  test::upload(h, gas.state);
  const double before = deviations(gas.context, gas.state)[0].stress[3];
  for (std::uint64_t n = 0; n < steps; ++n) gas.step(n);
  return std::log(before / deviations(gas.context, gas.state)[0].stress[3]) /
         (double(steps) * step);
}

/// At the rate p / mu in the limit of small velocity cells; in hard spheres v_x v_y alone decays
/// faster by up to 1.6 %.
TEST(Molecules, StressDecaysAtTheViscousRate) {
  for (const double viscosity_exponent : {0.5, 1.0}) {
    const double coarse = stress_rate(viscosity_exponent, 10);
    const double fine = stress_rate(viscosity_exponent, 20);
    EXPECT_NEAR((4 * fine - coarse) / 3, viscosity_exponent == 1 ? 1 : 1.012, 0.015);
    EXPECT_NEAR((coarse - 1) / (fine - 1), 4, 1.5);
    EXPECT_NEAR(stress_rate(viscosity_exponent, 20, true), viscosity_exponent == 1 ? 1 : 1.012,
                0.015);
  }
}

}  // namespace
}  // namespace knudsen::boltzmann
