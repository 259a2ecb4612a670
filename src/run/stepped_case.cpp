#include "run/stepped_case.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/stopwatch.hpp"
#include "core/text.hpp"
#include "output/own_file.hpp"
#include "run/faults.hpp"
#include "run/run.hpp"

namespace knudsen {
namespace {

constexpr double seconds_of_batch = 0.05;

/// Throws InputError unless one of `quantities` has this name.
void require_name(const std::vector<Quantity>& quantities, const std::string& kind,
                  const std::string& name) {
  std::vector<std::string> names;
  for (const Quantity& each : quantities) names.push_back(each.name);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const std::string near = nearest(name, names);
  throw InputError(kind + ' ' + quote(name) + ": must be one of " + quote_list(names) +
                   (near.empty() ? "" : "; did you mean " + quote(near) + '?'));
}

}  // namespace

template <class Work>
auto SteppedCase::fail_for_good(const Work& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    failure_ = error_text(error);
    throw;
  }
}

SteppedCase::SteppedCase(ResolvedCase resolved, Backend backend)
    : resolved_(std::move(resolved)), backend_(backend) {
  require_memory(resolved_, backend);
  method_ = resolved_.problem->create(backend);
  const auto& fields = resolved_.settings.initial_fields;
  if (fields) {
    method_->initialise(fields->values(*resolved_.problem));
  } else {
    method_->initialise();
  }
  method_->fence();
}

void SteppedCase::require_usable() const {
  if (!failure_.empty()) throw RunError("the simulation has failed before: " + failure_);
}

void SteppedCase::require_sound_state() {
  if (sound_step_ == memory_.step) return;
  fail_for_good([&] {
    const auto divergence = method_->find_divergence();
    if (!divergence) return;
    const auto last_sound = sound_step_ < 0 ? std::nullopt : std::optional(sound_step_);
    throw RunError(
        divergence_text(memory_.step,
                        place_text(divergence->cell, *resolved_.problem) + ": " + divergence->what,
                        last_sound) +
        (divergence->advice.empty() ? "" : "; " + divergence->advice));
  });
  sound_step_ = memory_.step;
}

void SteppedCase::advance(std::int64_t steps, bool changes,
                          const std::function<bool()>& interrupted) {
  require_usable();
  if (steps < 0) throw InputError("steps: found " + std::to_string(steps) + ", must be at least 0");
  if (memory_.step == 0) require_sound_state();
  const std::int64_t check_every = resolved_.settings.stop.check_every;
  while (steps > 0) {
    std::int64_t batch = std::min({steps, batch_, check_every - memory_.step % check_every});
    if (changes && steps > 1) batch = std::min(batch, steps - 1);
    const Stopwatch watch;
    fail_for_good([&] {
      if (changes && steps == 1) method_->remember();
      method_->advance(batch);
      method_->fence();
      method_->timers().collect();
    });
    memory_.step += batch;
    memory_.checked.clear();  // which were values of an earlier step
    steps -= batch;
    if (changes && steps == 0) changes_at_ = memory_.step;
    if (memory_.step % check_every == 0) require_sound_state();
    if (steps == 0) return;  // whoever steps one at a time pays nothing below
    const double seconds = watch.seconds();
    if (batch == batch_ && seconds < seconds_of_batch / 2) batch_ *= 2;
    if (seconds > 2 * seconds_of_batch) batch_ = std::max<std::int64_t>(1, batch_ / 2);
    if (interrupted()) return;
  }
}

template <class FieldType>
void SteppedCase::require_no_fault(const FieldType& field) const {
  if (const auto fault = field_fault(field, *resolved_.problem)) {
    throw RunError("at step " + std::to_string(memory_.step) + ' ' + *fault);
  }
}

Field SteppedCase::field(const std::string& name) {
  require_usable();
  require_name(resolved_.problem->fields, "field", name);
  require_sound_state();
  Field field = method_->field(name);
  require_no_fault(field);
  return field;
}

DeviceField SteppedCase::field_in(Backend memory, const std::string& name) {
  require_usable();
  require_name(resolved_.problem->fields, "field", name);
  require_sound_state();
  if (memory == backend_) {
    if (auto evaluated = method_->device_field(name)) {
      if (memory == Backend::host) require_no_fault(*evaluated);
      return std::move(*evaluated);
    }
  }
  return in_memory_of(memory, field(name));
}

double SteppedCase::monitor(const std::string& name) {
  require_usable();
  const Problem& problem = *resolved_.problem;
  require_name(problem.monitors, "monitor", name);
  const auto& changes = problem.change_monitors;
  const bool is_change = std::find(changes.begin(), changes.end(), name) != changes.end();
  if (is_change && changes_at_ != memory_.step) {
    throw InputError("monitor " + quote(name) +
                     ": compares with the state one step before, which was not kept; advance with "
                     "changes to keep it");
  }
  require_sound_state();
  const double value = method_->monitor(name);
  if (!std::isfinite(value) && !is_change && memory_.step > 0) {
    fail_for_good([&] {
      throw RunError(
          divergence_text(memory_.step, name + " is " + number_text(value), sound_step_));
    });
  }
  return value;
}

std::map<std::string, std::string> SteppedCase::results() {
  require_usable();
  require_sound_state();
  return method_->results();
}

void SteppedCase::set_fields(const std::map<std::string, std::vector<double>>& fields) {
  require_usable();
  const Problem& problem = *resolved_.problem;
  std::vector<Quantity> known;
  for (const Quantity& each : problem.fields) {
    const auto& names = problem.given_fields;
    if (std::find(names.begin(), names.end(), each.name) != names.end()) known.push_back(each);
  }
  GivenFields given;
  for (const auto& field : fields) {
    const std::string& name = field.first;
    const std::vector<double>& values = field.second;
    require_name(known, "field", name);
    const auto quantity = std::find_if(known.begin(), known.end(),
                                       [&](const Quantity& each) { return each.name == name; });
    const auto components = static_cast<std::size_t>(quantity->components);
    if (values.size() != problem.grid.size() * components) {
      throw InputError("field " + quote(name) + ": found " + std::to_string(values.size()) +
                       " values, must be " + std::to_string(problem.grid.size() * components));
    }
    const bool is_velocity = name == "velocity";
    double rest = name.ends_with("_deviation") ? 1 : 0;
    if (const auto from = problem.deviations_from.find(name);
        from != problem.deviations_from.end()) {
      rest = from->second;
    }
    auto& target = given.of(name.substr(0, name.find("_deviation")));
    target = values;
    for (double& value : target) value += rest;
    const auto& free = problem.signed_fields;
    const bool any_sign = is_velocity || std::find(free.begin(), free.end(), name) != free.end();
    if (const auto fault = first_unsound(name, target, !any_sign, components, problem)) {
      throw InputError("field " + quote(name) + ": found " + number_text(values[*fault]) + " in " +
                       place_text(*fault / components, problem) + ", must be " +
                       (any_sign    ? "finite"
                        : rest != 0 ? "above " + number_text(-rest)
                                    : "positive"));
    }
  }
  check_given(given, "field ", problem);
  fail_for_good([&] {
    method_->initialise(given);
    method_->fence();
  });
  memory_ = {};
  changes_at_.reset();
  sound_step_ = -1;
  require_sound_state();
}

void SteppedCase::save(const std::filesystem::path& file) {
  require_usable();
  require_sound_state();
  require_replaceable(file, FileKind::checkpoint, resolved_.inputs, "choose another file");
  write_checkpoint(file, resolved_.problem->method, resolved_.identity, *method_, memory_);
}

void SteppedCase::load(const std::filesystem::path& file_or_directory) {
  require_usable();
  const auto reader =
      open_checkpoint(file_or_directory, resolved_.problem->method, resolved_.identity);
  fail_for_good([&] {
    memory_ = load_checkpoint(*reader, *method_);
    method_->fence();
  });
  changes_at_.reset();
  sound_step_ = -1;
  require_sound_state();
}

}  // namespace knudsen
