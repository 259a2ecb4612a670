#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "methods/bgkw/parameters.hpp"

namespace knudsen::bgkw::test {

/// A small one-dimensional case between walls.
inline nlohmann::json base_case() {
  return nlohmann::json::parse(R"({
    "precision": "double",
    "domain": {"cells": [8]},
    "velocity_grid": {"count": [8, 8, 8], "minimum": [-4, -4, -4], "maximum": [4, 4, 4]},
    "gas": {"rarefaction": 1},
    "boundaries": {"west": {"type": "wall"}, "east": {"type": "wall"}}
  })");
}

inline std::unique_ptr<Problem> read(const nlohmann::json& json) {
  std::unique_ptr<Problem> problem;
  read_case(CaseDocument::from_text(json.dump(), "case.json"),
            [&](CaseNode& root) { problem = read_problem(root); });
  return problem;
}

/// The method of a case after some steps.
inline std::unique_ptr<Method> advanced(const nlohmann::json& json, int steps) {
  auto method = read(json)->create(default_backend());
  method->initialise();
  method->advance(steps);
  return method;
}

/// The base case with blocks merged into it (JSON merge patch: null removes).
inline nlohmann::json with(const std::string& patch) {
  nlohmann::json json = base_case();
  json.merge_patch(nlohmann::json::parse(patch));
  return json;
}

}  // namespace knudsen::bgkw::test
