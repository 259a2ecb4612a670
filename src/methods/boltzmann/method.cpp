#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/text.hpp"
#include "methods/boltzmann/diagnostics.hpp"
#include "methods/boltzmann/equilibrium_part.hpp"
#include "methods/boltzmann/parameters.hpp"
#include "output/checkpoint_view.hpp"
#include "run/make_method.hpp"
#include "velocity/cavity.hpp"
#include "velocity/gas_case.hpp"

namespace knudsen::boltzmann {
namespace {

/// Floating-point operations as Frezzotti 2010 counts them.
constexpr double streaming_flops_a_point = 11;
constexpr double collision_flops_a_velocity = 80;
constexpr double collision_flops_a_sample = 12;

/// Times the largest deviation of the linearised equation: sums over few velocities differ from
/// integrals by some per cent, and noise that does not grow adds as little.
constexpr double allowed_growth = 3;

/// Mean and standard deviation of a series (Welford).
struct Statistics {
  std::int64_t count = 0;
  double mean = 0;
  double squares = 0;

  void add(double value) {
    ++count;
    const double step = value - mean;
    mean += step / double(count);
    squares += step * (value - mean);
  }
  double deviation() const { return count > 1 ? std::sqrt(squares / double(count - 1)) : 0; }
};

double speed_of(const Deviation& d) {
  return std::hypot(d.velocity[0], d.velocity[1], d.velocity[2]);
}

template <class ExecutionSpace, class Real>
class BoltzmannMethod final : public Method {
 public:
  explicit BoltzmannMethod(Parameters parameters) : parameters_(std::move(parameters)) {
    const Parameters& p = parameters_;
    context_.collision = p.collision;
    context_.tuning = default_tuning<ExecutionSpace>();
    if (!is_host_backend<ExecutionSpace>) {
      context_.tuning.team_size = p.team_size.value_or(context_.tuning.team_size);
      context_.tuning.lanes = p.lanes.value_or(context_.tuning.lanes);
    }
    state_ = make_state<ExecutionSpace, Real>(p.grid, p.scale, p.collision.deviation == 0);
    sets_ = make_collision_sets<ExecutionSpace, Real>(p.grid.velocities, p.samples,
                                                      context_.tuning.set_batch);
    if (p.equilibrium_exact) {
      equilibrium_part_ = EquilibriumPart<ExecutionSpace>(
          "equilibrium_part", static_cast<std::size_t>(state_.cell_count()));
    }
    for (const SideCondition& side : p.grid.sides) {
      has_walls_ |= side.kind == SideKind::wall || side.kind == SideKind::symmetry;
    }
    is_fused_ =
        p.fused && p.molecules.rate > 0 && !p.equilibrium_exact && streams_while_colliding(state_);
    declare_kernels();
  }

  void initialise() override {
    knudsen::boltzmann::initialise(
        context_, parameters_.grid, parameters_.scale, state_,
        [this](const Cell& cell) { return parameters_.initial_state(cell); });
    step_ = 0;
    drawn_from_ = -1;
    fields_step_ = -1;
    statistics_ = {};
  }

  void advance(std::int64_t steps) override {
    const auto fence = [this] { context_.execution.fence(); };
    for (std::int64_t i = 0; i < steps; ++i) {
      const bool measured = timers_.sampling(step_);
      // With order 2 forth and back over the axes, so that two steps are of second order in time.
      const int passes = state_.order == 2 ? state_.dimensions : 1;
      for (int pass = 0; pass < passes; ++pass) {
        if (has_walls_) {
          timers_.call(
              wall_timer_, measured, [&] { update_wall_density(context_, state_); }, fence);
        }
        if (is_fused_) continue;
        timers_.call(
            stream_timer_, measured,
            [&] {
              if (state_.order == 1) {
                stream(context_, state_);
              } else {
                stream_along(context_, state_, step_ % 2 == 0 ? pass : passes - 1 - pass);
              }
            },
            fence);
      }
      if (parameters_.molecules.rate > 0) {
        if (drawn_from_ < 0 || step_ >= drawn_from_ + context_.tuning.set_batch) draw(fence);
        const auto set = static_cast<int>(step_ - drawn_from_);
        timers_.call(
            collide_timer_, measured,
            [&] {
              if (is_fused_) {
                stream_and_collide(context_, state_, sets_, set);
                return;
              }
              if (parameters_.equilibrium_exact) {
                take_out_equilibrium(context_, state_, equilibrium_part_);
              }
              collide(context_, state_, sets_, set);
              if (parameters_.equilibrium_exact) {
                put_back_equilibrium(context_, state_, equilibrium_part_);
              }
            },
            fence);
      }
      ++step_;
      sample_statistics();
    }
  }

  void fence() override { context_.execution.fence(); }
  KernelTimers& timers() override { return timers_; }

  void remember() override { remembered_ = present(); }

  double monitor(const std::string& name) override;
  std::optional<Divergence> find_divergence() override;
  Field field(const std::string& name) override;
  std::map<std::string, std::string> results() override;

  void save(CheckpointWriter& checkpoint) override {
    save_view(checkpoint, "deviation", state_.h);
    for (std::size_t n = 0; n < statistics_.size(); ++n) {
      save_statistics(checkpoint, statistics_names[n], statistics_[n]);
    }
  }

  void load(const CheckpointReader& checkpoint) override {
    load_view(checkpoint, "deviation", state_.h);
    for (std::size_t n = 0; n < statistics_.size(); ++n) {
      load_statistics(checkpoint, statistics_names[n], statistics_[n]);
    }
    step_ = checkpoint.step();
    drawn_from_ = -1;
    fields_step_ = -1;
  }

 private:
  static void save_statistics(CheckpointWriter& checkpoint, const std::string& name,
                              const Statistics& statistics) {
    checkpoint.number(name + "_count", double(statistics.count));
    checkpoint.number(name + "_mean", statistics.mean);
    checkpoint.number(name + "_squares", statistics.squares);
  }
  static void load_statistics(const CheckpointReader& checkpoint, const std::string& name,
                              Statistics& statistics) {
    statistics.count = static_cast<std::int64_t>(checkpoint.number(name + "_count"));
    statistics.mean = checkpoint.number(name + "_mean");
    statistics.squares = checkpoint.number(name + "_squares");
  }

  void declare_kernels() {
    const Parameters& p = parameters_;
    const auto& v = state_.velocities;
    const double velocities = double(v.count[0]) * v.count[1] * v.count[2];
    const double cells = state_.cell_count();
    const double bytes = 2 * velocities * cells * sizeof(Real);
    double faces = 0;
    for (int side = 0; side < 6; ++side) {
      if (state_.side[side] == SideKind::wall || state_.side[side] == SideKind::symmetry) {
        faces += state_.faces(side);
      }
    }
    const auto declare = [&](const char* name, double kernel_bytes, double flops) {
      timers_.declare(name, kernel_bytes, flops);
      return timers_.records().size() - 1;
    };
    if (has_walls_) {
      wall_timer_ =
          declare("wall_density", faces * velocities / 2 * sizeof(Real), faces * velocities * 2);
    }
    const double stream_flops = streaming_flops_a_point * velocities * cells;
    if (!is_fused_) stream_timer_ = declare("stream", bytes, stream_flops);
    if (p.molecules.rate <= 0) return;
    const double batch = context_.tuning.set_batch;
    sample_timer_ = declare("sample", batch * p.samples * (8.0 + sizeof(Real) + 8), 0);
    const double collide_flops =
        cells * (collision_flops_a_velocity * velocities + collision_flops_a_sample * p.samples);
    collide_timer_ =
        is_fused_ ? declare("stream_collide", bytes, stream_flops + collide_flops)
                  : declare("collide", p.equilibrium_exact ? 3 * bytes : bytes, collide_flops);
  }

  template <class Fence>
  void draw(const Fence& fence) {
    drawn_from_ = step_;
    timers_.call(
        sample_timer_, true,
        [&] {
          draw_collisions(context_.execution, parameters_.sampling(),
                          static_cast<std::uint64_t>(step_), sets_);
        },
        fence);
  }

  void sample_statistics() {
    const Parameters& p = parameters_;
    if (p.statistics_every == 0 || step_ < p.statistics_from) return;
    if ((step_ - p.statistics_from) % p.statistics_every != 0) return;
    for (std::size_t n = 0; n < statistics_.size(); ++n) {
      statistics_[n].add(monitor(statistics_names[n]));
    }
  }

  const std::vector<Deviation>& present() {
    if (fields_step_ != step_) {
      fields_ = deviations(context_, state_);
      fields_step_ = step_;
    }
    return fields_;
  }

  std::optional<Divergence> find_growth();
  double side_monitor(int side, const std::string& quantity);
  double change();
  double flow_rate();
  double lid_stress();
  double wave(bool thermal);
  /// Integral over the box of value(deviation of a cell).
  template <class Value>
  double integral(const Value& value) {
    double sum = 0;
    const auto& cells = present();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      sum += parameters_.volume(make_cell(state_, static_cast<int>(i))) * value(cells[i]);
    }
    return sum;
  }

  Parameters parameters_;
  StepContext<ExecutionSpace> context_;
  State<ExecutionSpace, Real> state_;
  CollisionSets<ExecutionSpace, Real> sets_;
  EquilibriumPart<ExecutionSpace> equilibrium_part_;
  bool has_walls_ = false;
  bool is_fused_ = false;  ///< streaming and collision by one kernel
  KernelTimers timers_;
  std::size_t wall_timer_ = 0, stream_timer_ = 0, sample_timer_ = 0, collide_timer_ = 0;
  std::int64_t step_ = 0;
  std::int64_t drawn_from_ = -1;  ///< step of the first collision set; -1: none is drawn
  std::int64_t fields_step_ = -1;
  std::vector<Deviation> fields_, remembered_;
  std::array<Statistics, statistics_names.size()> statistics_;
};

template <class ExecutionSpace, class Real>
double BoltzmannMethod<ExecutionSpace, Real>::monitor(const std::string& name) {
  if (name == "drag_coefficient") {
    return cavity_drag(side_monitor(north, "force_x"), parameters_.grid.sides);
  }
  if (name == "flow_rate") return flow_rate();
  if (name == "lid_stress") return lid_stress();
  for (std::size_t n = 0; n < statistics_.size(); ++n) {
    if (name == std::string(statistics_names[n]) + "_mean") return statistics_[n].mean;
    if (name == std::string(statistics_names[n]) + "_deviation") return statistics_[n].deviation();
  }
  if (name == "velocity_change") return change();
  const auto dot = name.find('.');
  if (dot != std::string::npos) {
    for (int side = 0; side < 6; ++side) {
      if (name.substr(0, dot) == side_names[static_cast<std::size_t>(side)]) {
        return side_monitor(side, name.substr(dot + 1));
      }
    }
  }
  const double scale = parameters_.scale;
  const double e = parameters_.collision.deviation;
  const auto momentum = [&](std::size_t d) {
    return scale *
           integral([&](const Deviation& s) { return s.velocity[d] * (1 + e * s.density); });
  };
  const double volume = integral([](const Deviation&) { return 1.0; });
  if (name == "mass_deviation")
    return scale * integral([](const Deviation& s) { return s.density; });
  if (name == "momentum_x") return momentum(0);
  if (name == "momentum_y") return momentum(1);
  if (name == "energy_deviation") {
    return scale * integral([&](const Deviation& s) {
             const double speed = speed_of(s);
             return 1.5 * (s.density + s.temperature * (1 + e * s.density)) +
                    e * (1 + e * s.density) * speed * speed;
           });
  }
  if (name == "entropy") {
    return integral([](const Deviation& s) { return s.entropy; }) / volume;
  }
  if (name == "mean_velocity_x") {
    return scale * integral([](const Deviation& s) { return s.velocity[0]; }) / volume;
  }
  if (name == "mean_velocity_y") {
    return scale * integral([](const Deviation& s) { return s.velocity[1]; }) / volume;
  }
  if (name == "shear_wave") return wave(false);
  if (name == "thermal_wave") return wave(true);
  if (name == "max_speed") {
    double highest = 0;
    for (const Deviation& s : present()) highest = std::max(highest, speed_of(s));
    return scale * highest;
  }
  throw std::logic_error("no monitor " + name);
}

/// Mean over the side. Momentum and energy fluxes in units of the reference pressure are twice
/// those in units of the reference density.
template <class ExecutionSpace, class Real>
double BoltzmannMethod<ExecutionSpace, Real>::side_monitor(int side, const std::string& quantity) {
  static const std::array<std::string, 5> names{"mass_flux", "force_x", "force_y", "force_z",
                                                "energy_flux"};
  const auto found = std::find(names.begin(), names.end(), quantity);
  if (found == names.end()) throw std::logic_error("no monitor of a side " + quantity);
  const auto index = static_cast<std::size_t>(found - names.begin());
  const auto fluxes = wall_fluxes(context_, state_, side);
  const auto axis = static_cast<std::size_t>(side) / 2;
  double sum = 0;
  double area = 0;
  for (std::size_t face = 0; face < fluxes.size(); ++face) {
    const Cell cell = cell_beside(state_, side, static_cast<int>(face));
    const double here = parameters_.volume(cell) /
                        parameters_.grid.widths[axis][static_cast<std::size_t>(cell.at[axis])];
    sum += here * fluxes[face][index];
    area += here;
  }
  return parameters_.scale * sum / area * (index == 0 ? 1 : 2);
}

template <class ExecutionSpace, class Real>
double BoltzmannMethod<ExecutionSpace, Real>::change() {
  const auto& now = present();
  double squares = 0;
  double speeds = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    for (std::size_t d = 0; d < 3; ++d) {
      squares += std::pow(now[i].velocity[d] - remembered_[i].velocity[d], 2);
    }
    speeds += speed_of(now[i]);
  }
  return std::sqrt(double(now.size()) * squares) / speeds;
}

template <class ExecutionSpace, class Real>
double BoltzmannMethod<ExecutionSpace, Real>::flow_rate() {
  const auto& grid = parameters_.grid;
  const auto& cells = present();
  return parameters_.scale *
         cavity_flow_rate(grid.sides, {grid.widths[0], grid.widths[1], {1.0}},
                          [&](int x, int y, int) {
                            const auto columns = static_cast<std::size_t>(state_.cells[0]);
                            const std::size_t row = static_cast<std::size_t>(y) * columns;
                            return cells[row + static_cast<std::size_t>(x)].velocity[0];
                          });
}

template <class ExecutionSpace, class Real>
double BoltzmannMethod<ExecutionSpace, Real>::lid_stress() {
  const auto& cells = present();
  const auto& widths = parameters_.grid.widths[0];
  const auto first = cells.size() - widths.size();
  return cavity_lid_stress(parameters_.grid.sides, widths, [&](int x) {
    return parameters_.scale * cells[first + static_cast<std::size_t>(x)].stress[3];
  });
}

template <class ExecutionSpace, class Real>
double BoltzmannMethod<ExecutionSpace, Real>::wave(bool thermal) {
  const auto& cells = present();
  const auto& widths = parameters_.grid.widths[0];
  const double length = std::accumulate(widths.begin(), widths.end(), 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Cell cell = make_cell(state_, static_cast<int>(i));
    const double sine = std::sin(2 * std::numbers::pi * parameters_.centre(0, cell.at[0]) / length);
    sum +=
        parameters_.volume(cell) * sine * (thermal ? cells[i].temperature : cells[i].velocity[1]);
  }
  return parameters_.scale * 2 * sum / integral([](const Deviation&) { return 1.0; });
}

template <class ExecutionSpace, class Real>
std::optional<Divergence> BoltzmannMethod<ExecutionSpace, Real>::find_divergence() {
  const auto& cells = present();
  const double e = parameters_.collision.deviation;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Deviation& s = cells[i];
    const std::string what = !std::isfinite(s.density + speed_of(s) + s.temperature)
                                 ? "the distribution is not finite"
                             : !(1 + e * s.density > 0)     ? "the density is not positive"
                             : !(1 + e * s.temperature > 0) ? "the temperature is not positive"
                                                            : "";
    if (what.empty()) continue;
    const Cell cell = make_cell(state_, static_cast<int>(i));
    return Divergence{{cell.at[0], cell.at[1], cell.at[2]}, what};
  }
  return find_growth();
}

/// Noise of the linearised form that has grown beyond what any solution can. The moments hardly
/// show it: it cancels in them for long.
template <class ExecutionSpace, class Real>
std::optional<Divergence> BoltzmannMethod<ExecutionSpace, Real>::find_growth() {
  const Parameters& p = parameters_;
  if (p.collision.deviation != 0) return std::nullopt;
  const double mean_square = 2 * monitor("entropy");
  const double largest = p.largest_mean_square(step_);
  if (mean_square <= allowed_growth * allowed_growth * largest) return std::nullopt;
  const auto& cells = present();
  const auto worst = std::max_element(
      cells.begin(), cells.end(),
      [](const Deviation& a, const Deviation& b) { return a.entropy < b.entropy; });
  const Cell cell = make_cell(state_, static_cast<int>(worst - cells.begin()));
  return Divergence{
      {cell.at[0], cell.at[1], cell.at[2]},
      "the noise of the sampled collisions grows without bound: the deviation is " +
          (largest > 0 ? number_text(rounded(std::sqrt(mean_square / largest))) + " times as large"
                       : "larger") +
          " as sides, force and initial state can make it; take " +
          (p.interpolate ? "the \"interpolation\" \"constant\", " : "") +
          "more \"samples\", a \"sample_temperature\" of 1.5 to 2 or a shorter time step"};
}

template <class ExecutionSpace, class Real>
Field BoltzmannMethod<ExecutionSpace, Real>::field(const std::string& name) {
  Field result;
  for (const Quantity& quantity : field_quantities()) {
    if (quantity.name == name) result.quantity = quantity;
  }
  const double scale = parameters_.scale;
  const auto value = [&](const Deviation& s, const Cell& cell, std::size_t component) {
    if (name == "density_deviation") return scale * s.density;
    if (name == "velocity") return scale * s.velocity[component];
    if (name == "speed") return scale * speed_of(s);
    if (name == "temperature_deviation") return scale * s.temperature;
    if (name == "stress_deviation") return scale * s.stress[component];
    if (name == "heat_flux") return scale * s.heat_flux[component];
    if (name == "position") return parameters_.centre(component, cell.at[component]);
    throw std::logic_error("no field " + name);
  };
  std::vector<Real> values;
  const auto& cells = present();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Cell cell = make_cell(state_, static_cast<int>(i));
    for (std::size_t c = 0; c < static_cast<std::size_t>(result.quantity.components); ++c) {
      values.push_back(static_cast<Real>(value(cells[i], cell, c)));
    }
  }
  result.values = std::move(values);
  return result;
}

template <class ExecutionSpace, class Real>
std::map<std::string, std::string> BoltzmannMethod<ExecutionSpace, Real>::results() {
  std::map<std::string, std::string> found;
  const auto add = [&](const std::string& name) { add_monitor(*this, name, found); };
  add("mass_deviation");
  const Parameters& p = parameters_;
  if (is_cavity(p.grid.sides, p.grid.dimensions)) {
    add("drag_coefficient");
    add("lid_stress");
    add("flow_rate");
  }
  if (p.statistics_every > 0) {
    for (const std::string name : statistics_names) {
      add(name + "_mean");
      add(name + "_deviation");
    }
  }
  add_wall_monitors(*this, p.grid.sides, found);
  return found;
}

}  // namespace

std::unique_ptr<Method> make_method(const Parameters& parameters, Backend backend) {
  return make_method_for<BoltzmannMethod>(parameters, backend);
}

}  // namespace knudsen::boltzmann
