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
#include "lbm_d2q9/case_problem.hpp"
#include "support/steady_state.hpp"
#include "support/surface_conditions.hpp"

// The temperature and passive scalars at interpolated walls.

namespace knudsen::lbm_d2q9 {
namespace {

constexpr double pi = std::numbers::pi;

/// Fluid between two circles, whose centre is at no special place.
struct Annulus {
  int radius;  ///< of the outer circle; that of the inner one is half of it
  double diffusivity = 1.0 / 6;
  std::string more = {};  ///< blocks of the case
  std::string precision = "double";

  int nodes() const { return 2 * radius + 5; }
  double inner() const { return radius / 2.0; }
  double centre(int axis) const { return nodes() / 2.0 + (axis == 0 ? 0.137 : 0.281); }
  double distance(int x, int y) const {
    return std::hypot(x + 0.5 - centre(0), y + 0.5 - centre(1));
  }
  std::string of_case(const SurfaceCondition& hub, const SurfaceCondition& ring) const {
    const std::string circle = R"("shape": "circle", "centre": [)" + number_text(centre(0)) + ", " +
                               number_text(centre(1)) + R"(], "radius": )";
    const std::string scalar = R"(, "diffusivity": )" + number_text(diffusivity) +
                               R"(, "solids": [{"name": "hub")" + hub.of_scalar +
                               R"(}, {"name": "ring")" + ring.of_scalar + "}]}";
    return R"({"precision": ")" + precision + R"(", "domain": {"nodes": [)" +
           std::to_string(nodes()) + ", " + std::to_string(nodes()) +
           R"(]}, "fluid": {"kinematic_viscosity": 0.1}, "heat": {"diffusivity": )" +
           number_text(diffusivity) + R"(}, "geometry": {"walls": "interpolated", "solids": [
             {"name": "hub", )" +
           circle + number_text(inner()) + hub.of_heat +
           R"(}, {"name": "ring", "inverted": true, )" + circle + std::to_string(radius) +
           ring.of_heat + R"(}]}, "scalars": [{"name": "dye")" + scalar +
           R"(, {"name": "salt", "lattice": "D2Q9")" + scalar + "]" + more + "}";
  }
};

/// Calls visit(x, y, value) for the fluid nodes of a square domain.
template <class Visit>
void for_fluid(const std::vector<double>& values, int nodes, const Visit& visit) {
  for (int y = 0; y < nodes; ++y) {
    for (int x = 0; x < nodes; ++x) {
      const double value = values[static_cast<std::size_t>(y * nodes + x)];
      if (!std::isnan(value)) visit(x, y, value);
    }
  }
}

struct Conducted {
  double error = 0;          ///< of the temperature: root mean square over the largest difference
  double hub = 0, ring = 0;  ///< heat flows
  /// The same of the scalar on D2Q9.
  double salt_error = 0, salt_hub = 0;
};

/// Steady conduction between the circles, where the temperature is a + b ln(r / outer radius).
Conducted conducted(const Annulus& annulus, const SurfaceCondition& hub,
                    const SurfaceCondition& ring, double a, double b, int duration = 16) {
  const auto problem = problem_of(annulus.of_case(hub, ring));
  const auto method = problem->create(Backend::host);
  method->initialise();
  method->advance(static_cast<std::int64_t>(duration * annulus.radius * annulus.radius /
                                            (6 * annulus.diffusivity)));
  const auto found = values_of(*method, "temperature");
  const auto dye = values_of(*method, "dye");
  const auto error_of = [&](const std::vector<double>& values) {
    double sum = 0;
    double count = 0;
    for_fluid(values, annulus.nodes(), [&](int x, int y, double value) {
      const double exact = a + b * std::log(annulus.distance(x, y) / annulus.radius);
      sum += (value - exact) * (value - exact);
      ++count;
    });
    return std::sqrt(sum / count) / std::fabs(b * std::log(2.0));
  };
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!std::isnan(found[i])) {
      EXPECT_NEAR(dye[i], found[i], 1e-12);
    }
  }
  const Conducted result{error_of(found), method->monitor("hub.heat_flow"),
                         method->monitor("ring.heat_flow"), error_of(values_of(*method, "salt")),
                         method->monitor("hub.salt_flow")};
  EXPECT_NEAR(method->monitor("hub.dye_flow"), result.hub, 1e-11);
  // In a steady state what enters leaves.
  EXPECT_NEAR(result.hub + result.ring, 0, 1e-8 * std::fabs(result.hub));
  EXPECT_NEAR(result.salt_hub + method->monitor("ring.salt_flow"), 0, 1e-8 * std::fabs(result.hub));
  return result;
}

TEST(CurvedHeatD2Q9, GivenTemperaturesHaveSecondOrder) {
  double before = 0;
  double salt_before = 0;
  for (const int radius : {8, 16, 32}) {
    const double d = 1.0 / 6;
    const auto found =
        conducted({radius}, given_temperature(1), given_temperature(0), 0, -1 / std::log(2.0), 6);
    const double heat = 2 * pi * d / std::log(2.0);
    std::cout << "temperatures: " << radius << ' ' << found.error << ' ' << found.hub / heat - 1
              << ", D2Q9 " << found.salt_error << ' ' << found.salt_hub / heat - 1 << '\n';
    EXPECT_LT(found.error, 0.0024 * 64 / (radius * radius));
    EXPECT_NEAR(found.hub / heat, 1, 0.003 * 64 / (radius * radius));
    EXPECT_LT(found.salt_error, 0.003 * 64 / (radius * radius));
    EXPECT_NEAR(found.salt_hub / heat, 1, 0.004 * 64 / (radius * radius));
    if (before > 0) {
      EXPECT_GT(std::log2(before / found.error), 1.95);
      EXPECT_GT(std::log2(salt_before / found.salt_error), 1.9);
    }
    before = found.error;
    salt_before = found.salt_error;
  }
}

TEST(CurvedHeatD2Q9, TheErrorDoesNotDependOnTheDiffusivity) {
  const auto at = [](double diffusivity) {
    Annulus annulus{8};
    annulus.diffusivity = diffusivity;
    return conducted(annulus, given_temperature(1), given_temperature(0), 0, -1 / std::log(2.0), 6)
        .error;
  };
  const double usual = at(1.0 / 6);
  for (const double diffusivity : {0.02, 0.6}) EXPECT_NEAR(at(diffusivity), usual, 1e-9);
}

TEST(CurvedHeatD2Q9, AGivenFluxEntersThroughTheTrueSurface) {
  double before = 0;
  for (const int radius : {8, 16, 32}) {
    const double d = 1.0 / 6;
    // Temperatures 0 at the ring and ln 2 at the hub.
    const double at_hub = d / (radius / 2.0);
    const auto found = conducted({radius}, given_flux(at_hub), given_temperature(0), 0, -1);
    std::cout << "flux: " << radius << ' ' << found.error << ' ' << found.hub / (2 * pi * d) - 1
              << ", D2Q9 " << found.salt_error << '\n';
    EXPECT_NEAR(found.salt_hub, found.hub, 1e-12);
    EXPECT_LT(found.salt_error, 0.0096 * std::pow(8.0 / radius, 1.5));
    EXPECT_LT(found.error, 0.0096 * std::pow(8.0 / radius, 1.5));
    EXPECT_NEAR(found.hub / (2 * pi * d), 1, 3e-4 * std::pow(8.0 / radius, 1.5));
    if (before > 0) {
      EXPECT_GT(std::log2(before / found.error), 1.4);
    }
    before = found.error;
    const auto outer =
        conducted({radius}, given_temperature(0), given_flux(d / radius), std::log(2.0), 1);
    std::cout << "flux outside: " << radius << ' ' << outer.error << ", D2Q9 " << outer.salt_error
              << '\n';
    EXPECT_LT(outer.error, 0.0062 * std::pow(8.0 / radius, 1.5));
    EXPECT_LT(outer.salt_error, 0.0073 * std::pow(8.0 / radius, 1.5));
  }
}

TEST(CurvedHeatD2Q9, ExchangeIsAResistanceInSeries) {
  for (const int radius : {8, 16}) {
    const double d = 1.0 / 6;
    // Two resistances: 1 / (2 pi) each through the surface, and ln 2 / (2 pi d).
    const double coefficient = d / (radius / 2.0);
    const double b = -1 / (1 + std::log(2.0));
    const auto found =
        conducted({radius}, exchange_with(1, coefficient), given_temperature(0), 0, b);
    std::cout << "exchange: " << radius << ' ' << found.error << ' '
              << found.hub / (-2 * pi * d * b) - 1 << ", D2Q9 " << found.salt_error << ' '
              << found.salt_hub / (-2 * pi * d * b) - 1 << '\n';
    EXPECT_LT(found.error, 0.0069 * std::pow(8.0 / radius, 1.5));
    EXPECT_NEAR(found.hub / (-2 * pi * d * b), 1, 0.002 * std::pow(8.0 / radius, 2));
    EXPECT_LT(found.salt_error, 0.0073 * std::pow(8.0 / radius, 1.5));
    EXPECT_NEAR(found.salt_hub / (-2 * pi * d * b), 1, 0.0036 * std::pow(8.0 / radius, 1.5));
    const auto outer = conducted({radius}, given_temperature(1), exchange_with(0, d / radius),
                                 1 + b * std::log(2.0), b);
    std::cout << "exchange outside: " << radius << ' ' << outer.error << ' '
              << outer.hub / (-2 * pi * d * b) - 1 << ", D2Q9 " << outer.salt_error << ' '
              << outer.salt_hub / (-2 * pi * d * b) - 1 << '\n';
    EXPECT_LT(outer.error, 0.0046 * std::pow(8.0 / radius, 1.5));
    EXPECT_NEAR(outer.hub / (-2 * pi * d * b), 1, 0.002 * std::pow(8.0 / radius, 2));
    EXPECT_LT(outer.salt_error, 0.0052 * std::pow(8.0 / radius, 1.5));
    EXPECT_NEAR(outer.salt_hub / (-2 * pi * d * b), 1, 0.0022 * std::pow(8.0 / radius, 1.4));
  }
}

TEST(CurvedHeatD2Q9, AStrongExchangeIsAGivenTemperature) {
  const Annulus annulus{10};
  const double b = -1 / std::log(2.0);
  const auto given = conducted(annulus, given_temperature(1), given_temperature(0), 0, b);
  const auto strong = conducted(annulus, exchange_with(1, 1e6), exchange_with(0, 1e6), 0, b);
  EXPECT_NEAR(strong.error, given.error, 1e-5);
  EXPECT_NEAR(strong.hub, given.hub, 1e-5);
}

TEST(CurvedHeatD2Q9, AdiabaticSurfacesKeepTheHeatToRounding) {
  Annulus annulus{9};
  const auto problem = problem_of(annulus.of_case({}, {}));
  const auto method = problem->create(Backend::host);
  GivenFields given;
  for (int y = 0; y < annulus.nodes(); ++y) {
    for (int x = 0; x < annulus.nodes(); ++x) given.temperature.push_back(1 + std::sin(x + 2 * y));
  }
  given.scalars["salt"] = given.temperature;
  method->initialise(given);
  const double before = method->monitor("mean_temperature");
  method->advance(1000);
  EXPECT_NEAR(method->monitor("mean_temperature"), before, 1e-13);
  EXPECT_NEAR(method->monitor("mean_salt"), before, 1e-13);
  EXPECT_EQ(method->monitor("hub.heat_flow"), 0);
  EXPECT_EQ(method->monitor("hub.salt_flow"), 0);
}

TEST(CurvedHeatD2Q9, WhatEntersIsWhatTheFluidGains) {
  for (const char* scheme : {"in-place", "two-array"}) {
    Annulus annulus{9, 0.03};
    annulus.more = R"(, "propagation": {"scheme": ")" + std::string(scheme) + "\"}";
    const auto problem = problem_of(annulus.of_case(given_temperature(1), exchange_with(-1, 0.02)));
    const auto method = problem->create(Backend::host);
    method->initialise();
    method->advance(37);
    const double nodes = problem->updates_per_step;
    for (int step = 0; step < 3; ++step) {
      const double before = method->monitor("mean_temperature") * nodes;
      const double salt_before = method->monitor("mean_salt") * nodes;
      method->advance(1);
      const double entered = method->monitor("hub.heat_flow") + method->monitor("ring.heat_flow");
      EXPECT_NEAR(method->monitor("mean_temperature") * nodes - before, entered, 1e-12);
      EXPECT_NEAR(method->monitor("hub.dye_flow"), method->monitor("hub.heat_flow"), 1e-12);
      EXPECT_NEAR(method->monitor("mean_salt") * nodes - salt_before,
                  method->monitor("hub.salt_flow") + method->monitor("ring.salt_flow"), 1e-12);
    }
  }
}

/// A velocity about the centre that vanishes at both circles.
GivenFields turning(const Annulus& annulus, double speed, double value) {
  GivenFields given;
  const int n = annulus.nodes();
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      const double r = annulus.distance(x, y);
      const double s = (r - annulus.inner()) / annulus.inner();
      const double u = s > 0 && s < 1 ? speed * 4 * s * (1 - s) / r : 0;
      given.velocity.push_back(-u * (y + 0.5 - annulus.centre(1)));
      given.velocity.push_back(u * (x + 0.5 - annulus.centre(0)));
      given.density.push_back(1);
      given.temperature.push_back(value);
    }
  }
  given.scalars["dye"] = given.temperature;
  given.scalars["salt"] = given.temperature;
  return given;
}

TEST(CurvedHeatD2Q9, AStreamPastAMovingCylinderOfItsTemperatureChangesNothing) {
  // Peclet number of a node 2, distances on both sides of one half.
  const auto problem = problem_of(R"({"precision": "double", "domain": {"nodes": [17, 15]},
    "fluid": {"kinematic_viscosity": 0.1, "velocity": 0.1}, "heat": {"diffusivity": 0.05},
    "initial": {"type": "uniform", "velocity": [1, 0.5], "temperature": 1},
    "geometry": {"walls": "interpolated", "solids": [{"name": "post", "shape": "circle",
      "centre": [8.3, 7.6], "radius": 4.2, "velocity": [1, 0.5], "temperature": 1}]},
    "scalars": [{"name": "dye", "diffusivity": 0.05, "initial": 1,
      "solids": [{"name": "post", "value": 1}]},
      {"name": "salt", "lattice": "D2Q9", "diffusivity": 0.05, "initial": 1,
      "solids": [{"name": "post", "value": 1}]}]})");
  const auto method = problem->create(Backend::host);
  method->initialise();
  method->advance(100);
  EXPECT_NEAR(method->monitor("max_speed"), 0.1 * std::hypot(1.0, 0.5), 1e-12);
  for (const char* field : {"temperature", "dye", "salt"}) {
    for (const double value : values_of(*method, field)) {
      if (!std::isnan(value)) {
        EXPECT_NEAR(value, 1, 1e-12) << field;
      }
    }
  }
}

TEST(CurvedHeatD2Q9, AFlowAlongWallsDisturbsTheTemperatureAsAtHalfWayWalls) {
  // Peclet number of a node up to 5, all temperatures the same.
  const auto disturbance = [](const std::string& walls) {
    const Annulus annulus{16, 0.01};
    std::string text = annulus.of_case(given_temperature(1), given_temperature(1));
    text.replace(text.find("interpolated"), 12, walls);
    const auto method = problem_of(text)->create(Backend::host);
    method->initialise(turning(annulus, 0.05, 1));
    method->advance(30);
    std::array<double, 2> largest{0, 0};
    for (const std::size_t i : {0, 1}) {
      for_fluid(
          values_of(*method, i == 0 ? "temperature" : "salt"), annulus.nodes(),
          [&](int, int, double value) { largest[i] = std::max(largest[i], std::fabs(value - 1)); });
    }
    std::cout << walls << ": disturbance " << largest[0] << ", D2Q9 " << largest[1] << '\n';
    return largest;
  };
  const auto interpolated = disturbance("interpolated");
  const auto half_way = disturbance("half-way");
  EXPECT_LT(interpolated[0], 2 * half_way[0]);
  EXPECT_LT(interpolated[1], interpolated[0]);
}

TEST(CurvedHeatD2Q9, ATiltedLayerHasALinearTemperature) {
  // A layer 8.3 nodes thick between plates at an angle, closed by adiabatic ends.
  const double angle = 0.37;
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const double thickness = 8.3;
  const double length = 49.4;
  const auto plane = [&](const char* name, double x, double y, double nx, double ny,
                         const std::string& heat) {
    return R"({"name": ")" + std::string(name) + R"(", "shape": "half-plane", "point": [)" +
           number_text(x) + ", " + number_text(y) + R"(], "normal": [)" + number_text(nx) + ", " +
           number_text(ny) + "]" + heat + "}";
  };
  const double x0 = 6.2;
  const double y0 = 3.3;
  const auto problem = problem_of(
      R"({"precision": "double", "domain": {"nodes": [54, 32]}, "fluid": {"kinematic_viscosity": 0.1},
        "heat": {"diffusivity": 0.1}, "scalars": [{"name": "salt", "lattice": "D2Q9",
          "diffusivity": 0.1, "solids": [{"name": "hot", "value": 1}, {"name": "cold", "value": 0}]}],
        "geometry": {"walls": "interpolated", "solids": [)" +
      plane("west_end", x0, y0, c, s, "") + ", " +
      plane("east_end", x0 + length * c, y0 + length * s, -c, -s, "") + ", " +
      plane("hot", x0, y0, -s, c, R"(, "temperature": 1)") + ", " +
      plane("cold", x0 - thickness * s, y0 + thickness * c, s, -c, R"(, "temperature": 0)") +
      "]}}");
  const auto method = problem->create(Backend::host);
  method->initialise();
  method->advance(20000);
  for (const char* field : {"temperature", "salt"}) {
    const auto found = values_of(*method, field);
    double largest = 0;
    int count = 0;
    for (int y = 0; y < 32; ++y) {
      for (int x = 0; x < 54; ++x) {
        const double value = found[static_cast<std::size_t>(y * 54 + x)];
        const double along = (x + 0.5 - x0) * c + (y + 0.5 - y0) * s;
        if (std::isnan(value) || along < length * 0.4 || along > length * 0.6) continue;
        const double across = -(x + 0.5 - x0) * s + (y + 0.5 - y0) * c;
        largest = std::max(largest, std::fabs(value - (1 - across / thickness)));
        ++count;
      }
    }
    std::cout << "tilted, " << field << ": " << largest << '\n';
    EXPECT_GT(count, 70);
    EXPECT_LT(largest, 1e-4);  // what is left of the ends
  }
  EXPECT_NEAR(method->monitor("hot.heat_flow"), 0.1 * length / thickness, 0.02);
  EXPECT_NEAR(method->monitor("hot.heat_flow") + method->monitor("cold.heat_flow"), 0, 1e-10);
}

TEST(CurvedHeatD2Q9, AnAdiabaticCylinderInAGradientHasFirstOrder) {
  // A square array of adiabatic cylinders between plates at their planes of symmetry.
  double before = 0;
  for (const int n : {24, 48}) {
    const double radius = n / 8.0;
    const auto problem =
        problem_of(R"({"precision": "double", "domain": {"nodes": [)" + std::to_string(n) + ", " +
                   std::to_string(n) +
                   R"(]}, "fluid": {"kinematic_viscosity": 0.1}, "heat": {"diffusivity": 0.1666},
        "geometry": {"walls": "interpolated", "solids": [{"name": "post", "shape": "circle",
          "centre": [)" +
                   number_text(n / 2.0) + ", " + number_text(n / 2.0 + 0.281) + R"(], "radius": )" +
                   number_text(radius) +
                   R"(}]}, "boundaries": {"west": {"type": "wall", "temperature": 0},
          "east": {"type": "wall", "temperature": 1}}, "scalars": [{"name": "salt",
          "lattice": "D2Q9", "diffusivity": 0.1666,
          "sides": {"west": {"value": 0}, "east": {"value": 1}}}]})");
    const auto method = problem->create(Backend::host);
    method->initialise();
    method->advance(10 * n * n);
    // Rayleigh (1892): conductivity of a square array of holes.
    const double p = pi / 64;
    const double exact = 0.1666 * (1 - 2 * p / (1 + p - 0.3058 * std::pow(p, 4)));
    const double found = method->monitor("east.heat_flow");
    const double error = std::fabs(found / exact - 1);
    std::cout << "post: " << n << ' ' << found / exact - 1 << ", D2Q9 "
              << method->monitor("east.salt_flow") / exact - 1 << '\n';
    if (before > 0) {
      EXPECT_LT(error, before);
    }
    before = error;
  }
  EXPECT_LT(before, 0.0105);
}

TEST(CurvedHeatD2Q9, SchemesAgree) {
  std::vector<std::vector<double>> found;
  for (const char* scheme : {"in-place", "two-array"}) {
    Annulus annulus{9, 0.03};
    annulus.more = R"(, "propagation": {"scheme": ")" + std::string(scheme) + "\"}";
    const auto problem = problem_of(annulus.of_case(given_temperature(1), exchange_with(-1, 0.02)));
    const auto method = problem->create(Backend::host);
    method->initialise(turning(annulus, 0.05, 0.2));
    method->advance(61);
    found.push_back(values_of(*method, "temperature"));
    const auto salt = values_of(*method, "salt");
    found.back().insert(found.back().end(), salt.begin(), salt.end());
  }
  for (std::size_t i = 0; i < found[0].size(); ++i) {
    if (!std::isnan(found[0][i])) {
      EXPECT_NEAR(found[0][i], found[1][i], 1e-14);
    }
  }
}

TEST(CurvedHeatD2Q9, SinglePrecisionFollowsDouble) {
  const auto values = [](const std::string& precision) {
    Annulus annulus{12, 0.05};
    annulus.precision = precision;
    const auto problem = problem_of(annulus.of_case(given_temperature(1), exchange_with(-1, 0.02)));
    const auto method = problem->create(Backend::host);
    method->initialise();
    method->advance(2000);
    return values_of(*method, "temperature");
  };
  const auto rough = values("single");
  const auto fine = values("double");
  for (std::size_t i = 0; i < fine.size(); ++i) {
    if (!std::isnan(fine[i])) {
      EXPECT_NEAR(rough[i], fine[i], 2e-5);
    }
  }
}

TEST(CurvedHeatD2Q9, ConductingSolidsAreRefused) {
  try {
    problem_of(R"({"domain": {"nodes": [12, 12]}, "fluid": {"kinematic_viscosity": 0.1},
      "heat": {"prandtl": 1}, "geometry": {"walls": "interpolated", "solids": [{"shape": "circle",
      "centre": [6, 6], "radius": 3, "conduction": {"conductivity_ratio": 2}}]}})");
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("geometry.walls: found \"interpolated\", must not be "
                                   "\"interpolated\" where a solid has \"conduction\""));
  }
}

}  // namespace
}  // namespace knudsen::lbm_d2q9
