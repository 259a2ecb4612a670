#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "model/problem.hpp"
#include "output/checkpoint.hpp"
#include "run/settings.hpp"
#include "run/statistics.hpp"

namespace knudsen {

/// State of the time loop that a restart needs besides the method's state, to continue with the
/// same bits as a run that was never stopped.
struct RunMemory {
  std::int64_t step = 0;
  /// Values, at the latest check, of the monitors whose relative change is a stop criterion.
  std::map<std::string, double> checked;
};

/// A step as nine digits, "000012345", so that file names sort by step.
std::string step_text(std::int64_t step);
/// "checkpoint_000012345.h5"
std::string checkpoint_name(std::int64_t step);

/// Opens a checkpoint file, or the most recently written checkpoint in a directory. Throws
/// InputError if there is none, if it is damaged, or if it belongs to another method or case.
std::unique_ptr<CheckpointReader> open_checkpoint(const std::filesystem::path& file_or_directory,
                                                  const std::string& method,
                                                  const CaseIdentity& identity);

/// Restores the method's state and returns that of the loop. Throws InputError if the file is
/// damaged.
RunMemory load_checkpoint(const CheckpointReader& reader, Method& method);

/// Writes a checkpoint, which replaces a file of that name. Throws RunError if it cannot be
/// written.
void write_checkpoint(const std::filesystem::path& file, const std::string& method_name,
                      const CaseIdentity& identity, Method& method, const RunMemory& memory,
                      const Statistics* statistics = nullptr);

/// Writes the checkpoints of one run into its output directory and keeps only the newest `keep`.
class Checkpoints {
 public:
  Checkpoints(std::filesystem::path directory, std::string method, CaseIdentity identity,
              std::int64_t keep);

  /// Treats existing checkpoints of the same case up to `step` as written by this run, so that they
  /// count towards `keep`. For a run that continues at `step` from the file `restart`, which is
  /// not written again while the run is at that step.
  void adopt(std::int64_t step, const std::filesystem::path& restart = {});
  /// Writes a checkpoint and then deletes the oldest ones beyond `keep`. Throws RunError if it
  /// cannot be written; nothing is deleted then.
  std::filesystem::path write(Method& method, const RunMemory& memory,
                              const Statistics* statistics = nullptr);

 private:
  std::filesystem::path directory_;
  std::string method_;
  CaseIdentity identity_;
  std::size_t keep_;
  std::deque<std::filesystem::path> files_;  ///< oldest first
  std::filesystem::path restart_;            ///< the checkpoint that was read, if any
};

}  // namespace knudsen
