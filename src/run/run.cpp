#include "run/run.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <numeric>
#include <utility>

#include "core/error.hpp"
#include "core/stopwatch.hpp"
#include "device/device_memory.hpp"
#include "output/atomic_file.hpp"
#include "output/directory_lock.hpp"
#include "parallel/node_share.hpp"
#include "parallel/together.hpp"
#include "parallel/transport.hpp"
#include "report/text.hpp"
#include "run/checkpoints.hpp"
#include "run/faults.hpp"
#include "run/output_directory.hpp"
#include "run/ranks.hpp"
#include "run/time_loop.hpp"

namespace knudsen {
namespace {

std::unique_ptr<CheckpointReader> open_restart(const std::filesystem::path& path,
                                               const ResolvedCase& resolved) {
  auto reader = open_checkpoint(path, resolved.problem->method, resolved.identity);
  if (reader->step() >= resolved.settings.stop.steps) {
    throw InputError(reader->path().string() + ": is at step " + std::to_string(reader->step()) +
                     " already; to continue, set stop.steps or stop.time of the case (now step " +
                     std::to_string(resolved.settings.stop.steps) + ") to a later one");
  }
  return reader;
}

/// Resident memory of the process on the host, the program itself included.
struct ResidentMemory {
  /// Begins a new measurement of the peak.
  static void begin() { std::ofstream("/proc/self/clear_refs") << "5"; }
  /// Bytes; 0 if the system does not tell.
  static std::int64_t peak() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
      if (line.rfind("VmHWM:", 0) == 0) return std::stoll(line.substr(6)) * 1024;
    }
    return 0;
  }
};

/// The machine's name for the report: the environment variable KNUDSEN_HOST if it is set, else the
/// host name. With the variable a report can name the machine by its kind, for readers elsewhere.
std::string host_name() {
  if (const char* given = std::getenv("KNUDSEN_HOST"); given != nullptr && *given != '\0') {
    return given;
  }
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

/// The mean of a launch below which the GPU's events, themselves some microseconds, distort it.
constexpr double shortest_timed_launch = 30e-6;

/// Sets the timings of the kernels in a report whose total is known. The total goes by the median
/// step; `median_over_mean` turns the mean of a kernel's launches into its part of that step.
void add_kernel_timings(const KernelTimers& timers, double median_over_mean, TimingReport& report) {
  double all_seconds = 0;
  double all_calls = 0;
  for (const KernelTimers::Record& record : timers.records()) {
    KernelTiming timing;
    timing.name = record.name;
    timing.calls = record.calls;
    timing.bytes = record.bytes;
    timing.flops = record.flops;
    if (!record.samples.empty()) {
      timing.call_seconds = spread_of(record.samples);
      timing.min_seconds = *std::min_element(record.samples.begin(), record.samples.end());
      timing.seconds = std::accumulate(record.samples.begin(), record.samples.end(), 0.0) /
                       static_cast<double>(record.samples.size()) *
                       static_cast<double>(record.calls) *
                       (is_between_steps(record.name) ? 1 : median_over_mean);
    }
    if (!is_between_steps(timing.name)) {
      all_seconds += timing.seconds;
      all_calls += static_cast<double>(timing.calls);
    }
    report.kernels.push_back(std::move(timing));
  }
  report.kernel_clock = timers.clock().name();
  if (timers.clock().is_free() || report.total.step_seconds.count == 0 || all_seconds <= 0 ||
      all_seconds >= shortest_timed_launch * all_calls) {
    return;
  }
  report.kernel_clock = "shares of steps";
  const double factor =
      report.total.seconds_per_step() * static_cast<double>(report.total.steps) / all_seconds;
  for (KernelTiming& kernel : report.kernels) {
    if (is_between_steps(kernel.name)) continue;
    for (double* seconds :
         {&kernel.seconds, &kernel.min_seconds, &kernel.call_seconds.lower_quartile,
          &kernel.call_seconds.median, &kernel.call_seconds.upper_quartile}) {
      *seconds *= factor;
    }
  }
}

/// The part of the report that is known before the run.
TimingReport describe_run(const ResolvedCase& resolved, Backend backend) {
  const Problem& problem = *resolved.problem;
  const BackendInfo info = backend_info(backend);
  TimingReport report;
  report.title = resolved.title;
  report.method = problem.method;
  report.variant = problem.variant;
  report.precision = problem.precision;
  report.backend = info.name;
  report.device = info.device;
  report.threads = info.threads;
  const BackendInfo host = backend_info(Backend::host);
  report.cores = host.cores;
  report.bound = host.bound;
  report.host = host_name();
  report.kokkos_version = kokkos_version();
  report.compiler = compiler_version();
  report.git_commit = git_commit();
  report.case_digest = resolved.digest;
  report.sizes = problem.sizes;
  report.tuning = problem.tuning;
  report.memory_bytes["stated"] = static_cast<std::int64_t>(problem.memory_bytes);
  report.memory_bytes["stated_host"] = static_cast<std::int64_t>(host_need(problem, backend));
  report.update_unit = problem.update_unit;
  return report;
}

/// Throws InputError if a backend has less than `needed` bytes free, which `ranks` of all ranks
/// share.
void require_free(const ResolvedCase& resolved, Backend backend, std::uint64_t needed, int ranks) {
  const BackendInfo info = backend_info(backend);
  if (needed <= info.memory_free) return;
  const int all = world().size();
  throw InputError(
      resolved.name + ": needs " + (all == 1 ? "" : "at least ") +
      with_prefix(static_cast<double>(needed), "B") + " of memory" +
      (all == 1 ? "" : " for " + std::to_string(ranks) + " of " + std::to_string(all) + " ranks") +
      ", but only " + with_prefix(static_cast<double>(info.memory_free), "B") + " of " +
      with_prefix(static_cast<double>(info.memory_total), "B") + " are free on " + info.device +
      "; make the domain smaller or the precision single");
}

/// The least part of `bytes` of the whole problem that `ranks` of all ranks need: without the
/// buffers of exchanges and what each rank holds of the whole domain.
std::uint64_t share_of(std::uint64_t bytes, int ranks) {
  const auto all = static_cast<std::uint64_t>(world().size());
  const auto part = static_cast<std::uint64_t>(ranks);
  return bytes / all * part + (bytes % all * part + all - 1) / all;
}

/// The times of the ranks in a report that has those of the kernels.
void add_rank_timings(const std::vector<RankTimes>& times, const std::vector<RankPlace>& places,
                      TimingReport& report) {
  if (times.empty()) return;
  report.ranks = static_cast<int>(times.size());
  // Kernels that are too short to be timed by themselves share the time of a step.
  double of_first = 0;
  for (const KernelTiming& kernel : report.kernels) {
    if (!is_exchange(kernel.name) && !is_between_steps(kernel.name)) of_first += kernel.seconds;
  }
  const double scale = times.front().kernels > 0 ? of_first / times.front().kernels : 1;
  // A rank that others wait for waits least. What it waits is the exchange that was not hidden.
  double exchange = times.front().exchange;
  for (const RankTimes& each : times) exchange = std::min(exchange, each.exchange);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const RankTimes& each = times[i];
    RankTiming& timing = report.rank_timings.emplace_back();
    timing.name = places[i].name;
    timing.device = places[i].device;
    timing.bytes = each.bytes;
    timing.messages = each.messages;
    if (each.seconds <= 0) continue;
    // Reckoned from the timed launches; while a rank waits none of its kernels runs.
    timing.kernels =
        std::min(each.kernels * scale, each.seconds - each.exchange - each.barrier) / each.seconds;
    timing.exchange = exchange / each.seconds;
    timing.waiting = (each.exchange - exchange + each.barrier) / each.seconds;
    timing.bytes_per_second = static_cast<double>(each.bytes) / each.seconds;
  }
}

}  // namespace

std::uint64_t host_need(const Problem& problem, Backend backend) {
  return problem.host_bytes +
         (backend == Backend::host ? problem.memory_bytes : problem.checkpoint_bytes);
}

void require_memory(const ResolvedCase& resolved, Backend backend) {
  const Problem& problem = *resolved.problem;
  const bool lower_bound = problem.estimated && problem.least_memory_bytes < problem.memory_bytes;
  std::uint64_t shared_out = problem.memory_bytes;  // of what the host needs
  if (backend == Backend::device) {
    require_free(resolved, backend,
                 share_of(problem.estimated ? problem.least_memory_bytes : problem.memory_bytes, 1),
                 1);
    // A GPU's memory may be larger than the host's, so a checkpoint counts only if one is asked
    // for.
    const RunSettings::Checkpoint& checkpoint = resolved.settings.checkpoint;
    shared_out = checkpoint.every == 0 && !checkpoint.at_end ? 0 : problem.checkpoint_bytes;
  }
  // Ranks of a node share its memory.
  const int ranks = world().size_of_node();
  const std::uint64_t on_host = problem.host_bytes + share_of(shared_out, ranks);
  require_free(resolved, Backend::host, lower_bound ? 0 : on_host, ranks);
}

int exit_code(const RunOptions& options, const RunResult& result) {
  if (result.signal != 0) return 128 + result.signal;
  const bool failed =
      !result.usable || (options.require_convergence && !result.report.converged.value_or(false));
  return failed ? 1 : 0;
}

ResolvedCase estimate_case(const CaseDocument& document, const std::vector<MethodEntry>& methods) {
  CaseDocument copy = document;
  copy.set_estimating(true);
  return resolve_case(copy, methods);
}

ResolvedCase resolve_case_in_memory(const CaseDocument& document,
                                    const std::vector<MethodEntry>& methods, Backend backend) {
  ResolvedCase resolved = estimate_case(document, methods);
  if (!resolved.problem->estimated) return resolved;
  require_memory(resolved, backend);
  return resolve_case(CaseDocument(document), methods);  // a copy, in which files are noted
}

RunResult run_case(const ResolvedCase& resolved, const RunOptions& options,
                   const StopSignal& signal) {
  const Stopwatch clock;
  const Problem& problem = *resolved.problem;
  const RunSettings& settings = resolved.settings;
  RunResult result;
  std::unique_ptr<CheckpointReader> restart;
  std::optional<DirectoryLock> lock;
  world().set_patience(settings.parallel.patience);
  world().set_piece_bytes(settings.parallel.piece_bytes);

  // 1. Check what the run needs: memory, the checkpoint of a restart, a writable output directory
  //    in which no other run and nothing but results is in the way.
  together([&] {
    if (world().size() > 1 && !problem.for_ranks) {
      throw InputError(resolved.name + ": the method " + problem.method +
                       " with these options runs on one rank only, not on " +
                       std::to_string(world().size()));
    }
    if (options.require_convergence && settings.stop.criteria.empty()) {
      throw InputError(resolved.name +
                       ": stop.criteria: none given; --require-convergence needs at least one");
    }
    require_memory(resolved, options.backend);
    if (!world().is_first()) return;
    if (options.restart) restart = open_restart(*options.restart, resolved);
    result.directory = options.output_directory.value_or(settings.output.directory);
    require_writable_directory(result.directory, output_bytes(resolved),
                               longest_output_name(resolved));
    lock.emplace(result.directory);
    if (lock->held()) StopSignal::delete_on_exit(lock->path());
    std::optional<RestartFile> restart_file;
    if (restart) restart_file = {restart->path(), restart->step()};
    protect_files(result.directory, resolved, restart_file, lock->killed_run_wrote_case());
    if (lock->held()) sweep_temporary_files(result.directory, resolved);
  });

  // 2. Allocate the memory and set the initial state.
  double bandwidth_before = 0;
  if (options.measure_bandwidth) bandwidth_before = copy_bandwidth_of_all(options.backend);
  const std::string transport_fault =
      choose_transport(settings.parallel.transport, options.backend);
  if (!transport_fault.empty() && world().is_first()) {
    std::cerr << "knudsen: warning: " << transport_fault << '\n';
  }
  const std::vector<RankPlace> places = rank_places(options.backend);
  const bool has_fields = settings.initial_fields && !options.restart;
  // Collective.
  const auto given_fields = [&] {
    GivenFields given;
    together([&] { given = settings.initial_fields->values(problem); });
    return given;
  };
  const auto create = [&] {
    std::unique_ptr<Method> part = problem.create(options.backend);
    return Statistics(settings.output.statistics, problem).keep_in(std::move(part));
  };
  if (!world().is_first()) {
    const std::unique_ptr<Method> part = create();
    GivenFields given;
    if (has_fields) given = given_fields();
    StopSignal::begin_stepping();  // the first rank ends the run after a signal
    follow(*part, std::move(given), problem);
    return {};
  }
  ResidentMemory::begin();
  DeviceMonitor device(backend_info(options.backend).pci_bus);
  if (options.backend == Backend::device) DeviceMemory::begin();
  OutputFiles output(resolved, result.directory);
  Checkpoints checkpoints(result.directory, problem.method, resolved.identity,
                          settings.checkpoint.keep);
  const std::unique_ptr<Method> method = lead(create());
  RunMemory memory;
  if (restart) {
    memory = load_checkpoint(*restart, *method);
    output.statistics().load(*restart, *method);
    output.resume_series(memory.step);
    checkpoints.adopt(memory.step, restart->path());
  } else if (has_fields) {
    method->initialise(given_fields());
  } else {
    method->initialise();
  }
  method->fence();
  StopSignal::begin_stepping();
  // A new series before the new case: should the run be killed in between, no series of another
  // case stands beside a case to which it could be taken to belong.
  if (!restart) output.begin_series();
  lock->note_case();
  output.write_case();
  const double setup_seconds = clock.seconds();

  // 3. Step, with output in between, until there is a reason to stop.
  TimeLoop loop(resolved, *method, output, checkpoints, memory, clock, signal, device, options);
  if (!restart) loop.write_initial_output();
  restart.reset();
  loop.run();
  result.step = loop.step();
  result.stopped_by = loop.stopped_by();
  result.signal = loop.finished() ? 0 : signal.received();
  result.checkpoint = loop.checkpoint();

  // 4. Report. After a signal the copy bandwidth is not measured, so that the program ends at once.
  result.report = describe_run(resolved, options.backend);
  if (options.backend == Backend::device) {
    result.report.memory_bytes["peak"] = DeviceMemory::peak();
  }
  result.report.total = loop.total();
  result.report.total.setup_seconds = setup_seconds;
  add_kernel_timings(method->timers(), loop.median_over_mean(), result.report);
  add_rank_timings(rank_times(*method), places, result.report);
  if (world().size() > 1) result.report.transport = transport_text(options.backend);
  for (const auto& [name, samples] : device.samples()) {
    result.report.device_state[name] = spread_of(samples);
  }
  std::vector<std::string> average_warnings;
  std::vector<std::string> method_warnings;
  if (loop.finished()) {
    result.report.results = method->results();
    method_warnings = method->warnings();
    result.profiles = output.write_profiles(*method, result.step);
    output.write_distributions(*method);
    output.write_spectra(result.report.results);
    average_warnings = output.average_series(result.report.results);
  }
  result.report.memory_bytes["peak_host"] = ResidentMemory::peak();
  result.report.copy_bandwidth_gb_s.before = bandwidth_before;
  if (options.measure_bandwidth && result.signal == 0) {
    result.report.copy_bandwidth_gb_s.after = copy_bandwidth_after(options.backend);
  }
  result.report.converged = loop.converged();
  std::vector<std::string>& warnings = result.report.warnings;
  for (const auto& each : output.field_faults()) {
    warnings.push_back("the results are not usable: " + each);
  }
  result.usable = warnings.empty();
  for (auto& each : result_faults(result.report.results)) warnings.push_back(std::move(each));
  for (auto& each : method_warnings) warnings.push_back(std::move(each));
  for (auto& each : loop.warnings()) warnings.push_back(std::move(each));
  for (auto& each : output.sampling_warnings()) warnings.push_back(std::move(each));
  for (auto& each : average_warnings) warnings.push_back(std::move(each));
  const auto timing_file = output.path("timing.json");
  write_timing_report(timing_file, result.report);
  output.note(timing_file);
  result.files = output.files();
  // Older checkpoints have been deleted.
  std::erase_if(result.files, [](const auto& file) { return !std::filesystem::exists(file); });
  return result;
}

}  // namespace knudsen
