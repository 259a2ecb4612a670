#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace knudsen {

/// One kernel's timings in one run. `bytes` and `flops` are per call, from the model stated in the
/// method's README; `seconds` is the time of all `calls`, extrapolated from the `timed_calls` that
/// were measured with a fence on both sides.
struct KernelTiming {
  std::string name;
  std::int64_t calls = 0;
  std::int64_t timed_calls = 0;
  double seconds = 0;
  double min_seconds = 0;
  double median_seconds = 0;
  double bytes = 0;
  double flops = 0;

  double gb_s() const { return median_seconds > 0 ? bytes / median_seconds * 1e-9 : 0; }
  double gflop_s() const { return median_seconds > 0 ? flops / median_seconds * 1e-9 : 0; }
};

/// The timing report of one run, JSON format "knudsen-timing-1". All times in seconds.
struct TimingReport {
  std::string title, method, variant, precision;
  std::string backend, device, host;
  int threads = 1;
  std::string kokkos_version, compiler, git_commit, case_digest;
  std::map<std::string, std::int64_t> sizes;  ///< "nodes_x", "nodes", "velocities", "samples"
  /// What the kernels were tuned with, by the case's `tuning` keys: "segment", "team_size". A sweep
  /// over one of them is recognised by it.
  std::map<std::string, std::int64_t> tuning;
  /// Bytes: "stated" before the run, and on a GPU "taken", by which its free memory fell.
  std::map<std::string, std::int64_t> memory_bytes;
  std::string update_unit = "update";  ///< singular: "node", "phase-space point"
  double copy_bandwidth_gb_s = 0;
  struct Total {
    std::int64_t steps = 0;
    double seconds = 0;  ///< stepping alone: no set-up, monitors or output
    double updates = 0;
    double bytes = 0;  ///< moved in all steps by the method's model
    double setup_seconds = 0, io_seconds = 0;
    double updates_per_second() const { return seconds > 0 ? updates / seconds : 0; }
    double ns_per_update() const { return updates > 0 ? seconds / updates * 1e9 : 0; }
    double gb_s() const { return seconds > 0 ? bytes / seconds * 1e-9 : 0; }
  } total;
  std::vector<KernelTiming> kernels;
  std::map<std::string, std::string> results;  ///< what the run found, for the reader of the report
  std::optional<bool> converged;  ///< whether the criteria were met; nothing where there are none
  std::vector<std::string> warnings;  ///< what is wrong with the results

  double bandwidth_share() const {
    return copy_bandwidth_gb_s > 0 ? total.gb_s() / copy_bandwidth_gb_s : 0;
  }
};

/// Writes atomically, with all derived rates (perf/README.md lists the keys). Throws RunError.
void write_timing_report(const std::filesystem::path& path, const TimingReport& report);
/// Derived rates in the file are not read but computed again; unknown keys are passed over.
/// Throws InputError: missing, not JSON (line and column), another format, key missing, of the
/// wrong type or out of range (named).
TimingReport read_timing_report(const std::filesystem::path& path);

}  // namespace knudsen
