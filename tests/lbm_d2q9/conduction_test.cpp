#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "lbm_d2q9/case_problem.hpp"
#include "lbm_d2q9/heated_cavity.hpp"
#include "support/composite_slab.hpp"

// Solids that conduct heat.

namespace knudsen::lbm_d2q9 {
namespace {

using testing::HasSubstr;

std::size_t place(int nx, int x, int y) {
  return static_cast<std::size_t>(y) * static_cast<std::size_t>(nx) + static_cast<std::size_t>(x);
}
std::string number(double value) { return std::to_string(value); }

/// A case in double precision with these blocks.
std::string case_of(int nx, int ny, const std::string& more) {
  return R"({"precision": "double", "domain": {"nodes": [)" + std::to_string(nx) + ", " +
         std::to_string(ny) + "]}, " + more + "}";
}
const std::string fluid = R"("fluid": {"kinematic_viscosity": 0.05}, )";
const std::string closed = R"("boundaries": {"south": {"type": "wall"}, "north": {"type": "wall"},
                              "west": {"type": "wall"}, "east": {"type": "wall"}})";

/// A solid from node row or column `from` to `to`, with these keys of its conduction.
std::string box(const std::string& name, const std::array<int, 4>& bounds,
                const std::string& conduction) {
  return R"({"shape": "box", "name": ")" + name + R"(", "from": [)" + number(bounds[0]) + ", " +
         number(bounds[1]) + R"(], "to": [)" + number(bounds[2]) + ", " + number(bounds[3]) +
         R"(], "conduction": {)" + conduction + "}}";
}

TEST(ConductionD2Q9, SteadyLayersAreExact) {
  // From 1 to 0 through 5 / 3, 4 and 3 / 0.25 of the fluid's resistance.
  const double resistance = 5.0 / 3 + 4 + 12;
  for (const char* scheme : {"in-place", "two-array"}) {
    for (const char* capacity : {"0.5", "5"}) {
      for (const char* magic : {"0.25", "0.1"}) {
        const auto problem = problem_of(case_of(
            2, 12,
            fluid + R"("heat": {"diffusivity": 0.1, "magic": )" + magic +
                R"(}, "propagation": {"scheme": ")" + scheme + R"("}, "geometry": {"solids": [)" +
                box("lower", {0, 0, 2, 5},
                    std::string(R"("conductivity_ratio": 3, "heat_capacity_ratio": )") + capacity) +
                ", " + box("upper", {0, 9, 2, 12}, R"("conductivity_ratio": 0.25)") +
                R"(]}, "boundaries": {"south": {"type": "wall", "temperature": 1},
                   "north": {"type": "wall", "temperature": 0}}, "initial": {"temperature": 0.3})"));
        const auto method = problem->create(Backend::host);
        method->initialise();
        EXPECT_NEAR(method->monitor("lower.mean_temperature"), 0.3, 1e-15);
        method->advance(40000);
        const auto t = values_of(*method, "temperature");
        const double flux = 0.1 / resistance;
        for (int y = 0; y < 12; ++y) {
          const double at = y + 0.5;
          const double passed =
              std::min(at, 5.0) / 3 + std::clamp(at - 5, 0.0, 4.0) + std::max(at - 9, 0.0) / 0.25;
          EXPECT_NEAR(t[place(2, 1, y)], 1 - passed / resistance, 1e-12) << capacity << ' ' << y;
        }
        EXPECT_NEAR(method->monitor("south.heat_flow"), 2 * flux, 1e-12);
        EXPECT_NEAR(method->monitor("lower.heat_flow"), 2 * flux, 1e-12);
        EXPECT_NEAR(method->monitor("upper.heat_flow"), -2 * flux, 1e-12);
        EXPECT_NEAR(method->monitor("north.heat_flow"), -2 * flux, 1e-12);
        EXPECT_NEAR(method->monitor("lower.mean_temperature"), 1 - 2.5 / 3 / resistance, 1e-12);
      }
    }
  }
}

/// Error of the slowest mode of two layers between walls at 0, a solid and the fluid, after it has
/// decayed for n^2 steps, over its amplitude then.
double error_of_mode(int n, double conductivity, double capacity) {
  const double diffusivity = 0.05;
  const CompositeSlab slab(0.375 * n, n, diffusivity, conductivity, capacity);
  const auto problem =
      problem_of(case_of(1, n,
                         fluid + R"("heat": {"diffusivity": 0.05}, "geometry": {"solids": [)" +
                             box("layer", {0, 0, 1, 3 * n / 8},
                                 R"("conductivity_ratio": )" + number(conductivity) +
                                     R"(, "heat_capacity_ratio": )" + number(capacity)) +
                             R"(]}, "boundaries": {"south": {"type": "wall", "temperature": 0},
                     "north": {"type": "wall", "temperature": 0}})"));
  const auto method = problem->create(Backend::host);
  GivenFields given;
  for (int y = 0; y < n; ++y) given.temperature.push_back(slab.mode(y + 0.5));
  method->initialise(given);
  const int steps = n * n;
  method->advance(steps);
  const auto found = values_of(*method, "temperature");
  const double decay = std::exp(-slab.rate() * steps);
  double error = 0;
  for (int y = 0; y < n; ++y) {
    error = std::max(error, std::fabs(found[place(1, 0, y)] / decay - slab.mode(y + 0.5)));
  }
  return error;
}

TEST(ConductionD2Q9, AModeOfTwoLayersDecaysWithSecondOrder) {
  for (const auto& [conductivity, capacity] :
       {std::pair{4.0, 3.0}, {4.0, 0.5}, {0.2, 2.0}, {0.3, 0.4}}) {
    const double coarse = error_of_mode(32, conductivity, capacity);
    const double fine = error_of_mode(64, conductivity, capacity);
    EXPECT_LT(fine, 5e-3) << conductivity << ' ' << capacity;
    EXPECT_GT(std::log2(coarse / fine), 1.9) << conductivity << ' ' << capacity;
  }
}

/// Largest error of the temperature across a channel between conducting walls that are heated at
/// their outer faces, where flow and temperature are developed, over the difference across the
/// fluid.
double error_of_channel(int height) {
  const int wall = height / 4;
  const int length = 7 * height;
  const int ny = height + 2 * wall;
  const double mean = 0.16 / height;
  const double flux = 0.01 / height;
  const double diffusivity = 0.02;
  const double conductivity = 2.5;
  const auto solid = [&](const char* name, int from) {
    return box(name, {0, from, length, from + wall},
               R"("conductivity_ratio": )" + number(conductivity));
  };
  const auto problem = problem_of(
      case_of(length, ny,
              R"("fluid": {"kinematic_viscosity": 0.02}, "collision": {"operator": "trt"},
         "heat": {"diffusivity": 0.02}, "geometry": {"solids": [)" +
                  solid("lower", 0) + ", " + solid("upper", ny - wall) +
                  R"(]}, "boundaries": {
            "south": {"type": "wall", "heat_flux": )" +
                  std::to_string(flux) + R"(}, "north": {"type": "wall", "heat_flux": )" +
                  std::to_string(flux) + R"(},
            "west": {"type": "velocity", "velocity": [)" +
                  std::to_string(mean) + R"(, 0], "temperature": -0.375},
            "east": {"type": "pressure"}}, "initial": {"type": "uniform", "velocity": [)" +
                  std::to_string(mean) + ", 0]}"));
  const auto method = problem->create(Backend::host);
  GivenFields given;
  for (int i = 0; i < length * ny; ++i) {
    given.temperature.push_back(0.125 * (i % length + 0.5) / height - 0.375);
  }
  method->initialise(given);
  method->advance(100 * height * height);
  const auto t = values_of(*method, "temperature");
  const auto u = values_of(*method, "velocity", 0);
  const int x = 3 * height;  // where the temperature is about 0, so that density does not matter
  double rate = 0;           // of the flow, which differs a little from what enters
  for (int y = wall; y < wall + height; ++y) rate += u[place(length, x, y)];
  const double half = 0.5 * height;
  const double growth = 2 * std::stod(std::to_string(flux)) / rate;
  EXPECT_NEAR((t[place(length, x + 4, ny / 2)] - t[place(length, x, ny / 2)]) / 4 / growth, 1,
              0.02);
  const double scale = std::stod(std::to_string(flux)) * half / diffusivity;
  const auto exact = [&](int y) {
    const double from_centre = std::fabs(y + 0.5 - 0.5 * ny) / half;
    const double s = std::min(from_centre, 1.0);
    return scale *
           (1.5 * (s * s / 2 - s * s * s * s / 12) + std::max(from_centre - 1, 0.0) / conductivity);
  };
  double error = 0;
  for (int y = 0; y < ny; ++y) {
    const double found = t[place(length, x, y)] - t[place(length, x, ny / 2)];
    error = std::max(error, std::fabs(found - (exact(y) - exact(ny / 2))));
  }
  return error / (scale * 0.625);
}

TEST(ConductionD2Q9, AChannelBetweenHeatedConductingWallsHasItsDevelopedProfile) {
  // What is left of the entry, and of the discretisation.
  EXPECT_LT(error_of_channel(8), 2e-3);
  EXPECT_LT(error_of_channel(12), 2e-3);
}

/// A closed box with a driven flow, buoyancy and two solids that conduct.
std::string stirred_box(const std::string& scheme, const std::string& lid = "1") {
  return case_of(
      16, 14,
      R"("fluid": {"reynolds": 20, "velocity": 0.1}, "propagation": {"scheme": ")" + scheme +
          R"("}, "heat": {"prandtl": 0.8, "gravity": [1e-4, -1e-3], "expansion": 0.5},
         "geometry": {"solids": [)" +
          box("floor", {0, 0, 16, 3}, R"("conductivity_ratio": 3, "heat_capacity_ratio": 2)") +
          ", " +
          box("post", {5, 2, 9, 8},
              R"("conductivity_ratio": 0.4, "heat_capacity_ratio": 0.6, "initial_temperature": 2)") +
          R"(, {"shape": "box", "name": "insulator", "from": [9, 2], "to": [11, 9]}]},
         "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall", "velocity": [)" +
          lid + R"(, 0]},
                        "west": {"type": "wall"}, "east": {"type": "wall"}},
         "initial": {"temperature": 0.5})");
}

TEST(ConductionD2Q9, HeatIsConservedAndSolidsGiveWhatTheFluidGains) {
  for (const char* scheme : {"in-place", "two-array"}) {
    const auto problem = problem_of(stirred_box(scheme));
    const auto method = problem->create(Backend::host);
    method->initialise();
    double post = 0;
    double floor = 0;
    for (std::size_t i = 0; i < 16 * 14; ++i) {
      const std::size_t x = i % 16;
      const std::size_t y = i / 16;
      const bool insulates = x >= 9 && x < 11 && y >= 2 && y < 9;
      const bool in_post = x >= 5 && x < 9 && y >= 2 && y < 8;
      post += in_post ? 1 : 0;
      floor += y < 3 && !in_post && !insulates ? 1 : 0;
    }
    const double nodes = problem->updates_per_step;
    const auto in_fluid = [&] { return method->monitor("mean_temperature") * nodes; };
    const auto in_floor = [&] { return 2 * floor * method->monitor("floor.mean_temperature"); };
    const auto in_post = [&] { return 0.6 * post * method->monitor("post.mean_temperature"); };
    EXPECT_DOUBLE_EQ(method->monitor("post.mean_temperature"), 2);
    EXPECT_DOUBLE_EQ(method->monitor("floor.mean_temperature"), 0.5);
    const double heat = in_fluid() + in_floor() + in_post();
    method->advance(301);
    EXPECT_NEAR(in_fluid() + in_floor() + in_post(), heat, 1e-12 * heat);
    EXPECT_GT(method->monitor("kinetic_energy"), 0);
    for (int step = 0; step < 3; ++step) {
      const double before = in_fluid();
      method->advance(1);
      const double from_post = method->monitor("post.heat_flow");
      EXPECT_GT(from_post, 1e-4);
      EXPECT_NEAR(from_post + method->monitor("floor.heat_flow"), in_fluid() - before, 1e-12);
      EXPECT_EQ(method->monitor("north.heat_flow"), 0);
    }
  }
}

TEST(ConductionD2Q9, AClosedBoxReachesOneTemperature) {
  const auto problem = problem_of(stirred_box("in-place", "0"));
  const auto method = problem->create(Backend::host);
  method->initialise();
  // 42 nodes of the floor with capacity 2, 24 of the post with 0.6, beginning at 2.
  const double fluid_nodes = problem->updates_per_step;
  const double capacity = fluid_nodes + 2 * 42 + 0.6 * 24;
  const double mean = 0.5 + 1.5 * 0.6 * 24 / capacity;
  method->advance(60000);
  EXPECT_NEAR(method->monitor("post.mean_temperature"), mean, 1e-6);
  EXPECT_NEAR(method->monitor("floor.mean_temperature"), mean, 1e-6);
  EXPECT_NEAR(method->monitor("mean_temperature"), mean, 1e-6);
}

TEST(ConductionD2Q9, BothSchemesGiveTheSame) {
  std::vector<std::unique_ptr<Method>> methods;
  for (const char* scheme : {"in-place", "two-array"}) {
    methods.push_back(problem_of(stirred_box(scheme))->create(Backend::host));
    methods.back()->initialise();
  }
  for (const int steps : {0, 1, 1, 40}) {
    std::vector<std::vector<double>> found;
    for (const auto& method : methods) {
      method->advance(steps);
      found.push_back(values_of(*method, "temperature"));
      for (const double u : values_of(*method, "velocity")) found.back().push_back(u);
      for (const char* name : {"post.heat_flow", "floor.heat_flow"}) {
        found.back().push_back(method->monitor(name));
      }
    }
    for (std::size_t i = 0; i < found[0].size(); ++i) {
      if (std::isnan(found[0][i])) continue;
      ASSERT_NEAR(found[0][i], found[1][i], 1e-14);
    }
    EXPECT_TRUE(std::isnan(found[0][place(16, 10, 5)]));
    EXPECT_FALSE(std::isnan(found[0][place(16, 6, 5)]));
  }
}

TEST(ConductionD2Q9, SiUnitsAreThoseOfTheLatticeScaled) {
  // Spacing 2^-10 m, time step 2^-14 s. The fluid conducts 2^20 x 2^-8 W/(m K).
  const std::string sides = R"(, "boundaries": {"south": {"type": "wall", "temperature": 300},
                               "north": {"type": "wall", "temperature": 280}}})";
  const auto in_si = problem_of(
      R"({"precision": "double", "domain": {"size": [0.001953125, 0.0078125],
          "spacing": 0.0009765625},
          "fluid": {"si": {"density": 1024, "kinematic_viscosity": 0.00048828125, "velocity": 0.5,
                           "length": 0.0078125, "time_step": 0.00006103515625}},
          "heat": {"diffusivity": 0.00390625, "volumetric_heat_capacity": 1048576,
                   "reference_temperature": 0},
          "geometry": {"solids": [{"shape": "box", "name": "plate", "from": [0, 0],
             "to": [0.001953125, 0.0029296875],
             "conduction": {"conductivity": 8192, "volumetric_heat_capacity": 4194304}}]})" +
      sides);
  const auto in_lattice = problem_of(case_of(
      2, 8,
      R"("fluid": {"velocity": 0.03125, "kinematic_viscosity": 0.03125, "length": 8},
                 "heat": {"diffusivity": 0.25}, "geometry": {"solids": [)" +
          box("plate", {0, 0, 2, 3}, R"("conductivity_ratio": 2, "heat_capacity_ratio": 4)") +
          "]}" + sides.substr(0, sides.size() - 1)));
  std::vector<std::vector<double>> temperatures;
  for (const Problem* problem : {in_si.get(), in_lattice.get()}) {
    const auto method = problem->create(Backend::host);
    method->initialise();
    method->advance(40);
    temperatures.push_back(values_of(*method, "temperature"));
  }
  EXPECT_EQ(temperatures[0], temperatures[1]);
}

// Bad input.

std::string refusal(const std::string& heat, const std::string& keys,
                    const std::string& beside = "") {
  try {
    problem_of(case_of(20, 10,
                       fluid + heat + R"("geometry": {"solids": [{"shape": "circle", )" +
                           R"("centre": [8, 5], "radius": 2, )" + beside + R"("conduction": {)" +
                           keys + "}}]}, " + closed));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ConductionD2Q9, BadInputIsRefused) {
  const std::string heat = R"("heat": {"diffusivity": 0.1}, )";
  const std::string good = R"("conductivity_ratio": 2)";
  EXPECT_EQ(refusal(heat, good), "");
  EXPECT_THAT(refusal("", good), HasSubstr("geometry.solids[0].conduction: needs the temperature "
                                           "of the fluid, but the case has no block \"heat\""));
  EXPECT_THAT(refusal(heat, ""), HasSubstr("geometry.solids[0].conduction: needs "
                                           "\"conductivity_ratio\", or \"conductivity\" in SI"));
  EXPECT_THAT(refusal(heat, R"("conductivity_ratio": 0)"), HasSubstr("conductivity_ratio"));
  EXPECT_THAT(refusal(heat, good + R"(, "heat_capacity_ratio": 0.1)"),
              HasSubstr("heat_capacity_ratio: found 0.1, must be"));
  EXPECT_THAT(refusal(heat, good + R"(, "conductivity": 3)"),
              HasSubstr("\"conductivity_ratio\" is given already; give only one of the two"));
  EXPECT_THAT(refusal(heat, R"("conductivity": 3)"),
              HasSubstr("needs the heat capacity of the fluid, \"heat.volumetric_heat_capacity\""));
  EXPECT_THAT(refusal(R"("heat": {"diffusivity": 0.1, "volumetric_heat_capacity": 4e6}, )", good),
              HasSubstr("heat.volumetric_heat_capacity: found 4000000, belongs to cases in SI"));
  for (const char* key : {R"("temperature": 1)", R"("heat_flux": 1)"}) {
    EXPECT_THAT(refusal(heat, good, std::string(key) + ", "),
                HasSubstr("which follows from its \"conduction\"; give only one of the two"));
  }
  EXPECT_THAT(refusal(heat, good, R"("velocity": [0.1, 0], )"),
              HasSubstr("is not for a solid with \"conduction\", which must be at rest"));
  EXPECT_THAT(refusal(R"("heat": {"diffusivity": 100}, )", R"("conductivity_ratio": 1e6)"),
              HasSubstr("geometry.solids[0].conduction: the conductivity gives the relaxation "
                        "time"));
  EXPECT_THAT(refusal(heat, R"("conductivity_ratios": 2)"), HasSubstr("conductivity_ratio"));
}

}  // namespace
}  // namespace knudsen::lbm_d2q9
