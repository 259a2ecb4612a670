#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "model/problem.hpp"
#include "output/checkpoint.hpp"

namespace knudsen {

/// What a run must know, beside the method's state, to go on as if it had never stopped.
struct RunMemory {
  std::int64_t step = 0;
  /// Values at the latest check of the monitors whose relative change is a stop criterion.
  std::map<std::string, double> checked;
};

/// "000012345": steps in file names, so that they sort.
std::string step_text(std::int64_t step);

/// Opens a checkpoint, or the one of a directory that was written last. Throws InputError: none
/// there, damaged, of another method or another case.
std::unique_ptr<CheckpointReader> open_checkpoint(const std::filesystem::path& file_or_directory,
                                                  const std::string& method,
                                                  const std::string& case_digest);

/// Sets the method's state. Throws InputError where the file is damaged.
RunMemory load_checkpoint(const CheckpointReader& reader, Method& method);

/// The checkpoints of one run in its output directory, of which only the newest are kept.
class Checkpoints {
 public:
  Checkpoints(std::filesystem::path directory, std::string method, std::string case_digest,
              std::int64_t keep);

  /// Counts the checkpoints of the same case up to this step, from which the run goes on, as its
  /// own.
  void adopt(std::int64_t step);
  /// Writes one, then removes what is too old. Throws RunError and leaves the others as they are.
  std::filesystem::path write(Method& method, const RunMemory& memory);

 private:
  std::filesystem::path directory_;
  std::string method_, case_digest_;
  std::size_t keep_;
  std::deque<std::filesystem::path> files_;  ///< oldest first
};

}  // namespace knudsen
