#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/problem.hpp"
#include "output/checkpoint.hpp"
#include "run/settings.hpp"

namespace knudsen {

/// Fields of a method by name, on the host.
using SampledFields = std::map<std::string, Field>;

/// Means, root mean squares and covariances over the samples of a run, in every cell.
///
/// They are updated sample by sample, in double precision, so that no large sums lose the digits of
/// small fluctuations (AveragePlan). The order is that of the samples in each cell, so that the
/// bits depend neither on the threads nor on the ranks. The method keeps them beside its state if
/// it averages all fields that they are made of, else they are here.
class Statistics {
 public:
  Statistics(const RunSettings::Statistics& settings, const Problem& problem);

  const RunSettings::SampleSteps& steps() const { return steps_; }
  /// Whether the case asks for any.
  bool any() const { return !outputs_.empty(); }
  /// What the method keeps, if it does.
  std::optional<AveragePlan> plan() const;
  /// Before the first sample, or load: the method that has been given the plan, if there is one.
  void keep_in(Method& method);
  /// Names of the fields that a sample consists of; none if the method keeps the averages.
  std::vector<std::string> fields() const;
  /// Bytes of all averages in a checkpoint.
  std::uint64_t bytes() const;
  /// Bytes that they take here, and in the method.
  std::uint64_t host_bytes() const;
  std::uint64_t method_bytes(const Problem& problem) const;

  /// Adds the state at a step. `fields` holds those of fields().
  void add(std::int64_t step, const SampledFields& fields);
  std::int64_t samples() const { return samples_; }
  std::int64_t first_step() const { return first_step_; }
  std::int64_t last_step() const { return last_step_; }

  /// Number of fields that the case asks for.
  std::size_t size() const { return outputs_.size(); }
  /// One of them, in double precision: "mean_velocity", "rms_temperature",
  /// "covariance_velocity_x_velocity_y". There must be a sample.
  Field field(std::size_t index) const;

  void save(CheckpointWriter& checkpoint) const;
  /// Continues those of a checkpoint. If it has none, or others, they begin anew, and warnings()
  /// says so. Throws InputError if the checkpoint is damaged.
  void load(const CheckpointReader& checkpoint);
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  /// A component of a field whose mean is kept.
  struct Variable {
    FieldPart part;
    std::string unit;
  };
  /// A field of the result: its components are means of variables, or covariances of pairs.
  struct Output {
    enum class Kind { mean, rms, covariance };
    Kind kind;
    Quantity quantity;
    std::vector<std::size_t> indices;  ///< of variables or pairs, by component
  };

  /// Adds a field whose components are those variables or pairs.
  void add_output(Output::Kind kind, const std::string& name, const std::string& description,
                  const std::string& unit, std::vector<std::size_t> indices);
  std::size_t variable(const Problem& problem, const FieldPart& part);
  std::size_t pair(std::size_t a, std::size_t b);
  /// What must be the same for averages to be continued.
  std::string description() const;
  void allocate();
  /// A row of the averages, in all cells.
  std::vector<double> row(std::size_t number) const;

  RunSettings::SampleSteps steps_;
  std::size_t cells_;
  std::vector<Variable> variables_;
  std::vector<std::array<std::size_t, 2>> pairs_;  ///< of variables
  std::vector<Output> outputs_;
  bool in_method_ = false;    ///< the method keeps the averages
  Method* method_ = nullptr;  ///< that does
  std::int64_t samples_ = 0, first_step_ = 0, last_step_ = 0;
  std::vector<double> means_;        ///< (variable, cell)
  std::vector<double> covariances_;  ///< (pair, cell): sums over the samples
  std::vector<std::string> warnings_;
};

}  // namespace knudsen
