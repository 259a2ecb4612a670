#include "run/time_loop.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "report/text.hpp"
#include "run/faults.hpp"

namespace knudsen {
namespace {

constexpr double seconds_between_series = 10;

/// Adds the time from here to the end of the scope to `seconds`.
class AddTime {
 public:
  explicit AddTime(double& seconds) : seconds_(seconds) {}
  ~AddTime() { seconds_ += watch_.seconds(); }
  AddTime(const AddTime&) = delete;
  AddTime& operator=(const AddTime&) = delete;

 private:
  double& seconds_;
  Stopwatch watch_;
};

}  // namespace

TimeLoop::TimeLoop(const ResolvedCase& resolved, Method& method, OutputFiles& output,
                   Checkpoints& checkpoints, RunMemory memory, const Stopwatch& clock,
                   const StopSignal& signal, DeviceMonitor& device, const RunOptions& options)
    : problem_(*resolved.problem),
      settings_(resolved.settings),
      method_(method),
      output_(output),
      checkpoints_(checkpoints),
      memory_(std::move(memory)),
      clock_(clock),
      signal_(signal),
      options_(options),
      device_(device),
      schedule_(settings_),
      progress_(options.quiet),
      uses_changes_(uses_changes(settings_, problem_)),
      batches_(method.timers().clock().is_free()),
      loop_began_(clock.seconds()),
      series_written_(loop_began_) {}

void TimeLoop::write_initial_output() {
  require_sound_state();
  const Events due = schedule_.at(0);
  if (due.series) {
    std::vector<double> row;
    for (const auto& name : settings_.output.series) {
      row.push_back(is_change(name) ? std::numeric_limits<double>::quiet_NaN()
                                    : method_.monitor(name));
    }
    append_to_series(row);
  }
  if (due.samples) take_samples();
  write_fields_and_snapshots(due.fields, due.snapshots);
  if (finished_) write_series();
}

void TimeLoop::run() {
  // The initial state is sound: a checkpoint is only written of a sound state.
  last_sound_ = memory_.step;
  while (stopped_by_.empty()) {
    const std::int64_t next = schedule_.next(memory_.step);
    step_to(next);
    handle(memory_.step == next ? schedule_.at(next) : Events{});
  }
  progress_.finish(progress_state());
}

/// Steps to the next event or until the run is interrupted. Change monitors compare the states
/// before and after the last step before the event.
void TimeLoop::step_to(std::int64_t next) {
  const bool remembers = uses_changes_ && schedule_.at(next).monitors();
  while (memory_.step < next && !interrupted()) {
    std::int64_t steps = next - memory_.step;
    if (remembers && steps == 1) method_.remember();
    if (remembers && steps > 1) --steps;
    advance(std::min(steps, batches_.limit()));
    progress_.update(progress_state(), false);
    if (options_.watch && options_.watch(progress_state())) asked_to_stop_ = true;
  }
}

void TimeLoop::advance(std::int64_t steps) {
  KernelTimers& timers = method_.timers();
  const bool times = batches_.times_kernels();
  const std::int64_t stride = times ? batches_.timing_stride(steps) : 0;
  const Stopwatch watch;
  if (stride > 2) {
    for (std::int64_t begin = 0; begin < steps; begin += stride) {
      const std::int64_t length = std::min(stride, steps - begin);
      timers.timing(true);
      method_.advance(std::min<std::int64_t>(length, 2));
      timers.timing(false);
      if (length > 2) method_.advance(length - 2);
    }
  } else {
    timers.timing(times);
    method_.advance(steps);
  }
  device_.sample();  // while the GPU still works
  method_.fence();
  const double seconds = watch.seconds();
  timers.collect();
  batches_.add(steps, seconds, settings_.stop.steps - memory_.step - steps);
  memory_.step += steps;
  total_.steps += steps;
  total_.seconds += seconds;
  total_.updates = static_cast<double>(total_.steps) * problem_.updates_per_step;
  total_.bytes = static_cast<double>(total_.steps) * problem_.bytes_per_step;
}

TimingReport::Total TimeLoop::total() const {
  TimingReport::Total total = total_;
  total.step_seconds = batches_.step_seconds();
  return total;
}

void TimeLoop::handle(const Events& due) {
  if (due.samples) take_samples();
  const bool interruption = interrupted();
  if (!due.any() && !interruption) return;
  require_sound_state();
  if (due.monitors()) evaluate_monitors(due);
  last_sound_ = memory_.step;
  if (due.check && memory_.step % settings_.stop.check_every == 0 && criteria_hold()) {
    finished_ = converged_ = true;
    stopped_by_ = "the criteria hold";
  } else if (memory_.step == settings_.stop.steps) {
    finished_ = true;
    stopped_by_ = "all steps are done";
  } else if (interruption) {
    const int signal = signal_.received();
    stopped_by_ = signal != 0      ? signal_name(signal)
                  : asked_to_stop_ ? "the caller"
                                   : "its wall time is over";
  }
  write(due);
  progress_.update(progress_state(), due.check);
}

void TimeLoop::take_samples() {
  const AddTime add(total_.io_seconds);
  output_.sample(method_, memory_.step);
}

void TimeLoop::require_sound_state() {
  const auto divergence = method_.find_divergence();
  if (divergence) {
    fail(place_text(divergence->cell, problem_) + ": " + divergence->what, divergence->advice);
  }
}

void TimeLoop::fail(const std::string& where_and_what, const std::string& advice) {
  write_series();
  output_.write_probes();
  throw RunError(
      divergence_text(memory_.step, where_and_what, last_sound_) +
      (last_good_.empty() ? "; no output was written before" : "; last good output " + last_good_) +
      (advice.empty() ? "" : "; " + advice));
}

void TimeLoop::evaluate_monitors(const Events& due) {
  std::set<std::string> names;
  if (due.series) names.insert(settings_.output.series.begin(), settings_.output.series.end());
  if (due.check) {
    for (const auto& criterion : settings_.stop.criteria) names.insert(criterion.quantity);
  }
  for (const std::string& name : names) {
    const double value = monitors_[name] = method_.monitor(name);
    if (!std::isfinite(value) && !is_change(name)) fail(name + " is " + number_text(value), "");
  }
  if (!due.series) return;
  std::vector<double> row;
  for (const std::string& name : settings_.output.series) row.push_back(monitors_[name]);
  append_to_series(row);
}

void TimeLoop::append_to_series(const std::vector<double>& row) {
  output_.series().append(memory_.step, row);
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string& name = settings_.output.series[i];
    // At step 0 there is no change yet, so NaN is expected.
    if (std::isfinite(row[i]) || (memory_.step == 0 && is_change(name))) continue;
    const auto found = series_faults_.try_emplace(name, SeriesFault{memory_.step, row[i], 0}).first;
    ++found->second.rows;
  }
}

/// Adds the row of the step at which the run ends, unless there is one. Changes are those of one
/// step, so they are not known at a step before which the state was not remembered.
void TimeLoop::append_last_row(bool changes_are_known) {
  if (settings_.output.series.empty() || output_.series().last_step() == memory_.step) return;
  std::vector<double> row;
  for (const std::string& name : settings_.output.series) {
    const bool known = changes_are_known || !is_change(name);
    row.push_back(known ? method_.monitor(name) : std::numeric_limits<double>::quiet_NaN());
  }
  if (changes_are_known) {
    append_to_series(row);
  } else {
    output_.series().append(memory_.step, row);
  }
}

std::optional<bool> TimeLoop::converged() const {
  if (settings_.stop.criteria.empty()) return std::nullopt;
  return converged_;
}

std::vector<std::string> TimeLoop::warnings() const {
  std::vector<std::string> warnings;
  for (const auto& [name, fault] : series_faults_) {
    warnings.push_back(
        "series.csv: " + name + " is " + number_text(fault.first_value) + " at step " +
        std::to_string(fault.first_step) +
        (fault.rows == 1 ? ""
                         : ", and not finite in " + std::to_string(fault.rows) + " rows in all"));
  }
  // If the run ended because a field is not finite, unmet criteria are not worth a warning.
  if (settings_.stop.criteria.empty() || converged_ || !output_.field_faults().empty()) {
    return warnings;
  }
  std::vector<std::string> unmet;
  for (const auto& [name, tolerance] : settings_.stop.criteria) {
    const auto change = changes_.find(name);
    if (change == changes_.end() || change->second <= tolerance) continue;
    unmet.push_back((is_change(name) ? name : "the change of " + name) + " is " +
                    (std::isfinite(change->second) ? short_number(change->second) : "not known") +
                    ", must be at most " + short_number(tolerance));
  }
  const std::string found = unmet.empty() ? "no check was made, for stop.check_every is " +
                                                std::to_string(settings_.stop.check_every)
                                          : "at the latest check " + join(unmet, " and ");
  warnings.push_back("stop.criteria were not met by step " + std::to_string(memory_.step) + ": " +
                     found);
  return warnings;
}

bool TimeLoop::criteria_hold() {
  bool all_hold = !settings_.stop.criteria.empty();
  residual_.clear();
  for (const auto& [name, tolerance] : settings_.stop.criteria) {
    const double value = monitors_[name];
    double change = value;
    std::string shown = name;
    if (!is_change(name)) {
      const auto earlier = memory_.checked.find(name);
      change = earlier == memory_.checked.end() ? std::numeric_limits<double>::infinity()
               : earlier->second == value       ? 0
                                                : std::abs((value - earlier->second) / value);
      memory_.checked[name] = value;
      shown = "change of " + name;
    }
    changes_[name] = change;
    // In this form a NaN does not count as converged.
    if (!(change <= tolerance)) all_hold = false;
    if (residual_.empty() && std::isfinite(change)) residual_ = shown + ' ' + short_number(change);
  }
  return all_hold;
}

bool TimeLoop::interrupted() const {
  const auto& wall_seconds = settings_.stop.wall_seconds;
  return signal_.received() != 0 || asked_to_stop_ ||
         (wall_seconds && clock_.seconds() >= *wall_seconds);
}

void TimeLoop::write(const Events& due) {
  const bool last = finished_;
  write_fields_and_snapshots(due.fields || last, due.snapshots || last);
  const bool stops = !stopped_by_.empty();
  const bool asked = due.checkpoint || (last ? settings_.checkpoint.at_end : stops);
  const bool checkpoint = asked && output_.field_faults().empty();
  const bool series_is_old = clock_.seconds() - series_written_ > seconds_between_series;
  if (stops) append_last_row(due.monitors());
  // Before the checkpoint, since a run that continues from it needs all rows up to its step.
  if (stops || checkpoint || due.fields || (due.series && series_is_old)) write_series();
  const AddTime add(total_.io_seconds);
  if (stops || checkpoint || due.fields) output_.write_probes();
  if (stops) output_.write_statistics(method_);
  if (!checkpoint) return;
  checkpoint_ = checkpoints_.write(method_, memory_, &output_.statistics());
  note_good(*checkpoint_);
  output_.note(*checkpoint_);
}

void TimeLoop::write_fields_and_snapshots(bool fields, bool snapshots) {
  const AddTime add(total_.io_seconds);
  const auto file = fields ? output_.write_fields(method_, memory_.step) : std::nullopt;
  if (snapshots) output_.write_snapshots(method_, memory_.step);
  if (output_.field_faults().empty()) {
    if (file) note_good(*file);
    return;
  }
  finished_ = true;
  converged_ = false;
  stopped_by_ = "a field is not finite";
}

void TimeLoop::note_good(const std::filesystem::path& file) {
  last_good_ = file.string() + " (step " + std::to_string(memory_.step) + ')';
}

void TimeLoop::write_series() {
  const AddTime add(total_.io_seconds);
  output_.write_series();
  series_written_ = clock_.seconds();
}

bool TimeLoop::is_change(const std::string& monitor) const {
  const auto& changes = problem_.change_monitors;
  return std::find(changes.begin(), changes.end(), monitor) != changes.end();
}

ProgressState TimeLoop::progress_state() const {
  ProgressState state{
      memory_.step, settings_.stop.steps, total_.updates_per_second(), problem_.update_unit, -1,
      residual_};
  if (total_.steps > 0) {
    state.seconds_left = (clock_.seconds() - loop_began_) / static_cast<double>(total_.steps) *
                         static_cast<double>(settings_.stop.steps - memory_.step);
  }
  return state;
}

}  // namespace knudsen
