#include "run/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>
#include <variant>

#include "output/component.hpp"
#include "parallel/communicator.hpp"
#include "run/host_averages.hpp"
#include "run/ranks.hpp"

namespace knudsen {
namespace {

constexpr const char* samples_key = "statistics.samples";
constexpr const char* first_step_key = "statistics.first_step";
constexpr const char* last_step_key = "statistics.last_step";
constexpr const char* description_key = "statistics.description";

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
    : steps_(settings.steps), problem_(problem), cells_(problem.grid.size()) {
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

AveragePlan Statistics::plan() const {
  AveragePlan plan;
  for (const Variable& each : variables_) {
    plan.variables.push_back({each.part.field, each.part.component});
  }
  for (const auto& [a, b] : pairs_) plan.pairs.push_back({std::min(a, b), std::max(a, b)});
  return plan;
}

std::unique_ptr<Method> Statistics::keep_in(std::unique_ptr<Method> part) const {
  if (!any()) return part;
  if (!in_method_) return std::make_unique<HostAverages>(std::move(part), plan(), problem_);
  part->keep_averages(plan());
  return part;
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

void Statistics::add(std::int64_t step, Method& method) {
  if (samples_ == 0) first_step_ = step;
  last_step_ = step;
  ++samples_;
  method.add_to_averages(samples_);
  method.fence();  // so that the time is that of the sample, not of the next steps
}

std::unique_ptr<AveragedField> Statistics::field(std::size_t index, Method& method) const {
  const Output& output = outputs_[index];
  const bool is_mean = output.kind == Output::Kind::mean;
  std::vector<std::size_t> rows = output.indices;
  for (std::size_t& row : rows) row += is_mean ? 0 : variables_.size();
  return std::make_unique<AveragedField>(read_averages(method, rows, output.quantity, problem_),
                                         is_mean ? 1 : 1 / static_cast<double>(samples_),
                                         output.kind == Output::Kind::rms);
}

PiecewiseField::Values AveragedField::values(std::size_t begin, std::size_t end) {
  const auto values = std::get<std::span<const double>>(rows_->values(begin, end));
  piece_.resize(values.size());
  std::transform(values.begin(), values.end(), piece_.begin(), [this](double value) {
    const double scaled = value * scale_;
    return root_ ? std::sqrt(scaled) : scaled;
  });
  return std::span<const double>(piece_);
}

std::string Statistics::description() const {
  nlohmann::json variables = nlohmann::json::array();
  for (const Variable& each : variables_) variables.push_back({each.part.name, each.unit});
  return nlohmann::json{
      {"from", steps_.from}, {"every", steps_.every}, {"variables", variables}, {"pairs", pairs_}}
      .dump();
}

void Statistics::save(CheckpointWriter& checkpoint, Method& method) const {
  if (!any()) return;
  checkpoint.integer(first_step_key, first_step_);
  checkpoint.integer(last_step_key, last_step_);
  checkpoint.number(samples_key, static_cast<double>(samples_));
  checkpoint.text(description_key, description());
  if (samples_ == 0) return;
  save_averages(method, checkpoint, {means_key, 0, variables_.size()}, problem_);
  save_averages(method, checkpoint, {covariances_key, variables_.size(), pairs_.size()}, problem_);
}

void Statistics::load(const CheckpointReader& checkpoint, Method& method) {
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
  if (samples_ > 0) method.load_averages(checkpoint);
}

}  // namespace knudsen
