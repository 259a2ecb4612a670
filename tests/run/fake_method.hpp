#pragma once

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "model/problem.hpp"
#include "output/checkpoint.hpp"
#include "run/settings.hpp"

namespace knudsen::test {

/// Faults and events that a fake method imitates.
struct FakeBehaviour {
  std::int64_t diverges_at = -1;                    ///< step whose state is not finite
  std::int64_t flux_breaks_at = -1;                 ///< step from which the flux is not finite
  std::int64_t change_breaks_at = -1;               ///< step from which the change is NaN
  bool solid = false;                               ///< cell (4, 1) is solid; its flux is NaN
  bool peak_is_unknown_at_start = false;            ///< the monitor "peak" is NaN at step 0
  std::string result = "(1, 2)";                    ///< the value in `results`
  std::int64_t raises_at = -1;                      ///< step during which a signal arrives
  int signal = SIGINT;                              ///< the signal that arrives
  std::vector<std::int64_t>* remembered = nullptr;  ///< steps at which `remember` was called
};

constexpr int fake_width = 6;
constexpr int fake_height = 4;
constexpr std::size_t solid_cell = 10;

/// Diffusion on a small periodic grid, on the host, by plain loops.
class FakeMethod : public Method {
 public:
  explicit FakeMethod(FakeBehaviour behaviour) : behaviour_(behaviour) {
    kernel_ = timers_.declare("fake/diffuse", 16.0 * fake_width * fake_height, 0);
  }

  void initialise() override {
    for (std::size_t i = 0; i < now_.size(); ++i) now_[i] = std::sin(1.0 + static_cast<double>(i));
    if (behaviour_.diverges_at == 0) now_[9] = not_a_number;
  }
  void initialise(const GivenFields& given) override {
    initialise();
    if (!given.density.empty()) now_ = given.density;
    step_ = 0;
  }
  void advance(std::int64_t steps) override {
    for (; steps > 0; --steps) {
      timers_.call(kernel_, [this] { diffuse(); });
      ++step_;
      if (step_ == behaviour_.diverges_at) now_[9] = not_a_number;
      if (step_ == behaviour_.raises_at) std::raise(behaviour_.signal);
    }
  }
  void fence() override {}
  KernelTimers& timers() override { return timers_; }

  void remember() override {
    remembered_ = now_;
    if (behaviour_.remembered != nullptr) behaviour_.remembered->push_back(step_);
  }
  double monitor(const std::string& name) override {
    if (name == "step") return static_cast<double>(step_);
    if (name == "peak") {
      const bool unknown = behaviour_.peak_is_unknown_at_start && step_ == 0;
      return unknown ? not_a_number : *std::max_element(now_.begin(), now_.end());
    }
    if (has_broken(behaviour_.change_breaks_at)) return not_a_number;
    double largest = 0;
    for (std::size_t i = 0; i < now_.size(); ++i) {
      largest = std::max(largest, std::abs(now_[i] - remembered_[i]));
    }
    return largest;
  }
  std::optional<Divergence> find_divergence() override {
    for (std::size_t i = 0; i < now_.size(); ++i) {
      if (std::isfinite(now_[i])) continue;
      const auto index = static_cast<std::int64_t>(i);
      return Divergence{
          {index % fake_width, index / fake_width, 0}, "temperature is nan", "heat it less"};
    }
    return {};
  }
  Field field(const std::string& name) override {
    if (name == "temperature") return {{"temperature", "K", "Temperature", 1}, now_};
    std::vector<double> flux;
    for (const double value : now_) flux.insert(flux.end(), {value, -value});
    if (has_broken(behaviour_.flux_breaks_at)) {
      flux[2 * 9 + 1] = std::numeric_limits<double>::infinity();
      flux[2 * 11] = not_a_number;
    }
    if (behaviour_.solid) flux[2 * solid_cell] = flux[2 * solid_cell + 1] = not_a_number;
    return {{"flux", "W/m^2", "Heat flux", 2}, flux};
  }
  std::map<std::string, std::string> results() override {
    return {{"hottest cell", behaviour_.result}};
  }

  void save(CheckpointWriter& checkpoint) override {
    checkpoint.integer("step", step_);
    checkpoint.array("temperature", now_.data(), {now_.size()});
  }
  void load(const CheckpointReader& checkpoint) override {
    step_ = checkpoint.integer("step");
    checkpoint.array("temperature", now_.data(), {now_.size()});
  }

 private:
  static constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

  bool has_broken(std::int64_t step) const { return step >= 0 && step_ >= step; }

  void diffuse() {
    std::vector<double> next(now_.size());
    const auto at = [this](int x, int y) {
      return now_[static_cast<std::size_t>((y + fake_height) % fake_height * fake_width +
                                           (x + fake_width) % fake_width)];
    };
    for (int y = 0; y < fake_height; ++y) {
      for (int x = 0; x < fake_width; ++x) {
        next[static_cast<std::size_t>(y * fake_width + x)] =
            at(x, y) +
            0.1 * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) - 4 * at(x, y));
      }
    }
    now_ = next;
  }

  FakeBehaviour behaviour_;
  KernelTimers timers_{std::make_unique<HostClock>("host clock")};
  std::size_t kernel_ = 0;
  std::int64_t step_ = 0;
  std::vector<double> now_ = std::vector<double>(fake_width * fake_height);
  std::vector<double> remembered_ = now_;
};

class FakeProblem : public Problem {
 public:
  explicit FakeProblem(FakeBehaviour behaviour = {}) : behaviour_(behaviour) {
    method = "fake";
    variant = "explicit";
    precision = "double";
    update_unit = "node";
    grid.cells = {fake_width, fake_height, 1};
    sizes = {{"nodes", fake_width * fake_height}};
    tuning = {{"segment", 4}};
    updates_per_step = fake_width * fake_height;
    bytes_per_step = 16 * updates_per_step;
    scales = {{"length", 2.0}, {"temperature", 10.0}};
    memory_bytes = 2 * 8 * fake_width * fake_height;
    resolved = {{"diffusivity", "0.1", "m^2/s"}, {"Fourier number", "0.1", "1"}};
    fields = {{"temperature", "K", "Temperature", 1}, {"flux", "W/m^2", "Heat flux", 2}};
    monitors = {{"peak", "K", "Highest temperature", 1},
                {"step", "1", "Number of the step", 1},
                {"temperature_change", "K", "Largest change in one step", 1}};
    change_monitors = {"temperature_change"};
    default_fields = {"temperature"};
    default_monitors = {"peak"};
  }
  bool is_solid(std::size_t cell) const override { return behaviour_.solid && cell == solid_cell; }
  std::unique_ptr<Method> create(Backend /*backend*/) const override {
    return std::make_unique<FakeMethod>(behaviour_);
  }

 private:
  FakeBehaviour behaviour_;
};

/// The settings of a case from JSON with its common blocks. Other keys are ignored.
inline RunSettings settings_from(const nlohmann::json& json, std::unique_ptr<Problem>& problem,
                                 const std::filesystem::path& directory = ".") {
  RunSettings settings;
  read_case(CaseDocument::from_text(json.dump(), "fake.json", directory), [&](CaseNode& root) {
    root.integer_or("heat", 0, "Another value makes it another case.");
    settings = read_settings(root, problem, "results/fake");
  });
  return settings;
}

/// A case with a fake problem.
inline ResolvedCase fake_case(const nlohmann::json& json, const FakeBehaviour& behaviour = {}) {
  ResolvedCase resolved;
  resolved.name = "fake.json";
  resolved.digest = CaseDocument::from_text(json.dump(), "fake.json").digest();
  resolved.json = json;
  resolved.title = "A fake";
  resolved.problem = std::make_unique<FakeProblem>(behaviour);
  resolved.settings = settings_from(json, resolved.problem);
  return resolved;
}

}  // namespace knudsen::test
