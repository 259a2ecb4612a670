#pragma once

#include <cstdint>
#include <vector>

#include "report/timing_report.hpp"

namespace knudsen {

/// Chooses how many steps are taken between two looks at the clock, and in which of these batches
/// the kernels are timed; keeps the times of the others.
///
/// The first batch is warm-up: it takes one step, whose launches are cold. In the next ones the
/// kernels are timed, in two steps at least, since two-step schemes have two kernels. Then they are
/// timed again in a small part of the run, so that timing them does not slow it down. The timed
/// steps are pairs spread over a batch as long as the others: after a wait a GPU at the limit of
/// its power is not at its steady clock rate at once (`bgkw` on an H200: steps of 0.54 to 0.67 ms,
/// of 0.55 later). Steps that are long for the clock are timed all but the first. For the host's
/// clock, which is free, most are: there the first seconds may be slower, while the system moves
/// memory between its nodes.
class Batches {
 public:
  explicit Batches(bool clock_is_free = false) : clock_is_free_(clock_is_free) {}

  /// Steps of the next batch, at most.
  std::int64_t limit() const { return limit_; }
  /// Whether the kernels are timed in the next batch.
  bool times_kernels() const { return phase_ == Phase::timed || times_all_; }
  /// In a batch of `steps` steps whose kernels are timed: the distance between the pairs of steps
  /// in which they are; 2 if that is all steps.
  std::int64_t timing_stride(std::int64_t steps) const;
  /// After a batch. `left`: steps until the end of the run.
  void add(std::int64_t steps, double seconds, std::int64_t left);
  /// Seconds a step; each batch counts as often as it has steps. Without batches that events cut
  /// short, whose times are mostly latency: half of the run's time went to batches at least twice
  /// as long.
  Spread step_seconds() const;
  /// The median of step_seconds over the mean of the steps whose kernels were timed: 1 unless the
  /// kernels are timed in all steps. The mean of a disturbed run is the larger of the two.
  double median_over_mean() const;

 private:
  enum class Phase { warm_up, timed, plain };
  struct Batch {
    std::int64_t steps;
    double seconds;
  };

  bool clock_is_free_;
  bool times_all_ = false;
  Phase phase_ = Phase::warm_up;
  std::int64_t limit_ = 1;
  std::int64_t most_timed_ = 0;      ///< steps whose kernels are timed at a time
  std::int64_t timed_steps_ = 0;     ///< since the kernels began to be timed
  double timed_seconds_ = 0;         ///< of these steps
  double seconds_until_timing_ = 0;  ///< before the kernels are timed again
  std::vector<Batch> plain_;
};

/// Quartiles by linear interpolation between the sorted values.
Spread spread_of(const std::vector<double>& values);

/// A value that counts as often as its weight says.
struct Weighted {
  double value;
  double weight;
};

/// Quartiles by linear interpolation between the middles of the weights of the sorted values.
Spread spread_of(std::vector<Weighted> values);

}  // namespace knudsen
