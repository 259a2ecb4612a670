#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/stopwatch.hpp"
#include "report/timing_report.hpp"
#include "run/checkpoints.hpp"
#include "run/output_files.hpp"
#include "run/progress.hpp"
#include "run/schedule.hpp"
#include "run/settings.hpp"
#include "run/stop_signal.hpp"

namespace knudsen {

/// Steps a method from event to event and does what is due there.
class TimeLoop {
 public:
  /// `clock` and `signal` have been watching since the run began.
  TimeLoop(const ResolvedCase& resolved, Method& method, OutputFiles& output,
           Checkpoints& checkpoints, RunMemory memory, const Stopwatch& clock,
           const StopSignal& signal, bool quiet);

  /// What is due at step 0 of a run that does not go on from a checkpoint.
  void write_initial_output();
  /// Steps until there is a reason to stop and leaves the last output or checkpoint. A field that
  /// is not finite is a reason, after which no checkpoint is written. Throws RunError: diverged, or
  /// a file could not be written.
  void run();

  std::int64_t step() const { return memory_.step; }
  const std::string& stopped_by() const { return stopped_by_; }
  /// Whether the run came to its end by itself, not by a signal or the wall time.
  bool finished() const { return finished_; }
  /// Whether the criteria held; nothing where there are none.
  std::optional<bool> converged() const;
  /// One sentence for each thing that is wrong with the series or the criteria.
  std::vector<std::string> warnings() const;
  const TimingReport::Total& total() const { return total_; }
  const std::optional<std::filesystem::path>& checkpoint() const { return checkpoint_; }

 private:
  void step_to(std::int64_t next);
  void advance(std::int64_t steps);
  void handle(const Events& due);
  void require_sound_state();
  [[noreturn]] void fail(const std::string& where_and_what, const std::string& advice);
  void evaluate_monitors(const Events& due);
  void append_to_series(const std::vector<double>& row);
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
  const Schedule schedule_;
  Progress progress_;

  bool uses_changes_ = false;           ///< a change monitor is a criterion or in the series
  std::int64_t batch_limit_ = 1;        ///< steps between two looks at the clock and for signals
  double loop_began_, series_written_;  ///< by clock_
  TimingReport::Total total_;
  std::map<std::string, double> monitors_;  ///< latest values
  std::map<std::string, double> changes_;   ///< of the criteria's quantities at the latest check
  /// A column of the series that is not finite in rows where it should be.
  struct SeriesFault {
    std::int64_t first_step = 0;
    double first_value = 0;
    std::int64_t rows = 0;
  };
  std::map<std::string, SeriesFault> series_faults_;
  std::string residual_;  ///< of the first criterion, for the progress line
  std::string stopped_by_;
  bool finished_ = false, converged_ = false;
  std::optional<std::filesystem::path> checkpoint_;
  std::string last_good_;  ///< the last file of fields or checkpoint, with its step
  std::optional<std::int64_t> last_sound_;  ///< the last step at which the state was sound
};

}  // namespace knudsen
