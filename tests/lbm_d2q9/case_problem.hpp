#pragma once

#include <gmock/gmock.h>

#include <memory>
#include <string>

#include "case/reader.hpp"
#include "methods/lbm_d2q9/parameters.hpp"

namespace knudsen::lbm_d2q9 {

/// The problem of a case given as JSON text, with the blocks of the method only.
inline std::unique_ptr<Problem> problem_of(const std::string& text) {
  std::unique_ptr<Problem> problem;
  read_case(CaseDocument::from_text(text, "case.json"),
            [&](CaseNode& root) { problem = read_problem(root); });
  return problem;
}

/// Checks that a case given as JSON text is refused with a message that has this part.
inline void expect_refusal(const std::string& text, const std::string& message) {
  try {
    problem_of(text);
    ADD_FAILURE() << "accepted; expected " << message;
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(message));
  }
}

/// Schaefer and Turek (1996), case 2D-1: flow past a cylinder in a channel at Re = 20. `resolution`
/// is nodes a unit of length, a tenth of which is the diameter.
inline std::string cylinder_in_a_channel(int resolution, double velocity) {
  return R"({"precision": "double",
    "domain": {"size": [2.2, 0.41], "resolution": )" +
         std::to_string(resolution) + R"(},
    "fluid": {"reynolds": 20, "velocity": )" +
         std::to_string(velocity) + R"(, "length": 0.1},
    "collision": {"operator": "trt", "magic": 0.25},
    "geometry": {"walls": "interpolated", "solids": [
      {"shape": "circle", "name": "cylinder", "centre": [0.2, 0.2], "radius": 0.05}]},
    "boundaries": {"north": {"type": "wall"}, "south": {"type": "wall"},
      "west": {"type": "velocity", "velocity": [1.5, 0], "profile": "parabolic"},
      "east": {"type": "pressure"}}})";
}

}  // namespace knudsen::lbm_d2q9
