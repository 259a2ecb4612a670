// Open sides whose values depend on place and time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <sstream>

#include "case/reader.hpp"
#include "case/sample_reader.hpp"
#include "methods/lattice/cross_section.hpp"
#include "methods/lbm_d3q27/parameters.hpp"
#include "support/steady_state.hpp"
#include "support/womersley.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

using test::input_error;

std::unique_ptr<Method> started(const std::string& nodes, const std::string& sides,
                                const std::string& more = "") {
  const std::string text = R"({"precision": "double", "domain": {"nodes": )" + nodes +
                           R"(}, "fluid": {"relaxation_time": 0.8}, "boundaries": {)" + sides +
                           R"(, "south": {"type": "wall"}, "north": {"type": "wall"}})" + more +
                           "}";
  std::unique_ptr<Problem> problem;
  read_case(CaseDocument::from_text(text, "case.json"),
            [&](CaseNode& root) { problem = read_problem(root); });
  auto method = problem->create(Backend::host);
  method->initialise();
  return method;
}

/// Womersley's velocity as a formula of y and t.
std::string formula_of(const Womersley& flow) {
  using Complex = std::complex<double>;
  const double frequency = 2 * std::numbers::pi / flow.period;
  const double k = std::sqrt(frequency / (2 * flow.viscosity));
  // u = Im[amplitude (1 - C(y) / C(0)) exp(i frequency t)], C = cosh((1 + i) k (y - width / 2)),
  // = Im[(amplitude + inner C) exp(i frequency t)]
  const Complex amplitude = flow.force / Complex(0, frequency);
  const Complex inner = -amplitude / std::cosh(Complex(k, k) * (flow.width / 2));
  std::ostringstream text;
  text.precision(17);
  const auto at = "(" + std::to_string(k) + "*(y - " + std::to_string(flow.width / 2) + "))";
  const auto real = "cosh" + at + "*cos" + at;
  const auto imaginary = "sinh" + at + "*sin" + at;
  text << "(" << amplitude.real() << " + (" << inner.real() << ")*" << real << " - ("
       << inner.imag() << ")*" << imaginary << ")*sin(2*pi*t/" << flow.period << ") + ("
       << amplitude.imag() << " + (" << inner.real() << ")*" << imaginary << " + (" << inner.imag()
       << ")*" << real << ")*cos(2*pi*t/" << flow.period << ")";
  return text.str();
}

TEST(OpenSides, AFormulaOfPlaceAndTimeDrivesWomersleysFlow) {
  const Womersley flow{20, 0.1, 4e-5, 6000};
  const auto method =
      started("[32, 20, 1]",
              R"("west": {"type": "velocity", "reflecting": true, "profile": {"velocity_x": ")" +
                  formula_of(flow) + R"("}}, "east": {"type": "pressure", "reflecting": true})");
  EXPECT_LT(flow.error(*method, 13, 32), 0.01);
}

TEST(OpenSides, AFullyDevelopedInletStaysAsItIs) {
  const auto method =
      started("[16, 12, 18]", R"("bottom": {"type": "wall"}, "top": {"type": "wall"},
        "west": {"type": "velocity", "velocity": [0.02, 0, 0], "profile": "fully-developed"},
        "east": {"type": "pressure"})");
  ASSERT_TRUE(run_to_steady_state(*method, 200, 1e-7, 40000));
  lbm::CrossSection section;
  section.nodes = {12, 18};
  section.is_open.assign(12 * 18, 1);
  for (auto& axis : section.ends) axis.fill(lbm::SectionEnd::wall);
  const auto shape = lbm::fully_developed_shape(section);
  const auto u = values_of(*method, "velocity");
  double mean = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) mean += u[16 * i + 8] / double(shape.size());
  EXPECT_NEAR(mean, 0.02, 0.01 * 0.02);  // the density falls by that along the duct
  for (std::size_t i = 0; i < shape.size(); ++i)
    EXPECT_NEAR(u[16 * i + 8] / mean, shape[i], 0.04);  // 2 % of the peak
}

/// Flow rate of a channel of n nodes between two pressures over that of Poiseuille, and the highest
/// velocity across it over that along it. The pressures hold at the outermost nodes.
std::array<double, 2> between_pressures(int n, bool reflecting) {
  const double speed = 0.08 / n;
  const double drop = 3 * 8 * 0.1 * speed / (n * n) * (2 * n - 1);
  const auto density = [&](double sign) {
    std::ostringstream text;
    text.precision(17);
    text << R"({"type": "pressure", "reflecting": )" << (reflecting ? "true" : "false")
         << R"(, "density": )" << 1 + sign * drop / 2 << "}";
    return text.str();
  };
  const auto method = started("[" + std::to_string(2 * n) + ", " + std::to_string(n) + ", 1]",
                              R"("west": )" + density(1) + R"(, "east": )" + density(-1),
                              R"(, "geometry": {"flow_planes": [
                                {"name": "in", "axis": "x", "position": 0},
                                {"name": "out", "axis": "x", "position": )" +
                                  std::to_string(2 * n) + "}]}");
  EXPECT_TRUE(run_to_steady_state(*method, 500, 1e-8, 100000));
  const double rate = method->monitor("in.flow_rate");
  EXPECT_NEAR(method->monitor("out.flow_rate") / rate, 1, 1e-6);
  double across = 0;
  for (const double v : values_of(*method, "velocity", 1)) across = std::max(across, std::fabs(v));
  return {rate / (speed * 2 / 3 * n) - 1, across / speed};
}

TEST(OpenSides, PressuresDrivePoiseuilleFlowWithSecondOrder) {
  const auto coarse = between_pressures(8, true);
  const auto fine = between_pressures(16, true);
  EXPECT_NEAR(coarse[0], 0.004, 0.002);
  EXPECT_LT(fine[0], coarse[0] / 3);
  EXPECT_LT(fine[1], 0.003);  // the flow stays straight
  EXPECT_NEAR(between_pressures(8, false)[0], coarse[0], 1e-4);
}

TEST(OpenSides, AllOfAGivenFlowRateComesIn) {
  for (const std::string profile : {"uniform", "fully-developed"}) {
    const auto method = started("[20, 8, 10]", R"("bottom": {"type": "wall"},
      "top": {"type": "wall"}, "east": {"type": "pressure"}, "west": {"type": "velocity",
      "flow_rate": 0.8, "profile": ")" + profile + R"("})",
                                R"(, "geometry": {"walls": "half-way", "solids": [
      {"shape": "box", "name": "step", "from": [0, 0, 0], "to": [4, 3, 10]}],
      "flow_planes": [{"name": "in", "axis": "x", "position": 0}]})");
    ASSERT_TRUE(run_to_steady_state(*method, 200, 1e-7, 40000));
    const auto u = values_of(*method, "velocity");
    const auto density = values_of(*method, "density");
    double sum = 0;  // steady: the mass that came in at the inlet's density
    double mean = 0;
    for (std::size_t i = 0; i < 80; ++i) {
      if (std::isnan(u[20 * i])) continue;
      sum += u[20 * i] * density[20 * i];
      mean += density[20 * i] / 50;
    }
    EXPECT_NEAR(sum, method->monitor("in.flow_rate"), 1e-9);
    // The density differs along the side, before the step.
    EXPECT_NEAR(sum / mean, 0.8, profile == "uniform" ? 1e-5 : 0.004) << profile;
  }
}

/// Low viscosity, where an answer to the density of one step alone is not stable.
TEST(OpenSides, ThatLetSoundOutAreStableBesideWalls) {
  for (const std::string walls : {"implicit", "half-way"}) {
    const std::string text = R"({"domain": {"nodes": [24, 10, 10]},
      "fluid": {"relaxation_time": 0.5035}, "collision": {"operator": "cumulant"},
      "geometry": {"walls": ")" +
                             walls +
                             R"("}, "boundaries": {
      "west": {"type": "velocity", "velocity": [0.003, 0, 0], "profile": "parabolic"},
      "east": {"type": "pressure"}, "south": {"type": "wall"}, "north": {"type": "wall"},
      "bottom": {"type": "wall"}, "top": {"type": "wall"}}})";
    std::unique_ptr<Problem> problem;
    read_case(CaseDocument::from_text(text, "case.json"),
              [&](CaseNode& root) { problem = read_problem(root); });
    const auto method = problem->create(Backend::host);
    method->initialise();
    method->advance(1500);
    EXPECT_FALSE(method->find_divergence());
    EXPECT_LT(method->monitor("max_speed"), 0.008) << walls;
  }
}

/// A case is read first as an estimate; what it runs must have its profile.
TEST(OpenSides, AnEstimateOfASmallCaseHasItsProfile) {
  auto document = CaseDocument::from_text(R"({"domain": {"nodes": [8, 12, 12]},
      "fluid": {"relaxation_time": 0.8}, "boundaries": {
      "west": {"type": "velocity", "velocity": [0.02, 0, 0], "profile": "fully-developed"},
      "east": {"type": "pressure"}, "south": {"type": "wall"}, "north": {"type": "wall"},
      "bottom": {"type": "wall"}, "top": {"type": "wall"}}})",
                                          "case.json");
  document.set_estimating(true);
  std::unique_ptr<Problem> problem;
  read_case(document, [&](CaseNode& root) { problem = read_problem(root); });
  ASSERT_FALSE(problem->estimated);
  const auto method = problem->create(Backend::host);
  method->initialise();
  method->advance(2);
  const auto u = values_of(*method, "velocity");
  EXPECT_GT(u[8 * (6 * 12 + 6)], 2 * u[8 * (12 + 1)]);
}

TEST(OpenSides, AFormulaOfPlaceAndTimeIsAProfileTimesAWaveform) {
  const std::string east = R"(, "east": {"type": "pressure"})";
  const auto formula = started("[8, 6, 5]", R"_("west": {"type": "velocity",
    "profile": {"velocity_x": "0.08*y/6*(1 - y/6)*(1 + sin(t/9))", "velocity_z": "0.01*x"}})_" +
                                                east);
  const auto factor =
      started("[8, 6, 5]", R"_("west": {"type": "velocity", "velocity": [0.02, 0, 0],
    "profile": "parabolic", "waveform": {"factor": "1 + sin(t/9)"}})_" +
                               east);
  for (int i = 0; i < 3; ++i) {
    formula->advance(7);
    factor->advance(7);
    for (std::size_t d = 0; d < 3; ++d) {
      const auto found = values_of(*formula, "velocity", d);
      const auto expected = values_of(*factor, "velocity", d);
      for (std::size_t n = 0; n < found.size(); ++n) EXPECT_NEAR(found[n], expected[n], 1e-15);
    }
  }
}

/// Of the nodes at an inlet, half a spacing inside of it.
TEST(OpenSides, TurbulenceComesInAsGiven) {
  const std::string text = R"({"precision": "double", "domain": {"nodes": [8, 32, 32]},
      "fluid": {"kinematic_viscosity": 0.002}, "collision": {"operator": "cumulant"},
      "initial": {"type": "uniform", "velocity": [0.08, 0, 0]}, "boundaries": {
      "west": {"type": "velocity", "velocity": [0.08, 0, 0], "reflecting": true, "turbulence": {
        "reynolds_stresses": {"uu": 4e-5, "vv": 2e-5, "ww": 3e-5, "uv": -1e-5},
        "length_scale": 3}},
      "east": {"type": "pressure", "reflecting": true}}})";
  std::unique_ptr<Problem> problem;
  read_case(CaseDocument::from_text(text, "case.json"),
            [&](CaseNode& root) { problem = read_problem(root); });
  const auto method = problem->create(Backend::host);
  method->initialise();
  std::array<double, 3> mean{};
  std::array<double, 4> stress{};  // the last one is uv
  double samples = 0;
  for (int i = 0; i < 300; ++i) {
    method->advance(24);
    const std::array<std::vector<double>, 3> v{values_of(*method, "velocity", 0),
                                               values_of(*method, "velocity", 1),
                                               values_of(*method, "velocity", 2)};
    for (std::size_t n = 0; n < v[0].size(); n += 8) {
      const std::array<double, 3> found{v[0][n] - 0.08, v[1][n], v[2][n]};
      for (std::size_t d = 0; d < 3; ++d) {
        mean[d] += found[d];
        stress[d] += found[d] * found[d];
      }
      stress[3] += found[0] * found[1];
      ++samples;
    }
  }
  for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(mean[d] / samples, 0, 3e-4);
  const std::array<double, 4> given{4e-5, 2e-5, 3e-5, -1e-5};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(stress[i] / samples / given[i], 1, 0.1) << i;
  }
}

TEST(OpenSides, TurbulenceIsForVelocitySides) {
  const auto refused = [](const std::string& west) {
    return input_error([&] {
      started("[24, 24, 24]", R"("west": )" + west + R"(, "east": {"type": "outflow"})");
    });
  };
  const std::string block = R"("turbulence": {"intensity": 0.1, "length_scale": 3}})";
  EXPECT_THAT(refused(R"({"type": "pressure", )" + block), testing::HasSubstr("turbulence"));
  EXPECT_THAT(refused(R"({"type": "wall", )" + block), testing::HasSubstr("turbulence"));
  EXPECT_THAT(refused(R"({"type": "velocity", )" + block),
              testing::HasSubstr("the mean velocity into the domain at step 0 is 0"));
}

}  // namespace
}  // namespace knudsen::lbm_d3q27
