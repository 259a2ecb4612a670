#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/piecewise_field.hpp"
#include "model/problem.hpp"
#include "output/interpolation.hpp"
#include "output/probe_file.hpp"
#include "output/spectrum.hpp"
#include "run/settings.hpp"

namespace knudsen {

/// Samples fields at points, lines and planes, by linear interpolation between the centres of
/// cells. Cells in solids take no part, and the weights of the others are scaled to a sum of one.
/// In a solid the values are NaN. The samples are in memory; `write` rewrites the whole file.
class Probes {
 public:
  /// For a run of at most so many steps. `settings` must outlive it.
  Probes(const std::vector<RunSettings::Probe>& settings, const Problem& problem,
         std::int64_t steps, std::filesystem::path path);

  bool any() const { return !probes_.empty(); }
  const std::filesystem::path& path() const { return path_; }
  /// Names of the fields that are sampled at a step.
  std::set<std::string> fields_at(std::int64_t step) const;
  /// Places of the cells whose values probes need, ascending.
  const std::vector<std::size_t>& cells() const { return cells_; }
  /// Samples the state at a step with those probes whose turn it is. `fields` holds the values of
  /// fields_at(step) in cells().
  void add(std::int64_t step, const std::map<std::string, CellValues>& fields);

  /// After a restart, replaces the samples by those of the existing file up to and including
  /// `step`, if there is one. Throws InputError if that is of other probes.
  void resume(std::int64_t step);
  /// Throws RunError and then leaves an existing file unchanged.
  void write() const;

  /// Writes spectrum_<name>.csv of each point of which the case asks for it and returns the paths.
  std::vector<std::filesystem::path> write_spectra();
  /// The frequency of the largest density of each spectrum with its unit, by "<probe>.<component>
  /// peak frequency". After write_spectra.
  const std::map<std::string, std::string>& peaks() const { return peaks_; }
  /// One sentence for each probe without samples, and for each spectrum that could not be made.
  std::vector<std::string> warnings() const;

 private:
  /// The cells around the points, by their places in cells_, and their weights; none for points in
  /// solids.
  using Weights = std::vector<std::vector<CellWeight>>;

  const std::vector<RunSettings::Probe>& probes_;
  std::filesystem::path path_;
  double time_per_step_;
  std::string time_unit_;         ///< see Problem::time_unit
  std::vector<Weights> weights_;  ///< by probe and point
  std::vector<std::size_t> cells_;
  std::vector<ProbeRecord> records_;  ///< by probe
  std::map<std::string, std::string> peaks_;
  std::vector<std::string> warnings_;
};

}  // namespace knudsen
