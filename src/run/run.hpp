#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "device/backend.hpp"
#include "report/timing_report.hpp"
#include "run/output_files.hpp"
#include "run/settings.hpp"
#include "run/stop_signal.hpp"

namespace knudsen {

struct RunOptions {
  Backend backend = Backend::host;
  std::optional<std::filesystem::path> output_directory;  ///< in place of the case's
  /// A checkpoint to go on from, or a directory: the checkpoint in it that was written last.
  std::optional<std::filesystem::path> restart;
  bool quiet = false;  ///< no progress on standard error
  bool measure_bandwidth = true;
};

struct RunResult {
  std::int64_t step = 0;   ///< that the run came to
  std::string stopped_by;  ///< "all steps are done", "SIGINT"
  int signal = 0;          ///< that stopped the run, 0 if none did
  std::filesystem::path directory;
  std::optional<std::filesystem::path> checkpoint;  ///< the last one written
  TimingReport report;
  std::vector<ComparedProfile> profiles;
  std::vector<std::filesystem::path> files;  ///< written, each once
};

/// Throws InputError where the backend has less memory free than the problem needs.
void require_memory(const ResolvedCase& resolved, Backend backend);

/// Runs a case to one of its ends: the last step, its criteria, its wall time, or SIGINT or
/// SIGTERM, which like the wall time leave a checkpoint. Writes what the case asks for, and the
/// timing report timing.json. Needs Kokkos to be initialised.
///
/// Throws InputError before anything is stepped or written: too little memory, output directory not
/// usable, checkpoint not of this case. Throws RunError when the state is no longer finite or a
/// file cannot be written; files written before stay.
RunResult run_case(const ResolvedCase& resolved, const RunOptions& options,
                   const StopSignal& signal);

}  // namespace knudsen
