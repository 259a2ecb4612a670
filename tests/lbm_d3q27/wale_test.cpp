#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "flow_runner.hpp"
#include "lattice/steps/eddy_viscosity.hpp"
#include "lbm_d3q27/case_problem.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

using Gradient = double[3][3];

/// Equations 10 and 13 of Nicoud and Ducros (1999), as they stand there, but for (C x width)^2.
double textbook_viscosity(const Gradient& g) {
  using Number = long double;
  Number strain = 0;
  Number turning = 0;
  Number trace = 0;
  const auto squared = [&](int i, int j) {
    Number sum = 0;
    for (int k = 0; k < 3; ++k) sum += Number(g[i][k]) * Number(g[k][j]);
    return sum;
  };
  for (int k = 0; k < 3; ++k) trace += squared(k, k);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Number s = (Number(g[i][j]) + Number(g[j][i])) / 2;
      const Number d = (squared(i, j) + squared(j, i)) / 2 - (i == j ? trace / 3 : 0);
      strain += s * s;
      turning += d * d;
    }
  }
  const Number below = std::pow(strain, Number(2.5)) + std::pow(turning, Number(1.25));
  return below == 0 ? 0 : static_cast<double>(std::pow(turning, Number(1.5)) / below);
}

TEST(WaleViscosity, is_that_of_the_paper) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-0.1, 0.1);
  for (int i = 0; i < 100; ++i) {
    Gradient g;
    for (auto& row : g) {
      for (double& each : row) each = uniform(generator);
    }
    EXPECT_NEAR(wale_viscosity(g) / textbook_viscosity(g), 1, 1e-13);
  }
}

TEST(WaleViscosity, is_zero_in_shear_and_grows_with_the_gradient) {
  const Gradient shear = {{0, 0.3, 0}, {0, 0, 0}, {0, 0, 0}};
  EXPECT_EQ(wale_viscosity(shear), 0);
  const Gradient rest = {};
  EXPECT_EQ(wale_viscosity(rest), 0);
  const Gradient strain = {{0.1, 0.02, 0}, {-0.03, -0.04, 0.05}, {0.01, 0, -0.06}};
  for (const float scale : {1e-7F, 1e-5F, 1e-3F}) {
    float scaled[3][3];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) scaled[i][j] = scale * static_cast<float>(strain[i][j]);
    }
    EXPECT_NEAR(wale_viscosity(scaled) / scale / wale_viscosity(strain), 1, 1e-5) << scale;
  }
}

/// A box with walls below and above, a solid and noise.
std::string noisy_case(const std::string& propagation, const std::string& collision) {
  return R"({"precision": "double", "domain": {"nodes": [7, 6, 5]}, "fluid":
    {"relaxation_time": 0.6}, "propagation": {)" +
         propagation + R"(}, "collision": {)" + collision +
         R"(}, "boundaries": {"bottom": {"type": "wall"}, "top": {"type": "wall",
    "velocity": [0.05, 0, 0]}}, "geometry": {"solids": [{"shape": "box", "name": "block",
    "from": [2, 2, 1], "to": [4, 3, 3]}]}, "initial": {"type": "noise", "amplitude": 0.05}})";
}

std::vector<double> all_values(Method& method, const std::string& field) {
  return std::get<std::vector<double>>(method.field(field).values);
}

/// Eddy viscosity / C^2 of the cells, by differences of a velocity field.
std::vector<double> by_differences(const std::vector<double>& velocity,
                                   const std::vector<double>& solid,
                                   const std::array<int, 3>& nodes) {
  const auto cell = [&](const std::array<int, 3>& at) {
    return static_cast<std::size_t>(at[0] + nodes[0] * (at[1] + nodes[1] * at[2]));
  };
  std::vector<double> found;
  for (int z = 0; z < nodes[2]; ++z) {
    for (int y = 0; y < nodes[1]; ++y) {
      for (int x = 0; x < nodes[0]; ++x) {
        const std::array<int, 3> at{x, y, z};
        if (solid[cell(at)] != 0) {
          found.push_back(NAN);
          continue;
        }
        Gradient g;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          std::array<std::size_t, 2> ends{};
          int distance = 0;
          for (const int by : {-1, 1}) {
            std::array<int, 3> to = at;
            to[axis] += by;
            const bool wall = axis == 2 && (to[2] < 0 || to[2] == nodes[2]);
            to[axis] = (to[axis] + nodes[axis]) % nodes[axis];
            const bool fluid = !wall && solid[cell(to)] == 0;
            ends[by < 0 ? 0 : 1] = cell(fluid ? to : at);
            distance += fluid ? 1 : 0;
          }
          for (std::size_t a = 0; a < 3; ++a) {
            g[a][axis] = distance == 0
                             ? 0
                             : (velocity[3 * ends[1] + a] - velocity[3 * ends[0] + a]) / distance;
          }
        }
        found.push_back(textbook_viscosity(g));
      }
    }
  }
  return found;
}

TEST(WaleField, is_that_of_the_velocity_field) {
  for (const char* propagation : {"", R"("nodes": "sparse")", R"("scheme": "aa-pattern")"}) {
    SCOPED_TRACE(propagation);
    const auto method = problem_of(noisy_case(propagation, R"("wale": 0.5, "wale_interval": 3)"))
                            ->create(Backend::host);
    method->initialise();
    for (const double value : all_values(*method, "eddy_viscosity")) {
      EXPECT_TRUE(value == 0 || std::isnan(value));
    }
    for (int times = 0; times < 2; ++times) {
      const auto expected =
          by_differences(all_values(*method, "velocity"), all_values(*method, "solid"), {7, 6, 5});
      method->advance(1);
      const auto found = all_values(*method, "eddy_viscosity");
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (std::isnan(expected[i])) {
          EXPECT_TRUE(std::isnan(found[i]));
        } else {
          EXPECT_NEAR(found[i], 0.25 * expected[i], 1e-15);
        }
      }
      method->advance(5);
    }
  }
}

TEST(WaleField, is_renewed_at_its_interval) {
  const auto method =
      problem_of(noisy_case("", R"("wale": 0.5, "wale_interval": 3)"))->create(Backend::host);
  method->initialise();
  method->advance(4);  // it is renewed by the step from 3 to 4
  const auto at_four = all_values(*method, "eddy_viscosity");
  method->advance(2);
  const auto at_six = all_values(*method, "eddy_viscosity");
  for (std::size_t i = 0; i < at_four.size(); ++i) {
    if (!std::isnan(at_four[i])) {
      EXPECT_EQ(at_six[i], at_four[i]);
    }
  }
  method->advance(1);
  EXPECT_NE(all_values(*method, "eddy_viscosity")[0], at_four[0]);
}

TEST(WaleField, leaves_a_flow_between_plates_as_it_is) {
  const auto end_of = [](const std::string& collision) {
    const auto method = problem_of(R"({"precision": "double", "domain": {"nodes": [3, 4, 9]},
      "fluid": {"relaxation_time": 0.8}, "collision": {"body_force": [1e-4, 0, 0])" +
                                   collision + R"(}, "boundaries": {"bottom": {"type": "wall"},
      "top": {"type": "wall"}}})")
                            ->create(Backend::host);
    method->initialise();
    method->advance(300);
    return all_values(*method, "velocity");
  };
  const auto without = end_of("");
  const auto with = end_of(R"(, "wale": 0.5)");
  const auto smagorinsky = end_of(R"(, "smagorinsky": 0.2)");
  double change = 0;
  for (std::size_t i = 0; i < without.size(); ++i) {
    EXPECT_NEAR(with[i], without[i], 1e-13);
    change = std::max(change, std::fabs(smagorinsky[i] - without[i]));
  }
  EXPECT_GT(change, 5e-6);
}

TEST(WaleField, slows_a_vortex) {
  const auto energy = [](const std::string& collision) {
    const auto method = problem_of(R"({"precision": "double", "domain": {"nodes": [16, 16, 16]},
      "fluid": {"relaxation_time": 0.51}, "collision": {)" +
                                   collision + R"(}, "initial": {"type": "taylor-green",
      "amplitude": 0.05}})")
                            ->create(Backend::host);
    method->initialise();
    method->advance(200);
    return method->monitor("kinetic_energy");
  };
  const double every_step = energy(R"("wale": 0.5, "wale_interval": 1)");
  EXPECT_LT(every_step, 0.97 * energy(""));
  EXPECT_NEAR(energy(R"("wale": 0.5, "wale_interval": 10)") / every_step, 1, 2e-3);
}

}  // namespace
}  // namespace knudsen::lbm_d3q27
