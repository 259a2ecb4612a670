#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "methods/shakhov/parameters.hpp"
#include "output/checkpoint.hpp"
#include "output/temporary_directory.hpp"

namespace knudsen::shakhov::test {

/// A small closed box in three dimensions.
inline nlohmann::json base_case() {
  return nlohmann::json::parse(R"({
    "precision": "double",
    "domain": {"cells": [5, 6, 7]},
    "velocity_grid": {"count": [8, 8, 8], "minimum": [-4, -4, -4], "maximum": [4, 4, 4]},
    "gas": {"rarefaction": 1, "law": "argon"},
    "boundaries": {
      "west": {"type": "wall"}, "east": {"type": "wall"},
      "south": {"type": "wall"}, "north": {"type": "wall", "velocity": [0.1, 0, 0]},
      "bottom": {"type": "wall"}, "top": {"type": "wall"}
    }
  })");
}

/// The base case with blocks merged into it (JSON merge patch: null removes).
inline nlohmann::json with(const std::string& patch, nlohmann::json json = base_case()) {
  json.merge_patch(nlohmann::json::parse(patch));
  return json;
}

/// The cavity of the paper with fewer cells and velocities.
inline nlohmann::json cavity(int cells, int velocities) {
  auto json = with(R"({"gas": {"rarefaction": 0.68396}})");
  json["domain"]["cells"] = {cells, cells, cells};
  json["velocity_grid"]["count"] = {velocities, velocities, velocities};
  json["velocity_grid"]["rule"] = "trapezoid";
  return json;
}

inline Parameters parameters_of(const nlohmann::json& json) {
  Parameters found;
  std::vector<std::string> warnings;
  read_case(CaseDocument::from_text(json.dump(), "case.json"),
            [&](CaseNode& root) { found = read_parameters(root, warnings); });
  return found;
}

inline std::unique_ptr<Problem> read(const nlohmann::json& json) {
  std::unique_ptr<Problem> problem;
  read_case(CaseDocument::from_text(json.dump(), "case.json"),
            [&](CaseNode& root) { problem = read_problem(root); });
  return problem;
}

inline std::unique_ptr<Method> start(const nlohmann::json& json,
                                     Backend backend = default_backend()) {
  auto method = read(json)->create(backend);
  method->initialise();
  return method;
}

/// Iterates until no moment changes by more than `tolerance`. Returns the number of iterations, or
/// max_iterations + 1 if it did not converge.
inline int converge(Method& method, double tolerance, int max_iterations) {
  for (int n = 1; n <= max_iterations; ++n) {
    method.advance(1);
    if (method.monitor("moments_change") <= tolerance) return n;
  }
  return max_iterations + 1;
}

/// A method that continues from a checkpoint of `whole` after some iterations. Both make two more.
inline std::unique_ptr<Method> resumed_after(int iterations, const Problem& problem,
                                             Method& whole) {
  const TemporaryDirectory directory;
  whole.initialise();
  whole.advance(iterations);
  const auto path = directory.path() / "checkpoint.h5";
  CheckpointWriter writer(path, "shakhov", "digest", iterations);
  whole.save(writer);
  writer.commit();
  whole.advance(2);
  auto resumed = problem.create(default_backend());
  resumed->load(CheckpointReader(path));
  resumed->advance(2);
  return resumed;
}
inline std::unique_ptr<Method> resumed_after_two(const Problem& problem, Method& whole) {
  return resumed_after(2, problem, whole);
}

}  // namespace knudsen::shakhov::test
