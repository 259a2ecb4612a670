// The collision operator that docs/tutorials/collision_operator.md adds: regularised.hpp is the
// block of C++ of that page.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "device/simd.hpp"
#include "lattice/d2q9.hpp"
#include "lattice/d3q19.hpp"
#include "lattice/d3q27.hpp"
#include "regularised.hpp"

namespace knudsen {
namespace {

/// Shifted populations, and the sums of the page's formulas in their order.
template <class Velocities>
struct Node {
  static constexpr int populations = Velocities::populations;
  static constexpr int dimensions = Velocities::dimensions;
  double g[populations];

  explicit Node(unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform(-0.2, 0.2);
    for (int q = 0; q < populations; ++q) g[q] = weight(q) * uniform(generator);
  }
  static double weight(int q) { return Velocities::template weight<double>(q); }
  static double velocity(int q, int a) { return Velocities::velocity(q, a); }
  static double tensor(int q, int a, int b) {
    return velocity(q, a) * velocity(q, b) - (a == b ? 1.0 / 3 : 0);
  }

  /// rho, and rho u.
  std::array<double, 4> sums() const {
    std::array<double, 4> found{1, 0, 0, 0};
    for (int q = 0; q < populations; ++q) {
      found[0] += g[q];
      for (int a = 0; a < dimensions; ++a) found[std::size_t(a) + 1] += velocity(q, a) * g[q];
    }
    return found;
  }
  static double equilibrium(int q, const std::array<double, 4>& sums) {
    double along = 0;
    double square = 0;
    for (int a = 0; a < dimensions; ++a) {
      const double u = sums[std::size_t(a) + 1] / sums[0];
      along += velocity(q, a) * u;
      square += u * u;
    }
    return weight(q) * sums[0] * (1 + 3 * along + 4.5 * along * along - 1.5 * square);
  }
  /// The formula of the page, without a force.
  std::array<double, populations> regularised(double omega) const {
    const auto of_node = sums();
    std::array<double, populations> found{};
    for (int q = 0; q < populations; ++q) {
      double sum = 0;
      for (int p = 0; p < populations; ++p) {
        const double deviation = g[p] + weight(p) - equilibrium(p, of_node);
        for (int a = 0; a < dimensions; ++a) {
          for (int b = 0; b < dimensions; ++b) sum += tensor(q, a, b) * tensor(p, a, b) * deviation;
        }
      }
      found[std::size_t(q)] =
          equilibrium(q, of_node) - weight(q) + (1 - omega) * 4.5 * weight(q) * sum;
    }
    return found;
  }
};

template <class Velocities>
class PageOperator : public testing::Test {};
using AllLattices = testing::Types<D2Q9, D3Q19, D3Q27>;
TYPED_TEST_SUITE(PageOperator, AllLattices);

TYPED_TEST(PageOperator, IsTheFormulaOfThePage) {
  for (const double omega : {0.6, 1.0, 1.9}) {
    Node<TypeParam> node(3);
    const auto expected = node.regularised(omega);
    NodeCollision<Regularised, Forcing::none>::collide<TypeParam>(
        node.g, CollisionParameters<double>{omega});
    for (std::size_t q = 0; q < expected.size(); ++q) EXPECT_NEAR(node.g[q], expected[q], 1e-15);
  }
}

TYPED_TEST(PageOperator, AddsTheForceToTheMomentum) {
  Node<TypeParam> node(5);
  const auto before = node.sums();
  CollisionParameters<double> parameters{1.7};
  parameters.force[0] = 1e-3;
  parameters.force[1] = -2e-3;
  NodeCollision<Regularised, Forcing::guo>::collide<TypeParam>(node.g, parameters);
  const auto after = node.sums();
  EXPECT_NEAR(after[0], before[0], 1e-15);
  for (std::size_t a = 0; a < 3; ++a) {
    EXPECT_NEAR(after[a + 1] - before[a + 1], parameters.force[a], 1e-15);
  }
}

/// Vectors of nodes, with which the host's kernels call an operator.
TYPED_TEST(PageOperator, CollidesVectorsOfNodes) {
  using Vector = Simd<double>;
  Node<TypeParam> node(9);
  Vector g[TypeParam::populations];
  for (int q = 0; q < TypeParam::populations; ++q) g[q] = Vector(node.g[q]);
  const CollisionParameters<double> parameters{1.3};
  NodeCollision<Regularised, Forcing::none>::collide<TypeParam>(node.g, parameters);
  NodeCollision<Regularised, Forcing::none>::collide<TypeParam>(g, rounded<Vector>(parameters));
  for (int q = 0; q < TypeParam::populations; ++q) {
    double lanes[Vector::count];
    g[q].store(lanes);
    for (const double lane : lanes) EXPECT_NEAR(lane, node.g[q], 1e-16);
  }
}

}  // namespace
}  // namespace knudsen
