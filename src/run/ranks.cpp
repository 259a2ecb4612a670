#include "run/ranks.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <numeric>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/stopwatch.hpp"
#include "output/checkpoint.hpp"
#include "parallel/communicator.hpp"
#include "parallel/transport.hpp"
#include "report/timing_report.hpp"

namespace knudsen {
namespace {

enum class Command : std::int64_t {
  initialise,
  initialise_given,
  advance,
  fence,
  remember,
  monitor,
  find_divergence,
  field,
  add_to_averages,
  averages,
  load_averages,
  surface,
  results,
  warnings,
  distributions,
  save,
  load,
  times,
  copy_bandwidth,
  end
};

/// What the leader says: a function of Method and its argument.
struct Order {
  Command command;
  std::int64_t number = 0;
  std::string name{};
  bool timed = false;  ///< of `advance`: whether kernels are timed
};

/// An order as it is sent. A longer name follows it.
struct SentOrder {
  Command command;
  std::int64_t number;
  std::uint64_t length;
  bool timed;
  std::array<char, 103> name;
};

void exchange_name(std::string& name, SentOrder& sent) {
  if (name.size() > sent.name.size())
    world().broadcast(static_cast<void*>(name.data()), name.size());
}

void tell(Order order) {
  SentOrder sent{order.command, order.number, order.name.size(), order.timed, {}};
  std::copy_n(order.name.begin(), std::min(order.name.size(), sent.name.size()), sent.name.begin());
  world().hear(&sent, sizeof sent);
  exchange_name(order.name, sent);
}

Order hear() {
  SentOrder sent{};
  world().hear(&sent, sizeof sent);
  Order order{sent.command, sent.number, std::string(sent.length, ' '), sent.timed};
  std::copy_n(sent.name.begin(), std::min(order.name.size(), sent.name.size()), order.name.begin());
  exchange_name(order.name, sent);
  return order;
}

/// A rank's part of a method, whose steps are measured.
class MeasuredPart {
 public:
  explicit MeasuredPart(Method& part) : part_(part) {}

  void advance(std::int64_t steps) {
    const Stopwatch watch;
    const Traffic before = traffic();
    part_.advance(steps);
    finish_exchanges();
    times_.exchange += traffic().seconds - before.seconds;
    times_.bytes += traffic().bytes - before.bytes;
    times_.messages += traffic().messages - before.messages;
    times_.seconds += watch.seconds();
    stepping_ = true;
  }
  void fence() {
    const Stopwatch watch;
    part_.fence();
    const double before = traffic().seconds;
    world().barrier();  // so that times are those of the slowest rank
    if (!stepping_) return;
    times_.barrier += traffic().seconds - before;
    times_.seconds += watch.seconds();
    stepping_ = false;
  }
  /// Collective: those of all ranks, on the first one.
  std::vector<RankTimes> times() {
    times_.kernels = 0;
    for (const KernelTimers::Record& record : part_.timers().records()) {
      if (record.samples.empty() || is_exchange(record.name) || is_between_steps(record.name)) {
        continue;
      }
      times_.kernels += std::accumulate(record.samples.begin(), record.samples.end(), 0.0) /
                        static_cast<double>(record.samples.size()) *
                        static_cast<double>(record.calls);
    }
    return world().concatenate_on_first(std::vector{times_});
  }

 private:
  Method& part_;
  RankTimes times_;
  bool stepping_ = false;
};

class LeadingMethod final : public Method {
 public:
  explicit LeadingMethod(std::unique_ptr<Method> part)
      : part_(std::move(part)), measured_(*part_) {}
  ~LeadingMethod() override {
    if (std::uncaught_exceptions() == 0) tell({Command::end});
  }
  LeadingMethod(const LeadingMethod&) = delete;
  LeadingMethod& operator=(const LeadingMethod&) = delete;

  void initialise() override {
    tell({Command::initialise});
    part_->initialise();
  }
  /// The other ranks know the same fields (follow).
  void initialise(const GivenFields& given) override {
    tell({Command::initialise_given});
    part_->initialise(given);
  }
  void advance(std::int64_t steps) override {
    tell({Command::advance, steps, "", part_->timers().is_timing()});
    measured_.advance(steps);
  }
  void fence() override {
    tell({Command::fence});
    measured_.fence();
  }
  KernelTimers& timers() override { return part_->timers(); }
  void remember() override {
    tell({Command::remember});
    part_->remember();
  }
  double monitor(const std::string& name) override {
    tell({Command::monitor, 0, name});
    return part_->monitor(name);
  }
  std::optional<Divergence> find_divergence() override {
    tell({Command::find_divergence});
    return part_->find_divergence();
  }
  Field field(const std::string& name) override {
    tell({Command::field, 0, name});
    return part_->field(name);
  }
  void add_to_averages(std::int64_t sample) override {
    tell({Command::add_to_averages, sample});
    part_->add_to_averages(sample);
  }
  std::vector<double> averages(std::size_t row) override {
    tell({Command::averages, static_cast<std::int64_t>(row)});
    return part_->averages(row);
  }
  void load_averages(const CheckpointReader& checkpoint) override {
    tell({Command::load_averages, 0, checkpoint.path().string()});
    part_->load_averages(checkpoint);
  }
  SurfaceFields surface() override {
    tell({Command::surface});
    return part_->surface();
  }
  std::map<std::string, std::string> results() override {
    tell({Command::results});
    return part_->results();
  }
  std::vector<std::string> warnings() override {
    tell({Command::warnings});
    return part_->warnings();
  }
  std::vector<DistributionSample> distributions() override {
    tell({Command::distributions});
    return part_->distributions();
  }
  void save(CheckpointWriter& checkpoint) override {
    tell({Command::save});
    part_->save(checkpoint);
  }
  void load(const CheckpointReader& checkpoint) override {
    tell({Command::load, 0, checkpoint.path().string()});
    part_->load(checkpoint);
  }

  std::vector<RankTimes> times() {
    tell({Command::times});
    return measured_.times();
  }

 private:
  std::unique_ptr<Method> part_;
  MeasuredPart measured_;
};

}  // namespace

bool is_exchange(const std::string& kernel) { return kernel.starts_with("ghost_exchange"); }

std::unique_ptr<Method> lead(std::unique_ptr<Method> part) {
  if (world().size() == 1) return part;
  return std::make_unique<LeadingMethod>(std::move(part));
}

std::vector<RankTimes> rank_times(Method& method) {
  auto* const leading = dynamic_cast<LeadingMethod*>(&method);
  return leading == nullptr ? std::vector<RankTimes>{} : leading->times();
}

double copy_bandwidth_of_all(Backend backend) {
  const Communicator& ranks = world();
  ranks.barrier();
  double sum = 0;
  for (const double each : ranks.concatenate_on_first(
           std::vector{measure_copy_bandwidth(backend, ranks.size_of_node())})) {
    sum += each;
  }
  return sum;
}

double copy_bandwidth_after(Backend backend) {
  if (world().size() > 1) tell({Command::copy_bandwidth, static_cast<std::int64_t>(backend)});
  return copy_bandwidth_of_all(backend);
}

void follow(Method& part, GivenFields given) {
  MeasuredPart measured(part);
  for (;;) {
    const Order order = hear();
    switch (order.command) {
      case Command::initialise:
        part.initialise();
        break;
      case Command::initialise_given:
        part.initialise(given);
        given = {};  // which takes memory
        break;
      case Command::advance:
        part.timers().timing(order.timed);
        measured.advance(order.number);
        break;
      case Command::fence:
        measured.fence();
        part.timers().collect();
        break;
      case Command::remember:
        part.remember();
        break;
      case Command::monitor:
        part.monitor(order.name);
        break;
      case Command::find_divergence:
        part.find_divergence();
        break;
      case Command::field:
        part.field(order.name);
        break;
      case Command::add_to_averages:
        part.add_to_averages(order.number);
        break;
      case Command::averages:
        part.averages(static_cast<std::size_t>(order.number));
        break;
      case Command::load_averages:
        part.load_averages(CheckpointReader(order.name));
        break;
      case Command::surface:
        part.surface();
        break;
      case Command::results:
        part.results();
        break;
      case Command::warnings:
        part.warnings();
        break;
      case Command::distributions:
        part.distributions();
        break;
      case Command::save: {
        CheckpointWriter nowhere;
        part.save(nowhere);
        break;
      }
      case Command::load:
        part.load(CheckpointReader(order.name));
        break;
      case Command::times:
        measured.times();
        break;
      case Command::copy_bandwidth:
        copy_bandwidth_of_all(static_cast<Backend>(order.number));
        break;
      case Command::end:
        return;
    }
  }
}

}  // namespace knudsen
