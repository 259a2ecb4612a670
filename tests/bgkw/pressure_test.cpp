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
