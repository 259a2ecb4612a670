#include "run/schedule.hpp"

#include <algorithm>

namespace knudsen {
namespace {

bool is_multiple(std::int64_t step, std::int64_t every) { return every > 0 && step % every == 0; }

}  // namespace

Schedule::Schedule(const RunSettings& settings) : settings_(settings) {
  const RunSettings::Output& output = settings_.output;
  if (output.statistics.any()) sampled_.push_back(&output.statistics.steps);
  for (const RunSettings::Probe& probe : output.probes) sampled_.push_back(&probe.steps);
}

Events Schedule::at(std::int64_t step) const {
  const bool last = step == settings_.stop.steps;
  const std::int64_t check_every = settings_.stop.check_every;
  const std::int64_t series_every = settings_.output.series_every;
  Events due;
  due.check = last || is_multiple(step, check_every);
  due.series = last || is_multiple(step, series_every > 0 ? series_every : check_every);
  due.fields = is_multiple(step, settings_.output.fields_every);
  due.snapshots = is_multiple(step, settings_.output.snapshots_every);
  due.checkpoint = is_multiple(step, settings_.checkpoint.every);
  for (const RunSettings::SampleSteps* steps : sampled_) {
    due.samples = due.samples || steps->includes(step);
  }
  return due;
}

std::int64_t Schedule::next(std::int64_t step) const {
  std::int64_t next = settings_.stop.steps;
  for (const std::int64_t every :
       {settings_.stop.check_every, settings_.output.series_every, settings_.output.fields_every,
        settings_.output.snapshots_every, settings_.checkpoint.every}) {
    if (every <= 0) continue;
    const std::int64_t latest = step - step % every;
    if (latest <= next - every) next = latest + every;  // in this form no sum overflows
  }
  for (const RunSettings::SampleSteps* steps : sampled_) {
    next = std::min(next, steps->after(step));
  }
  return next;
}

}  // namespace knudsen
