#include "run/output_files.hpp"

#include <algorithm>
#include <utility>

#include "core/text.hpp"
#include "output/atomic_file.hpp"
#include "output/distribution_file.hpp"
#include "output/snapshot.hpp"
#include "output/time_average.hpp"
#include "output/vtkhdf.hpp"
#include "parallel/communicator.hpp"
#include "run/checkpoints.hpp"
#include "run/ranks.hpp"
#include "run/read_sampling.hpp"
#include "run/schedule.hpp"

namespace knudsen {
namespace {

std::vector<std::string> series_units(const ResolvedCase& resolved) {
  std::vector<std::string> units;
  for (const std::string& name : resolved.settings.output.series) {
    units.push_back(quantity_of(resolved.problem->monitors, name).unit);
  }
  return units;
}

}  // namespace

std::uint64_t output_bytes(const ResolvedCase& resolved) {
  const Problem& problem = *resolved.problem;
  std::uint64_t values = 0;
  for (const std::string& name : resolved.settings.output.fields) {
    const int components = quantity_of(problem.fields, name).components;
    // VTKHDF files store vectors of two components with a third one.
    values += problem.grid.size() * static_cast<std::uint64_t>(components == 2 ? 3 : components);
  }
  const std::uint64_t bytes = values * (problem.precision == "double" ? 8 : 4) +
                              problem.checkpoint_bytes +
                              sampling_file_bytes(resolved.settings, problem);
  return bytes + bytes / 20;
}

OutputFiles::OutputFiles(const ResolvedCase& resolved, std::filesystem::path directory)
    : resolved_(resolved),
      directory_(std::move(directory)),
      series_(path("series.csv"), resolved.settings.output.series, series_units(resolved)),
      statistics_(resolved.settings.output.statistics, *resolved.problem),
      probes_(resolved.settings.output.probes, *resolved.problem, resolved.settings.stop.steps,
              path("probes.h5")) {}

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

std::unique_ptr<SharedField> OutputFiles::take_field(Method& method, const std::string& name,
                                                     std::int64_t step) {
  auto field = read_field(method, name, *resolved_.problem);
  note_fault(*field, step);
  return field;
}

template <class FieldType>
void OutputFiles::note_fault(FieldType& field, std::int64_t step) {
  const std::string& name = field.quantity().name;
  if (faulty_fields_.contains(name)) return;
  if (const auto fault = field.fault()) {
    faulty_fields_.insert(name);
    field_faults_.push_back("at step " + std::to_string(step) + ' ' + *fault);
  }
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
      [&](std::size_t i) { return take_field(method, output.fields[i], step); }, header,
      SharedField::shared_piece_bytes());
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
    const auto field = take_field(method, quantity.field, step);
    CartesianGrid plane = resolved_.problem->grid;
    const std::size_t middle = static_cast<std::size_t>(plane.cells[2] / 2);
    plane.cells[2] = 1;
    write_snapshot(file, plane, field->part(middle * plane.size(), (middle + 1) * plane.size()),
                   titled);
    note(file);
  }
}

std::vector<ComparedProfile> OutputFiles::write_profiles(Method& method, std::int64_t step) {
  std::vector<ComparedProfile> compared;
  for (const RunSettings::Profile& each : resolved_.settings.output.profiles) {
    const CartesianGrid& grid = resolved_.problem->grid;
    const Profile profile = extract_profile(
        grid, take_field(method, each.quantity.field, step)->pick(profile_cells(grid, each.line)),
        each.line);
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
  if (!resolved_.settings.output.series.empty()) {
    write_series();
  } else {
    remove_old("series.csv", FileKind::series);
  }
  if (probes_.any()) {
    write_probes();
  } else {
    remove_old("probes.h5", FileKind::probes);
  }
  remove_old("statistics.vtkhdf", FileKind::fields);
}

void OutputFiles::remove_old(const std::string& name, FileKind kind) const {
  if (!is_own_file(path(name), kind) || is_one_of(path(name), resolved_.inputs)) return;
  std::error_code ignored;
  std::filesystem::remove(path(name), ignored);
}

void OutputFiles::resume_series(std::int64_t step) {
  probes_.resume(step);
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

void OutputFiles::sample(Method& method, std::int64_t step) {
  if (statistics_.any() && statistics_.steps().includes(step)) statistics_.add(step, method);
  std::map<std::string, CellValues> fields;
  for (const std::string& name : probes_.fields_at(step)) {
    fields.emplace(name, read_field(method, name, *resolved_.problem)->pick(probes_.cells()));
  }
  probes_.add(step, fields);
}

void OutputFiles::write_probes() {
  if (!probes_.any()) return;
  probes_.write();
  note(probes_.path());
}

void OutputFiles::write_statistics(Method& method) {
  if (statistics_.samples() == 0) return;
  const Problem& problem = *resolved_.problem;
  const std::int64_t step = statistics_.last_step();
  const FieldFileHeader header{resolved_.title,
                               problem.method,
                               step,
                               static_cast<double>(step) * problem.time_per_step,
                               {{"samples", static_cast<double>(statistics_.samples())},
                                {"first_step", static_cast<double>(statistics_.first_step())},
                                {"last_step", static_cast<double>(step)}}};
  const auto file = path("statistics.vtkhdf");
  write_vtkhdf(
      file, problem.grid, statistics_.size(),
      [&](std::size_t i) {
        auto field = statistics_.field(i, method);
        note_fault(*field, step);
        return field;
      },
      header, SharedField::shared_piece_bytes());
  note(file);
}

void OutputFiles::write_spectra(std::map<std::string, std::string>& results) {
  for (const auto& file : probes_.write_spectra()) note(file);
  for (const auto& [name, frequency] : probes_.peaks()) results[name] = frequency;
}

std::vector<std::string> OutputFiles::average_series(
    std::map<std::string, std::string>& results) const {
  std::vector<std::string> warnings;
  const auto& output = resolved_.settings.output;
  if (!output.average_from) return warnings;
  const std::string since = " since step " + std::to_string(*output.average_from);
  std::vector<std::string> unsettled;
  for (std::size_t i = 0; i < output.series.size(); ++i) {
    const std::string& name = output.series[i];
    const auto& changes = resolved_.problem->change_monitors;
    if (std::find(changes.begin(), changes.end(), name) != changes.end()) continue;
    const auto values = series_.values_from(*output.average_from, i);
    if (values.size() < least_averaged_values) {
      warnings.push_back("output.series.average_from: series.csv has " +
                         std::to_string(values.size()) + " rows" + since + ", averages need " +
                         std::to_string(least_averaged_values) +
                         ", so there are none; run longer or reduce output.series.every");
      return warnings;
    }
    const TimeAverage average = time_average(values);
    const std::string unit = quantity_of(resolved_.problem->monitors, name).unit;
    const auto add = [&](const std::string& what, double value) {
      results[name + what] = number_text(value) + (unit == "1" ? "" : ' ' + unit);
    };
    add(".mean", average.mean);
    add(".rms", average.rms);
    add(".mean_error", average.error);
    if (!average.settled) unsettled.push_back(name);
  }
  if (!unsettled.empty()) {
    warnings.push_back("output.series.average_from: the mean_error of " + join(unsettled, ", ") +
                       " is too small, since it still grows with the length of the blocks of rows" +
                       since + " that it comes from; run longer, or begin later if they drift");
  }
  return warnings;
}

std::vector<std::string> OutputFiles::sampling_warnings() const {
  std::vector<std::string> warnings = statistics_.warnings();
  if (statistics_.any() && statistics_.samples() == 0) {
    warnings.push_back(
        "output.statistics: there is no sample, since the first one would be at step " +
        std::to_string(statistics_.steps().from) + "; statistics.vtkhdf was not written");
  }
  for (std::string& warning : probes_.warnings()) warnings.push_back(std::move(warning));
  return warnings;
}

}  // namespace knudsen
