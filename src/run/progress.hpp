#pragma once

#include <cstdint>
#include <string>

#include "core/stopwatch.hpp"

namespace knudsen {

/// The state of a run that the progress line shows.
struct ProgressState {
  std::int64_t step = 0, last_step = 0;
  double updates_per_second = 0;
  std::string update_unit;  ///< "node"
  double seconds_left = 0;  ///< estimate; negative: unknown
  std::string residual;     ///< of the first criterion, "velocity_change 1.2e-05", or empty
};

/// A rate as text: "412.3 M node updates/s".
std::string rate_text(double updates_per_second, const std::string& update_unit);
/// A duration as text: "1:02:03" or "0:45".
std::string duration_text(double seconds);
/// The progress line, for example
/// " 42.0 %  step 420 of 1000  412.3 M node updates/s  0:12 left  velocity_change 1.2e-05".
std::string progress_text(const ProgressState& state);

/// Shows the progress of a run on standard error: on a terminal as one line that is redrawn, else
/// as a new line every few seconds.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// May be called after every step; draws only when enough time has passed. `check`: the step is
  /// one of a check. Without a terminal only these are shown.
  void update(const ProgressState& state, bool check);
  /// Draws the last state on a terminal.
  void finish(const ProgressState& state);

 private:
  void draw(const ProgressState& state);

  bool quiet_, terminal_;
  bool line_open_ = false;
  Stopwatch clock_;
  double last_shown_ = 0;
};

}  // namespace knudsen
