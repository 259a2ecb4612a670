#include "run/batches.hpp"

#include <algorithm>
#include <cmath>

namespace knudsen {
namespace {

constexpr double longest_batch = 0.2;     // seconds
constexpr double shortest_batch = 0.005;  // seconds, below which fences between batches would cost
constexpr double batches_of_a_run = 12;   // at least, unless they would be shorter than that
constexpr std::int64_t least_timed_steps = 2;
constexpr std::int64_t most_timed_steps = 64;
constexpr double timed_batch = 0.05;         // seconds
constexpr double plain_per_timed = 20;       // seconds without timing for a second with it
constexpr double shortest_free_step = 5e-5;  // seconds, beside which a look at the clock is nothing
constexpr double shortest_long_step = 1e-2;  // seconds, beside which a GPU's events are nothing
constexpr std::size_t most_batches = 1 << 20;  // kept of a run of weeks

}  // namespace

void Batches::add(std::int64_t steps, double seconds, std::int64_t left) {
  const double step = std::max(seconds, 1e-9) / static_cast<double>(steps);
  times_all_ = clock_is_free_ ? step > shortest_free_step
                              : phase_ != Phase::warm_up && step > shortest_long_step;
  if (times_all_) {
    // The step of the warm-up does not count.
    if (phase_ != Phase::warm_up && plain_.size() < most_batches)
      plain_.push_back({steps, seconds});
    phase_ = Phase::plain;
  } else if (phase_ == Phase::timed) {
    timed_steps_ += steps;
    timed_seconds_ += seconds;
    if (timed_steps_ >= least_timed_steps &&
        (timed_seconds_ >= timed_batch || timed_steps_ >= most_timed_)) {
      phase_ = Phase::plain;
      seconds_until_timing_ = plain_per_timed * timed_seconds_;
    }
  } else if (phase_ == Phase::warm_up) {
    phase_ = Phase::timed;
    most_timed_ = std::clamp(left / 10, least_timed_steps, most_timed_steps);
  } else {
    if (plain_.size() < most_batches) plain_.push_back({steps, seconds});
    seconds_until_timing_ -= seconds;
    if (seconds_until_timing_ <= 0) {
      phase_ = Phase::timed;
      timed_steps_ = 0;
      timed_seconds_ = 0;
    }
  }
  const double wanted = phase_ == Phase::timed
                            ? timed_batch
                            : std::clamp(step * static_cast<double>(left) / batches_of_a_run,
                                         shortest_batch, longest_batch);
  // The first steps may be slow, so the number of steps grows gradually.
  double most = std::min(wanted / step, 10 * static_cast<double>(std::max(limit_, steps)));
  if (phase_ == Phase::timed) {
    most = std::min(most, static_cast<double>(most_timed_ - timed_steps_));
    most = std::max(most, static_cast<double>(least_timed_steps - timed_steps_));
  }
  limit_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(most));
}

Spread Batches::step_seconds() const {
  std::int64_t longest = 0;
  for (const Batch& batch : plain_) longest = std::max(longest, batch.steps);
  std::vector<double> values;
  for (const Batch& batch : plain_) {
    if (2 * batch.steps >= longest) {
      values.push_back(batch.seconds / static_cast<double>(batch.steps));
    }
  }
  return spread_of(std::move(values));
}

double Batches::median_over_mean() const {
  if (!times_all_ || plain_.empty()) return 1;
  double steps = 0;
  double seconds = 0;
  for (const Batch& batch : plain_) {
    steps += static_cast<double>(batch.steps);
    seconds += batch.seconds;
  }
  return step_seconds().median * steps / seconds;
}

Spread spread_of(std::vector<double> values) {
  Spread spread;
  spread.count = static_cast<std::int64_t>(values.size());
  if (values.empty()) return spread;
  std::sort(values.begin(), values.end());
  const auto quantile = [&](double share) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
  };
  spread.lower_quartile = quantile(0.25);
  spread.median = quantile(0.5);
  spread.upper_quartile = quantile(0.75);
  return spread;
}

}  // namespace knudsen
