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
constexpr double timed_time = 0.05;    // seconds of timed steps, after which that is enough
constexpr double plain_per_timed = 5;  // seconds of batches without timing for a second of others
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
    const std::int64_t stride = timing_stride(steps);
    const std::int64_t timed = steps / stride * 2 + std::min<std::int64_t>(steps % stride, 2);
    timed_steps_ += timed;
    timed_seconds_ += step * static_cast<double>(timed);
    if (timed_steps_ >= least_timed_steps &&
        (timed_seconds_ >= timed_time || timed_steps_ >= most_timed_)) {
      phase_ = Phase::plain;
      seconds_until_timing_ = plain_per_timed * seconds;
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
  const double wanted = std::clamp(step * static_cast<double>(left) / batches_of_a_run,
                                   shortest_batch, longest_batch);
  // The first steps may be slow, so the number of steps grows gradually.
  double most = std::min(wanted / step, 10 * static_cast<double>(std::max(limit_, steps)));
  if (phase_ == Phase::timed) {
    most = std::max(most, static_cast<double>(least_timed_steps - timed_steps_));
  }
  limit_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(most));
}

std::int64_t Batches::timing_stride(std::int64_t steps) const {
  if (times_all_) return 2;
  const std::int64_t pairs = std::max<std::int64_t>(1, (most_timed_ - timed_steps_) / 2);
  return std::max<std::int64_t>(2, (steps + pairs - 1) / pairs);
}

Spread Batches::step_seconds() const {
  std::vector<Weighted> seconds;
  for (const Batch& batch : plain_) seconds.push_back({batch.seconds, batch.seconds});
  const double usual = spread_of(std::move(seconds)).median;
  std::vector<Weighted> values;
  for (const Batch& batch : plain_) {
    const auto steps = static_cast<double>(batch.steps);
    if (2 * batch.seconds >= usual) values.push_back({batch.seconds / steps, steps});
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

Spread spread_of(const std::vector<double>& values) {
  std::vector<Weighted> weighted;
  for (const double value : values) weighted.push_back({value, 1});
  return spread_of(std::move(weighted));
}

Spread spread_of(std::vector<Weighted> values) {
  Spread spread;
  spread.count = static_cast<std::int64_t>(values.size());
  if (values.empty()) return spread;
  std::sort(values.begin(), values.end(),
            [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
  // The place of a value is the weight before its middle; the first one has place 0.
  std::vector<double> places{0};
  for (std::size_t i = 1; i < values.size(); ++i) {
    places.push_back(places[i - 1] + (values[i - 1].weight + values[i].weight) / 2);
  }
  const auto quantile = [&](double share) {
    const double place = share * places.back();
    const auto above = std::lower_bound(places.begin(), places.end(), place) - places.begin();
    const auto at = static_cast<std::size_t>(above);
    if (at == 0) return values[0].value;
    const double part = (place - places[at - 1]) / (places[at] - places[at - 1]);
    return values[at - 1].value + part * (values[at].value - values[at - 1].value);
  };
  spread.lower_quartile = quantile(0.25);
  spread.median = quantile(0.5);
  spread.upper_quartile = quantile(0.75);
  return spread;
}

}  // namespace knudsen
