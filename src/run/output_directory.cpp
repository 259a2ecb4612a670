#include "run/output_directory.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "core/error.hpp"
#include "run/checkpoints.hpp"

namespace knudsen {
namespace {

namespace fs = std::filesystem;

constexpr const char* way_out = "choose another --output";

bool all_digits(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// Whether a name is `stem`, a step and `extension`.
bool is_numbered(const std::string& name, const std::string& stem, const std::string& extension) {
  return name.size() > stem.size() + extension.size() && name.starts_with(stem) &&
         name.ends_with(extension) &&
         all_digits(name.substr(stem.size(), name.size() - stem.size() - extension.size()));
}

/// The names in a directory. Empty if it cannot be read.
std::vector<std::string> names_in(const fs::path& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Refuses to continue a file of samples that is not known to be of this case.
void require_own_series(const fs::path& series, const ResolvedCase& resolved) {
  if (!fs::exists(series)) return;
  const fs::path directory = series.parent_path();
  const fs::path case_file = directory / "case.json";
  const auto json = read_small_json(case_file);
  const std::string fault =
      !json || !json->is_object() ? "there is no case.json beside it that tells of which case it is"
      : CaseDocument::from_text(json->dump(), case_file.string()).digest() != resolved.digest
          ? "it is of another case, that in " + case_file.string()
          : "";
  if (fault.empty()) return;
  throw InputError(series.string() + ": cannot be continued, since " + fault +
                   "; move it away or " + way_out);
}

}  // namespace

std::optional<FileKind> output_kind(const ResolvedCase& resolved, const std::string& name) {
  const RunSettings::Output& output = resolved.settings.output;
  if (name == "case.json") return FileKind::resolved_case;
  if (name == "timing.json") return FileKind::timing_report;
  if (name == "series.csv" && !output.series.empty()) return FileKind::series;
  if (name == "distributions.h5") return FileKind::distributions;
  if (name == "statistics.vtkhdf" && output.statistics.any()) return FileKind::fields;
  if (name == "probes.h5" && !output.probes.empty()) return FileKind::probes;
  for (const auto& probe : output.probes) {
    if (probe.spectrum && name == "spectrum_" + probe.name + ".csv") return FileKind::spectrum;
  }
  if (is_numbered(name, "checkpoint_", ".h5")) return FileKind::checkpoint;
  if (output.write_fields && is_numbered(name, "fields_", ".vtkhdf")) return FileKind::fields;
  if (output.surface && is_numbered(name, "surface_", ".vtkhdf")) return FileKind::fields;
  for (const auto& profile : output.profiles) {
    if (name == "profile_" + profile.name + ".csv") return FileKind::profile;
  }
  for (const auto& snapshot : output.snapshots) {
    if (is_numbered(name, snapshot.quantity.name + '_', ".png")) return FileKind::picture;
  }
  return {};
}

std::size_t longest_output_name(const ResolvedCase& resolved) {
  const RunSettings::Output& output = resolved.settings.output;
  const std::string step = step_text(resolved.settings.stop.steps);
  std::size_t longest = ("checkpoint_" + step + ".vtkhdf").size();
  for (const auto& profile : output.profiles) {
    longest = std::max(longest, ("profile_" + profile.name + ".csv").size());
  }
  for (const auto& probe : output.probes) {
    longest = std::max(longest, ("spectrum_" + probe.name + ".csv").size());
  }
  for (const auto& snapshot : output.snapshots) {
    longest = std::max(longest, (snapshot.quantity.name + '_' + step + ".png").size());
  }
  return longest;
}

void protect_files(const fs::path& directory, const ResolvedCase& resolved,
                   const std::optional<RestartFile>& restart, bool case_is_own) {
  const RunSettings::Output& output = resolved.settings.output;
  if (restart && !output.series.empty()) require_own_series(directory / "series.csv", resolved);
  if (restart && !output.probes.empty()) require_own_series(directory / "probes.h5", resolved);
  std::vector<fs::path> inputs = resolved.inputs;
  if (restart) inputs.push_back(restart->path);
  for (const std::string& name : names_in(directory)) {
    const auto kind = output_kind(resolved, name);
    if (!kind) continue;
    const fs::path path = directory / name;
    // Files that are left as they are: a case.json that already states this case, and the
    // checkpoint of the step at which the run begins.
    if (*kind == FileKind::resolved_case && read_small_json(path) == resolved.json) continue;
    if (*kind == FileKind::resolved_case && case_is_own && is_printed_json(path) &&
        !is_one_of(path, inputs)) {
      continue;
    }
    if (restart && name == checkpoint_name(restart->step) && is_one_of(path, {restart->path})) {
      continue;
    }
    require_replaceable(path, *kind, inputs, way_out);
  }
}

void sweep_temporary_files(const fs::path& directory, const ResolvedCase& resolved) {
  for (const std::string& name : names_in(directory)) {
    const std::size_t mark = name.rfind(".tmp-");
    const std::string probe = ".knudsen-probe-";
    const bool temporary = mark != std::string::npos && all_digits(name.substr(mark + 5)) &&
                           output_kind(resolved, name.substr(0, mark));
    if (!temporary && !name.starts_with(probe)) continue;
    std::error_code ignored;
    fs::remove(directory / name, ignored);
  }
}

}  // namespace knudsen
