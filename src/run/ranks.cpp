#include "run/ranks.hpp"

#include <exception>
#include <string>
#include <utility>

#include "output/checkpoint.hpp"
#include "parallel/communicator.hpp"

namespace knudsen {
namespace {

enum class Command : std::int64_t {
  initialise,
  advance,
  fence,
  remember,
  monitor,
  find_divergence,
  field,
  results,
  distributions,
  save,
  load,
  end
};

/// What the leader says: a function of Method and its argument.
struct Order {
  Command command;
  std::int64_t number = 0;
  std::string name{};
};

void tell(Order order) {
  const Communicator& ranks = world();
  ranks.broadcast(order.command);
  ranks.broadcast(order.number);
  ranks.broadcast(order.name);
}

Order hear() {
  Order order{Command::end};
  const Communicator& ranks = world();
  ranks.broadcast(order.command);
  ranks.broadcast(order.number);
  ranks.broadcast(order.name);
  return order;
}

class LeadingMethod final : public Method {
 public:
  explicit LeadingMethod(std::unique_ptr<Method> part) : part_(std::move(part)) {}
  ~LeadingMethod() override {
    if (std::uncaught_exceptions() == 0) tell({Command::end});
  }
  LeadingMethod(const LeadingMethod&) = delete;
  LeadingMethod& operator=(const LeadingMethod&) = delete;

  void initialise() override {
    tell({Command::initialise});
    part_->initialise();
  }
  void advance(std::int64_t steps) override {
    tell({Command::advance, steps});
    part_->advance(steps);
  }
  void fence() override {
    tell({Command::fence});
    part_->fence();
    world().barrier();  // so that times are those of the slowest rank
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
  bool is_solid(std::size_t cell) const override { return part_->is_solid(cell); }
  std::map<std::string, std::string> results() override {
    tell({Command::results});
    return part_->results();
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

 private:
  std::unique_ptr<Method> part_;
};

}  // namespace

std::unique_ptr<Method> lead(std::unique_ptr<Method> part) {
  if (world().size() == 1) return part;
  return std::make_unique<LeadingMethod>(std::move(part));
}

void follow(Method& part) {
  for (;;) {
    const Order order = hear();
    switch (order.command) {
      case Command::initialise:
        part.initialise();
        break;
      case Command::advance:
        part.advance(order.number);
        break;
      case Command::fence:
        part.fence();
        world().barrier();
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
      case Command::results:
        part.results();
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
      case Command::end:
        return;
    }
  }
}

}  // namespace knudsen
