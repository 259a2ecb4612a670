#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/problem.hpp"
#include "output/own_file.hpp"
#include "output/profile.hpp"
#include "output/series.hpp"
#include "run/probes.hpp"
#include "run/settings.hpp"
#include "run/statistics.hpp"

namespace knudsen {

/// A profile at the end of a run, compared with its reference.
struct ComparedProfile {
  std::string name;
  std::string quantity;
  ProfileDifference difference;
};

/// Upper bound of the bytes of one set of output files, including a checkpoint.
std::uint64_t output_bytes(const ResolvedCase& resolved);

/// Writes the output files of a run into a directory. Every file appears whole or not at all. All
/// writing functions throw RunError.
class OutputFiles {
 public:
  OutputFiles(const ResolvedCase& resolved, std::filesystem::path directory);

  /// Writes case.json, the case with all overrides applied. A file that already states this case
  /// stays as it is, since it may be the user's.
  void write_case();
  /// Writes a field file and returns its path, or nothing if the case asks for no fields.
  std::optional<std::filesystem::path> write_fields(Method& method, std::int64_t step);
  void write_snapshots(Method& method, std::int64_t step);
  std::vector<ComparedProfile> write_profiles(Method& method, std::int64_t step);
  /// Writes distributions.h5 if the method has samples of distributions.
  void write_distributions(Method& method);
  Series& series() { return series_; }
  void write_series();
  /// Samples the state at a step for statistics and probes.
  void sample(Method& method, std::int64_t step);
  Statistics& statistics() { return statistics_; }
  /// Writes the samples of all probes, if there are any.
  void write_probes();
  /// Writes the statistics, if there is a sample.
  void write_statistics(Method& method);
  /// Writes the spectra of probes; `results` receives the frequencies of their peaks.
  void write_spectra(std::map<std::string, std::string>& results);
  /// Adds the averages of the series' monitors to `results`, if the case asks for them. One
  /// sentence for each that is not known or not reliable.
  std::vector<std::string> average_series(std::map<std::string, std::string>& results) const;
  /// One sentence for each fault of statistics and probes.
  std::vector<std::string> sampling_warnings() const;
  /// Replaces the series and the probes of an earlier run by such without rows, or deletes them if
  /// this run has none; deletes its statistics.
  void begin_series();
  /// Continues the series and the probes of a run that reached `step`. The row that this run had
  /// only because it ended there is dropped, so that the series becomes that of a run which was
  /// never stopped.
  void resume_series(std::int64_t step);
  /// One sentence for each field that was not finite outside of solids when it was written to a
  /// field file, picture or profile.
  const std::vector<std::string>& field_faults() const { return field_faults_; }

  std::filesystem::path path(const std::string& name) const { return directory_ / name; }
  /// Adds a file to `files`.
  void note(const std::filesystem::path& file);
  /// The files written so far, each once, in the order of writing.
  const std::vector<std::filesystem::path>& files() const { return files_; }

 private:
  /// Gets a field from the method. The first time that it is not finite, this is added to
  /// field_faults_.
  std::unique_ptr<SharedField> take_field(Method& method, const std::string& name,
                                          std::int64_t step);
  /// Adds a field, a SharedField or an AveragedField, that is not finite outside of solids to
  /// field_faults_, once.
  template <class FieldType>
  void note_fault(FieldType& field, std::int64_t step);
  /// Deletes a result of an earlier run that is of this kind.
  void remove_old(const std::string& name, FileKind kind) const;

  const ResolvedCase& resolved_;
  std::filesystem::path directory_;
  Series series_;
  Statistics statistics_;
  Probes probes_;
  std::vector<std::filesystem::path> files_;
  std::vector<std::string> field_faults_;
  std::set<std::string> faulty_fields_;  ///< names of the fields in field_faults_
};

}  // namespace knudsen
