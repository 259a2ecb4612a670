#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/field.hpp"

namespace knudsen {

/// What a probe has sampled so far.
struct ProbeRecord {
  struct Column {
    Quantity quantity;
    std::vector<double> values;  ///< (sample, point, component)
  };

  std::string name;
  /// Numbers of points along the directions of a line or plane; empty for a single point.
  std::vector<std::size_t> shape;
  std::vector<std::array<double, 3>> positions;  ///< of the points, in the grid's unit of length
  std::vector<std::int64_t> steps;
  std::vector<Column> columns;

  /// Keeps the first `samples` samples.
  void cut(std::size_t samples);
};

/// Writes an HDF5 file with a group for each probe, named as it is, with the datasets `step` and
/// `time` of the samples, `position` of the points (points..., 3), and one for each quantity with
/// its attribute `unit` (samples, points..., components); a single point and a
/// scalar have no such dimension. Numbers are doubles, steps 64-bit integers. The file appears
/// complete or not at all. Throws RunError.
void write_probes(const std::filesystem::path& path, const std::vector<ProbeRecord>& probes,
                  double time_per_step);

/// Replaces the samples of the probes by those of a file up to and including `step`. Throws
/// InputError if the file has other probes, points or quantities.
void read_probes(const std::filesystem::path& path, std::int64_t step,
                 std::vector<ProbeRecord>& probes);

}  // namespace knudsen
