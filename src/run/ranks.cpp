#include "run/ranks.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <iterator>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/stopwatch.hpp"
#include "output/checkpoint.hpp"
#include "parallel/communicator.hpp"
#include "parallel/together.hpp"
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
  save_averages,
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

/// Collective: loads a checkpoint, of which nodes that do not share a directory may have others of
/// the same name.
void load_same(Method& part, const CheckpointReader& checkpoint) {
  require_same_text(
      std::to_string(checkpoint.checksum()),
      checkpoint.path().string() + ": is not the checkpoint that the first rank reads");
  part.load(checkpoint);
}

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
  Field field(const std::string& /*name*/) override { refuse(); }
  void add_to_averages(std::int64_t sample) override {
    tell({Command::add_to_averages, sample});
    part_->add_to_averages(sample);
  }
  std::vector<double> averages(std::size_t /*row*/) override { refuse(); }
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
    load_same(*part_, checkpoint);
  }

  std::vector<RankTimes> times() {
    tell({Command::times});
    return measured_.times();
  }
  /// The first rank's part, after the others have been told this.
  Method& part_after(const Order& order) {
    tell(order);
    return *part_;
  }

 private:
  [[noreturn]] static void refuse() {
    throw std::logic_error("values of all ranks are read in pieces: read_field, read_averages");
  }

  std::unique_ptr<Method> part_;
  MeasuredPart measured_;
};

/// The part of the first rank, where others are to do the same.
Method& part_after(Method& method, const Order& order) {
  auto* const leading = dynamic_cast<LeadingMethod*>(&method);
  return leading == nullptr ? method : leading->part_after(order);
}

/// Collective: rows of averages as a field.
std::unique_ptr<SharedField> averages_of(Method& part, const std::vector<std::size_t>& rows,
                                         const Problem& problem, Quantity quantity = {}) {
  const std::size_t components = rows.size();
  std::vector<double> values;
  for (std::size_t c = 0; c < components; ++c) {
    std::vector<double> row = part.averages(rows[c]);
    if (components == 1) {
      values = std::move(row);
      break;
    }
    values.resize(row.size() * components);
    for (std::size_t i = 0; i < row.size(); ++i) values[i * components + c] = row[i];
  }
  quantity.components = static_cast<int>(components);
  return std::make_unique<SharedField>(Field{std::move(quantity), std::move(values)},
                                       part.own_planes(), problem);
}

std::string text_of(const std::vector<std::size_t>& rows) {
  std::string text;
  for (const std::size_t row : rows) text += std::to_string(row) + ' ';
  return text;
}
std::vector<std::size_t> rows_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::size_t>(stream), {}};
}

std::string text_of(const AveragesArray& array) {
  return text_of({array.first, array.count}) + array.key;
}
AveragesArray array_of(const std::string& text) {
  std::istringstream stream(text);
  AveragesArray array{};
  stream >> array.first >> array.count >> array.key;
  return array;
}

/// Collective: writes rows of averages.
void save_averages_of(Method& part, CheckpointWriter& checkpoint, const AveragesArray& array,
                      const Problem& problem) {
  const SharedCells cells(problem.grid.cells, planes_or_all(part.own_planes(), problem));
  std::vector<double> values;  // of one row
  checkpoint.shared_array<double>(
      array.key, {array.count, cells.size()},
      [&](const auto& body) {
        for (std::size_t row = 0; row < array.count; ++row) {
          values = part.averages(array.first + row);
          cells.for_runs(world().rank(), 0, cells.size(),
                         [&](std::size_t cell, std::size_t count, std::size_t place) {
                           body(row * cells.size() + cell, count, place);
                         });
        }
      },
      [&](std::size_t place, std::size_t count, double* to) {
        std::copy_n(values.data() + place, count, to);
      });
}

}  // namespace

void save_averages(Method& method, CheckpointWriter& checkpoint, const AveragesArray& array,
                   const Problem& problem) {
  if (array.count == 0) return;
  Method& part = part_after(method, {Command::save_averages, 0, text_of(array)});
  save_averages_of(part, checkpoint, array, problem);
}

std::unique_ptr<SharedField> read_field(Method& method, const std::string& name,
                                        const Problem& problem) {
  Method& part = part_after(method, {Command::field, 0, name});
  return std::make_unique<SharedField>(part.field(name), part.own_planes(), problem);
}

std::unique_ptr<SharedField> read_averages(Method& method, const std::vector<std::size_t>& rows,
                                           const Quantity& quantity, const Problem& problem) {
  Method& part = part_after(method, {Command::averages, 0, text_of(rows)});
  return averages_of(part, rows, problem, quantity);
}

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

void follow(Method& part, GivenFields given, const Problem& problem) {
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
        SharedField(part.field(order.name), part.own_planes(), problem).serve();
        break;
      case Command::add_to_averages:
        part.add_to_averages(order.number);
        break;
      case Command::averages:
        averages_of(part, rows_of(order.name), problem)->serve();
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
        CheckpointWriter of_first_rank;
        part.save(of_first_rank);
        break;
      }
      case Command::save_averages: {
        CheckpointWriter of_first_rank;
        save_averages_of(part, of_first_rank, array_of(order.name), problem);
        break;
      }
      case Command::load:
        load_same(part, CheckpointReader(order.name));
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
