#pragma once

#include <cstdint>
#include <vector>

#include "run/settings.hpp"

namespace knudsen {

/// The events that are due at one step.
struct Events {
  bool check = false, series = false, fields = false, snapshots = false, checkpoint = false;
  bool samples = false;  ///< of statistics or probes, before which the state is not checked

  /// Whether the state is to be checked, and then perhaps written.
  bool any() const { return check || series || fields || snapshots || checkpoint; }
  /// Whether the events need the values of monitors.
  bool monitors() const { return check || series; }
};

/// Tells at which steps of a run checks and output are due.
class Schedule {
 public:
  /// `settings` must outlive it.
  explicit Schedule(const RunSettings& settings);

  /// The events at a step. At the last step a check and a row of the series are always due.
  Events at(std::int64_t step) const;
  /// The first step after `step` at which any event is due, at most the last step.
  std::int64_t next(std::int64_t step) const;

 private:
  const RunSettings& settings_;
  std::vector<const RunSettings::SampleSteps*> sampled_;  ///< of statistics and probes
};

}  // namespace knudsen
