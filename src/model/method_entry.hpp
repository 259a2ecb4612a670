#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "case/reader.hpp"
#include "model/problem.hpp"

namespace knudsen {

/// What the program knows of a method. methods/registry.cpp lists them.
struct MethodEntry {
  std::string name;       ///< as in the case file's `method`
  std::string title;      ///< one line
  std::string reference;  ///< the paper
  /// Reads the method's blocks from the top-level node; in describing mode the result is unused
  /// and may be null.
  std::unique_ptr<Problem> (*read)(CaseNode& root);
  std::vector<std::string> choices;  ///< keys whose choices `knudsen list` shows
  std::vector<Quantity> (*fields)();
  std::vector<Quantity> (*monitors)();  ///< those of every case
};

/// What `knudsen list` shows of a method, heading and names: choices as its reader declares them,
/// fields, monitors.
std::vector<std::pair<std::string, std::vector<std::string>>> options_of(const MethodEntry& method);

}  // namespace knudsen
