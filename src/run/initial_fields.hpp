#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "core/field.hpp"
#include "model/method.hpp"
#include "model/place_functions.hpp"
#include "model/problem.hpp"

namespace knudsen {

/// The block "initial_fields" of a case: fields of step 0 in place of those of its initial state,
/// by formulas or from a file.
class InitialFields {
 public:
  /// Reads the block. `problem` has the units of the case, and is null in describing mode. What is
  /// quickly found out is checked now. Throws InputError.
  InitialFields(CaseNode& node, const Problem* problem);

  /// Whether the block gives nothing.
  bool empty() const { return functions_.empty() && !functions_.field_file(); }
  /// What was found when it was read and is no error.
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// The fields on the whole grid, with values that do not matter in solids. Throws InputError if
  /// they are no state of the gas. Not collective: all ranks find the same.
  GivenFields values(const Problem& problem) const;

 private:
  struct Source {
    std::string name;       ///< "density", "velocity", "temperature"
    std::string unit;       ///< of the case
    std::string si_unit;    ///< empty if the case says nothing of SI units
    double si_factor = 1;   ///< of `unit`
    double rest = 1;        ///< what a file's field of the deviation is the deviation from
    int components = 1;     ///< of the method's field
    bool positive = false;  ///< as the density and the temperature are
  };

  /// Values of a field, empty if it is not given.
  std::vector<double> field(const Source& source) const;
  std::vector<double> from_file(const Source& source) const;

  CartesianGrid grid_;  ///< in units of the case
  std::vector<Source> sources_;
  PlaceFunctions functions_;
  std::string where_;  ///< begin of a message about the file
  std::vector<std::string> warnings_;
};

}  // namespace knudsen
