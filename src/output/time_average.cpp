#include "output/time_average.hpp"

#include <algorithm>
#include <cmath>

namespace knudsen {
namespace {

constexpr std::size_t least_blocks = 16;

double mean_square_about(double mean, const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size());
}

double mean_of(const std::vector<double>& values) {
  double mean = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    mean += (values[i] - mean) / static_cast<double>(i + 1);
  }
  return mean;
}

}  // namespace

TimeAverage time_average(std::vector<double> values) {
  TimeAverage average;
  average.mean = mean_of(values);
  average.rms = std::sqrt(mean_square_about(average.mean, values));
  double before = 0;
  double last = 0;
  std::size_t blocks = values.size();
  for (; values.size() >= least_blocks; values.resize(values.size() / 2)) {
    blocks = values.size();
    before = last;
    last = std::sqrt(mean_square_about(mean_of(values), values) / static_cast<double>(blocks - 1));
    average.error = std::max(average.error, last);
    for (std::size_t i = 0; i < values.size() / 2; ++i) {
      values[i] = (values[2 * i] + values[2 * i + 1]) / 2;
    }
  }
  // An error that does not grow by more than its own uncertainty has settled.
  average.settled = last <= before * (1 + 1 / std::sqrt(2.0 * static_cast<double>(blocks - 1)));
  return average;
}

}  // namespace knudsen
