#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/stopwatch.hpp"
#include "device/device_monitor.hpp"
#include "report/timing_report.hpp"
#include "run/batches.hpp"
#include "run/checkpoints.hpp"
#include "run/output_files.hpp"
#include "run/progress.hpp"
#include "run/run.hpp"
#include "run/schedule.hpp"
#include "run/settings.hpp"
#include "run/stop_signal.hpp"

namespace knudsen {

/// Advances a method from event to event and handles the events: checks, series, output,
/// checkpoints.
class TimeLoop {
 public:
  /// `clock` and `signal` must have been created at the start of the run.
  TimeLoop(const ResolvedCase& resolved, Method& method, OutputFiles& output,
           Checkpoints& checkpoints, RunMemory memory, const Stopwatch& clock,
           const StopSignal& signal, DeviceMonitor& device, const RunOptions& options);

  /// Writes the output that is due at step 0. Not for a run that continues from a checkpoint.
  void write_initial_output();
  /// Steps until there is a reason to stop, then writes the last output or a checkpoint. A field
  /// that is not finite also stops the run; no checkpoint is written then. Throws RunError if the
  /// run diverges or a file cannot be written.
  void run();

  std::int64_t step() const { return memory_.step; }
  const std::string& stopped_by() const { return stopped_by_; }
  /// Whether the run ended by itself rather than by a signal or the wall time.
  bool finished() const { return finished_; }
  /// Whether the criteria were met; empty if the case has none.
  std::optional<bool> converged() const;
  /// One sentence for each fault of the series or the criteria.
  std::vector<std::string> warnings() const;
  /// With the spread of the batches.
  TimingReport::Total total() const;
  /// See Batches.
  double median_over_mean() const { return batches_.median_over_mean(); }
  const std::optional<std::filesystem::path>& checkpoint() const { return checkpoint_; }

 private:
  void step_to(std::int64_t next);
  void advance(std::int64_t steps);
  void handle(const Events& due);
  void take_samples();
  void require_sound_state();
  [[noreturn]] void fail(const std::string& where_and_what, const std::string& advice);
  void evaluate_monitors(const Events& due);
  void append_to_series(const std::vector<double>& row);
  void append_last_row(bool changes_are_known);
  bool criteria_hold();
  bool interrupted() const;
  void write(const Events& due);
  void write_fields_and_snapshots(bool fields, bool snapshots);
  void write_series();
  void note_good(const std::filesystem::path& file);
  bool is_change(const std::string& monitor) const;
  ProgressState progress_state() const;

  const Problem& problem_;
  const RunSettings& settings_;
  Method& method_;
  OutputFiles& output_;
  Checkpoints& checkpoints_;
  RunMemory memory_;
  const Stopwatch& clock_;
  const StopSignal& signal_;
  const RunOptions& options_;
  DeviceMonitor& device_;
  const Schedule schedule_;
  Progress progress_;

  const bool uses_changes_;
  Batches batches_;                     ///< of steps between checks of the clock and for signals
  double loop_began_, series_written_;  ///< by clock_
  TimingReport::Total total_;
  std::map<std::string, double> monitors_;  ///< latest values
  std::map<std::string, double> changes_;   ///< of the criteria's quantities at the latest check
  /// Values of a series column that should be finite but are not.
  struct SeriesFault {
    std::int64_t first_step = 0;
    double first_value = 0;
    std::int64_t rows = 0;
  };
  std::map<std::string, SeriesFault> series_faults_;
  std::string residual_;  ///< of the first criterion, for the progress line
  std::string stopped_by_;
  bool finished_ = false, converged_ = false;
  bool asked_to_stop_ = false;  ///< by RunOptions::watch
  std::optional<std::filesystem::path> checkpoint_;
  std::string last_good_;  ///< the last file of fields or checkpoint, with its step
  std::optional<std::int64_t> last_sound_;  ///< the last step at which the state was sound
};

}  // namespace knudsen
