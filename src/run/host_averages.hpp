#pragma once

#include <memory>
#include <vector>

#include "model/forwarding_method.hpp"
#include "model/problem.hpp"

namespace knudsen {

/// A method that keeps averages of any of its fields, on the host: each rank those of its own
/// cells. The order of the sums is that of the samples in each cell.
class HostAverages final : public ForwardingMethod {
 public:
  /// `problem` must outlive it.
  HostAverages(std::unique_ptr<Method> method, AveragePlan plan, const Problem& problem)
      : ForwardingMethod(std::move(method)), plan_(std::move(plan)), problem_(problem) {}

  void add_to_averages(std::int64_t sample) override;
  std::vector<double> averages(std::size_t row) override;
  void load_averages(const CheckpointReader& checkpoint) override;

 private:
  void allocate(std::size_t cells);

  AveragePlan plan_;
  const Problem& problem_;
  std::size_t cells_ = 0;
  std::vector<double> rows_;  ///< (row, cell); empty before the first sample
};

}  // namespace knudsen
