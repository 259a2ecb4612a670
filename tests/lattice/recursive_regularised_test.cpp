// The recursive regularised operator on all lattices: its moments, a reference written from the
// Hermite polynomials, symmetry, order and isotropy of its viscosity, and stability beside others.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "lattice/collision_operators.hpp"
#include "lattice/d2q9.hpp"
#include "lattice/d3q19.hpp"
#include "lattice/d3q27.hpp"

namespace knudsen {
namespace {

template <class Velocities>
using Populations = std::array<double, static_cast<std::size_t>(Velocities::populations)>;

template <class Velocities>
double component(std::size_t q, int axis) {
  return axis < Velocities::dimensions ? Velocities::velocity(static_cast<int>(q), axis) : 0;
}
template <class Velocities>
double weight(std::size_t q) {
  return Velocities::template weight<double>(static_cast<int>(q));
}

CollisionParameters<double> fluid(double rate, bool forced = false) {
  CollisionParameters<double> parameters{rate};
  parameters.antisymmetric_rate = rate;
  if (forced) {
    parameters.force[0] = 1e-3;
    parameters.force[1] = -2e-3;
    parameters.force[2] = 5e-4;
  }
  return parameters;
}

template <class Velocities, class Operator = RecursiveRegularised, Forcing Force = Forcing::none>
void collide(Populations<Velocities>& g, const CollisionParameters<double>& parameters) {
  double own[Velocities::populations];
  for (std::size_t q = 0; q < g.size(); ++q) own[q] = g[q];
  NodeCollision<Operator, Force>::template collide<Velocities>(own, parameters);
  for (std::size_t q = 0; q < g.size(); ++q) g[q] = own[q];
}

template <class Velocities>
Populations<Velocities> random_populations(unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-0.2, 0.2);
  Populations<Velocities> g;
  for (std::size_t q = 0; q < g.size(); ++q) g[q] = weight<Velocities>(q) * uniform(generator);
  return g;
}

/// The Hermite polynomials that a lattice has up to third order, for the weight's variance 1/3:
/// products of one-dimensional ones, values at its velocities. Polynomials that are zero on the
/// lattice are left out.
template <class Velocities>
std::vector<std::pair<std::array<int, 3>, Populations<Velocities>>> polynomials() {
  const auto one_axis = [](int order, double c) {
    return order == 0 ? 1 : order == 1 ? c : order == 2 ? c * c - 1.0 / 3 : 0;
  };
  std::vector<std::pair<std::array<int, 3>, Populations<Velocities>>> all;
  for (int x = 0; x <= 2; ++x) {
    for (int y = 0; y <= 2; ++y) {
      for (int z = 0; z <= 2; ++z) {
        if (x + y + z > 3) continue;
        Populations<Velocities> values;
        double square = 0;
        for (std::size_t q = 0; q < values.size(); ++q) {
          values[q] = one_axis(x, component<Velocities>(q, 0)) *
                      one_axis(y, component<Velocities>(q, 1)) *
                      one_axis(z, component<Velocities>(q, 2));
          square += weight<Velocities>(q) * values[q] * values[q];
        }
        const bool beyond = Velocities::dimensions == 2 && z > 0;
        if (square > 1e-12 && !beyond) all.push_back({{x, y, z}, values});
      }
    }
  }
  return all;
}

/// The moment of a Hermite polynomial of a state with density rho, velocity u and deviation of the
/// second moments P from those of the equilibrium; the third order by recursion.
double moment(const std::array<int, 3>& order, double rho, const std::array<double, 3>& u,
              const std::array<std::array<double, 3>, 3>& p) {
  std::vector<std::size_t> axes;
  for (std::size_t a = 0; a < 3; ++a) axes.insert(axes.end(), std::size_t(order[a]), a);
  double equilibrium = rho;
  for (const std::size_t a : axes) equilibrium *= u[a];
  if (axes.size() == 2) return equilibrium + p[axes[0]][axes[1]];
  if (axes.size() < 3) return equilibrium;
  return equilibrium + u[axes[0]] * p[axes[1]][axes[2]] + u[axes[1]] * p[axes[0]][axes[2]] +
         u[axes[2]] * p[axes[0]][axes[1]];
}

/// Solves the symmetric system a x = b by Gaussian elimination.
std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t j = i + 1; j < b.size(); ++j) {
      const double factor = a[j][i] / a[i][i];
      for (std::size_t k = i; k < b.size(); ++k) a[j][k] -= factor * a[i][k];
      b[j] -= factor * b[i];
    }
  }
  for (std::size_t i = b.size(); i-- > 0;) {
    for (std::size_t k = i + 1; k < b.size(); ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

/// The operator without force from its definition: the expansion in the lattice's polynomials, with
/// coefficients from their Gram matrix, that has the relaxed moments.
template <class Velocities>
Populations<Velocities> reference(const Populations<Velocities>& g, double rate) {
  const auto all = polynomials<Velocities>();
  double rho = 1;
  std::array<double, 3> u{};
  std::array<std::array<double, 3>, 3> p{};
  for (std::size_t q = 0; q < g.size(); ++q) rho += g[q];
  for (int a = 0; a < Velocities::dimensions; ++a) {
    for (std::size_t q = 0; q < g.size(); ++q)
      u[std::size_t(a)] += component<Velocities>(q, a) * g[q] / rho;
  }
  for (int a = 0; a < Velocities::dimensions; ++a) {
    for (int b = 0; b < Velocities::dimensions; ++b) {
      double& stress = p[std::size_t(a)][std::size_t(b)];
      for (std::size_t q = 0; q < g.size(); ++q) {
        stress += component<Velocities>(q, a) * component<Velocities>(q, b) *
                  (g[q] + weight<Velocities>(q));
      }
      stress -= rho * (u[std::size_t(a)] * u[std::size_t(b)] + (a == b ? 1.0 / 3 : 0));
      stress *= 1 - rate;
    }
  }
  std::vector<std::vector<double>> gram;
  std::vector<double> moments;
  for (const auto& [order, values] : all) {
    moments.push_back(moment(order, rho, u, p));
    gram.emplace_back();
    for (const auto& [other, other_values] : all) {
      double sum = 0;
      for (std::size_t q = 0; q < values.size(); ++q) {
        sum += weight<Velocities>(q) * values[q] * other_values[q];
      }
      gram.back().push_back(sum);
    }
  }
  const auto coefficients = solve(gram, moments);
  Populations<Velocities> after{};
  for (std::size_t q = 0; q < after.size(); ++q) {
    double sum = 0;
    for (std::size_t n = 0; n < all.size(); ++n) sum += coefficients[n] * all[n].second[q];
    after[q] = weight<Velocities>(q) * (sum - 1);
  }
  return after;
}

template <class Velocities>
class RecursiveRegularisedTest : public testing::Test {};
using AllLattices = testing::Types<D2Q9, D3Q19, D3Q27>;
TYPED_TEST_SUITE(RecursiveRegularisedTest, AllLattices);

TYPED_TEST(RecursiveRegularisedTest, IsTheExpansionInTheLatticesHermitePolynomials) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    for (const double rate : {0.6, 1.0, 1.9}) {
      Populations<TypeParam> g = random_populations<TypeParam>(seed);
      const auto expected = reference<TypeParam>(g, rate);
      collide<TypeParam>(g, fluid(rate));
      for (std::size_t q = 0; q < g.size(); ++q) EXPECT_NEAR(g[q], expected[q], 5e-16) << q;
    }
  }
}

template <class Velocities, Forcing Force>
void expect_conservation() {
  const auto before = random_populations<Velocities>(7);
  auto after = before;
  const auto parameters = fluid(1.7, Force != Forcing::none);
  collide<Velocities, RecursiveRegularised, Force>(after, parameters);
  double mass = 0;
  std::array<double, 3> momentum{};
  for (std::size_t q = 0; q < after.size(); ++q) {
    mass += after[q] - before[q];
    for (int a = 0; a < 3; ++a) {
      momentum[std::size_t(a)] += component<Velocities>(q, a) * (after[q] - before[q]);
    }
  }
  EXPECT_NEAR(mass, 0, 1e-16);
  for (int a = 0; a < Velocities::dimensions; ++a) {
    EXPECT_NEAR(momentum[std::size_t(a)], parameters.force[a], 1e-16);
  }
}

TYPED_TEST(RecursiveRegularisedTest, ConservesMassAndAddsTheForceToTheMomentum) {
  expect_conservation<TypeParam, Forcing::none>();
  expect_conservation<TypeParam, Forcing::guo>();
  if constexpr (TypeParam::populations == 9) {
    expect_conservation<TypeParam, Forcing::velocity_shift>();
  }
}

TYPED_TEST(RecursiveRegularisedTest, FollowsATurnAndAMirrorOfTheAxes) {
  constexpr int dimensions = TypeParam::dimensions;
  // Axis a becomes axis a + 1, and the first one is mirrored.
  const auto turned = [](const Populations<TypeParam>& g) {
    Populations<TypeParam> result;
    for (std::size_t q = 0; q < g.size(); ++q) {
      for (std::size_t p = 0; p < g.size(); ++p) {
        bool same = true;
        for (int a = 0; a < dimensions; ++a) {
          const double sign = a == 0 ? -1 : 1;
          same = same &&
                 component<TypeParam>(p, (a + 1) % dimensions) == sign * component<TypeParam>(q, a);
        }
        if (same) result[p] = g[q];
      }
    }
    return result;
  };
  const auto g = random_populations<TypeParam>(4);
  auto first = g;
  collide<TypeParam>(first, fluid(1.8));
  auto second = turned(g);
  collide<TypeParam>(second, fluid(1.8));
  const auto expected = turned(first);
  for (std::size_t q = 0; q < g.size(); ++q) EXPECT_NEAR(second[q], expected[q], 1e-16) << q;
}

/// A periodic square of nodes, one node thick in the third dimension.
template <class Velocities, class Operator>
struct Square {
  int n;
  CollisionParameters<double> parameters;
  std::vector<Populations<Velocities>> nodes, next;

  Square(int size, double rate)
      : n(size), parameters(fluid(rate)), nodes(std::size_t(n * n)), next(nodes) {
    Operator::set_rates(parameters);
  }
  Populations<Velocities>& at(int x, int y) {
    return nodes[std::size_t((y + n) % n * n + (x + n) % n)];
  }
  template <class Flow>
  void set(const Flow& flow) {
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        const auto [u, v] = flow(x, y);
        for (std::size_t q = 0; q < at(x, y).size(); ++q) {
          const double along = component<Velocities>(q, 0) * u + component<Velocities>(q, 1) * v;
          at(x, y)[q] =
              weight<Velocities>(q) * (3 * along + 4.5 * along * along - 1.5 * (u * u + v * v));
        }
      }
    }
  }
  void step() {
    for (auto& g : nodes) collide<Velocities, Operator>(g, parameters);
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        for (std::size_t q = 0; q < at(x, y).size(); ++q) {
          const int to_x = (x + int(component<Velocities>(q, 0)) + n) % n;
          const int to_y = (y + int(component<Velocities>(q, 1)) + n) % n;
          next[std::size_t(to_y * n + to_x)][q] = at(x, y)[q];
        }
      }
    }
    nodes.swap(next);
  }
  std::array<double, 2> momentum(int x, int y) {
    std::array<double, 2> sum{};
    for (std::size_t q = 0; q < at(x, y).size(); ++q) {
      for (int a = 0; a < 2; ++a) sum[std::size_t(a)] += component<Velocities>(q, a) * at(x, y)[q];
    }
    return sum;
  }
};

/// Error of the viscosity, as a share, of a shear wave of `waves` along x and y in a stream.
template <class Velocities, class Operator>
double viscosity_error(int n, std::array<int, 2> waves, double stream, double rate = 1.6) {
  const double length = std::hypot(waves[0], waves[1]);
  const double k = 2 * std::numbers::pi * length / n;
  const std::array<double, 2> across{-waves[1] / length, waves[0] / length};
  const auto phase = [&](double x, double y) {
    return 2 * std::numbers::pi * (waves[0] * x + waves[1] * y) / n;
  };
  Square<Velocities, Operator> square(n, rate);
  square.set([&](int x, int y) {
    const double u = 1e-5 * std::sin(phase(x, y));
    return std::pair{stream + u * across[0], u * across[1]};
  });
  const auto amplitude = [&] {
    double sine = 0;
    double cosine = 0;
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        const auto j = square.momentum(x, y);
        const double transverse = j[0] * across[0] + j[1] * across[1];
        sine += transverse * std::sin(phase(x, y));
        cosine += transverse * std::cos(phase(x, y));
      }
    }
    return std::hypot(sine, cosine);
  };
  const int steps = n * n / 4;
  for (int i = 0; i < steps; ++i) square.step();
  const double before = amplitude();
  for (int i = 0; i < steps; ++i) square.step();
  const double viscosity = (1 / rate - 0.5) / 3;
  return std::abs(std::log(before / amplitude()) / (steps * k * k * viscosity) - 1);
}

TYPED_TEST(RecursiveRegularisedTest, ViscosityIsOfSecondOrderAndIsotropic) {
  for (const auto& waves : {std::array{1, 0}, {1, 1}, {2, 1}}) {
    const double coarse = viscosity_error<TypeParam, RecursiveRegularised>(12, waves, 0);
    const double fine = viscosity_error<TypeParam, RecursiveRegularised>(24, waves, 0);
    EXPECT_GT(std::log2(coarse / fine), 1.7) << waves[0] << waves[1];
    EXPECT_LT(fine, waves[0] == 2 ? 0.05 : 0.02) << waves[0] << waves[1];
  }
}

/// Third-order terms remove most of the error of the viscosity in a stream across the wave's
/// velocity, which BGK has at second order of the Mach number.
TYPED_TEST(RecursiveRegularisedTest, AStreamAlongTheWaveChangesTheViscosityLessThanOfBgk) {
  const double own = viscosity_error<TypeParam, RecursiveRegularised>(16, {1, 0}, 0.2);
  const double bgk = viscosity_error<TypeParam, Bgk>(16, {1, 0}, 0.2);
  EXPECT_LT(own, 0.5 * bgk);
}

/// Steps until a double shear layer of 32 x 32 nodes at Re = 16000 (speed 0.05) has diverged, at
/// most 700.
template <class Velocities, class Operator>
int survived_steps() {
  constexpr int n = 32;
  constexpr int steps = 700;
  constexpr double speed = 0.05;
  Square<Velocities, Operator> square(n, 1 / (0.5 + 3 * speed * n / 16000));
  square.set([&](int x, int y) {
    const double at = (y + 0.5) / n;
    const double u = speed * std::tanh(80 * (at < 0.5 ? at - 0.25 : 0.75 - at));
    return std::pair{u, 0.05 * speed * std::sin(2 * std::numbers::pi * ((x + 0.5) / n + 0.25))};
  });
  for (int i = 0; i < steps; ++i) {
    square.step();
    const auto j = square.momentum(i % n, 7);
    if (!(std::hypot(j[0], j[1]) < 1)) return i;
  }
  return steps;
}

/// The operator survives on a grid where BGK diverges, as the cumulant does.
TYPED_TEST(RecursiveRegularisedTest, IsStableWhereBgkIsNot) {
  EXPECT_EQ((survived_steps<TypeParam, RecursiveRegularised>()), 700);
  EXPECT_LT((survived_steps<TypeParam, Bgk>()), 700);
  if constexpr (TypeParam::populations == 27) {
    EXPECT_EQ((survived_steps<TypeParam, Cumulant>()), 700);
  }
}

}  // namespace
}  // namespace knudsen
