#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "problem.hpp"
#include "recorded_cavity.hpp"

namespace knudsen::shakhov {
namespace {

using test::cavity;
using test::converge;
using test::start;

TEST(Cavity, ConvergesInAsManyIterationsAsThePaper) {
  const auto method = start(cavity(20, 16));
  const int iterations = converge(*method, 1e-9, 60);
  EXPECT_GE(iterations, 34);
  EXPECT_LE(iterations, 40);
}

TEST(Cavity, NetFlowVanishesWithTheOrderOfTheScheme) {
  // The net mass flow in a closed box is zero except for the error of the scheme. The density
  // varies so little that the mean velocity measures it. (Forces on the lid, whose speed jumps at
  // its edges, converge more slowly.)
  const auto mean_velocity = [](int cells, int order) {
    auto json = cavity(cells, 8);
    json["propagation"]["order"] = order;
    const auto method = start(json);
    EXPECT_LE(converge(*method, 1e-8, 80), 80);
    return method->monitor("mean_velocity_x");
  };
  const double coarse = mean_velocity(8, 1);
  const double fine = mean_velocity(16, 1);
  EXPECT_NEAR(std::log2(coarse / fine), 1, 0.15);
  EXPECT_LT(std::abs(mean_velocity(16, 2)), 0.01 * fine);
}

TEST(Cavity, IsThatOfTheRecordWithItsCellsAndVelocities) {
  constexpr int n = 32;
  const auto record = test::recorded_cavity(n);
  const auto method = start(cavity(n, n));
  EXPECT_EQ(converge(*method, 1e-9, 50), 36);  // as many as recorded
  const auto flow = test::cavity_flow(*method, n);
  // The record has seven digits; moments still change by 1e-9, of which 1e-9 / (1 - 1/2) is left.
  const auto expect_equal = [](const std::vector<double>& a, const std::vector<double>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      EXPECT_NEAR(a[i], b[i], 1e-6 * std::abs(b[i]) + 1e-7);
  };
  expect_equal(flow.u, record.u);
  expect_equal(flow.v, record.v);
  expect_equal(flow.drag, record.drag);
  expect_equal(flow.flow, record.flow);
}

/// The smaller grids of perf/results/shakhov/streams.csv.
TEST(Streams, ConvergePastBodies) {
  const char* const square = R"({"solids": [
    {"name": "body", "shape": "box", "from": [-0.5, 0], "to": [0.5, 0.5]}]})";
  const char* const circle = R"({"solids": [
    {"name": "body", "shape": "sphere", "centre": [0, 0], "radius": 0.5}]})";
  const char* const cut = R"({"surface": "cut-cells", "solids": [
    {"name": "body", "shape": "sphere", "centre": [0, 0], "radius": 0.5}]})";
  int left = 0;
  for (const double mach : {1.5, 3.0, 5.0}) {
    for (const double rarefaction : {0.1, 1.0, 10.0, 50.0}) {
      for (const char* const body : {square, circle, cut}) {
        for (const char* const model : {"shakhov", "es-bgk"}) {
          for (const int order : {1, 2}) {
            auto json = nlohmann::json::parse(R"({
              "precision": "double",
              "domain": {"origin": [-2, 0], "cells": [20, 10], "size": [5, 2.5]},
              "boundaries": {"west": {"type": "reservoir"}, "east": {"type": "reservoir"},
                             "south": {"type": "symmetry"}, "north": {"type": "reservoir"}}})");
            json["gas"] = {{"rarefaction", rarefaction}, {"law", "argon"}};
            json["initial"] = {{"type", "stream"}, {"mach", mach}};
            const double fastest = std::max(6.0, 1.3 * mach + 4);
            json["velocity_grid"] = {{"count", {20, 14, 12}},
                                     {"minimum", {-fastest, -fastest, -fastest}},
                                     {"maximum", {fastest + 2, fastest, fastest}}};
            json["geometry"] = nlohmann::json::parse(body);
            json["collision"] = {{"model", model}};
            json["propagation"] = {{"order", order}, {"acceleration", "synthetic"}};
            const auto method = test::start(json);
            const bool converges = test::converge(*method, 1e-6, 70) <= 70;
            EXPECT_FALSE(method->find_divergence()) << json;
            // The shock of a cut circle at Mach 5 is thin, but not thin enough for its cells to be
            // found: the iteration swings.
            const bool known = mach == 5 && rarefaction == 10 && body == cut && order == 2;
            EXPECT_TRUE(converges || known) << json;
            left += converges ? 0 : 1;
          }
        }
      }
    }
  }
  EXPECT_LE(left, 2);
}

}  // namespace
}  // namespace knudsen::shakhov
