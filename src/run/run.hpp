#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device/backend.hpp"
#include "report/timing_report.hpp"
#include "run/output_files.hpp"
#include "run/progress.hpp"
#include "run/settings.hpp"
#include "run/stop_signal.hpp"

namespace knudsen {

struct RunOptions {
  Backend backend = Backend::host;
  std::optional<std::filesystem::path> output_directory;  ///< overrides the case's
  /// Checkpoint to continue from, or a directory, whose most recently written checkpoint is taken.
  std::optional<std::filesystem::path> restart;
  bool quiet = false;  ///< no progress on standard error
  bool measure_bandwidth = true;
  /// A run whose criteria are not met fails. A case without criteria is refused.
  bool require_convergence = false;
  /// Called between batches of steps, if set. The run stops if it returns true, with a checkpoint
  /// as after a signal.
  std::function<bool(const ProgressState&)> watch{};
};

struct RunResult {
  std::int64_t step = 0;   ///< the last step
  std::string stopped_by;  ///< "all steps are done", "SIGINT", "the caller"
  int signal = 0;          ///< the signal that stopped the run, or 0
  std::filesystem::path directory;
  std::optional<std::filesystem::path> checkpoint;  ///< the last one written
  TimingReport report;
  std::vector<ComparedProfile> profiles;
  std::vector<std::filesystem::path> files;  ///< all files written, each once
  bool usable = true;                        ///< all fields written are finite outside of solids
};

/// Exit code of the program: 0; 1 if the results are not usable or required criteria are not met;
/// 128 plus the signal that stopped the run.
int exit_code(const RunOptions& options, const RunResult& result);

/// Reads a case in seconds and with little memory: what takes longer is estimated
/// (CaseDocument::estimating). Throws InputError.
ResolvedCase estimate_case(const CaseDocument& document, const std::vector<MethodEntry>& methods);

/// Reads a case as a whole. Throws InputError, before anything large is built if it needs more
/// memory than the backend has.
ResolvedCase resolve_case_in_memory(const CaseDocument& document,
                                    const std::vector<MethodEntry>& methods, Backend backend);

/// Bytes that a run on this backend needs on the host, on all ranks together.
std::uint64_t host_need(const Problem& problem, Backend backend);

/// Throws InputError if the backend or the host has less free memory than the problem needs;
/// with several ranks, than even shares of it.
void require_memory(const ResolvedCase& resolved, Backend backend);

/// Runs a case until its last step, until its criteria hold, until its wall time is over, or until
/// a signal (see StopSignal). The wall time and the signals leave a checkpoint. Writes the output
/// that the case asks for, and the timing report timing.json. Kokkos must be initialised. If
/// `signal` is in the phase of set-up, it is in that of stepping from the first output on.
///
/// With several ranks it is collective, and the case must be the same on all of them.
///
/// Throws InputError before the first step and before any file is written if there is too little
/// memory, if the output directory is not writable or another run writes into it, if a file would
/// be replaced that is an input or no result of this program, if the checkpoint or the series to
/// continue is not of this case, or if convergence is required of a case without criteria. Throws
/// RunError if the run diverges or a file cannot be written; files that were written before stay.
RunResult run_case(const ResolvedCase& resolved, const RunOptions& options,
                   const StopSignal& signal);

}  // namespace knudsen
