#include "run/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "device/host_parallel.hpp"
#include "output/component.hpp"

namespace knudsen {
namespace {

constexpr const char* samples_key = "statistics.samples";
constexpr const char* first_step_key = "statistics.first_step";
constexpr const char* last_step_key = "statistics.last_step";
constexpr const char* description_key = "statistics.description";

/// The cells that a thread updates at a time: their deviations stay in its cache.
constexpr std::size_t block_cells = 2048;

/// The unit of the product of two quantities.
std::string product_unit(const std::string& a, const std::string& b) {
  const auto factor = [](const std::string& unit) {
    const bool single = unit.find_first_of(" /^") == std::string::npos;
    return single ? unit : '(' + unit + ')';
  };
  if (a == "1") return b;
  if (b == "1") return a;
  return a == b ? factor(a) + "^2" : factor(a) + ' ' + factor(b);
}

}  // namespace

Statistics::Statistics(const RunSettings::Statistics& settings, const Problem& problem)
    : steps_(settings.steps), cells_(problem.grid.size()) {
  for (const FieldPart& part : settings.means) {
    std::vector<std::size_t> indices;
    for (const FieldPart& each : components_of(problem.fields, part)) {
      indices.push_back(variable(problem, each));
    }
    add_output(Output::Kind::mean, "mean_" + part.name, "Time average of " + part.name + ".",
               quantity_of(problem.fields, part.field).unit, std::move(indices));
  }
  for (const FieldPart& part : settings.rms) {
    std::vector<std::size_t> indices;
    for (const FieldPart& each : components_of(problem.fields, part)) {
      const std::size_t index = variable(problem, each);
      indices.push_back(pair(index, index));
    }
    add_output(Output::Kind::rms, "rms_" + part.name,
               "Root mean square of the fluctuation of " + part.name + ".",
               quantity_of(problem.fields, part.field).unit, std::move(indices));
  }
  for (const auto& parts : settings.covariances) {
    const std::size_t a = variable(problem, parts[0]);
    const std::size_t b = variable(problem, parts[1]);
    add_output(Output::Kind::covariance, "covariance_" + parts[0].name + '_' + parts[1].name,
               "Covariance of " + parts[0].name + " and " + parts[1].name + '.',
               product_unit(variables_[a].unit, variables_[b].unit), {pair(a, b)});
  }
  const auto& kept = problem.averaged_fields;
  in_method_ = any() && variables_.size() <= max_averaged &&
               std::all_of(variables_.begin(), variables_.end(), [&](const Variable& each) {
                 return std::find(kept.begin(), kept.end(), each.part.field) != kept.end();
               });
}

std::optional<AveragePlan> Statistics::plan() const {
  if (!in_method_) return {};
  AveragePlan plan;
  for (const Variable& each : variables_) {
    plan.variables.push_back({each.part.field, each.part.component});
  }
  for (const auto& [a, b] : pairs_) plan.pairs.push_back({std::min(a, b), std::max(a, b)});
  return plan;
}

void Statistics::keep_in(Method& method) {
  if (in_method_) method_ = &method;
}

void Statistics::add_output(Output::Kind kind, const std::string& name,
                            const std::string& description, const std::string& unit,
                            std::vector<std::size_t> indices) {
  const auto components = static_cast<int>(indices.size());
  outputs_.push_back({kind, {name, unit, description, components}, std::move(indices)});
}

std::size_t Statistics::variable(const Problem& problem, const FieldPart& part) {
  const auto found = std::find_if(variables_.begin(), variables_.end(), [&](const Variable& each) {
    return each.part.field == part.field && each.part.component == part.component;
  });
  if (found != variables_.end()) return static_cast<std::size_t>(found - variables_.begin());
  variables_.push_back({part, quantity_of(problem.fields, part.field).unit});
  return variables_.size() - 1;
}

std::size_t Statistics::pair(std::size_t a, std::size_t b) {
  const auto found = std::find_if(pairs_.begin(), pairs_.end(), [&](const auto& each) {
    return each == std::array{a, b} || each == std::array{b, a};
  });
  if (found != pairs_.end()) return static_cast<std::size_t>(found - pairs_.begin());
  pairs_.push_back({a, b});
  return pairs_.size() - 1;
}

std::vector<std::string> Statistics::fields() const {
  std::vector<std::string> names;
  if (in_method_) return names;
  for (const Variable& each : variables_) {
    if (std::find(names.begin(), names.end(), each.part.field) == names.end()) {
      names.push_back(each.part.field);
    }
  }
  return names;
}

std::uint64_t Statistics::bytes() const {
  return (variables_.size() + pairs_.size()) * cells_ * sizeof(double);
}

std::uint64_t Statistics::host_bytes() const {
  // Of averages in the method: one row, and its copy from a GPU.
  return in_method_ ? 2 * cells_ * sizeof(double) : bytes();
}

std::uint64_t Statistics::method_bytes(const Problem& problem) const {
  return in_method_ ? (variables_.size() + pairs_.size()) * problem.averaged_cells * sizeof(double)
                    : 0;
}

void Statistics::allocate() {
  means_.resize(variables_.size() * cells_);
  covariances_.resize(pairs_.size() * cells_);
}

void Statistics::add(std::int64_t step, const SampledFields& fields) {
  if (samples_ == 0) first_step_ = step;
  last_step_ = step;
  ++samples_;
  if (method_ != nullptr) {
    method_->add_to_averages(samples_);
    method_->fence();  // so that the time is that of the sample, not of the next steps
    return;
  }
  allocate();
  std::vector<const Field*> sources;
  for (const Variable& each : variables_) sources.push_back(&fields.at(each.part.field));
  const double share = 1 / static_cast<double>(samples_);
  const double remaining = static_cast<double>(samples_ - 1) * share;
  const std::size_t blocks = (cells_ + block_cells - 1) / block_cells;
  parallel_for_host(
      "knudsen/run/statistics", static_cast<std::int64_t>(blocks), [&](std::int64_t block) {
        const std::size_t begin = static_cast<std::size_t>(block) * block_cells;
        const std::size_t count = std::min(block_cells, cells_ - begin);
        std::vector<double> deviations(variables_.size() * block_cells);
        for (std::size_t v = 0; v < variables_.size(); ++v) {
          double* const mean = &means_[v * cells_ + begin];
          double* const deviation = &deviations[v * block_cells];
          std::visit(
              [&](const auto& values) {
                const auto stride = static_cast<std::size_t>(sources[v]->quantity.components);
                const auto* const value =
                    &values[begin * stride +
                            static_cast<std::size_t>(variables_[v].part.component)];
                for (std::size_t i = 0; i < count; ++i) {
                  deviation[i] = static_cast<double>(value[i * stride]) - mean[i];
                  mean[i] += deviation[i] * share;
                }
              },
              sources[v]->values);
        }
        for (std::size_t p = 0; p < pairs_.size(); ++p) {
          double* const sum = &covariances_[p * cells_ + begin];
          const double* const a = &deviations[pairs_[p][0] * block_cells];
          const double* const b = &deviations[pairs_[p][1] * block_cells];
          for (std::size_t i = 0; i < count; ++i) sum[i] += a[i] * b[i] * remaining;
        }
      });
}

std::vector<double> Statistics::row(std::size_t number) const {
  if (method_ != nullptr) return method_->averages(number);
  const bool is_mean = number < variables_.size();
  const double* const begin =
      is_mean ? &means_[number * cells_] : &covariances_[(number - variables_.size()) * cells_];
  return {begin, begin + cells_};
}

Field Statistics::field(std::size_t index) const {
  const Output& output = outputs_[index];
  const std::size_t components = output.indices.size();
  const bool is_mean = output.kind == Output::Kind::mean;
  const double scale = is_mean ? 1 : 1 / static_cast<double>(samples_);
  std::vector<double> values(cells_ * components);
  for (std::size_t c = 0; c < components; ++c) {
    const std::vector<double> source = row(output.indices[c] + (is_mean ? 0 : variables_.size()));
    for (std::size_t i = 0; i < cells_; ++i) {
      const double value = source[i] * scale;
      values[i * components + c] = output.kind == Output::Kind::rms ? std::sqrt(value) : value;
    }
  }
  return {output.quantity, std::move(values)};
}

std::string Statistics::description() const {
  nlohmann::json variables = nlohmann::json::array();
  for (const Variable& each : variables_) variables.push_back({each.part.name, each.unit});
  return nlohmann::json{
      {"from", steps_.from}, {"every", steps_.every}, {"variables", variables}, {"pairs", pairs_}}
      .dump();
}

void Statistics::save(CheckpointWriter& checkpoint) const {
  if (!any()) return;
  checkpoint.integer(first_step_key, first_step_);
  checkpoint.integer(last_step_key, last_step_);
  checkpoint.number(samples_key, static_cast<double>(samples_));
  checkpoint.text(description_key, description());
  if (samples_ == 0) return;
  const auto save_rows = [&](const char* key, std::size_t first, std::size_t count) {
    if (count == 0) return;
    checkpoint.array_in_pieces<double>(
        key, {count, cells_}, cells_, [&](std::size_t begin, std::size_t, double* values) {
          const std::vector<double> cells = row(first + begin / cells_);
          std::copy(cells.begin(), cells.end(), values);
        });
  };
  save_rows(means_key, 0, variables_.size());
  save_rows(covariances_key, variables_.size(), pairs_.size());
}

void Statistics::load(const CheckpointReader& checkpoint) {
  if (!any()) return;
  const std::int64_t due = steps_.count(checkpoint.step());
  const bool has_any = checkpoint.has_number(samples_key);
  if (!has_any || checkpoint.text(description_key) != description()) {
    if (due == 0) return;
    warnings_.push_back("output.statistics: " + checkpoint.path().string() +
                        (has_any ? " holds those of other quantities or steps" : " holds none") +
                        ", so they begin anew and lack the " + std::to_string(due) +
                        " samples up to step " + std::to_string(checkpoint.step()));
    return;
  }
  samples_ = static_cast<std::int64_t>(checkpoint.number(samples_key));
  first_step_ = checkpoint.integer(first_step_key);
  last_step_ = checkpoint.integer(last_step_key);
  if (samples_ == 0) return;
  if (method_ != nullptr) {
    method_->load_averages(checkpoint);
    return;
  }
  allocate();
  checkpoint.array(means_key, means_.data(), {variables_.size(), cells_});
  if (!pairs_.empty()) {
    checkpoint.array(covariances_key, covariances_.data(), {pairs_.size(), cells_});
  }
}

}  // namespace knudsen
