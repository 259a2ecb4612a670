#pragma once

#include <cstdint>
#include <string>

#include "core/stopwatch.hpp"

namespace knudsen {

/// How far a run is.
struct ProgressState {
  std::int64_t step = 0, last_step = 0;
  double updates_per_second = 0;
  std::string update_unit;  ///< "node"
  double seconds_left = 0;  ///< as far as can be told; negative: unknown
  std::string residual;     ///< "velocity_change 1.2e-05", or empty
};

/// "412.3 M node updates/s"
std::string rate_text(double updates_per_second, const std::string& update_unit);
/// "1:02:03", "0:45"
std::string duration_text(double seconds);
/// " 42.0 %  step 420 of 1000  412.3 M node updates/s  0:12 left  velocity_change 1.2e-05"
std::string progress_text(const ProgressState& state);

/// Shows how far a run is on standard error: on a terminal as one line that is drawn anew, else as
/// a line of its own now and then.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Called as often as one likes; `check` says that the run has just been checked.
  void update(const ProgressState& state, bool check);
  /// Leaves what is to stay on the screen.
  void finish(const ProgressState& state);

 private:
  void draw(const ProgressState& state);

  bool quiet_, terminal_;
  bool line_open_ = false;
  Stopwatch clock_;
  double last_shown_ = 0;
};

}  // namespace knudsen
