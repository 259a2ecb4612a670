#include <gtest/gtest.h>

#include <random>
#include <string>
#include <tuple>

#include "lattice/collision_operators.hpp"
#include "support/textbook_d2q9.hpp"

namespace knudsen {
namespace {

TEST(D2Q9Lattice, VelocitiesAreThoseOfTheTable) {
  for (int q = 0; q < 9; ++q) {
    const auto i = static_cast<std::size_t>(q);
    EXPECT_EQ(D2Q9::cx(q), textbook::lattice_velocity[i][0]) << q;
    EXPECT_EQ(D2Q9::cy(q), textbook::lattice_velocity[i][1]) << q;
    EXPECT_EQ(static_cast<std::size_t>(D2Q9::opposite(q)), textbook::opposite[i]) << q;
    EXPECT_DOUBLE_EQ(D2Q9::weight<double>(q), textbook::weight[i]) << q;
    EXPECT_FLOAT_EQ(D2Q9::weight<float>(q), static_cast<float>(textbook::weight[i])) << q;
  }
}

TEST(D2Q9Lattice, OppositeTurnsTheVelocityRound) {
  for (int q = 0; q < 9; ++q) {
    EXPECT_EQ(D2Q9::cx(D2Q9::opposite(q)), -D2Q9::cx(q)) << q;
    EXPECT_EQ(D2Q9::cy(D2Q9::opposite(q)), -D2Q9::cy(q)) << q;
    EXPECT_EQ(D2Q9::opposite(D2Q9::opposite(q)), q);
  }
}

/// sum_q w_q cx^m cy^n
double weighted_moment(int m, int n) {
  double sum = 0;
  for (int q = 0; q < 9; ++q) {
    double term = D2Q9::weight<double>(q);
    for (int i = 0; i < m; ++i) term *= D2Q9::cx(q);
    for (int i = 0; i < n; ++i) term *= D2Q9::cy(q);
    sum += term;
  }
  return sum;
}

TEST(D2Q9Lattice, WeightsAreIsotropicToFourthOrder) {
  // Moments of a Gaussian of variance 1/3: products of (0, 1, 3)!! / 3^k, zero at odd orders.
  const double even[] = {1, 0, 1.0 / 3, 0, 1.0 / 3};
  for (int m = 0; m <= 4; ++m) {
    for (int n = 0; m + n <= 4; ++n) {
      EXPECT_NEAR(weighted_moment(m, n), even[m] * even[n], 1e-15) << m << " " << n;
    }
  }
}

using State = FlowState<double>;

/// The moment of the equilibrium, the weights added again.
double equilibrium_moment(const State& state, int m, int n) {
  double sum = 0;
  for (int q = 0; q < 9; ++q) {
    double term = equilibrium(q, state) + D2Q9::weight<double>(q);
    for (int i = 0; i < m; ++i) term *= D2Q9::cx(q);
    for (int i = 0; i < n; ++i) term *= D2Q9::cy(q);
    sum += term;
  }
  return sum;
}

TEST(D2Q9Equilibrium, HasTheMomentsOfEuler) {
  const State state{0.03, 0.08, -0.05};
  const double density = 1 + state.density_deviation;
  const double ux = state.velocity_x;
  const double uy = state.velocity_y;
  EXPECT_NEAR(equilibrium_moment(state, 0, 0), density, 1e-15);
  EXPECT_NEAR(equilibrium_moment(state, 1, 0), density * ux, 1e-15);
  EXPECT_NEAR(equilibrium_moment(state, 0, 1), density * uy, 1e-15);
  EXPECT_NEAR(equilibrium_moment(state, 2, 0), density * (1.0 / 3 + ux * ux), 1e-15);
  EXPECT_NEAR(equilibrium_moment(state, 0, 2), density * (1.0 / 3 + uy * uy), 1e-15);
  EXPECT_NEAR(equilibrium_moment(state, 1, 1), density * ux * uy, 1e-15);
  // Third order as far as the lattice has it.
  EXPECT_NEAR(equilibrium_moment(state, 2, 1), density * uy / 3, 1e-15);
  EXPECT_NEAR(equilibrium_moment(state, 1, 2), density * ux / 3, 1e-15);
}

TEST(D2Q9Equilibrium, IsTheTextbooks) {
  const State state{-0.02, -0.11, 0.07};
  const auto expected = textbook::equilibrium(0.98, {-0.11, 0.07});
  for (int q = 0; q < 9; ++q) {
    EXPECT_NEAR(equilibrium(q, state) + D2Q9::weight<double>(q),
                expected[static_cast<std::size_t>(q)], 1e-15);
  }
}

TEST(D2Q9Equilibrium, IsZeroAtRest) {
  for (int q = 0; q < 9; ++q) EXPECT_EQ(equilibrium(q, State{0, 0, 0}), 0) << q;
}

/// Populations near equilibrium, and a fluid to collide them with.
struct Sample {
  textbook::Populations f;
  textbook::Fluid fluid;
};

Sample random_sample(const std::string& collision_operator, Forcing forcing, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Sample sample;
  for (std::size_t q = 0; q < 9; ++q) {
    sample.f[q] = textbook::weight[q] * (1 + 0.2 * uniform(generator));
  }
  sample.fluid.omega = 1 + 0.9 * uniform(generator);
  sample.fluid.omega_minus =
      collision_operator == Bgk::name ? sample.fluid.omega : 1 + 0.9 * uniform(generator);
  sample.fluid.forcing = forcing;
  if (forcing != Forcing::none) {
    sample.fluid.force = {0.01 * uniform(generator), 0.01 * uniform(generator)};
  }
  return sample;
}

template <class Real>
CollisionParameters<Real> parameters_of(const textbook::Fluid& fluid) {
  CollisionParameters<double> parameters{fluid.omega, fluid.omega_minus};
  parameters.force[0] = fluid.force[0];
  parameters.force[1] = fluid.force[1];
  return rounded<Real>(parameters);
}

template <class Operator, class Real>
void collide_with(Forcing forcing, Real (&g)[9], const CollisionParameters<Real>& parameters) {
  switch (forcing) {
    case Forcing::none:
      return NodeCollision<Operator, Forcing::none>::template collide<D2Q9>(g, parameters);
    case Forcing::guo:
      return NodeCollision<Operator, Forcing::guo>::template collide<D2Q9>(g, parameters);
    case Forcing::velocity_shift:
      return NodeCollision<Operator, Forcing::velocity_shift>::template collide<D2Q9>(g,
                                                                                      parameters);
  }
}

/// The library's collision of whole populations.
template <class Real>
textbook::Populations library_collision(const std::string& collision_operator,
                                        const Sample& sample) {
  Real g[9];
  for (std::size_t q = 0; q < 9; ++q) {
    g[q] = static_cast<Real>(sample.f[q] - textbook::weight[q]);
  }
  const CollisionParameters<Real> parameters = parameters_of<Real>(sample.fluid);
  dispatch_operator<D2Q9>(collision_operator, [&](auto found) {
    collide_with<decltype(found)>(sample.fluid.forcing, g, parameters);
  });
  textbook::Populations f;
  for (std::size_t q = 0; q < 9; ++q) f[q] = static_cast<double>(g[q]) + textbook::weight[q];
  return f;
}

class D2Q9Collision : public testing::TestWithParam<std::tuple<const char*, Forcing>> {
 protected:
  std::string collision_operator = std::get<0>(GetParam());
  Forcing forcing = std::get<1>(GetParam());

  /// Calls body(sample) for several random samples.
  template <class Body>
  void for_samples(const Body& body) const {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      body(random_sample(collision_operator, forcing, seed));
    }
  }
};

TEST_P(D2Q9Collision, IsTheTextbooks) {
  for_samples([&](const Sample& sample) {
    const auto expected = textbook::collide(sample.f, sample.fluid);
    const auto result = library_collision<double>(collision_operator, sample);
    for (std::size_t q = 0; q < 9; ++q) EXPECT_NEAR(result[q], expected[q], 1e-15) << q;
  });
}

TEST_P(D2Q9Collision, SinglePrecisionFollowsDouble) {
  for_samples([&](const Sample& sample) {
    const auto expected = library_collision<double>(collision_operator, sample);
    const auto result = library_collision<float>(collision_operator, sample);
    for (std::size_t q = 0; q < 9; ++q) EXPECT_NEAR(result[q], expected[q], 5e-8) << q;
  });
}

TEST_P(D2Q9Collision, ConservesMassAndAddsTheForceToTheMomentum) {
  for_samples([&](const Sample& sample) {
    const auto before = textbook::moments(sample.f);
    const auto after = textbook::moments(library_collision<double>(collision_operator, sample));
    EXPECT_NEAR(after.density, before.density, 1e-15);
    for (std::size_t a = 0; a < 2; ++a) {
      EXPECT_NEAR(after.momentum[a] - before.momentum[a], sample.fluid.force[a], 1e-15);
    }
  });
}

TEST_P(D2Q9Collision, LeavesEquilibriumAloneWithoutForce) {
  for_samples([&](Sample sample) {
    sample.fluid.force = {0, 0};
    sample.f = textbook::equilibrium(1.02, {0.1, -0.06});
    const auto result = library_collision<double>(collision_operator, sample);
    for (std::size_t q = 0; q < 9; ++q) EXPECT_NEAR(result[q], sample.f[q], 1e-15) << q;
  });
}

TEST_P(D2Q9Collision, KeepsAMirroredFlowMirrored) {
  // What makes a symmetric case give a symmetric result.
  constexpr std::array<std::size_t, 9> mirror_x{0, 3, 2, 1, 4, 6, 5, 8, 7};
  for_samples([&](const Sample& sample) {
    Sample mirrored = sample;
    mirrored.fluid.force[0] = -sample.fluid.force[0];
    for (std::size_t q = 0; q < 9; ++q) mirrored.f[mirror_x[q]] = sample.f[q];
    const auto result = library_collision<double>(collision_operator, sample);
    const auto other = library_collision<double>(collision_operator, mirrored);
    for (std::size_t q = 0; q < 9; ++q) EXPECT_NEAR(other[mirror_x[q]], result[q], 1e-15) << q;
  });
}

std::string collision_name(const testing::TestParamInfo<std::tuple<const char*, Forcing>>& info) {
  const auto [collision_operator, forcing] = info.param;
  return std::string(collision_operator) + (forcing == Forcing::none  ? "_without_force"
                                            : forcing == Forcing::guo ? "_guo"
                                                                      : "_velocity_shift");
}
INSTANTIATE_TEST_SUITE_P(All, D2Q9Collision,
                         testing::Combine(testing::Values(Bgk::name, Trt::name),
                                          testing::Values(Forcing::none, Forcing::guo,
                                                          Forcing::velocity_shift)),
                         collision_name);

TEST(D2Q9Collision, TwoEqualRatesAreOne) {
  for (const Forcing forcing : {Forcing::none, Forcing::guo, Forcing::velocity_shift}) {
    const Sample sample = random_sample(Bgk::name, forcing, 7);
    const auto bgk = library_collision<double>(Bgk::name, sample);
    const auto trt = library_collision<double>(Trt::name, sample);
    for (std::size_t q = 0; q < 9; ++q) EXPECT_NEAR(trt[q], bgk[q], 1e-15) << q;
  }
}

TEST(D2Q9Collision, StressRelaxesWithOmegaAndEnergyFluxWithOmegaMinus) {
  const Sample sample = random_sample(Trt::name, Forcing::none, 3);
  const auto m = textbook::moments(sample.f);
  const auto f_equilibrium =
      textbook::equilibrium(m.density, {m.momentum[0] / m.density, m.momentum[1] / m.density});
  const auto after = library_collision<double>(Trt::name, sample);
  double stress_before = 0;
  double stress_after = 0;
  double flux_before = 0;
  double flux_after = 0;
  for (std::size_t q = 0; q < 9; ++q) {
    const double cx = textbook::lattice_velocity[q][0];
    const double cy = textbook::lattice_velocity[q][1];
    stress_before += cx * cy * (sample.f[q] - f_equilibrium[q]);
    stress_after += cx * cy * (after[q] - f_equilibrium[q]);
    flux_before += cx * cx * cy * (sample.f[q] - f_equilibrium[q]);
    flux_after += cx * cx * cy * (after[q] - f_equilibrium[q]);
  }
  EXPECT_NEAR(stress_after, (1 - sample.fluid.omega) * stress_before, 1e-15);
  EXPECT_NEAR(flux_after, (1 - sample.fluid.omega_minus) * flux_before, 1e-15);
}

TEST(D2Q9FlowState, AddsHalfTheForceToTheMomentum) {
  const Sample sample = random_sample(Bgk::name, Forcing::guo, 5);
  double g[9];
  for (std::size_t q = 0; q < 9; ++q) g[q] = sample.f[q] - textbook::weight[q];
  const State state = flow_state(g, parameters_of<double>(sample.fluid));
  const auto expected = textbook::flow_velocity(sample.f, sample.fluid);
  EXPECT_NEAR(1 + state.density_deviation, textbook::moments(sample.f).density, 1e-15);
  EXPECT_NEAR(state.velocity_x, expected[0], 1e-15);
  EXPECT_NEAR(state.velocity_y, expected[1], 1e-15);
}

}  // namespace
}  // namespace knudsen
