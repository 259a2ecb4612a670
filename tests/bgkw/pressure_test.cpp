#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <variant>

#include "case/sample_reader.hpp"
#include "problem.hpp"

// Sides of given pressure.
namespace knudsen::bgkw {
namespace {

using test::advanced;
using test::read;
using test::with;
using testing::HasSubstr;

/// Values of a field of a run in double precision.
std::vector<double> values_of(Method& method, const std::string& name) {
  return std::get<std::vector<double>>(method.field(name).values);
}

TEST(PressureSides, GasAtTheirPressureRests) {
  for (const char* patch : {R"({"propagation": {"order": 1}})", R"({"propagation": {"order": 2}})",
                            R"({"propagation": {"order": 1, "courant": 2.5}})",
                            R"({"propagation": {"order": 2, "time_integration": "imex-2"}})",
                            R"({"reduced": true, "velocity_grid": {"count": [8]}})",
                            R"({"collision": {"model": "es-bgk"},
            "gas": {"rotation": {"degrees_of_freedom": 2, "collision_number": 5}}})",
                            R"({"boundaries": {"west": {"temperature": 1.2}}})"}) {
    auto json = with(R"({"gas": {"rarefaction": 0},
      "initial": {"type": "uniform", "density": 0.9, "temperature": 1.2},
      "boundaries": {"west": {"type": "pressure", "pressure": 1.08},
                     "east": {"type": "pressure", "pressure": 1.08}}})");
    json.merge_patch(nlohmann::json::parse(patch));
    const auto method = advanced(json, 0);
    const auto density = values_of(*method, "density");
    method->advance(300);
    const auto later = values_of(*method, "density");
    for (std::size_t i = 0; i < density.size(); ++i) {
      EXPECT_NEAR(later[i], density[i], 1e-13) << patch;
    }
    for (const double velocity : values_of(*method, "velocity")) {
      EXPECT_NEAR(velocity, 0, 1e-13) << patch;
    }
  }
}

/// A plane channel of height 1 from a pressure to another.
nlohmann::json channel(double delta, int length, int cells_across) {
  auto json = nlohmann::json::parse(R"({
    "precision": "double", "reduced": true, "propagation": {"order": 2, "split": true},
    "velocity_grid": {"type": "half-range", "count": [12, 12]},
    "boundaries": {"west": {"type": "pressure", "pressure": 1.01, "temperature": 1},
                   "east": {"type": "pressure", "pressure": 0.99},
                   "south": {"type": "wall"}, "north": {"type": "symmetry"}}})");
  json["domain"] = {{"cells", {2 * length * cells_across, cells_across}}, {"size", {length, 0.5}}};
  json["gas"] = {{"rarefaction", delta}};
  return json;
}

TEST(PressureSides, ChannelHasTheFlowOfPlanePoiseuilleFlow) {
  // G_P of Loyalka 1979 (BGK, diffuse walls); the mass flow is G_P / 2 times the gradient of p.
  constexpr double expected = 1.5386;
  constexpr int length = 5;
  constexpr int rows = 6;
  constexpr std::size_t columns = 2 * length * rows;
  const auto method = advanced(channel(1, length, rows), 3000);
  const double in = -method->monitor("west.mass_flux");
  EXPECT_NEAR(in / method->monitor("east.mass_flux"), 1, 1e-4);
  const std::vector<double> p = values_of(*method, "pressure");
  const auto mean = [&](std::size_t column) {
    double sum = 0;
    for (std::size_t row = 0; row < rows; ++row) sum += p[row * columns + column];
    return sum / rows;
  };
  const std::size_t a = columns / 3;
  const std::size_t b = columns - a;
  const double gradient = (mean(a) - mean(b)) / double(b - a) * columns / length;
  EXPECT_NEAR(2 * in / gradient / expected, 1, 0.02);
  EXPECT_NEAR(gradient * length / 0.02, 1, 0.02);  // at the ends the pressures are the given ones
  EXPECT_NEAR(mean(0), 1.01, 4e-4);
  EXPECT_NEAR(mean(columns - 1), 0.99, 4e-4);
}

TEST(PressureSides, FasterFlowThanSoundEndsTheRun) {
  auto json = with(R"({"boundaries": {"west": {"type": "pressure", "pressure": 20},
                                      "east": {"type": "pressure", "pressure": 0.1}}})");
  const auto method = advanced(json, 2);
  const auto found = method->find_divergence();
  ASSERT_TRUE(found.has_value());
  EXPECT_THAT(found->what, HasSubstr("the flow through the side \"west\" of given pressure has the "
                                     "Mach number"));
}

/// The base case with a reference state of 20 Pa and 300 K, and these sides.
nlohmann::json in_pascal(const std::string& west, const std::string& east) {
  return with(R"({"gas": {"rarefaction": null, "name": "argon",
                          "si": {"pressure": 20, "temperature": 300, "length": 1e-3}},
                  "boundaries": {"west": )" +
              west + R"(, "east": )" + east + "}}");
}

TEST(PressureSides, TakePascalAndKelvin) {
  const auto density = [](const std::string& west, const std::string& east) {
    return values_of(*advanced(in_pascal(west, east), 20), "density");
  };
  EXPECT_EQ(density(R"({"type": "pressure", "si": {"pressure": 22, "temperature": 330}})",
                    R"({"type": "pressure", "si": {"pressure": 18}})"),
            density(R"({"type": "pressure", "pressure": 1.1, "temperature": 1.1})",
                    R"({"type": "pressure", "pressure": 0.9})"));
  EXPECT_EQ(density(R"({"type": "reservoir", "si": {"pressure": 25, "temperature": 240}})",
                    R"({"type": "reservoir", "si": {"pressure": 15}, "velocity": [0.1, 0, 0]})"),
            density(R"({"type": "reservoir", "density": 1.5625, "temperature": 0.8})",
                    R"({"type": "reservoir", "density": 0.75, "velocity": [0.1, 0, 0]})"));
}

TEST(PressureSides, RefuseValuesThatAreGivenTwice) {
  const auto refusal = [](const std::string& west) {
    return knudsen::test::input_error(
        [&] { read(in_pascal(west, R"({"type": "pressure", "pressure": 1})")); });
  };
  EXPECT_THAT(refusal(R"({"type": "pressure", "pressure": 1, "si": {"pressure": 20}})"),
              HasSubstr("boundaries.west.pressure: found 1, \"si\" gives it already"));
  EXPECT_THAT(refusal(R"({"type": "pressure", "pressure": 1, "temperature": 1,
                          "si": {"temperature": 300}})"),
              HasSubstr("boundaries.west.temperature: found 1, \"si\" gives it already"));
  EXPECT_THAT(refusal(R"({"type": "pressure", "si": {"temperature": 300}})"),
              HasSubstr("boundaries.west.pressure: is missing; give it, or the \"pressure\" of "
                        "\"si\" in Pa"));
  EXPECT_THAT(
      refusal(R"({"type": "pressure", "si": {}})"),
      HasSubstr("boundaries.west.si: must give \"pressure\" in Pa or \"temperature\" in K"));
  EXPECT_THAT(refusal(R"({"type": "pressure", "si": {"pressure": 1e30}})"),
              HasSubstr("boundaries.west.si.pressure: found 1e+30, gives the pressure in units of "
                        "p_ref"));
  EXPECT_THAT(refusal(R"({"type": "reservoir", "density": 1, "si": {"pressure": 20}})"),
              HasSubstr("boundaries.west.density: found 1, \"si\" gives it already"));
  EXPECT_THAT(refusal(R"({"type": "reservoir", "si": {"pressure": 20},
                          "profile": {"density": "1"}})"),
              HasSubstr("boundaries.west.si: the density of \"profile\" gives it already"));
  EXPECT_THAT(refusal(R"({"type": "reservoir", "si": {"pressure": 20},
                          "profile": {"temperature": "1"}})"),
              HasSubstr("boundaries.west.si: the temperature of \"profile\" varies"));
  const auto json = with(R"({"boundaries": {"west": {"type": "pressure", "si": {"pressure": 20}},
                                            "east": {"type": "pressure", "pressure": 1}}})");
  EXPECT_THAT(knudsen::test::input_error([&] { read(json); }),
              HasSubstr("boundaries.west.si: requires the reference state in SI units, "
                        "\"gas.si\""));
}

TEST(PressureSides, HaveThroughputAndConductance) {
  const auto method = advanced(with(R"({"boundaries": {
    "west": {"type": "pressure", "pressure": 1.1, "temperature": 1},
    "east": {"type": "reservoir", "density": 1.2, "temperature": 0.75}}})"),
                               100);
  const double in = -method->monitor("west.mass_flow");
  const double out = method->monitor("east.mass_flow");
  EXPECT_GT(out, 0.01);
  EXPECT_EQ(method->monitor("east.throughput"), out);
  EXPECT_NEAR(method->monitor("conductance"), 0.5 * (in + out) / 0.2, 1e-12);
  EXPECT_GT(method->monitor("west.mach_number"), 0.01);
  EXPECT_LT(method->monitor("west.mach_number"), 0.5);
  for (const char* name : {"west.throughput", "conductance", "west.mach_number"}) {
    EXPECT_TRUE(method->results().contains(name)) << name;
  }
  EXPECT_THAT(method->warnings(), testing::Not(testing::Contains(HasSubstr("boundaries"))));
}

TEST(PressureSides, WarnOfPressuresBelowTheCriticalRatio) {
  const auto warnings = [](const std::string& west, const std::string& east,
                           const char* more = "{}") {
    nlohmann::json json = with(R"({"velocity_grid": {"count": [16, 16, 16]},
                                   "boundaries": {"west": )" +
                               west + R"(, "east": )" + east + "}}");
    json.merge_patch(nlohmann::json::parse(more));
    return read(json)->warnings;
  };
  const std::string one = R"({"type": "pressure", "pressure": 1})";
  using testing::ElementsAre;
  using testing::IsEmpty;
  EXPECT_THAT(warnings(one, R"({"type": "pressure", "pressure": 0.49})"), IsEmpty());
  EXPECT_THAT(warnings(one, R"({"type": "pressure", "pressure": 0.48})"),
              ElementsAre(HasSubstr(
                  "boundaries.east: its pressure over that of the side \"west\" is below the "
                  "critical ratio 0.4871 of a gas with 3 degrees of freedom (found 0.48)")));
  EXPECT_THAT(warnings(one, R"({"type": "pressure", "pressure": 0.52})",
                       R"({"collision": {"model": "es-bgk"}, "gas": {"rotation": {}}})"),
              ElementsAre(HasSubstr("critical ratio 0.5283 of a gas with 5 degrees of freedom")));
  EXPECT_THAT(warnings(one, R"({"type": "vacuum"})"),
              ElementsAre(HasSubstr("boundaries.west: the pressure of the side \"east\" over its "
                                    "own is below the critical ratio")));
  EXPECT_THAT(warnings(R"({"type": "reservoir"})", R"({"type": "vacuum"})"), IsEmpty());
}

TEST(PressureSides, WarnOfALimitThatWasReachedBetweenChecks) {
  const auto method = advanced(with(R"({"gas": {"rarefaction": 10}, "domain": {"cells": [4, 2]},
    "initial": {"type": "uniform", "density": 20},
    "boundaries": {"west": {"type": "pressure", "pressure": 1, "temperature": 1},
                   "east": {"type": "pressure", "pressure": 1},
                   "south": {"type": "wall"}, "north": {"type": "wall"}}})"),
                               2000);
  EXPECT_FALSE(method->find_divergence().has_value());
  EXPECT_THAT(method->warnings(),
              testing::Contains(HasSubstr("boundaries.east: between checks the Mach number across "
                                          "this side of given pressure reached 1.")));
}

TEST(PressureSides, RefusesWhatDoesNotApply) {
  const auto refusal = [](const char* patch) {
    return knudsen::test::input_error([&] { read(with(patch)); });
  };
  EXPECT_THAT(refusal(R"({"boundaries": {"west": {"type": "pressure"}}})"),
              HasSubstr("boundaries.west.pressure"));
  EXPECT_THAT(refusal(R"({"boundaries": {"west": {"type": "pressure", "pressure": 0}}})"),
              HasSubstr("boundaries.west.pressure"));
  EXPECT_THAT(refusal(R"({"boundaries": {"west": {"type": "pressure", "pressure": 1}},
                          "propagation": {"scheme": "tiles"}})"),
              HasSubstr("\"tiles\" is not available with the type \"pressure\", which the side "
                        "\"west\" has"));
}

}  // namespace
}  // namespace knudsen::bgkw
