#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "methods/boltzmann/parameters.hpp"

namespace knudsen::boltzmann::test {

/// A small driven cavity.
inline nlohmann::json base_case() {
  return nlohmann::json::parse(R"({
    "precision": "double",
    "domain": {"cells": [8, 8]},
    "velocity_grid": {"type": "stretched", "count": [8, 8, 8], "minimum": [-3, -3, -3],
                      "maximum": [3, 3, 3], "ratio": [1.5, 1.5, 1.5]},
    "gas": {"rarefaction": 1},
    "collision": {"samples": 2000},
    "propagation": {"time_step": 0.01},
    "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"}, "south": {"type": "wall"},
                   "north": {"type": "wall", "velocity": [0.01, 0, 0]}}
  })");
}

inline std::unique_ptr<Problem> read(const nlohmann::json& json) {
  std::unique_ptr<Problem> problem;
  read_case(CaseDocument::from_text(json.dump(), "case.json"),
            [&](CaseNode& root) { problem = read_problem(root); });
  return problem;
}

/// The base case with blocks merged into it (JSON merge patch: null removes).
inline nlohmann::json with(const std::string& patch) {
  nlohmann::json json = base_case();
  json.merge_patch(nlohmann::json::parse(patch));
  return json;
}

/// The base case without walls, in one dimension.
inline nlohmann::json periodic(const std::string& patch) {
  nlohmann::json json = base_case();
  json.erase("boundaries");
  json["domain"] = {{"cells", {16}}};
  json.merge_patch(nlohmann::json::parse(patch));
  return json;
}

}  // namespace knudsen::boltzmann::test
