#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <variant>

#include "case/sample_reader.hpp"
#include "problem.hpp"

// Sides of given pressure.
namespace knudsen::shakhov {
namespace {

using testing::HasSubstr;

/// Values of a field of a run in double precision.
std::vector<double> values_of(Method& method, const std::string& name) {
  return std::get<std::vector<double>>(method.field(name).values);
}

/// Half of a plane channel of height 1 between two pressures.
nlohmann::json channel(double delta, int length, int cells_across, double drop) {
  auto json = nlohmann::json::parse(R"({
    "precision": "double", "collision": {"model": "bgk"},
    "velocity_grid": {"type": "half-range", "count": [16, 16, 8]},
    "propagation": {"order": 2, "acceleration": "synthetic"},
    "boundaries": {"west": {"type": "pressure", "temperature": 1}, "east": {"type": "pressure"},
                   "south": {"type": "wall"}, "north": {"type": "symmetry"}}})");
  json["domain"] = {{"cells", {2 * length * cells_across, cells_across}}, {"size", {length, 0.5}}};
  json["gas"] = {{"rarefaction", delta}};
  json["boundaries"]["west"]["pressure"] = 1 + drop / 2;
  json["boundaries"]["east"]["pressure"] = 1 - drop / 2;
  return json;
}

/// Mean of the pressure over the height at the place x of a column.
double mean_pressure(Method& method, int columns, int rows, int column) {
  const auto p = values_of(method, "pressure");
  double sum = 0;
  for (int row = 0; row < rows; ++row) {
    sum += p[static_cast<std::size_t>(row * columns + column)];
  }
  return sum / rows;
}

TEST(PressureSides, ChannelHasTheFlowOfPlanePoiseuilleFlow) {
  // G_P of Loyalka 1979 (BGK, diffuse walls): the mass flow is G_P / 2 times the gradient of p. At
  // delta = 0.1 the mean free path is twice the length, and the flow that of a short channel.
  const std::map<double, double> flow{{1, 1.5386}, {10, 2.7686}};
  constexpr int length = 5;
  constexpr int rows = 8;
  constexpr int columns = 2 * length * rows;
  for (const auto& [delta, expected] : flow) {
    const auto method = test::start(channel(delta, length, rows, 0.01));
    const int n = test::converge(*method, 1e-9, 2000);
    EXPECT_LE(n, 2000) << delta;
    const double in = -method->monitor("west.mass_flux");
    const double out = method->monitor("east.mass_flux");
    EXPECT_NEAR(in / out, 1, 1e-4) << delta;
    const auto p = [&](int column) { return mean_pressure(*method, columns, rows, column); };
    const int a = columns * 3 / 8;
    const int b = columns * 5 / 8;
    const double gradient = (p(a) - p(b)) / (b - a) * columns / length;
    EXPECT_NEAR(2 * in / gradient / expected, 1, 0.02) << delta;
    EXPECT_NEAR(gradient * length / 0.01, 1, 0.02) << delta;
    EXPECT_NEAR(p(0), 1.005, 2e-4) << delta;
    EXPECT_NEAR(p(columns - 1), 0.995, 2e-4) << delta;
  }
}

TEST(PressureSides, AccelerationKeepsTheFlow) {
  auto json = channel(2, 1, 6, 0.2);
  const auto flow = [&] {
    const auto method = test::start(json);
    EXPECT_LE(test::converge(*method, 1e-10, 2000), 2000);
    return method->monitor("east.mass_flux");
  };
  const double accelerated = flow();
  json["propagation"]["acceleration"] = "none";
  EXPECT_NEAR(flow() / accelerated, 1, 1e-7);
}

TEST(PressureSides, GasAtTheirPressureRests) {
  for (const int order : {1, 2}) {
    for (const char* acceleration : {"none", "synthetic"}) {
      auto json = channel(0, 1, 4, 0);
      json["propagation"] = {{"order", order}, {"acceleration", acceleration}};
      const auto method = test::start(json);
      method->advance(50);
      for (const double velocity : values_of(*method, "velocity")) {
        EXPECT_NEAR(velocity, 0, 1e-13) << order << acceleration;
      }
      EXPECT_NEAR(method->monitor("east.mass_flux"), 0, 1e-14);
    }
  }
}

TEST(PressureSides, ARestartGoesOnAsTheRunWouldHave) {
  const auto problem = test::read(channel(2, 1, 4, 0.2));
  const auto whole = problem->create(default_backend());
  const auto resumed = test::resumed_after_two(*problem, *whole);
  EXPECT_EQ(values_of(*resumed, "heat_flux"), values_of(*whole, "heat_flux"));
}

TEST(PressureSides, FasterFlowThanSoundEndsTheRun) {
  auto json = channel(2, 1, 4, 0);
  json["boundaries"]["west"]["pressure"] = 20;
  const auto method = test::start(json);
  method->advance(1);
  EXPECT_FALSE(method->find_divergence());
  method->advance(100);
  const auto found = method->find_divergence();
  ASSERT_TRUE(found.has_value());
  EXPECT_THAT(found->what, HasSubstr("of given pressure has the Mach number"));
}

TEST(PressureSides, ARestartKnowsHowLongTheFlowHasBeenFasterThanSound) {
  auto json = channel(2, 1, 4, 0);
  json["boundaries"]["west"]["pressure"] = 20;
  const auto problem = test::read(json);
  const auto whole = problem->create(default_backend());
  const auto resumed = test::resumed_after_two(*problem, *whole);
  EXPECT_EQ(values_of(*resumed, "heat_flux"), values_of(*whole, "heat_flux"));
  int iterations = 4;
  while (iterations < 200 && !whole->find_divergence()) {
    EXPECT_FALSE(resumed->find_divergence()) << iterations;
    for (Method* method : {whole.get(), resumed.get()}) method->advance(1);
    ++iterations;
  }
  EXPECT_LT(iterations, 200);
  EXPECT_TRUE(resumed->find_divergence()) << iterations;
}

TEST(PressureSides, AFlowThatIsFasterThanSoundForAWhileIsWarnedOfOnlyThen) {
  // What enters a gas at rest that has a fifth of the pressure is faster than sound at first.
  auto json = channel(2, 4, 4, 0);
  json["propagation"]["order"] = 1;
  json["boundaries"]["west"]["pressure"] = 5;
  const auto method = test::start(json);
  const auto expect_warning = testing::Contains(HasSubstr("at the end the flow through the side"));
  method->advance(1);
  EXPECT_THAT(method->warnings(), expect_warning);
  EXPECT_FALSE(method->find_divergence());
  EXPECT_LE(test::converge(*method, 1e-6, 200), 200);
  EXPECT_THAT(method->warnings(), testing::Not(expect_warning));
  EXPECT_FALSE(method->find_divergence());
}

TEST(PressureSides, TakePascalAndHaveConductance) {
  auto json = channel(2, 1, 4, 0.2);
  json["gas"] = nlohmann::json::parse(R"({"name": "argon",
    "si": {"pressure": 20, "temperature": 300, "length": 1e-3}})");
  const auto run = [&] {
    auto method = test::start(json);
    method->advance(5);
    return method;
  };
  const auto expected = run();
  for (const auto& [side, pascal] : {std::pair("west", 22), std::pair("east", 18)}) {
    json["boundaries"][side].erase("pressure");
    json["boundaries"][side]["si"] = {{"pressure", pascal}};
  }
  const auto method = run();
  EXPECT_EQ(values_of(*method, "density"), values_of(*expected, "density"));
  const double in = -method->monitor("west.throughput");
  const double out = method->monitor("east.mass_flow");
  EXPECT_NEAR(method->monitor("conductance"), 0.5 * (in + out) / 0.2, 1e-12);
  EXPECT_GT(method->monitor("east.mach_number"), 0.01);
  EXPECT_TRUE(method->results().contains("conductance"));
}

TEST(PressureSides, WarnOfPressuresBelowTheCriticalRatio) {
  auto json = channel(2, 1, 4, 0);
  json["boundaries"]["east"]["pressure"] = 0.4;
  EXPECT_THAT(test::read(json)->warnings,
              testing::Contains(HasSubstr("boundaries.east: its pressure over that of the side "
                                          "\"west\" is below the critical ratio 0.4871")));
}

TEST(PressureSides, NeedAPressure) {
  auto json = channel(2, 1, 4, 0);
  json["boundaries"]["west"].erase("pressure");
  EXPECT_THAT(knudsen::test::input_error([&] { test::read(json); }),
              HasSubstr("boundaries.west.pressure"));
}

}  // namespace
}  // namespace knudsen::shakhov
