#pragma once

#include <memory>
#include <string>

#include "case/reader.hpp"
#include "methods/lbm_d3q27/parameters.hpp"

namespace knudsen::lbm_d3q27 {

/// The problem of a case given as JSON text, with the blocks of the method only.
inline std::unique_ptr<Problem> problem_of(const std::string& text) {
  std::unique_ptr<Problem> problem;
  read_case(CaseDocument::from_text(text, "case.json"),
            [&](CaseNode& root) { problem = read_problem(root); });
  return problem;
}

}  // namespace knudsen::lbm_d3q27
