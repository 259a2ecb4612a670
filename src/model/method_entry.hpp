#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "case/reader.hpp"
#include "model/problem.hpp"

namespace knudsen {

/// Quantities that only some cases have.
struct ConditionalQuantities {
  std::string condition;  ///< "heat", "collision.flow_control": what the case must give
  std::vector<Quantity> fields;
  std::vector<Quantity> monitors;
};

/// A method as the program sees it. methods/registry.cpp lists all methods.
struct MethodEntry {
  std::string name;       ///< as in the case file's `method`
  std::string title;      ///< one line
  std::string reference;  ///< the paper
  /// Reads the method's blocks from the top-level node; in describing mode the result is unused
  /// and may be null.
  std::unique_ptr<Problem> (*read)(CaseNode& root);
  std::vector<std::string> choices;  ///< keys whose choices `knudsen list` shows
  std::vector<Quantity> (*fields)();
  std::vector<Quantity> (*monitors)();  ///< the monitors that every case of the method has
  /// Those of a side, solid or flow plane, called "<side>", "<solid>" and "<plane>".
  std::vector<Quantity> (*part_monitors)() = nullptr;
  /// Those of cases with a condition. Fields are among `fields`, too.
  std::vector<ConditionalQuantities> (*conditional)() = nullptr;
};

/// The lines of `knudsen list` for a method, as headings with names: the choices that its reader
/// declares, then fields and monitors.
std::vector<std::pair<std::string, std::vector<std::string>>> options_of(const MethodEntry& method);

}  // namespace knudsen
