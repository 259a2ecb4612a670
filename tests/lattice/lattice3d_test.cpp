#include <gtest/gtest.h>

#include <cstddef>

#include "lattice/d3q19.hpp"
#include "lattice/d3q27.hpp"
#include "lattice/flow_state3d.hpp"
#include "textbook3d.hpp"

namespace knudsen {
namespace {

template <class Lattice>
class Lattice3D : public testing::Test {};
using Lattices = testing::Types<D3Q19, D3Q27>;
TYPED_TEST_SUITE(Lattice3D, Lattices);

TYPED_TEST(Lattice3D, IsThatOfTheTable) {
  for (int q = 0; q < TypeParam::populations; ++q) {
    const auto c = textbook3d::velocity(q);
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_EQ(TypeParam::velocity(q, axis), c[static_cast<std::size_t>(axis)]) << q;
    }
    const auto weight = textbook3d::weight(TypeParam::populations, q);
    EXPECT_DOUBLE_EQ(TypeParam::template weight<double>(q), static_cast<double>(weight)) << q;
    EXPECT_FLOAT_EQ(TypeParam::template weight<float>(q), static_cast<float>(weight)) << q;
  }
}

TYPED_TEST(Lattice3D, OppositesAreNeighboursInTheNumbering) {
  for (int q = 0; q < TypeParam::populations; ++q) {
    const int opposite = TypeParam::opposite(q);
    EXPECT_EQ(opposite, q == 0 ? 0 : (q % 2 == 1 ? q + 1 : q - 1));
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_EQ(TypeParam::velocity(opposite, axis), -TypeParam::velocity(q, axis)) << q;
    }
  }
}

int power(int base, int exponent) {
  int result = 1;
  for (int i = 0; i < exponent; ++i) result *= base;
  return result;
}

TYPED_TEST(Lattice3D, WeightsAreIsotropicToFourthOrder) {
  const double even[] = {1, 0, 1.0 / 3, 0, 1.0 / 3};  // moments of a Gaussian of variance 1/3
  for (int l = 0; l <= 4; ++l) {
    for (int m = 0; l + m <= 4; ++m) {
      for (int n = 0; l + m + n <= 4; ++n) {
        double sum = 0;
        for (int q = 0; q < TypeParam::populations; ++q) {
          sum += TypeParam::template weight<double>(q) * power(TypeParam::velocity(q, 0), l) *
                 power(TypeParam::velocity(q, 1), m) * power(TypeParam::velocity(q, 2), n);
        }
        EXPECT_NEAR(sum, even[l] * even[m] * even[n], 1e-15) << l << m << n;
      }
    }
  }
}

TYPED_TEST(Lattice3D, EquilibriumHasItsMoments) {
  const FlowState3D<double> state{0.03, {0.08, -0.05, 0.02}};
  double g[TypeParam::populations];
  for (int q = 0; q < TypeParam::populations; ++q) g[q] = equilibrium<TypeParam>(q, state);
  const double force[3] = {0.02, -0.01, 0.03};
  const double none[3] = {0, 0, 0};
  const auto again = flow_state<TypeParam>(g, none);
  EXPECT_NEAR(again.density_deviation, state.density_deviation, 1e-16);
  const auto pushed = flow_state<TypeParam>(g, force);
  double stress[6];
  nonequilibrium_stress(moments<TypeParam>(g), again, none, stress);
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(again.velocity[axis], state.velocity[axis], 1e-16);
    EXPECT_NEAR(pushed.velocity[axis], state.velocity[axis] + force[axis] / 2 / 1.03, 1e-16);
  }
  for (const double component : stress) EXPECT_NEAR(component, 0, 1e-16);
}

TYPED_TEST(Lattice3D, StressIsTheSumOverPopulations) {
  double g[TypeParam::populations];
  for (int q = 0; q < TypeParam::populations; ++q) g[q] = 0.01 * ((q * 37) % 11 - 5);
  const double none[3] = {0, 0, 0};
  const auto m = moments<TypeParam>(g);
  const auto state = flow_state(m, none);
  double stress[6];
  nonequilibrium_stress(m, state, none, stress);
  const int axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
  for (int i = 0; i < 6; ++i) {
    double expected = 0;
    for (int q = 0; q < TypeParam::populations; ++q) {
      expected += TypeParam::velocity(q, axes[i][0]) * TypeParam::velocity(q, axes[i][1]) *
                  (g[q] - equilibrium<TypeParam>(q, state));
    }
    EXPECT_NEAR(stress[i], expected, 1e-16) << i;
  }
}

TYPED_TEST(Lattice3D, AlongIsTheScalarProduct) {
  const double v[3] = {0.3, -0.7, 1.1};
  for_populations<TypeParam>([&](auto q) {
    double expected = 0;
    for (int axis = 0; axis < 3; ++axis) expected += TypeParam::velocity(q, axis) * v[axis];
    EXPECT_DOUBLE_EQ(along<TypeParam>(q, v), expected) << q;
  });
}

TEST(D3Q27Lattice, FindsPopulationsByVelocity) {
  for (int q = 0; q < 27; ++q) {
    EXPECT_EQ(
        D3Q27::population(D3Q27::velocity(q, 0), D3Q27::velocity(q, 1), D3Q27::velocity(q, 2)), q);
  }
}

TEST(D3Q27Lattice, ProductEquilibriumIsTheProduct) {
  const FlowState3D<double> state{-0.02, {0.1, -0.06, 0.04}};
  const auto expected =
      textbook3d::equilibrium({27, UncorrectedCumulant::name}, {0.98L, {0.1L, -0.06L, 0.04L}});
  for (int q = 0; q < 27; ++q) {
    const double g = product_equilibrium(D3Q27::velocity(q, 0), D3Q27::velocity(q, 1),
                                         D3Q27::velocity(q, 2), state);
    EXPECT_NEAR(g + D3Q27::weight<double>(q),
                static_cast<double>(expected[static_cast<std::size_t>(q)]), 1e-16);
  }
}

}  // namespace
}  // namespace knudsen
