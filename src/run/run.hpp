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
  /// Criteria that are not met make the run fail; a case without any is refused.
  bool require_convergence = false;
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
  bool usable = true;                        ///< all fields written are finite outside of solids
};

/// 0, 1 where the results are not usable or required criteria are not met, 128 plus the signal that
/// stopped the run.
int exit_code(const RunOptions& options, const RunResult& result);

/// Throws InputError where the backend has less memory free than the problem needs.
void require_memory(const ResolvedCase& resolved, Backend backend);

/// Runs a case to one of its ends: the last step, its criteria, its wall time, or SIGINT or
/// SIGTERM, which like the wall time leave a checkpoint. Writes what the case asks for, and the
/// timing report timing.json. Needs Kokkos to be initialised.
///
/// Throws InputError before anything is stepped or written: too little memory, output directory not
/// usable, checkpoint not of this case, convergence required of a case without criteria. Throws
/// RunError when the state is no longer sound or a file cannot be written; files written before
/// stay.
RunResult run_case(const ResolvedCase& resolved, const RunOptions& options,
                   const StopSignal& signal);

}  // namespace knudsen
