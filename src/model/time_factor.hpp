#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "core/formula.hpp"

namespace knudsen {

/// A factor that depends on time: a formula, or a series of times and factors.
class TimeFactor {
 public:
  /// Reads the keys `factor`, `file`, `period` and `unit`. `unit_name` is the unit of time of the
  /// method, "steps". Throws InputError.
  TimeFactor(CaseNode& node, const std::string& unit_name);

  /// The factor at a time in the method's unit. Throws InputError, with the path in the case, if
  /// the formula is not finite there.
  double operator()(double time) const;
  /// Largest magnitude of a series; nothing of a formula.
  std::optional<double> largest() const;

 private:
  void read_series(const std::string& file);
  double of_series(double t) const;

  double unit_ = 1;                 ///< of t, in the method's unit
  std::optional<Formula> formula_;  ///< of t; empty: a series
  std::string where_;               ///< begin of a message about the formula
  std::vector<double> times_, factors_;
  std::optional<double> period_;  ///< after which the series begins again
};

}  // namespace knudsen
