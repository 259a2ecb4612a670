#include "run/probes.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "core/text.hpp"
#include "output/atomic_file.hpp"
#include "output/component.hpp"
#include "output/csv.hpp"

namespace knudsen {
namespace {

std::vector<CellWeight> weights_at(const Problem& problem, const std::array<double, 3>& point) {
  const CartesianGrid& grid = problem.grid;
  if (problem.is_solid(cell_at(grid, point))) return {};
  std::array<AxisWeights, 3> axes;
  for (std::size_t axis = 0; axis < 3; ++axis) axes[axis] = axis_weights(grid, axis, point[axis]);
  auto weights = cell_weights(grid, axes);
  std::erase_if(weights, [&](const CellWeight& each) { return problem.is_solid(each.cell); });
  double sum = 0;
  for (const CellWeight& each : weights) sum += each.weight;
  for (CellWeight& each : weights) each.weight /= sum;
  return weights;
}

/// The column of a quantity, with room for so many samples.
ProbeRecord::Column column_of(const FieldPart& part, const Problem& problem, std::size_t samples,
                              std::size_t points) {
  ProbeRecord::Column column{quantity_of(problem.fields, part.field), {}};
  column.quantity.name = part.name;
  if (part.component >= 0) column.quantity.components = 1;
  column.values.reserve(samples * points * static_cast<std::size_t>(column.quantity.components));
  return column;
}

}  // namespace

Probes::Probes(const std::vector<RunSettings::Probe>& settings, const Problem& problem,
               std::int64_t steps, std::filesystem::path path)
    : probes_(settings),
      path_(std::move(path)),
      time_per_step_(problem.time_per_step),
      time_unit_(problem.time_unit) {
  const CartesianGrid& grid = problem.grid;
  const auto sort_cells = [this] {
    std::sort(cells_.begin(), cells_.end());
    cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
  };
  std::size_t limit = 1024;  // cells, some of them several times, before they are sorted
  for (const RunSettings::Probe& probe : probes_) {
    Weights& weights = weights_.emplace_back();
    ProbeRecord& record = records_.emplace_back();
    record.name = probe.name;
    record.shape = probe.shape;
    weights.reserve(probe.points.size());
    record.positions.reserve(probe.points.size());
    for (const auto& point : probe.points) {
      weights.push_back(weights_at(problem, point));
      for (const CellWeight& each : weights.back()) cells_.push_back(each.cell);
      if (cells_.size() > limit) {
        sort_cells();
        limit = std::max(limit, 2 * cells_.size());
      }
      auto& position = record.positions.emplace_back();
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double begin = grid.edge(axis, 0);
        position[axis] = begin + point[axis] * (grid.edge(axis, grid.cells[axis]) - begin);
      }
    }
    const auto samples = static_cast<std::size_t>(probe.steps.count(steps));
    record.steps.reserve(samples);
    for (const FieldPart& part : probe.quantities) {
      record.columns.push_back(column_of(part, problem, samples, probe.points.size()));
    }
  }
  sort_cells();
  for (Weights& of_probe : weights_) {
    for (auto& of_point : of_probe) {
      for (CellWeight& each : of_point) {
        const auto found = std::lower_bound(cells_.begin(), cells_.end(), each.cell);
        each.cell = static_cast<std::size_t>(found - cells_.begin());
      }
    }
  }
}

std::set<std::string> Probes::fields_at(std::int64_t step) const {
  std::set<std::string> names;
  for (const RunSettings::Probe& probe : probes_) {
    if (!probe.steps.includes(step)) continue;
    for (const FieldPart& part : probe.quantities) names.insert(part.field);
  }
  return names;
}

void Probes::add(std::int64_t step, const std::map<std::string, CellValues>& fields) {
  for (std::size_t n = 0; n < probes_.size(); ++n) {
    const RunSettings::Probe& probe = probes_[n];
    if (!probe.steps.includes(step)) continue;
    ProbeRecord& record = records_[n];
    record.steps.push_back(step);
    for (std::size_t q = 0; q < probe.quantities.size(); ++q) {
      const FieldPart& part = probe.quantities[q];
      const CellValues& field = fields.at(part.field);
      const auto stride = static_cast<std::size_t>(field.quantity.components);
      const auto begin = static_cast<std::size_t>(std::max(part.component, 0));
      const std::size_t end = part.component < 0 ? stride : begin + 1;
      for (const auto& weights : weights_[n]) {
        for (std::size_t c = begin; c < end; ++c) {
          double sum = weights.empty() ? std::numeric_limits<double>::quiet_NaN() : 0;
          for (const CellWeight& each : weights) sum += each.weight * field(each.cell, c);
          record.columns[q].values.push_back(sum);
        }
      }
    }
  }
}

void Probes::resume(std::int64_t step) {
  if (any() && std::filesystem::exists(path_)) read_probes(path_, step, records_);
}

void Probes::write() const { write_probes(path_, records_, time_per_step_); }

std::vector<std::string> Probes::warnings() const {
  std::vector<std::string> all = warnings_;
  for (std::size_t n = 0; n < probes_.size(); ++n) {
    if (!records_[n].steps.empty()) continue;
    all.push_back("output.probes: " + records_[n].name +
                  ": there is no sample, since the first one would be at step " +
                  std::to_string(probes_[n].steps.from));
  }
  return all;
}

std::vector<std::filesystem::path> Probes::write_spectra() {
  std::vector<std::filesystem::path> files;
  for (std::size_t n = 0; n < probes_.size(); ++n) {
    if (!probes_[n].spectrum) continue;
    const ProbeRecord& record = records_[n];
    const std::size_t samples = record.steps.size();
    if (samples == 0) continue;
    if (samples < least_spectrum_samples) {
      warnings_.push_back("output.probes: " + record.name + ": a spectrum needs at least " +
                          std::to_string(least_spectrum_samples) + " samples, there are " +
                          std::to_string(samples));
      continue;
    }
    const std::string frequency = time_unit_ == "s"    ? "Hz"
                                  : time_unit_.empty() ? ""
                                                       : "1/" + time_unit_;
    const std::string per_frequency = time_unit_.empty() ? "time" : time_unit_;
    const double interval = static_cast<double>(probes_[n].steps.every) * time_per_step_;
    std::string comment = "power spectral density at probe " + record.name + "; units: frequency=" +
                          (frequency.empty() ? "1 over the unit of time" : frequency);
    std::vector<std::string> names{"frequency"};
    std::vector<std::vector<double>> columns(1);
    for (const ProbeRecord::Column& column : record.columns) {
      const auto components = static_cast<std::size_t>(column.quantity.components);
      for (std::size_t c = 0; c < components; ++c) {
        std::vector<double> values;
        for (std::size_t i = 0; i < samples; ++i) {
          values.push_back(column.values[i * components + c]);
        }
        Spectrum spectrum = power_spectrum(values, interval);
        const std::string name = component_name(column.quantity, static_cast<int>(c));
        comment += ", " + name + "=(" + column.quantity.unit + ")^2 " + per_frequency;
        names.push_back(name);
        peaks_[record.name + '.' + name + " peak frequency"] =
            number_text(spectrum.peak()) + (frequency.empty() ? "" : ' ' + frequency);
        columns.push_back(std::move(spectrum.density));
        columns[0] = std::move(spectrum.frequency);
      }
    }
    const auto file = path_.parent_path() / ("spectrum_" + record.name + ".csv");
    write_file(file, csv_text(comment, names, columns));
    files.push_back(file);
  }
  return files;
}

}  // namespace knudsen
