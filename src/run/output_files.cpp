#include "run/output_files.hpp"

#include <algorithm>
#include <utility>

#include "output/atomic_file.hpp"
#include "output/distribution_file.hpp"
#include "output/own_file.hpp"
#include "output/snapshot.hpp"
#include "output/vtkhdf.hpp"
#include "run/checkpoints.hpp"
#include "run/faults.hpp"
#include "run/schedule.hpp"

namespace knudsen {
namespace {

const Quantity& find_quantity(const std::vector<Quantity>& quantities, const std::string& name) {
  return *std::find_if(quantities.begin(), quantities.end(),
                       [&](const Quantity& each) { return each.name == name; });
}

std::vector<std::string> series_units(const ResolvedCase& resolved) {
  std::vector<std::string> units;
  for (const std::string& name : resolved.settings.output.series) {
    units.push_back(find_quantity(resolved.problem->monitors, name).unit);
  }
  return units;
}

}  // namespace

std::uint64_t output_bytes(const ResolvedCase& resolved) {
  const Problem& problem = *resolved.problem;
  std::uint64_t values = 0;
  for (const std::string& name : resolved.settings.output.fields) {
    const int components = find_quantity(problem.fields, name).components;
    // VTKHDF files store vectors of two components with a third one.
    values += problem.grid.size() * static_cast<std::uint64_t>(components == 2 ? 3 : components);
  }
  const std::uint64_t bytes =
      values * (problem.precision == "double" ? 8 : 4) + problem.checkpoint_bytes;
  return bytes + bytes / 20;
}

OutputFiles::OutputFiles(const ResolvedCase& resolved, std::filesystem::path directory)
    : resolved_(resolved),
      directory_(std::move(directory)),
      series_(path("series.csv"), resolved.settings.output.series, series_units(resolved)) {}

void OutputFiles::note(const std::filesystem::path& file) {
  if (std::find(files_.begin(), files_.end(), file) == files_.end()) files_.push_back(file);
}

void OutputFiles::write_case() {
  const auto file = path("case.json");
  if (read_small_json(file) != resolved_.json) {
    write_file(file, resolved_.json.dump(2) + '\n');
  }
  note(file);
}

Field OutputFiles::take_field(Method& method, const std::string& name, std::int64_t step) {
  Field field = method.field(name);
  if (faulty_fields_.contains(name)) return field;
  if (const auto fault = field_fault(field, method, *resolved_.problem)) {
    faulty_fields_.insert(name);
    field_faults_.push_back("at step " + std::to_string(step) + ' ' + *fault);
  }
  return field;
}

std::optional<std::filesystem::path> OutputFiles::write_fields(Method& method, std::int64_t step) {
  const auto& output = resolved_.settings.output;
  if (!output.write_fields || (output.fields.empty() && !output.surface)) return {};
  const Problem& problem = *resolved_.problem;
  FieldFileHeader header{
      resolved_.title, problem.method, step, static_cast<double>(step) * problem.time_per_step, {}};
  for (const auto& [name, value] : problem.scales) header.numbers["scale_" + name] = value;
  const auto file = path("fields_" + step_text(step) + ".vtkhdf");
  write_vtkhdf(
      file, problem.grid, output.fields.size(),
      [&](std::size_t i) { return take_field(method, output.fields[i], step); }, header);
  note(file);
  if (output.surface) {
    const auto surface = path("surface_" + step_text(step) + ".vtkhdf");
    write_surface_vtkhdf(surface, problem.grid, method.surface(), header);
    note(surface);
  }
  return file;
}

void OutputFiles::write_snapshots(Method& method, std::int64_t step) {
  for (const auto& [quantity, options] : resolved_.settings.output.snapshots) {
    const auto file = path(quantity.name + '_' + step_text(step) + ".png");
    SnapshotOptions titled = options;
    titled.title =
        resolved_.title + (resolved_.title.empty() ? "" : ", ") + "step " + std::to_string(step);
    write_snapshot(file, resolved_.problem->grid, take_field(method, quantity.field, step), titled);
    note(file);
  }
}

std::vector<ComparedProfile> OutputFiles::write_profiles(Method& method, std::int64_t step) {
  std::vector<ComparedProfile> compared;
  for (const RunSettings::Profile& each : resolved_.settings.output.profiles) {
    const Profile profile = extract_profile(
        resolved_.problem->grid, take_field(method, each.quantity.field, step), each.line);
    const auto file = path("profile_" + each.name + ".csv");
    if (each.reference) {
      compared.push_back(
          {each.name, profile.name, compare_profile(file, profile, *each.reference)});
    } else {
      write_profile(file, profile);
    }
    note(file);
  }
  return compared;
}

void OutputFiles::write_distributions(Method& method) {
  const auto samples = method.distributions();
  if (samples.empty()) return;
  const auto file = path("distributions.h5");
  knudsen::write_distributions(file, samples);
  note(file);
}

void OutputFiles::begin_series() {
  const auto file = path("series.csv");
  if (!resolved_.settings.output.series.empty()) {
    write_series();
  } else if (is_own_file(file, FileKind::series) && !is_one_of(file, resolved_.inputs)) {
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
  }
}

void OutputFiles::resume_series(std::int64_t step) {
  if (resolved_.settings.output.series.empty()) return;
  series_.resume(step);
  const bool due = step == 0 || Schedule(resolved_.settings).at(step).series;
  if (series_.last_step() == step && !due) series_.drop_last();
}

void OutputFiles::write_series() {
  if (resolved_.settings.output.series.empty()) return;
  series_.flush();
  note(path("series.csv"));
}

}  // namespace knudsen
