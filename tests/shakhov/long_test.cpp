#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "methods/bgkw/parameters.hpp"
#include "problem.hpp"

namespace knudsen::shakhov {
namespace {

using test::converge;
using test::start;
using test::with;

TEST(Cavity, PlaneOneIsTheSteadyStateOfTheExplicitMethod) {
  auto json = with(R"({"domain": {"cells": [5, 5]}, "collision": {"model": "shakhov"},
      "velocity_grid": {"count": [12, 12, 12], "minimum": [-4.2, -4.2, -4.2],
                        "maximum": [4.2, 4.2, 4.2]},
      "boundaries": {"bottom": null, "top": null}})");
  const auto implicit = start(json);
  EXPECT_LE(converge(*implicit, 1e-10, 100), 100);
  // The explicit method splits streaming and collisions: an error of the first order in its step.
  const auto run_explicit = [&](double time_step) {
    json["propagation"]["time_step"] = time_step;
    std::unique_ptr<Problem> problem;
    read_case(CaseDocument::from_text(json.dump(), "case.json"),
              [&](CaseNode& root) { problem = bgkw::read_problem(root); });
    auto method = problem->create(default_backend());
    method->initialise();
    method->advance(static_cast<std::int64_t>(20 / time_step));
    return method;
  };
  const auto coarse_method = run_explicit(0.02);
  const auto fine_method = run_explicit(0.01);
  for (const char* name : {"density", "velocity", "temperature", "heat_flux"}) {
    const Field coarse = coarse_method->field(name);
    const Field fine = fine_method->field(name);
    const Field here = implicit->field(name);
    double split = 0;
    double rest = 0;
    for (std::size_t i = 0; i < here.size(); ++i) {
      split = std::max(split, std::abs(fine[i] - coarse[i]));
      rest = std::max(rest, std::abs(2 * fine[i] - coarse[i] - here[i]));
    }
    EXPECT_LT(rest, 2e-6) << name;
    EXPECT_GT(split, 5 * rest) << name;
  }
}

TEST(Cavity, ConvergesInAsManyIterationsAsThePaper) {
  const auto method = start(test::cavity(20, 20));
  const int iterations = converge(*method, 1e-9, 60);
  EXPECT_GE(iterations, 34);
  EXPECT_LE(iterations, 40);
}

}  // namespace
}  // namespace knudsen::shakhov
