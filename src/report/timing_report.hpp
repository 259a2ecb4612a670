#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace knudsen {

/// The timings of a kernel in a run.
struct KernelTiming {
  std::string name;
  std::int64_t calls = 0;
  std::int64_t timed_calls = 0;  ///< calls measured with a fence before and after
  double seconds = 0;            ///< of all calls, extrapolated from the timed ones
  double min_seconds = 0;        ///< of the timed calls
  double median_seconds = 0;     ///< of the timed calls
  double bytes = 0;              ///< per call, by the model in the method's README
  double flops = 0;              ///< per call, likewise

  double gb_s() const { return median_seconds > 0 ? bytes / median_seconds * 1e-9 : 0; }
  double gflop_s() const { return median_seconds > 0 ? flops / median_seconds * 1e-9 : 0; }
};

/// The timing report of a run, JSON format "knudsen-timing-1". perf/README.md describes the keys.
struct TimingReport {
  std::string title, method, variant, precision;
  std::string backend;                               ///< "openmp", "cuda", ...
  std::string device;                                ///< processor or GPU model
  std::string host;                                  ///< name of the machine
  int threads = 1;                                   ///< on the host
  std::string kokkos_version, compiler, git_commit;  ///< of the program
  std::string case_digest;                           ///< see CaseDocument::digest
  std::map<std::string, std::int64_t> sizes;  ///< "nodes_x", "nodes", "velocities", "samples"
  /// Values of the case's `tuning` keys, "segment", "team_size" and so on, over which there may be
  /// sweeps.
  std::map<std::string, std::int64_t> tuning;
  /// "stated": estimate before the run. On a GPU also "taken": the decrease of its free memory.
  std::map<std::string, std::int64_t> memory_bytes;
  std::string update_unit = "update";  ///< singular: "node", "phase-space point"
  double copy_bandwidth_gb_s = 0;      ///< measured after the run; 0 if it was not
  /// The stepping as a whole.
  struct Total {
    std::int64_t steps = 0;
    double seconds = 0;        ///< without set-up, monitors and output
    double updates = 0;        ///< number of updates in all steps
    double bytes = 0;          ///< moved in all steps, by the method's model
    double setup_seconds = 0;  ///< before the first step
    double io_seconds = 0;     ///< of monitors and output
    double updates_per_second() const { return seconds > 0 ? updates / seconds : 0; }
    double ns_per_update() const { return updates > 0 ? seconds / updates * 1e9 : 0; }
    double gb_s() const { return seconds > 0 ? bytes / seconds * 1e-9 : 0; }
  } total;
  std::vector<KernelTiming> kernels;
  std::map<std::string, std::string> results;  ///< physical results, for people
  std::optional<bool> converged;      ///< whether stop.criteria were met; empty without any
  std::vector<std::string> warnings;  ///< about the results, such as values that are not finite

  double bandwidth_share() const {
    return copy_bandwidth_gb_s > 0 ? total.gb_s() / copy_bandwidth_gb_s : 0;
  }
};

/// Writes a report, with all derived rates, atomically. Throws RunError.
void write_timing_report(const std::filesystem::path& path, const TimingReport& report);
/// Reads a report. Derived rates are recomputed, unknown keys ignored. Throws InputError: file
/// missing, not JSON (with line and column), other format, key missing, of the wrong type or out of
/// range (with its path).
TimingReport read_timing_report(const std::filesystem::path& path);

}  // namespace knudsen
