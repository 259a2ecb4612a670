#pragma once

#include <cstdint>

#include "run/settings.hpp"

namespace knudsen {

/// What is due at one step.
struct Events {
  bool check = false, series = false, fields = false, snapshots = false, checkpoint = false;

  bool any() const { return check || series || fields || snapshots || checkpoint; }
  /// Whether monitors are evaluated.
  bool monitors() const { return check || series; }
};

/// Which steps of a run have something due besides stepping on.
class Schedule {
 public:
  explicit Schedule(const RunSettings& settings) : settings_(settings) {}

  /// The last step is also one of a check and of a row of the series.
  Events at(std::int64_t step) const;
  /// The first step after `step` with anything due; never beyond the last one.
  std::int64_t next(std::int64_t step) const;

 private:
  const RunSettings& settings_;
};

}  // namespace knudsen
