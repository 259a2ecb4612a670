#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <numbers>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "lbm_d3q27/case_problem.hpp"
#include "support/steady_state.hpp"
#include "support/surface_conditions.hpp"

// The temperature and passive scalars at interpolated walls.

namespace knudsen::lbm_d3q27 {
namespace {

constexpr double pi = std::numbers::pi;
const std::string sparse = R"({"nodes": "sparse"})";

/// Fluid between two spheres, whose centre is at no special place.
struct Shell {
  int radius;  ///< of the outer sphere; that of the inner one is half of it
  double diffusivity = 0.125;
  std::string propagation = sparse;

  /// Not of the largest shells, to save time.
  bool has_salt() const { return radius < 18; }
  int nodes() const { return 2 * radius + 4; }
  double inner() const { return radius / 2.0; }
  double centre(int axis) const {
    return nodes() / 2.0 + std::array{0.137, 0.281, -0.163}[static_cast<std::size_t>(axis)];
  }
  double distance(int x, int y, int z) const {
    return std::hypot(x + 0.5 - centre(0), y + 0.5 - centre(1), z + 0.5 - centre(2));
  }
  std::string of_case(const SurfaceCondition& hub, const SurfaceCondition& ring) const {
    const std::string n = std::to_string(nodes());
    const std::string sphere = R"("shape": "sphere", "centre": [)" + number_text(centre(0)) + ", " +
                               number_text(centre(1)) + ", " + number_text(centre(2)) +
                               R"(], "radius": )";
    const std::string scalar = R"(, "diffusivity": )" + number_text(diffusivity) +
                               R"(, "solids": [{"name": "hub")" + hub.of_scalar +
                               R"(}, {"name": "ring")" + ring.of_scalar + "}]}";
    return R"({"precision": "double", "domain": {"nodes": [)" + n + ", " + n + ", " + n +
           R"(]}, "fluid": {"kinematic_viscosity": 0.1}, "propagation": )" + propagation +
           R"(, "heat": {"diffusivity": )" + number_text(diffusivity) +
           R"(}, "geometry": {"walls": "interpolated", "solids": [{"name": "hub", )" + sphere +
           number_text(inner()) + hub.of_heat + R"(}, {"name": "ring", "inverted": true, )" +
           sphere + std::to_string(radius) + ring.of_heat + R"(}]}, "scalars": [{"name": "dye")" +
           scalar + (has_salt() ? R"(, {"name": "salt", "lattice": "D3Q19")" + scalar : "") + "]}";
  }
};

template <class Visit>
void for_nodes(int n, const Visit& visit) {
  std::size_t i = 0;
  for (int z = 0; z < n; ++z) {
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x, ++i) visit(i, x, y, z);
    }
  }
}

struct Conducted {
  double error = 0;  ///< of the temperature: root mean square over the largest difference
  double hub = 0;    ///< heat flow
  /// The same of the scalar on D3Q19.
  double salt_error = 0, salt_hub = 0;
};

/// Steady conduction between the spheres, where the temperature is a + b (outer radius / r - 1).
Conducted conducted(const Shell& shell, const SurfaceCondition& hub, const SurfaceCondition& ring,
                    double a, double b, int duration = 12) {
  const auto problem = problem_of(shell.of_case(hub, ring));
  const auto method = problem->create(Backend::host);
  method->initialise();
  method->advance(duration * shell.radius * shell.radius);
  const auto found = values_of(*method, "temperature");
  const auto dye = values_of(*method, "dye");
  const auto salt = values_of(*method, shell.has_salt() ? "salt" : "dye");
  double sum = 0;
  double sum_of_salt = 0;
  double count = 0;
  for_nodes(shell.nodes(), [&](std::size_t i, int x, int y, int z) {
    if (std::isnan(found[i])) return;
    const double exact = a + b * (shell.radius / shell.distance(x, y, z) - 1);
    sum += (found[i] - exact) * (found[i] - exact);
    sum_of_salt += (salt[i] - exact) * (salt[i] - exact);
    ++count;
    EXPECT_NEAR(dye[i], found[i], 1e-12);
  });
  const Conducted result{std::sqrt(sum / count) / std::fabs(b), method->monitor("hub.heat_flow"),
                         std::sqrt(sum_of_salt / count) / std::fabs(b),
                         method->monitor(shell.has_salt() ? "hub.salt_flow" : "hub.dye_flow")};
  EXPECT_NEAR(method->monitor("hub.dye_flow"), result.hub, 1e-11);
  EXPECT_NEAR(result.hub + method->monitor("ring.heat_flow"), 0, 1e-6 * std::fabs(result.hub));
  return result;
}

TEST(CurvedHeatD3Q27, GivenTemperaturesHaveSecondOrder) {
  double before = 0;
  double salt_before = 0;
  for (const int radius : {6, 12}) {
    const auto found = conducted({radius}, given_temperature(1), given_temperature(0), 0, 1, 4);
    const double heat = 4 * pi * 0.125 * radius;
    std::cout << "temperatures: " << radius << ' ' << found.error << ' ' << found.hub / heat - 1
              << ", D3Q19 " << found.salt_error << ' ' << found.salt_hub / heat - 1 << '\n';
    EXPECT_LT(found.error, 0.0066 * 36 / (radius * radius));
    EXPECT_NEAR(found.hub / heat, 1, 0.0127 * 36 / (radius * radius));
    EXPECT_LT(found.salt_error, 0.01 * 36 / (radius * radius));
    EXPECT_NEAR(found.salt_hub / heat, 1, 0.02 * 36 / (radius * radius));
    if (radius == 12) {
      EXPECT_GT(std::log2(before / found.error), 1.9);
      EXPECT_GT(std::log2(salt_before / found.salt_error), 1.8);
    }
    before = found.error;
    salt_before = found.salt_error;
  }
}

TEST(CurvedHeatD3Q27, AGivenFluxEntersThroughTheTrueSurface) {
  for (const int radius : {6, 10}) {
    const double heat = 4 * pi * 0.125 * radius;
    const auto found =
        conducted({radius}, given_flux(heat / (pi * radius * radius)), given_temperature(0), 0, 1);
    std::cout << "flux: " << radius << ' ' << found.error << ' ' << found.hub / heat - 1
              << ", D3Q19 " << found.salt_error << '\n';
    EXPECT_NEAR(found.salt_hub, found.hub, 1e-12);
    EXPECT_LT(found.salt_error, 0.014 * std::pow(6.0 / radius, 1.5));
    EXPECT_LT(found.error, 0.014 * std::pow(6.0 / radius, 1.5));
    EXPECT_NEAR(found.hub / heat, 1, 0.018 * std::pow(6.0 / radius, 1.5));
  }
}

TEST(CurvedHeatD3Q27, ExchangeIsAResistanceInSeries) {
  for (const int radius : {6, 12}) {
    // Resistances of the surface and of the fluid that are the same: half of the difference each.
    const double d = 0.125;
    const double heat = 4 * pi * d * radius / 2;
    const double coefficient = heat / (pi * radius * radius) / 0.5;
    const auto found =
        conducted({radius}, exchange_with(1, coefficient), given_temperature(0), 0, 0.5);
    std::cout << "exchange: " << radius << ' ' << found.error << ' ' << found.hub / heat - 1
              << ", D3Q19 " << found.salt_error << ' ' << found.salt_hub / heat - 1 << '\n';
    EXPECT_LT(found.error, 0.009 * std::pow(6.0 / radius, 1.5));
    EXPECT_NEAR(found.hub / heat, 1, 0.001);
    EXPECT_LT(found.salt_error, 0.0135 * std::pow(6.0 / radius, 1.5));
    EXPECT_NEAR(found.salt_hub / heat, 1, 0.011 * std::pow(6.0 / radius, 1.3));
  }
}

/// A velocity about an axis through the centre that vanishes at both spheres.
GivenFields turning(const Shell& shell, double speed, double value) {
  GivenFields given;
  for_nodes(shell.nodes(), [&](std::size_t, int x, int y, int z) {
    const double r = shell.distance(x, y, z);
    const double s = (r - shell.inner()) / shell.inner();
    const double u = s > 0 && s < 1 ? speed * 4 * s * (1 - s) / r : 0;
    given.velocity.push_back(-u * (y + 0.5 - shell.centre(1)));
    given.velocity.push_back(u * (x + 0.5 - shell.centre(0)));
    given.velocity.push_back(0);
    given.density.push_back(1);
    given.temperature.push_back(value);
  });
  given.scalars["dye"] = given.temperature;
  given.scalars["salt"] = given.temperature;
  return given;
}

TEST(CurvedHeatD3Q27, AStreamPastAMovingSphereOfItsTemperatureChangesNothing) {
  // Peclet number of a node 2, distances on both sides of one half. The sphere reaches through
  // periodic sides. The flow begins with a disturbance, as at all moving interpolated walls.
  for (const std::string& propagation : {sparse, std::string(R"({"scheme": "aa-pattern"})")}) {
    const auto problem = problem_of(R"({"precision": "double", "domain": {"nodes": [11, 10, 12]},
      "fluid": {"kinematic_viscosity": 0.1, "velocity": 0.1}, "heat": {"diffusivity": 0.05},
      "propagation": )" + propagation +
                                    R"(, "initial": {"type": "uniform",
        "velocity": [1, 0.5, -0.7], "temperature": 1},
      "geometry": {"walls": "interpolated", "solids": [{"name": "post", "shape": "sphere",
        "centre": [1.3, 5.6, 11.1], "radius": 3.2, "velocity": [1, 0.5, -0.7],
        "temperature": 1}]},
      "scalars": [{"name": "dye", "diffusivity": 0.05, "initial": 1,
        "solids": [{"name": "post", "value": 1}]},
        {"name": "salt", "lattice": "D3Q19", "diffusivity": 0.05, "initial": 1,
        "solids": [{"name": "post", "value": 1}]}]})");
    const auto method = problem->create(Backend::host);
    method->initialise();
    method->advance(1000);
    EXPECT_NEAR(method->monitor("max_speed"), 0.1 * std::hypot(1.0, 0.5, 0.7), 1e-4);
    double largest = 0;
    for (const char* field : {"temperature", "dye", "salt"}) {
      for (const double value : values_of(*method, field)) {
        if (!std::isnan(value)) largest = std::max(largest, std::fabs(value - 1));
      }
    }
    std::cout << "moving sphere: " << method->monitor("max_speed") << ' ' << largest << '\n';
    EXPECT_LT(largest, 1e-7);
  }
}

TEST(CurvedHeatD3Q27, SchemesAgreeAndKeepTheBalanceOfHeat) {
  std::vector<std::vector<double>> found;
  std::vector<std::vector<double>> salt;
  for (const std::string& propagation :
       {sparse, std::string(R"({"scheme": "two-array"})"),
        std::string(R"({"scheme": "aa-pattern"})"), std::string(R"({"scheme": "esoteric-pull"})"),
        std::string(R"({"scheme": "esoteric-twist"})")}) {
    const Shell shell{7, 0.03, propagation};
    const auto problem = problem_of(shell.of_case(given_temperature(1), exchange_with(-1, 0.02)));
    const auto method = problem->create(Backend::host);
    method->initialise(turning(shell, 0.05, 0.2));
    method->advance(31);
    const double before = method->monitor("mean_temperature") * problem->updates_per_step;
    const double salt_before = method->monitor("mean_salt") * problem->updates_per_step;
    method->advance(1);
    EXPECT_NEAR(method->monitor("mean_salt") * problem->updates_per_step - salt_before,
                method->monitor("hub.salt_flow") + method->monitor("ring.salt_flow"), 1e-11);
    EXPECT_NEAR(method->monitor("mean_temperature") * problem->updates_per_step - before,
                method->monitor("hub.heat_flow") + method->monitor("ring.heat_flow"), 1e-11);
    EXPECT_NEAR(method->monitor("hub.dye_flow"), method->monitor("hub.heat_flow"), 1e-11);
    found.push_back(values_of(*method, "temperature"));
    found.push_back(values_of(*method, "dye"));
    salt.push_back(values_of(*method, "salt"));
  }
  for (const auto* group : {&found, &salt}) {
    for (const auto& each : *group) {
      for (std::size_t i = 0; i < each.size(); ++i) {
        if (!std::isnan(each[i])) {
          ASSERT_NEAR(each[i], group->front()[i], 1e-13);
        }
      }
    }
  }
}

TEST(CurvedHeatD3Q27, AdiabaticSurfacesKeepTheHeatToRounding) {
  const Shell shell{7};
  const auto method = problem_of(shell.of_case({}, {}))->create(Backend::host);
  GivenFields given;
  for_nodes(shell.nodes(), [&](std::size_t, int x, int y, int z) {
    given.temperature.push_back(1 + std::sin(x + 2 * y - z));
  });
  given.scalars["salt"] = given.temperature;
  method->initialise(given);
  const double before = method->monitor("mean_temperature");
  method->advance(300);
  EXPECT_NEAR(method->monitor("mean_temperature"), before, 1e-13);
  EXPECT_NEAR(method->monitor("mean_salt"), before, 1e-13);
  EXPECT_EQ(method->monitor("hub.heat_flow"), 0);
}

TEST(CurvedHeatD3Q27, ConductingSolidsAreRefused) {
  try {
    problem_of(R"({"domain": {"nodes": [12, 12, 12]}, "fluid": {"kinematic_viscosity": 0.1},
      "heat": {"prandtl": 1}, "geometry": {"walls": "interpolated", "solids": [{"shape": "sphere",
      "centre": [6, 6, 6], "radius": 3, "conduction": {"conductivity_ratio": 2}}]}})");
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("geometry.walls: found \"interpolated\", must not be "
                                   "\"interpolated\" where a solid has \"conduction\""));
  }
}

}  // namespace
}  // namespace knudsen::lbm_d3q27
