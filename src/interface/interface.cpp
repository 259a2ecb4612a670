#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/text.hpp"
#include "device/backend.hpp"
#include "device/kokkos.hpp"
#include "interface/knudsen/knudsen.hpp"
#include "interface/knudsen/method.hpp"
#include "methods/registry.hpp"
#include "parallel/communicator.hpp"
#include "run/run.hpp"
#include "run/stepped_case.hpp"
#include "run/summary.hpp"

namespace knudsen {
namespace {

Backend backend_of(Place place) {
  switch (place) {
    case Place::host:
      return Backend::host;
    case Place::device:
      return parse_backend("device");
    case Place::best:
      break;
  }
  return default_backend();
}

}  // namespace

std::string version() { return KNUDSEN_VERSION; }

void register_method(MethodEntry entry) { add_method(std::move(entry)); }

class Session::Parts {
 public:
  explicit Parts(int threads) {
    if (!Kokkos::is_initialized()) kokkos_.emplace(threads);
  }

 private:
  std::optional<KokkosSession> kokkos_;
};

Session::Session(int threads) : parts_(std::make_unique<Parts>(threads)) {}
Session::~Session() = default;

class Case::Contents {
 public:
  explicit Contents(CaseDocument given)
      : document(std::move(given)), estimate(estimate_case(document, method_registry())) {}

  CaseDocument document;
  ResolvedCase estimate;
};

Case Case::from_file(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  return Case(std::make_shared<Contents>(CaseDocument::from_file(file, overrides)));
}

Case Case::from_text(const std::string& text, const std::string& name,
                     const std::filesystem::path& directory,
                     const std::vector<std::string>& overrides) {
  return Case(
      std::make_shared<Contents>(CaseDocument::from_text(text, name, directory, overrides)));
}

std::string Case::json() const { return contents_->document.json().dump(2); }
std::string Case::digest() const { return contents_->estimate.digest; }
std::vector<std::string> Case::warnings() const { return contents_->estimate.problem->warnings; }

std::string Case::summary(Place place) const {
  const Backend backend = backend_of(place);
  require_memory(contents_->estimate, backend);
  return case_summary(contents_->estimate, backend_info(backend), backend_info(Backend::host));
}

std::string Case::summary_json(Place place) const {
  const Backend backend = backend_of(place);
  require_memory(contents_->estimate, backend);
  return case_json(contents_->estimate, backend_info(backend), backend).dump(2);
}

Outcome Case::run(const Options& options) const {
  RunOptions own;
  own.backend = backend_of(options.place);
  own.output_directory = options.output;
  own.restart = options.restart;
  own.quiet = true;
  own.measure_bandwidth = options.measure_bandwidth;
  own.require_convergence = options.require_convergence;
  if (options.watch) {
    own.watch = [&](const ProgressState& state) {
      return options.watch(
          {state.step, state.last_step, state.updates_per_second, state.seconds_left});
    };
  }
  const StopSignal signal;
  const ResolvedCase resolved =
      resolve_case_in_memory(contents_->document, method_registry(), own.backend);
  const RunResult result = run_case(resolved, own, signal);
  if (exit_code(own, result) == 1) {
    throw RunError(result.report.warnings.empty() ? "the run failed"
                                                  : join(result.report.warnings, "; "));
  }
  return {result.step,
          result.stopped_by,
          result.report.converged,
          result.report.warnings,
          result.directory,
          result.checkpoint,
          result.files,
          run_summary(resolved, result)};
}

Simulation::Simulation(const Case& of, Place place) {
  const Backend backend = backend_of(place);
  stepped_ = std::make_unique<SteppedCase>(
      resolve_case_in_memory(of.contents().document, method_registry(), backend), backend);
}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

std::int64_t Simulation::step() const { return stepped_->step(); }

void Simulation::advance(std::int64_t steps) {
  stepped_->advance(steps, false, [] { return false; });
}

void Simulation::advance(std::int64_t steps, std::int64_t every,
                         const std::function<bool(Simulation&)>& callback) {
  if (every < 1) throw InputError("every: found " + std::to_string(every) + ", must be at least 1");
  const std::int64_t end = step() + steps;
  while (step() < end || steps < 0) {
    stepped_->advance(steps < 0 ? steps : std::min(end - step(), every - step() % every), true,
                      [] { return false; });
    if (step() % every == 0 && callback(*this)) return;
  }
}

std::vector<std::string> Simulation::field_names() const {
  std::vector<std::string> names;
  for (const Quantity& each : stepped_->resolved().problem->fields) names.push_back(each.name);
  return names;
}

FieldData Simulation::field(const std::string& name) {
  const Field field = stepped_->field(name);
  const auto& cells = stepped_->resolved().problem->grid.cells;
  FieldData data{field.quantity.name, field.quantity.unit, {}, 1, {}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    data.cells[axis] = static_cast<std::size_t>(cells[axis]);
  }
  data.components = static_cast<std::size_t>(field.quantity.components);
  data.values.reserve(field.size());
  for (std::size_t i = 0; i < field.size(); ++i) data.values.push_back(field[i]);
  return data;
}

double Simulation::monitor(const std::string& name) { return stepped_->monitor(name); }
std::map<std::string, std::string> Simulation::results() { return stepped_->results(); }
void Simulation::set_fields(const std::map<std::string, std::vector<double>>& fields) {
  stepped_->set_fields(fields);
}
void Simulation::save(const std::filesystem::path& file) { stepped_->save(file); }
void Simulation::load(const std::filesystem::path& file_or_directory) {
  stepped_->load(file_or_directory);
}

}  // namespace knudsen
