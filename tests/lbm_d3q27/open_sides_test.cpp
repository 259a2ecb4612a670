// Open sides whose values depend on place and time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <sstream>

#include "case/reader.hpp"
#include "methods/lattice/cross_section.hpp"
#include "methods/lbm_d3q27/parameters.hpp"
#include "support/steady_state.hpp"
#include "support/womersley.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

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
  EXPECT_NEAR(mean, 0.02, 0.03 * 0.02);  // links across a wall and the side carry nothing
  for (std::size_t i = 0; i < shape.size(); ++i)
    EXPECT_NEAR(u[16 * i + 8] / mean, shape[i], 0.04);  // 2 % of the peak
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

}  // namespace
}  // namespace knudsen::lbm_d3q27
