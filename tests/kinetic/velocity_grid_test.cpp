#include "kinetic/velocity_grid.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "kinetic/case/read_velocity_grid.hpp"
#include "kinetic/gas.hpp"

namespace knudsen {
namespace {

using testing::HasSubstr;

/// Integral of (x - centre)^n exp(-(x - centre)^2 / temperature) over the axis.
double gaussian_moment(const VelocityAxis& axis, int n, double centre, double temperature) {
  double sum = 0;
  for (std::size_t i = 0; i < axis.nodes.size(); ++i) {
    const double c = axis.nodes[i] - centre;
    sum += axis.weights[i] * std::pow(c, n) * std::exp(-c * c / temperature);
  }
  return sum;
}

const double root_pi = std::sqrt(std::numbers::pi);

TEST(VelocityAxis, MidpointAndTrapezoidIntegrateAMaxwellian) {
  for (const QuadratureRule rule : {QuadratureRule::midpoint, QuadratureRule::trapezoid}) {
    const VelocityAxis axis = uniform_axis(-5, 5, 24, rule);
    EXPECT_EQ(axis.count(), 24);
    EXPECT_NEAR(gaussian_moment(axis, 0, 0.1, 1.0), root_pi, 1e-9);
    EXPECT_NEAR(gaussian_moment(axis, 2, 0.1, 1.0), root_pi / 2, 1e-8);
    EXPECT_TRUE(axis.symmetric());
  }
  const VelocityAxis ends = uniform_axis(-2, 4, 7, QuadratureRule::trapezoid);
  EXPECT_DOUBLE_EQ(ends.nodes.front(), -2);
  EXPECT_DOUBLE_EQ(ends.nodes.back(), 4);
  EXPECT_DOUBLE_EQ(ends.weights.front(), 0.5);
  EXPECT_DOUBLE_EQ(ends.max_speed(), 4);
  EXPECT_FALSE(ends.symmetric());
}

TEST(VelocityAxis, SymmetricGridsAreSymmetricToTheLastBit) {
  for (const int count : {7, 8, 20, 25}) {
    for (const VelocityAxis& axis :
         {uniform_axis(-4.7, 4.7, count), stretched_axis(-4.7, 4.7, count, 3.0),
          gauss_hermite_axis(count, 0, 1.1)}) {
      for (std::size_t i = 0; i < axis.nodes.size(); ++i) {
        EXPECT_EQ(axis.nodes[i], -axis.nodes[axis.nodes.size() - 1 - i]);
      }
    }
  }
}

TEST(VelocityAxis, StretchedCellsFillTheRangeAndGrow) {
  for (const int count : {11, 12}) {
    const VelocityAxis axis = stretched_axis(-6, 6, count, 4.0);
    double total = 0;
    for (const double width : axis.weights) total += width;
    EXPECT_NEAR(total, 12, 1e-12);
    EXPECT_NEAR(axis.nodes.back() + axis.weights.back() / 2, 6, 1e-12);
    if (count % 2 == 1) {
      EXPECT_NEAR(axis.weights.back() / axis.weights[5], 4, 1e-12);
    }
    for (int i = 1; i < count; ++i) {
      const auto a = static_cast<std::size_t>(i);
      EXPECT_NEAR(axis.nodes[a] - axis.nodes[a - 1], (axis.weights[a] + axis.weights[a - 1]) / 2,
                  1e-12);
    }
  }
  EXPECT_NEAR(gaussian_moment(stretched_axis(-6, 6, 60, 4.0), 0, 0, 1), root_pi, 2e-3);
}

TEST(VelocityAxis, GaussHermiteIsExactForPolynomials) {
  // Eight nodes are exact up to degree 15.
  const VelocityAxis axis = gauss_hermite_axis(8, 0.3, 1.5);
  double expected = root_pi * std::sqrt(1.5);
  for (int n = 0; n <= 14; n += 2) {
    EXPECT_NEAR(gaussian_moment(axis, n, 0.3, 1.5) / expected, 1, 1e-12) << n;
    expected *= (n + 1) * 1.5 / 2;
  }
  EXPECT_NEAR(gaussian_moment(axis, 3, 0.3, 1.5), 0, 1e-12);
  EXPECT_NEAR(gaussian_moment(gauss_hermite_axis(64, 0, 1), 0, 0, 1), root_pi, 1e-11);
}

TEST(VelocityAxis, HalfRangeIsExactForPolynomialsOnEitherSide) {
  for (const int count : {2, 8, 24, 64}) {
    const VelocityAxis axis = half_range_axis(count, 1.5);
    EXPECT_EQ(axis.count(), count);
    EXPECT_TRUE(axis.symmetric());
    for (int n = 0; n < std::min(count, 20); ++n) {
      double sum = 0;
      for (std::size_t i = axis.nodes.size() / 2; i < axis.nodes.size(); ++i) {
        const double v = axis.nodes[i];
        EXPECT_GT(v, 0);
        sum += axis.weights[i] * std::pow(v, n) * std::exp(-v * v / 1.5);
      }
      // The exact integral over v > 0.
      const double expected = 0.5 * std::tgamma(0.5 * (n + 1)) * std::pow(1.5, 0.5 * (n + 1));
      EXPECT_NEAR(sum / expected, 1, 1e-11) << count << " nodes, power " << n;
    }
  }
}

/// Integral of v^n exp(-v^2 / temperature) from 0 to `end`, by the midpoint rule.
double positive_moment(int n, double temperature, double end) {
  constexpr int points = 200000;
  double sum = 0;
  for (int i = 0; i < points; ++i) {
    const double v = end * (i + 0.5) / points;
    sum += end / points * std::pow(v, n) * std::exp(-v * v / temperature);
  }
  return sum;
}

TEST(VelocityAxis, GradedIsExactForPolynomialsOnEitherSide) {
  for (const int panel_nodes : {1, 3, 6}) {
    const VelocityAxis axis = graded_axis(4, 24, 0.01, panel_nodes, 1.2);
    EXPECT_EQ(axis.count(), 24);
    EXPECT_TRUE(axis.symmetric());
    EXPECT_EQ(axis.minimum, -4);
    for (int n = 0; n < 2 * panel_nodes; ++n) {
      double sum = 0;
      for (std::size_t i = 12; i < 24; ++i) {
        sum += axis.weights[i] * std::pow(axis.nodes[i], n) *
               std::exp(-axis.nodes[i] * axis.nodes[i] / 1.2);
      }
      EXPECT_NEAR(sum / positive_moment(n, 1.2, 4), 1, 1e-8) << panel_nodes << ", power " << n;
    }
  }
}

TEST(VelocityAxis, GradedResolvesDistributionsThatVaryQuicklyBesideZero) {
  // exp(-0.01 / v), of molecules that have crossed a gap.
  const VelocityAxis fine = graded_axis(3.5, 384, 1e-4, 12, 1);
  const VelocityAxis graded = graded_axis(3.5, 32, 0.01, 4, 1);
  const VelocityAxis half_range = half_range_axis(32, 1);
  const auto crossed = [](const VelocityAxis& axis) {
    double sum = 0;
    for (std::size_t i = axis.nodes.size() / 2; i < axis.nodes.size(); ++i) {
      const double v = axis.nodes[i];
      sum += axis.weights[i] * std::exp(-v * v) * (1 - std::exp(-0.01 / v));
    }
    return sum;
  };
  EXPECT_NEAR(crossed(graded) / crossed(fine), 1, 3e-3);
  EXPECT_GT(std::abs(crossed(half_range) / crossed(fine) - 1), 3e-2);
}

TEST(VelocityAxis, CellsOfAGaussQuadratureHoldWhatTheirNodesStandFor) {
  for (const VelocityAxis& axis : {graded_axis(4, 24, 0.01, 3, 1), graded_axis(3, 10, 1, 5, 1),
                                   half_range_axis(16, 1), half_range_axis(48, 1)}) {
    const std::size_t count = axis.nodes.size();
    ASSERT_EQ(axis.edges.size(), count + 1);
    EXPECT_EQ(axis.edges[count / 2], 0);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_LT(axis.edges[i], axis.nodes[i]);
      EXPECT_GT(axis.edges[i + 1], axis.nodes[i]);
      EXPECT_EQ(axis.edges[i], -axis.edges[count - i]);
      EXPECT_NEAR(axis.weights[i] * std::exp(-axis.nodes[i] * axis.nodes[i]),
                  0.5 * root_pi * (std::erf(axis.edges[i + 1]) - std::erf(axis.edges[i])), 1e-13);
    }
  }
  EXPECT_TRUE(uniform_axis(-3, 3, 8).edges.empty());
}

TEST(VelocityAxis, RefusesNonsense) {
  EXPECT_THROW(uniform_axis(1, 1, 4), std::invalid_argument);
  EXPECT_THROW(uniform_axis(-1, 1, 0), std::invalid_argument);
  EXPECT_THROW(uniform_axis(-1, 1, 1, QuadratureRule::trapezoid), std::invalid_argument);
  EXPECT_THROW(stretched_axis(-1, 1, 4, 0), std::invalid_argument);
  EXPECT_THROW(gauss_hermite_axis(65, 0, 1), std::invalid_argument);
  EXPECT_THROW(gauss_hermite_axis(4, 0, 0), std::invalid_argument);
  EXPECT_THROW(half_range_axis(7, 1), std::invalid_argument);
  EXPECT_THROW(half_range_axis(66, 1), std::invalid_argument);
  EXPECT_THROW(half_range_axis(8, 0), std::invalid_argument);
  EXPECT_THROW(graded_axis(3, 16, 0.01, 3, 1), std::invalid_argument);
  EXPECT_THROW(graded_axis(3, 34, 0.01, 17, 1), std::invalid_argument);
  EXPECT_THROW(graded_axis(3, 18, 3, 3, 1), std::invalid_argument);
  EXPECT_THROW(graded_axis(3, 18, 0.01, 3, 0), std::invalid_argument);
}

TEST(VelocityGrid, ShareOutside) {
  const VelocityAxis axis = uniform_axis(-2, 2, 8);
  const double one = std::erfc(2.0);
  EXPECT_NEAR(share_outside({axis, axis, axis}, {0, 0, 0}, 1), 1 - std::pow(1 - one, 3), 1e-14);
  const VelocityAxis wide = uniform_axis(-50, 50, 8);
  EXPECT_NEAR(share_outside({axis, wide, wide}, {2, 0, 0}, 1), 0.5, 1e-7);
}

VelocityGrid read(const std::string& text) {
  VelocityGrid grid;
  read_case(CaseDocument::from_text(text, "case.json"),
            [&](CaseNode& root) { grid = read_velocity_grid(root); });
  return grid;
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ReadVelocityGrid, KindsAndRanges) {
  const VelocityGrid grid = read(
      R"({"velocity_grid": {"count": [4, 6, 8], "minimum": [-3, -4, -5], "maximum": [6, 4, 5]}})");
  EXPECT_EQ(grid[0].count(), 4);
  EXPECT_EQ(grid[2].count(), 8);
  EXPECT_DOUBLE_EQ(grid[0].minimum, -3);
  EXPECT_DOUBLE_EQ(grid[0].maximum, 6);
  EXPECT_EQ(read(R"({"velocity_grid": {"type": "gauss-hermite", "count": [4, 4, 4]}})")[1].nodes,
            gauss_hermite_axis(4, 0, 1).nodes);
  EXPECT_EQ(read(R"({"velocity_grid": {"type": "half-range", "count": [4, 6, 4]}})")[1].nodes,
            half_range_axis(6, 1).nodes);
  EXPECT_EQ(read(R"({"velocity_grid": {"count": [12, 6, 4], "x": {"type": "graded",
      "maximum": 4, "innermost": 0.02, "panel_nodes": 2}}})")[0]
                .nodes,
            graded_axis(4, 12, 0.02, 2, 1).nodes);
  EXPECT_EQ(
      read(R"({"velocity_grid": {"type": "stretched", "ratio": [1, 2, 3], "count": [4, 4, 4]}})")[1]
          .nodes,
      stretched_axis(-5, 5, 4, 2).nodes);
}

TEST(ReadVelocityGrid, AnAxisMayDiffer) {
  const VelocityGrid grid = read(R"({"velocity_grid": {
      "type": "half-range", "count": [7, 6, 5], "temperature": 1.2,
      "x": {"minimum": -3, "maximum": 8}, "z": {"type": "gauss-hermite", "centre": 0.5}}})");
  EXPECT_EQ(grid[0].nodes, uniform_axis(-3, 8, 7).nodes);
  EXPECT_EQ(grid[1].nodes, half_range_axis(6, 1.2).nodes);
  EXPECT_EQ(grid[1].weights, half_range_axis(6, 1.2).weights);
  EXPECT_EQ(grid[2].nodes, gauss_hermite_axis(5, 0.5, 1).nodes);
  const VelocityGrid other = read(R"({"velocity_grid": {
      "count": [4, 6, 8], "x": {"type": "stretched", "ratio": 2}, "y": {"type": "half-range"}}})");
  EXPECT_EQ(other[0].nodes, stretched_axis(-5, 5, 4, 2).nodes);
  EXPECT_EQ(other[1].nodes, half_range_axis(6, 1).nodes);
  EXPECT_EQ(other[2].nodes, uniform_axis(-5, 5, 8).nodes);
}

TEST(ReadVelocityGrid, ErrorsOfAnAxis) {
  EXPECT_THAT(error_of(R"({"velocity_grid": {"count": [4, 7, 8], "y": {"type": "half-range"}}})"),
              HasSubstr("velocity_grid.count: must be even and at most 64"));
  EXPECT_THAT(error_of(R"({"velocity_grid": {"count": [4, 7, 8], "y": {"minimum": 6}}})"),
              HasSubstr("velocity_grid.y.maximum: must be greater than \"minimum\""));
  EXPECT_THAT(
      error_of(R"({"velocity_grid": {"count": [4, 7, 8], "y": {"temperature": 1}}})"),
      HasSubstr("velocity_grid.y: key \"temperature\" does not belong to type \"uniform\""));
}

TEST(ReadVelocityGrid, ErrorsOfAGradedAxis) {
  EXPECT_THAT(error_of(R"({"velocity_grid": {"count": [8, 4, 4], "x": {"type": "graded"}}})"),
              HasSubstr("velocity_grid.count: must be a multiple of 6, twice \"panel_nodes\""));
  EXPECT_THAT(error_of(R"({"velocity_grid": {"count": [12, 4, 4], "x": {"type": "graded",
                           "innermost": 4}}})"),
              HasSubstr("velocity_grid.x.innermost: found 4, must be below \"maximum\", 3.5"));
  EXPECT_THAT(error_of(R"({"velocity_grid": {"count": [12, 4, 4], "x": {"type": "graded",
                           "maximum": 0}}})"),
              HasSubstr("velocity_grid.x.maximum: found 0"));
}

TEST(ReadVelocityGrid, Errors) {
  EXPECT_NE(error_of("{}").find("velocity_grid"), std::string::npos);
  EXPECT_NE(error_of(R"({"velocity_grid": {"count": [4, 0, 4]}})").find("count"),
            std::string::npos);
  EXPECT_EQ(
      error_of(R"({"velocity_grid": {"count": [4, 4, 4], "minimum": [-5, 6, -5]}})"),
      "case.json: velocity_grid.maximum: must be greater than \"minimum\" for each component; "
      "5 is not greater than 6");
  EXPECT_NE(error_of(R"({"velocity_grid": {"type": "gauss-hermite", "count": [4, 4, 65]}})")
                .find("at most 64"),
            std::string::npos);
  EXPECT_NE(error_of(R"({"velocity_grid": {"type": "half-range", "count": [4, 4, 5]}})")
                .find("must be even"),
            std::string::npos);
  EXPECT_NE(error_of(R"({"velocity_grid": {"rule": "trapezoid", "count": [4, 4, 1]}})")
                .find("at least 2"),
            std::string::npos);
}

TEST(Gas, RankineHugoniotConservesTheFluxes) {
  for (const double mach : {1.2, 3.0, 8.0}) {
    const auto [before, behind] = rankine_hugoniot(mach);
    const auto fluxes = [](const GasState& s) {
      const double u = s.velocity[0];
      const double pressure = s.density * s.temperature / 2;
      return std::array{s.density * u, s.density * u * u + pressure,
                        u * (s.density * u * u / 2 + 2.5 * pressure)};
    };
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(fluxes(before)[i] / fluxes(behind)[i], 1, 1e-13);
    }
    EXPECT_GT(behind.density, before.density);
  }
  EXPECT_THROW(rankine_hugoniot(1), std::invalid_argument);
}

TEST(Gas, RelaxationRateFollowsTheViscosity) {
  const Gas gas{3.0, 0.74, 1.0};
  EXPECT_NEAR(gas.stress_relaxation_rate(2, 1), 6, 1e-14);
  EXPECT_NEAR(gas.stress_relaxation_rate(1, 4), 3 * std::pow(4, 0.26), 1e-13);
}

}  // namespace
}  // namespace knudsen
