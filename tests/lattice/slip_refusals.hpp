#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "case/reader.hpp"

namespace knudsen {

/// Cases of a periodic box between two walls with solids that have slip.
struct SlipCases {
  std::string nodes;  ///< of the domain: "[20, 20]"
  std::string floor;  ///< a solid with a straight wall along an axis and an accommodation of 1
  std::string curved_body;  ///< a solid with a curved wall, up to the value of its accommodation

  std::string with(const std::string& solids, const std::string& walls = "interpolated",
                   const std::string& collision = R"({"operator": "trt"})",
                   const std::string& slip = "") const {
    return R"({"domain": {"nodes": )" + nodes + R"(}, "fluid": {"knudsen": 0.1)" + slip +
           R"(}, "collision": )" + collision + R"(, "geometry": {"walls": ")" + walls +
           R"(", "solids": [)" + solids +
           R"(]}, "boundaries": {"north": {"type": "wall"}, "south": {"type": "wall"}}})";
  }
};

/// Checks what both lattice methods accept and refuse beside solids with slip. `problem_of` reads
/// a case; `other_walls` are treatments of walls without slip, `curved` a part of the message for a
/// second coefficient at a curved wall.
template <class ProblemOf>
void expect_slip_refusals(const ProblemOf& problem_of, const SlipCases& cases,
                          const std::vector<const char*>& other_walls, const std::string& curved) {
  const auto refuses = [&](const std::string& text, const std::string& message) {
    EXPECT_THAT([&] { problem_of(text); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr(message)));
  };
  EXPECT_NO_THROW(problem_of(cases.with(cases.floor)));
  for (const char* walls : other_walls) {
    refuses(cases.with(cases.floor, walls),
            R"(geometry.solids[0].accommodation: found 1, of a solid is for "interpolated" walls)");
  }
  refuses(cases.with(cases.floor, "interpolated", R"({"operator": "bgk"})"),
          R"(needs the operator "trt")");
  refuses(cases.with(cases.floor, "interpolated", R"({"operator": "trt", "magic": 0.25})"),
          "collision.magic: follows from");
  refuses(cases.with(cases.curved_body + "1}"), curved);
  EXPECT_NO_THROW(
      problem_of(cases.with(cases.curved_body + "1}", "interpolated", R"({"operator": "trt"})",
                            R"(, "slip": {"second_order": 0})")));
  refuses(cases.with(cases.curved_body + "2}"), "geometry.solids[0].accommodation");
}

}  // namespace knudsen
