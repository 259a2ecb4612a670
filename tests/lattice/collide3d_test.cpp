#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "collide_nodes.hpp"
#include "device/kokkos.hpp"
#include "textbook3d.hpp"

namespace knudsen {
namespace {

using textbook3d::Number;
using textbook3d::Populations;
using textbook3d::Vector;

using Fluid = CollisionParameters<double>;

std::vector<Backend> backends() {
  return has_device_backend ? std::vector{Backend::host, Backend::device}
                            : std::vector{Backend::host};
}

template <class Real>
std::vector<Real> shifted(const Populations& f) {
  std::vector<Real> g;
  for (std::size_t q = 0; q < f.size(); ++q) {
    g.push_back(static_cast<Real>(
        f[q] - textbook3d::weight(static_cast<int>(f.size()), static_cast<int>(q))));
  }
  return g;
}

struct Case {
  Collision3D collision;
  Backend backend = Backend::host;
};

/// Random populations near a state of some velocity, and a fluid to collide them with.
struct Sample {
  Populations f;
  Fluid fluid;
};

Sample random_sample(const Collision3D& collision, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Sample sample;
  for (int q = 0; q < collision.populations; ++q) {
    sample.f.push_back(textbook3d::weight(collision.populations, q) *
                       (1 + 0.2 * uniform(generator)));
  }
  Fluid& fluid = sample.fluid;
  const bool parametrised = collision.collision_operator == CumulantParametrised::name;
  fluid.relaxation_rate =
      parametrised ? 1.9 + 0.09 * uniform(generator) : 1 + 0.9 * uniform(generator);
  fluid.antisymmetric_rate = 1 + 0.9 * uniform(generator);
  fluid.magic = (1 / fluid.relaxation_rate - 0.5) * (1 / fluid.antisymmetric_rate - 0.5);
  fluid.smagorinsky_constant = 0.17;
  fluid.eddy_time = 0.04;
  fluid.bulk_rate = 1 + 0.3 * uniform(generator);
  CumulantParametrised::set_rates(fluid);
  if (collision.forcing != Forcing::none) {
    for (double& component : fluid.force) component = 0.01 * uniform(generator);
  }
  return sample;
}

/// Whole populations after the library's collision.
template <class Real = double>
Populations library_collision(const Case& c, const Sample& sample) {
  std::vector<Real> g = shifted<Real>(sample.f);
  collide_nodes(c.backend, c.collision, rounded<Real>(sample.fluid), g);
  Populations f;
  for (std::size_t q = 0; q < g.size(); ++q) {
    f.push_back(static_cast<Number>(g[q]) +
                textbook3d::weight(c.collision.populations, static_cast<int>(q)));
  }
  return f;
}

void expect_near(const Populations& result, const Populations& expected, double tolerance) {
  ASSERT_EQ(result.size(), expected.size());
  for (std::size_t q = 0; q < result.size(); ++q) {
    EXPECT_NEAR(static_cast<double>(result[q]), static_cast<double>(expected[q]), tolerance) << q;
  }
}

class Collide3D : public testing::TestWithParam<Case> {
 protected:
  const Case& own = GetParam();

  template <class Body>
  void for_samples(const Body& body) const {
    for (unsigned seed = 1; seed <= 10; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      body(random_sample(own.collision, seed));
    }
  }
};

TEST_P(Collide3D, IsTheTextbooks) {
  for_samples([&](const Sample& sample) {
    const auto expected = textbook3d::collide(own.collision, sample.fluid, sample.f);
    expect_near(library_collision(own, sample), expected, 2e-15);
  });
}

TEST_P(Collide3D, SinglePrecisionFollowsDouble) {
  for_samples([&](const Sample& sample) {
    expect_near(library_collision<float>(own, sample), library_collision<double>(own, sample),
                3e-8);
  });
}

TEST_P(Collide3D, SinglePrecisionResolvesASlowFlow) {
  // At rest but for 1e-5: the error is small against the flow, not against the density.
  for_samples([&](Sample sample) {
    for (std::size_t q = 0; q < sample.f.size(); ++q) {
      const Number w = textbook3d::weight(own.collision.populations, static_cast<int>(q));
      sample.f[q] = w + 1e-4L * (sample.f[q] - w);
    }
    for (double& component : sample.fluid.force) component *= 1e-4;
    expect_near(library_collision<float>(own, sample), library_collision<double>(own, sample),
                3e-12);
  });
}

TEST_P(Collide3D, ConservesMassAndAddsTheForceToTheMomentum) {
  const auto check = [&](const Sample& sample, const Populations& after, double tolerance) {
    const auto before = textbook3d::flow(sample.f, {});
    const auto result = textbook3d::flow(after, {});
    EXPECT_NEAR(static_cast<double>(result.density - before.density), 0, tolerance);
    for (std::size_t a = 0; a < 3; ++a) {
      const Number gain = result.density * result.velocity[a] - before.density * before.velocity[a];
      EXPECT_NEAR(static_cast<double>(gain), sample.fluid.force[a], tolerance) << a;
    }
  };
  for_samples([&](const Sample& sample) {
    check(sample, library_collision<double>(own, sample), 1e-16);
    check(sample, library_collision<float>(own, sample), 5e-8);
  });
}

TEST_P(Collide3D, LeavesEquilibriumAloneWithoutForce) {
  for_samples([&](Sample sample) {
    for (double& component : sample.fluid.force) component = 0;
    sample.f = textbook3d::equilibrium(own.collision, {1.02, {0.1, -0.06, 0.04}});
    expect_near(library_collision(own, sample), sample.f, 1e-16);
  });
}

TEST_P(Collide3D, RelaxesShearStressByOneLessOmega) {
  for_samples([&](Sample sample) {
    for (double& component : sample.fluid.force) component = 0;
    sample.fluid.smagorinsky_constant = 0;
    sample.fluid.eddy_time = 0;
    const auto state = textbook3d::flow(sample.f, {});
    const Populations equilibrium = textbook3d::equilibrium(own.collision, state);
    const Populations result = library_collision(own, sample);
    for (const auto& [a, b] : {std::array{0, 1}, std::array{1, 2}, std::array{0, 2}}) {
      Number before = 0;
      Number after = 0;
      for (int q = 0; q < own.collision.populations; ++q) {
        const auto i = static_cast<std::size_t>(q);
        const auto c = textbook3d::velocity(q);
        const int product = c[static_cast<std::size_t>(a)] * c[static_cast<std::size_t>(b)];
        before += product * (sample.f[i] - equilibrium[i]);
        after += product * (result[i] - equilibrium[i]);
      }
      EXPECT_NEAR(static_cast<double>(after),
                  static_cast<double>((1 - Number(sample.fluid.relaxation_rate)) * before), 1e-16);
    }
  });
}

/// A symmetry of the cube: axis `a` of the image is `sign[a]` times axis `axis[a]`.
struct Symmetry {
  std::array<std::size_t, 3> axis;
  std::array<int, 3> sign;
};

std::vector<Symmetry> cube_symmetries() {
  std::vector<Symmetry> all;
  std::array<std::size_t, 3> axis{0, 1, 2};
  do {
    for (int signs = 0; signs < 8; ++signs) {
      all.push_back({axis, {1 - 2 * (signs & 1), 1 - (signs & 2), 1 - (signs & 4) / 2}});
    }
  } while (std::next_permutation(axis.begin(), axis.end()));
  return all;
}

Populations image(const Symmetry& symmetry, const Populations& f) {
  Populations result(f.size());
  for (int q = 0; q < static_cast<int>(f.size()); ++q) {
    const auto c = textbook3d::velocity(q);
    std::array<int, 3> turned{};
    for (std::size_t a = 0; a < 3; ++a) turned[a] = symmetry.sign[a] * c[symmetry.axis[a]];
    result[static_cast<std::size_t>(D3Q27::population(turned[0], turned[1], turned[2]))] =
        f[static_cast<std::size_t>(q)];
  }
  return result;
}

Sample image(const Symmetry& symmetry, const Sample& sample) {
  Sample result = sample;
  result.f = image(symmetry, sample.f);
  for (std::size_t a = 0; a < 3; ++a) {
    result.fluid.force[a] = symmetry.sign[a] * sample.fluid.force[symmetry.axis[a]];
  }
  return result;
}

TEST_P(Collide3D, TurnsWithTheCube) {
  const auto symmetries = cube_symmetries();
  ASSERT_EQ(symmetries.size(), 48U);
  for_samples([&](const Sample& sample) {
    const Populations result = library_collision(own, sample);
    for (const Symmetry& symmetry : symmetries) {
      expect_near(library_collision(own, image(symmetry, sample)), image(symmetry, result), 3e-16);
    }
  });
}

template <class... Operators>
std::vector<OperatorTraits> traits_of_all(OperatorList<Operators...> /*list*/) {
  return {traits_of<Operators>()...};
}

/// Every operator on every lattice that it suits, with and without force and eddy viscosity.
std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Backend backend : backends()) {
    for (const Forcing forcing : {Forcing::none, Forcing::guo}) {
      for (const OperatorTraits& traits : traits_of_all(TestedOperators{})) {
        for (const int populations : {19, 27}) {
          if (!traits.suits(populations)) continue;
          cases.push_back({{populations, traits.name, forcing, EddyViscosity::none}, backend});
          if (traits.has_eddy_viscosity) {
            cases.push_back(
                {{populations, traits.name, forcing, EddyViscosity::smagorinsky}, backend});
          }
          if (!traits.models_eddies) continue;
          cases.push_back({{populations, traits.name, forcing, EddyViscosity::given}, backend});
        }
      }
    }
  }
  return cases;
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  const Collision3D& collision = info.param.collision;
  std::string name = collision.collision_operator;
  std::replace(name.begin(), name.end(), '-', '_');
  return "d3q" + std::to_string(collision.populations) + "_" + name +
         (collision.forcing == Forcing::none ? "" : "_forced") +
         (collision.eddy_viscosity == EddyViscosity::none          ? ""
          : collision.eddy_viscosity == EddyViscosity::smagorinsky ? "_smagorinsky"
                                                                   : "_eddies") +
         (info.param.backend == Backend::host ? "_host" : "_device");
}
INSTANTIATE_TEST_SUITE_P(All, Collide3D, testing::ValuesIn(all_cases()), case_name);

class GalileanCollision : public testing::TestWithParam<const char*> {};

TEST_P(GalileanCollision, IsTheSameInEveryFrame) {
  // The same central moments about another velocity become the same central moments.
  const Case own{{27, GetParam()}};
  const Sample sample = random_sample(own.collision, 5);
  const auto state = textbook3d::flow(sample.f, {});
  const Vector other{state.velocity[0] + 0.11L, state.velocity[1] - 0.07L,
                     state.velocity[2] + 0.05L};
  Sample moved = sample;
  moved.f = textbook3d::populations(textbook3d::central_moments(sample.f, state.velocity), other);
  const auto after = textbook3d::central_moments(library_collision(own, sample), state.velocity);
  const auto after_moved = textbook3d::central_moments(library_collision(own, moved), other);
  for (std::size_t i = 0; i < 27; ++i) {
    EXPECT_NEAR(static_cast<double>(after_moved[i]), static_cast<double>(after[i]), 1e-15) << i;
  }
}
INSTANTIATE_TEST_SUITE_P(All, GalileanCollision,
                         testing::Values(Cascaded::name, UncorrectedCumulant::name));

TEST(Limiter, SmallCumulantsRelaxByTheirRateAndLargeOnesToZero) {
  const Case own{{27, CumulantParametrised::name}};
  Sample sample = random_sample(own.collision, 2);
  const auto velocity = textbook3d::flow(sample.f, {}).velocity;
  constexpr std::size_t index_120 = 15;
  constexpr std::size_t index_102 = 11;
  constexpr std::size_t index_111 = 13;
  const auto factor = [&](double limiter, std::size_t i, std::size_t j) {
    sample.fluid.limiter = limiter;
    const auto before = textbook3d::central_moments(sample.f, velocity);
    const auto after = textbook3d::central_moments(library_collision(own, sample), velocity);
    return static_cast<double>(i == j ? after[i] / before[i]
                                      : (after[i] + after[j]) / (before[i] + before[j]));
  };
  EXPECT_NEAR(factor(1e9, index_120, index_102), 1 - sample.fluid.third_sum_rate, 1e-6);
  EXPECT_NEAR(factor(1e9, index_111, index_111), 1 - sample.fluid.third_product_rate, 1e-6);
  EXPECT_NEAR(factor(1e-12, index_120, index_102), 0, 1e-6);
  EXPECT_NEAR(factor(1e-12, index_111, index_111), 0, 1e-6);
}

TEST(ParametrisedRates, AreThoseOfThePaperAtBulkRateOne) {
  // The formulas with omega_2 = 1 put in by hand.
  for (const double omega : {1.75, 1.83, 1.9, 1.97, 1.9999}) {
    Fluid fluid{omega};
    CumulantParametrised::set_rates(fluid);
    const double o2 = omega * omega;
    EXPECT_NEAR(fluid.third_sum_rate,
                8 * (omega - 2) * (1 + 2 * omega) / (-8 - 14 * omega + 7 * o2), 1e-13);
    EXPECT_NEAR(fluid.third_difference_rate,
                8 * (omega - 2) * (4 * omega - 7) / (56 - 50 * omega + 9 * o2), 1e-13);
    EXPECT_NEAR(fluid.third_product_rate,
                24 * (omega - 2) * (3 * o2 - 7 * omega - 2) /
                    (48 + 152 * omega - 130 * o2 + 29 * o2 * omega),
                1e-13);
    const double viscosity = 1 / omega - 0.5;
    EXPECT_NEAR(fluid.normal_strain,
                viscosity * 2 / 3 * (4 + 2 * omega - 3 * o2) / (2 - 7 * omega + 5 * o2), 1e-13);
    EXPECT_NEAR(fluid.shear_strain,
                viscosity / 3 * (4 + 28 * omega - 14 * o2) / (6 - 21 * omega + 15 * o2), 1e-13);
    for (const double rate :
         {fluid.third_sum_rate, fluid.third_difference_rate, fluid.third_product_rate}) {
      EXPECT_GE(rate, -1e-13);
      EXPECT_LE(rate, 2);
    }
  }
}

TEST(ParametrisedRates, LeaveTheStableRangeBelowTheSmallestOmega) {
  Fluid fluid{CumulantParametrised::min_relaxation_rate - 0.01};
  CumulantParametrised::set_rates(fluid);
  EXPECT_LT(fluid.third_difference_rate, 0);
}

}  // namespace
}  // namespace knudsen
