#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace knudsen {

/// Spread of repeated measurements of one quantity.
struct Spread {
  std::int64_t count = 0;  ///< of measurements
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
};

/// Whether a kernel runs between steps, by its name, so that its time is not part of theirs.
inline bool is_between_steps(const std::string& kernel) { return kernel == "statistics"; }

/// The timings of a kernel in a run. Only some steps are timed, by the clock that
/// TimingReport::kernel_clock names.
struct KernelTiming {
  std::string name;
  std::int64_t calls = 0;
  Spread call_seconds;     ///< of the timed calls
  double min_seconds = 0;  ///< of the timed calls
  /// Of all calls: their number times the mean of the timed ones. Where all steps are timed, scaled
  /// from the mean step to the median one, by which the total goes.
  double seconds = 0;
  double bytes = 0;  ///< per call, by the model in the method's README
  double flops = 0;  ///< per call, likewise

  double gb_s() const { return call_seconds.median > 0 ? bytes / call_seconds.median * 1e-9 : 0; }
  double gflop_s() const {
    return call_seconds.median > 0 ? flops / call_seconds.median * 1e-9 : 0;
  }
};

/// A rank of a run on several ranks. Times are shares of that of its steps.
struct RankTiming {
  std::string name, device;
  double kernels = 0;
  double exchange = 0;                   ///< waiting for messages although no rank was late
  double waiting = 0;                    ///< for ranks that were late
  std::int64_t bytes = 0, messages = 0;  ///< sent
  double bytes_per_second = 0;
};

/// The timing report of a run, JSON format "knudsen-timing-2". perf/README.md describes the keys.
struct TimingReport {
  /// 2. In reports of format 1, kernels were timed between fences, single launches at a time, and
  /// the run had one rate without a spread: times of kernels do not add up to that of the run.
  int format = 2;
  std::string title, method, variant, precision;
  std::string backend;  ///< "openmp", "cuda", ...
  std::string device;   ///< processor or GPU model
  std::string host;     ///< name of the machine
  int threads = 1;      ///< on the host, of a rank
  int ranks = 1;
  std::string transport{};                           ///< of exchanges between ranks
  std::vector<RankTiming> rank_timings{};            ///< empty with one rank
  int cores = 0;                                     ///< that the process may use; 0: not known
  std::optional<bool> bound;                         ///< whether the threads are bound to cores
  std::string kokkos_version, compiler, git_commit;  ///< of the program
  std::string case_digest;                           ///< see CaseDocument::digest
  std::map<std::string, std::int64_t> sizes;  ///< "nodes_x", "nodes", "velocities", "samples"
  /// Values of the case's `tuning` keys, "segment", "team_size" and so on, over which there may be
  /// sweeps.
  std::map<std::string, std::int64_t> tuning;
  /// "stated": estimate before the run, on the backend. "stated_host": likewise, on the host (all
  /// of it for a run on the host). "peak_host": largest resident memory of the process, the program
  /// itself included. On a GPU also "peak": the most that was allocated there.
  std::map<std::string, std::int64_t> memory_bytes;
  std::string update_unit = "update";  ///< singular: "node", "phase-space point"
  /// Copy bandwidth in GB/s, 0 if it was not measured.
  struct CopyBandwidth {
    double before = 0;  ///< the run
    double after = 0;
    /// What shares refer to: the larger one, since other programs can only lower a measurement.
    double best() const { return before > after ? before : after; }
  } copy_bandwidth_gb_s;
  /// The stepping as a whole.
  struct Total {
    std::int64_t steps = 0;
    double seconds = 0;        ///< without set-up, monitors and output
    double updates = 0;        ///< number of updates in all steps
    double bytes = 0;          ///< moved in all steps, by the method's model
    double setup_seconds = 0;  ///< before the first step
    double io_seconds = 0;     ///< of monitors and output
    /// Seconds a step in batches of steps, without the first batch and those whose kernels were
    /// timed. Its count is 0 in short runs and in reports of format 1.
    Spread step_seconds;

    /// By the median of the batches; without batches, by the total time.
    double seconds_per_step() const {
      if (step_seconds.count > 0) return step_seconds.median;
      return steps > 0 ? seconds / static_cast<double>(steps) : 0;
    }
    double updates_per_second() const { return rate(updates); }
    double ns_per_update() const {
      return updates_per_second() > 0 ? 1e9 / updates_per_second() : 0;
    }
    double gb_s() const { return rate(bytes) * 1e-9; }

   private:
    double rate(double amount) const {
      const double seconds_of_all = seconds_per_step() * static_cast<double>(steps);
      return seconds_of_all > 0 ? amount / seconds_of_all : 0;
    }
  } total;
  /// How the kernels were timed: "device events" or "host clock", each launch by itself;
  /// "fenced launches" in reports of format 1. "shares of steps": launches too short to be timed by
  /// themselves; they share the time of a step in proportion to their times by the device's events.
  std::string kernel_clock;
  std::vector<KernelTiming> kernels;
  /// State of the GPU while it stepped, where the driver tells: "sm_clock_mhz", "power_w",
  /// "temperature_c".
  std::map<std::string, Spread> device_state;
  std::map<std::string, std::string> results;  ///< physical results, for people
  std::optional<bool> converged;      ///< whether stop.criteria were met; empty without any
  std::vector<std::string> warnings;  ///< about the results, such as values that are not finite

  /// Seconds of all steps, by the rate, that no kernel accounts for: launches, idle time. Slightly
  /// negative where timing kernels slows them down.
  double launch_and_idle_seconds() const;
  /// The largest share of time in kernels over the mean of all ranks, less 1; 0 with one rank.
  double imbalance() const;
  double bandwidth_share() const {
    return copy_bandwidth_gb_s.best() > 0 ? total.gb_s() / copy_bandwidth_gb_s.best() : 0;
  }
};

/// Writes a report of format 2, with all derived rates, atomically. Throws RunError.
void write_timing_report(const std::filesystem::path& path, const TimingReport& report);
/// Reads a report of format 1 or 2. Derived rates are recomputed, unknown keys ignored. In format 1
/// the median of a kernel is also its quartiles, and the only copy bandwidth is the one after the
/// run. Throws InputError: file missing, not JSON (with line and column), other format, key
/// missing, of the wrong type or out of range (with its path), two kernels of one name.
TimingReport read_timing_report(const std::filesystem::path& path);

}  // namespace knudsen
