#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/problem.hpp"
#include "output/checkpoint.hpp"
#include "run/settings.hpp"
#include "run/shared_field.hpp"

namespace knudsen {

/// A field made of rows of averages.
class AveragedField final : public PiecewiseField {
 public:
  /// The values are those of the rows times `scale`, or with `root` the square roots of these.
  AveragedField(std::unique_ptr<SharedField> rows, double scale, bool root)
      : rows_(std::move(rows)), scale_(scale), root_(root) {}

  const Quantity& quantity() const override { return rows_->quantity(); }
  Values values(std::size_t begin, std::size_t end) override;
  /// See field_fault.
  std::optional<std::string> fault() { return rows_->fault(); }

 private:
  std::unique_ptr<SharedField> rows_;
  double scale_;
  bool root_;
  std::vector<double> piece_;
};

/// Means, root mean squares and covariances over the samples of a run, in every cell.
///
/// They are updated sample by sample, in double precision, so that no large sums lose the digits of
/// small fluctuations (AveragePlan). The order is that of the samples in each cell, so that the
/// bits depend neither on the threads nor on the ranks. The method keeps them beside its state if
/// it averages all fields that they are made of, else HostAverages does.
class Statistics {
 public:
  /// `problem` must outlive it.
  Statistics(const RunSettings::Statistics& settings, const Problem& problem);

  const RunSettings::SampleSteps& steps() const { return steps_; }
  /// Whether the case asks for any.
  bool any() const { return !outputs_.empty(); }
  /// A rank's part of the method, which keeps the averages from now on if the case asks for any.
  std::unique_ptr<Method> keep_in(std::unique_ptr<Method> part) const;
  /// Names of the fields that a sample consists of; none if the method keeps the averages.
  std::vector<std::string> fields() const;
  /// Bytes of all averages in a checkpoint.
  std::uint64_t bytes() const;
  /// Bytes that they take here, and in the method.
  std::uint64_t host_bytes() const;
  std::uint64_t method_bytes(const Problem& problem) const;

  // `method` is that of keep_in, or what `lead` made of it.

  /// Adds the state at a step.
  void add(std::int64_t step, Method& method);
  std::int64_t samples() const { return samples_; }
  std::int64_t first_step() const { return first_step_; }
  std::int64_t last_step() const { return last_step_; }

  /// Number of fields that the case asks for.
  std::size_t size() const { return outputs_.size(); }
  /// One of them, in double precision: "mean_velocity", "rms_temperature",
  /// "covariance_velocity_x_velocity_y". There must be a sample. It must be destroyed before the
  /// method is used.
  std::unique_ptr<AveragedField> field(std::size_t index, Method& method) const;

  void save(CheckpointWriter& checkpoint, Method& method) const;
  /// Continues those of a checkpoint. If it has none, or others, they begin anew, and warnings()
  /// says so. Throws InputError if the checkpoint is damaged.
  void load(const CheckpointReader& checkpoint, Method& method);
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
  AveragePlan plan() const;

  RunSettings::SampleSteps steps_;
  const Problem& problem_;
  std::size_t cells_;
  std::vector<Variable> variables_;
  std::vector<std::array<std::size_t, 2>> pairs_;  ///< of variables
  std::vector<Output> outputs_;
  bool in_method_ = false;  ///< the method keeps the averages
  std::int64_t samples_ = 0, first_step_ = 0, last_step_ = 0;
  std::vector<std::string> warnings_;
};

}  // namespace knudsen
