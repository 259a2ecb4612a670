#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/problem.hpp"
#include "output/profile.hpp"
#include "output/series.hpp"
#include "run/settings.hpp"

namespace knudsen {

/// A profile at the end of a run beside its reference.
struct ComparedProfile {
  std::string name;
  std::string quantity;
  ProfileDifference difference;
};

/// The bytes that one set of output files may take, checkpoint included.
std::uint64_t output_bytes(const ResolvedCase& resolved);

/// Writes what a method has to show into a directory. Every file appears whole or not at all; all
/// writing throws RunError.
class OutputFiles {
 public:
  OutputFiles(const ResolvedCase& resolved, std::filesystem::path directory);

  /// case.json: the case as it is run.
  void write_case();
  /// Returns the file, or nothing where the case asks for none.
  std::optional<std::filesystem::path> write_fields(Method& method, std::int64_t step);
  void write_snapshots(Method& method, std::int64_t step);
  std::vector<ComparedProfile> write_profiles(Method& method, std::int64_t step);
  /// distributions.h5, where the method has some to show.
  void write_distributions(Method& method);
  Series& series() { return series_; }
  void write_series();
  /// One sentence for each field written, shown or cut through so far that was not finite outside
  /// of solids.
  const std::vector<std::string>& field_faults() const { return field_faults_; }

  std::filesystem::path path(const std::string& name) const { return directory_ / name; }
  /// Notes a file for `files`.
  void note(const std::filesystem::path& file);
  /// The files written, each once, in order.
  const std::vector<std::filesystem::path>& files() const { return files_; }

 private:
  /// A field of the method; notes where it is not finite, the first time.
  Field take_field(Method& method, const std::string& name, std::int64_t step);

  const ResolvedCase& resolved_;
  std::filesystem::path directory_;
  Series series_;
  std::vector<std::filesystem::path> files_;
  std::vector<std::string> field_faults_;
  std::set<std::string> faulty_fields_;  ///< names of the fields in field_faults_
};

}  // namespace knudsen
