#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "case/reader.hpp"
#include "run/settings.hpp"

namespace knudsen {

/// Reads a step, or a time in its place by the key with "_time" added, rounded up to a step.
std::optional<std::int64_t> read_first_step(CaseNode& node, const std::string& key,
                                            const Problem* problem, const std::string& step_text,
                                            const std::string& time_text);

/// Reads `statistics` and `probes` of the block `output`. `problem` may be null in describing mode.
void read_sampling(CaseNode& node, const Problem* problem, RunSettings::Output& output);

/// Bytes that statistics and probes take on the host beside what is known without them
/// (Problem::host_bytes).
std::uint64_t sampling_bytes(const RunSettings& settings, const Problem& problem);
/// Bytes that they take on the disk: in checkpoints, and as files of their own.
std::uint64_t sampling_file_bytes(const RunSettings& settings, const Problem& problem);

/// A warning for statistics, and for each probe, whose first sample comes after the last step.
std::vector<std::string> samples_that_are_never_taken(const RunSettings& settings);

}  // namespace knudsen
