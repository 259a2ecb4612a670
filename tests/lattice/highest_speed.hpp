#pragma once

#include <gmock/gmock.h>

#include <memory>
#include <string>

#include "model/problem.hpp"

namespace knudsen::lbm::test {

/// A force may make the fluid faster than any speed that a case may give. `problem_of` reads a
/// case; `nodes` are those of a channel 12 nodes wide, `rest` the other components of the force.
template <class ProblemOf>
void expect_warning_of_the_highest_speed(const ProblemOf& problem_of, const std::string& nodes,
                                         const std::string& rest) {
  const auto warnings_with = [&](const std::string& force) {
    const auto method = problem_of(R"({"precision": "double", "domain": {"nodes": )" + nodes +
                                   R"(}, "fluid": {"relaxation_time": 0.8},
      "collision": {"body_force": [)" +
                                   force + rest + R"(]},
      "boundaries": {"south": {"type": "wall"}, "north": {"type": "wall"}}})")
                            ->create(Backend::host);
    method->initialise();
    method->advance(1500);
    EXPECT_FALSE(method->find_divergence());
    return method->warnings();
  };
  EXPECT_THAT(warnings_with("0.0005"), testing::IsEmpty());
  EXPECT_THAT(
      warnings_with("0.002"),
      testing::ElementsAre(testing::MatchesRegex(
          "the largest of the fluid at the end, speed 0.[0-9]+ is Mach number 0.[0-9]+, must be at "
          "most 0.3 .the lattice's speed of sound is 0.5774.")));
}

}  // namespace knudsen::lbm::test
