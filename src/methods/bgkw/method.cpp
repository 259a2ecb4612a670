#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "methods/bgkw/diagnostics.hpp"
#include "methods/bgkw/parameters.hpp"
#include "output/checkpoint.hpp"
#include "velocity/gas_case.hpp"

namespace knudsen::bgkw {
namespace {

/// Floating-point operations at a phase-space point; a collision is that of bgk with its moments.
constexpr double streaming_flops(int dimensions) { return 1 + 2 * dimensions; }
constexpr double collision_flops = 9;

template <class ExecutionSpace, class Real>
class BgkwMethod final : public Method {
 public:
  explicit BgkwMethod(Parameters parameters) : parameters_(std::move(parameters)) {
    const Parameters& p = parameters_;
    context_.model = p.model;
    context_.collision.gas = p.gas;
    context_.collision.time_step = p.grid.time_step;
    context_.collision.conservative = p.conservative;
    for (std::size_t d = 0; d < 3; ++d) {
      context_.collision.velocity_gain[d] = p.body_force[d] * p.grid.time_step;
    }
    // Moments of stored values cannot be more accurate than these are.
    context_.collision.tolerance = std::is_same_v<Real, float> ? 1e-8 : 1e-13;
    context_.tuning = default_tuning<ExecutionSpace>();
    if (!is_host_backend<ExecutionSpace>) {
      context_.tuning.team_size = p.team_size.value_or(context_.tuning.team_size);
    }
    space_ = make_phase_space<ExecutionSpace, Real>(context_, p.grid);
    for (const SideCondition& side : p.grid.sides) has_walls_ |= side.kind == SideKind::wall;
    declare_kernels();
  }

  void initialise() override {
    step_ = 0;
    knudsen::bgkw::initialise(context_, space_, [this](int x, int, int) {
      return parameters_.initial_state((x + 0.5) * parameters_.grid.spacing[0]);
    });
    fields_step_ = -1;
    initial_mass_ = monitor("mass");
  }

  void advance(std::int64_t steps) override {
    const auto fence = [this] { context_.execution.fence(); };
    for (std::int64_t i = 0; i < steps; ++i) {
      const bool measured = timers_.sampling(step_);
      std::size_t kernel = 0;
      const auto call = [&](const auto& launch) {
        timers_.call(kernel++, measured, launch, fence);
      };
      if (has_walls_) call([&] { update_wall_density(context_, space_); });
      if (parameters_.propagation == Propagation::fused) {
        call([&] { stream_collide(context_, space_); });
      } else {
        call([&] { stream(context_, space_); });
        call([&] { collide(context_, space_); });
      }
      ++step_;
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
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space_.f);
    checkpoint.array("distribution", host.data(), {host.extent(0), host.extent(1)});
    checkpoint.number("initial_mass", initial_mass_);
  }

  void load(const CheckpointReader& checkpoint) override {
    const auto host = Kokkos::create_mirror_view(space_.f);
    checkpoint.array("distribution", host.data(), {host.extent(0), host.extent(1)});
    Kokkos::deep_copy(space_.f, host);
    initial_mass_ = checkpoint.number("initial_mass");
    step_ = checkpoint.step();
    fields_step_ = -1;
  }

 private:
  void declare_kernels() {
    const Parameters& p = parameters_;
    const auto& v = space_.velocities;
    const double velocities = double(v.count[0]) * v.count[1] * v.count[2];
    const double points = velocities * space_.cell_count();
    const double bytes = 2 * points * sizeof(Real);
    const double flops = streaming_flops(p.grid.dimensions) * points;
    if (has_walls_) {
      double faces = 0;
      for (int side = 0; side < 6; ++side) {
        if (space_.side[side] == SideKind::wall) faces += space_.faces(side);
      }
      timers_.declare("wall_density", faces * velocities / 2 * sizeof(Real),
                      faces * velocities / 2 * 3);
    }
    if (p.propagation == Propagation::fused) {
      timers_.declare("stream_collide", bytes, flops + collision_flops * points);
    } else {
      timers_.declare("stream", bytes, flops);
      timers_.declare("collide", bytes, collision_flops * points);
    }
  }

  const std::vector<Macroscopic>& present() {
    if (fields_step_ != step_) {
      fields_ = macroscopic_fields(context_, space_);
      fields_step_ = step_;
    }
    return fields_;
  }

  double side_monitor(int side, const std::string& quantity);
  double change(const std::string& name);
  double flow_rate();
  double thickness(bool of_density);

  Parameters parameters_;
  StepContext<ExecutionSpace> context_;
  PhaseSpace<ExecutionSpace, Real> space_;
  bool has_walls_ = false;
  KernelTimers timers_;
  std::int64_t step_ = 0;
  double initial_mass_ = 0;
  std::int64_t fields_step_ = -1;
  std::vector<Macroscopic> fields_, remembered_;
};

template <class ExecutionSpace, class Real>
double BgkwMethod<ExecutionSpace, Real>::monitor(const std::string& name) {
  if (name == "drag_coefficient") {
    return -side_monitor(north, "force_x") / parameters_.grid.sides[north].state.velocity[0];
  }
  if (name == "flow_rate") return flow_rate();
  if (name == "density_thickness") return thickness(true);
  if (name == "temperature_thickness") return thickness(false);
  if (name == "velocity_change" || name == "temperature_change") return change(name);
  const auto dot = name.find('.');
  if (dot != std::string::npos) {
    for (int side = 0; side < 6; ++side) {
      if (name.substr(0, dot) == side_names[static_cast<std::size_t>(side)]) {
        return side_monitor(side, name.substr(dot + 1));
      }
    }
  }
  double mass = 0;
  double energy = 0;
  double velocity_x = 0;
  double highest = 0;
  for (const Macroscopic& s : present()) {
    const double speed = speed_of(s);
    mass += s.density;
    energy += s.density * (1.5 * s.temperature + speed * speed);
    velocity_x += s.velocity[0];
    highest = std::max(highest, speed);
  }
  const double volume = parameters_.cell_volume();
  if (name == "mass") return mass * volume;
  if (name == "energy") return energy * volume;
  if (name == "mean_velocity_x") return velocity_x / double(fields_.size());
  if (name == "max_speed") return highest;
  throw std::logic_error("no monitor " + name);
}

/// Mean over the faces. Momentum and energy fluxes in units of the reference pressure are twice
/// those in units of the reference density.
template <class ExecutionSpace, class Real>
double BgkwMethod<ExecutionSpace, Real>::side_monitor(int side, const std::string& quantity) {
  static const std::array<std::string, 5> names{"mass_flux", "force_x", "force_y", "force_z",
                                                "energy_flux"};
  const auto found = std::find(names.begin(), names.end(), quantity);
  if (found == names.end()) throw std::logic_error("no monitor of a side " + quantity);
  const auto index = static_cast<std::size_t>(found - names.begin());
  const PhaseGrid& grid = parameters_.grid;
  const auto fluxes = side_fluxes(
      context_, space_, side, grid.spacing[static_cast<std::size_t>(side) / 2] / grid.time_step);
  double sum = 0;
  for (const FaceFlux& flux : fluxes) sum += flux[index];
  return sum / double(fluxes.size()) * (index == 0 ? 1 : 2);
}

template <class ExecutionSpace, class Real>
double BgkwMethod<ExecutionSpace, Real>::change(const std::string& name) {
  const auto& now = present();
  double squares = 0;
  double speeds = 0;
  double temperature = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    for (std::size_t d = 0; d < 3; ++d) {
      squares += std::pow(now[i].velocity[d] - remembered_[i].velocity[d], 2);
    }
    speeds += speed_of(now[i]);
    temperature = std::max(temperature, std::abs(now[i].temperature - remembered_[i].temperature));
  }
  return name == "temperature_change" ? temperature
                                      : std::sqrt(double(now.size()) * squares) / speeds;
}

/// Twice the integral, as in Table 1 of the paper. From the lid downwards, linear between the
/// cells' centres, to where the velocity changes sign.
template <class ExecutionSpace, class Real>
double BgkwMethod<ExecutionSpace, Real>::flow_rate() {
  const PhaseGrid& grid = parameters_.grid;
  const auto& cells = present();
  const int nx = grid.cells[0];
  const auto velocity = [&](int y) {
    const auto at = [&](int x) {
      return cells[static_cast<std::size_t>(y) * static_cast<std::size_t>(nx) +
                   static_cast<std::size_t>(x)]
          .velocity[0];
    };
    return 0.5 * (at((nx - 1) / 2) + at(nx / 2));
  };
  const double lid = grid.sides[north].state.velocity[0];
  const double h = grid.spacing[1];
  int y = grid.cells[1] - 1;
  if (!(velocity(y) * lid > 0)) return 0;
  // Up to the lid the profile goes on as between the two uppermost cells.
  double sum = y > 0 ? h * (0.5 * velocity(y) + 0.125 * (velocity(y) - velocity(y - 1)))
                     : 0.5 * h * velocity(y);
  for (; y > 0; --y) {
    const double above = velocity(y);
    const double below = velocity(y - 1);
    if (below * lid <= 0) {
      sum += 0.5 * h * above * above / (above - below);
      break;
    }
    sum += 0.5 * h * (above + below);
  }
  return 2 * sum / lid;
}

template <class ExecutionSpace, class Real>
double BgkwMethod<ExecutionSpace, Real>::thickness(bool of_density) {
  const auto value = [&](const Macroscopic& s) { return of_density ? s.density : s.temperature; };
  const auto of_side = [&](Side side) {
    const GasState& s = parameters_.grid.sides[side].state;
    return of_density ? s.density : s.temperature;
  };
  const auto& cells = present();
  double steepest = 0;
  for (std::size_t i = 1; i + 1 < cells.size(); ++i) {
    steepest = std::max(steepest, std::abs(value(cells[i + 1]) - value(cells[i - 1])));
  }
  return std::abs(of_side(east) - of_side(west)) * 2 * parameters_.grid.spacing[0] / steepest;
}

template <class ExecutionSpace, class Real>
std::optional<Divergence> BgkwMethod<ExecutionSpace, Real>::find_divergence() {
  const auto& cells = present();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Macroscopic& s = cells[i];
    const std::string what = fault_of(s);
    if (what.empty()) continue;
    const Cell cell = make_cell(space_, static_cast<int>(i));
    return Divergence{{cell.at[0], cell.at[1], cell.at[2]}, what};
  }
  return std::nullopt;
}

template <class ExecutionSpace, class Real>
Field BgkwMethod<ExecutionSpace, Real>::field(const std::string& name) {
  Field result;
  for (const Quantity& quantity : field_quantities()) {
    if (quantity.name == name) result.quantity = quantity;
  }
  std::vector<Real> values;
  for (const Macroscopic& s : present()) {
    for (std::size_t c = 0; c < static_cast<std::size_t>(result.quantity.components); ++c) {
      values.push_back(static_cast<Real>(gas_field_value(name, s, c)));
    }
  }
  result.values = std::move(values);
  return result;
}

template <class ExecutionSpace, class Real>
std::map<std::string, std::string> BgkwMethod<ExecutionSpace, Real>::results() {
  std::map<std::string, std::string> found;
  const auto add = [&](const std::string& name) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.6g", monitor(name));
    found[name] = text;
  };
  const Parameters& p = parameters_;
  bool open = false;
  for (const SideCondition& side : p.grid.sides) open |= side.kind == SideKind::reservoir;
  if (!open) {
    char text[64];
    std::snprintf(text, sizeof(text), "%.3g of the initial mass",
                  monitor("mass") / initial_mass_ - 1);
    found["drift of the mass"] = text;
  }
  if (p.is_cavity()) {
    add("drag_coefficient");
    add("flow_rate");
  }
  if (p.grid.dimensions == 1 && p.grid.sides[west].kind == SideKind::reservoir &&
      p.grid.sides[east].kind == SideKind::reservoir) {
    add("density_thickness");
    add("temperature_thickness");
  }
  for (std::size_t side = 0; side < 6; ++side) {
    if (p.grid.sides[side].kind != SideKind::wall) continue;
    for (const char* quantity : {".force_x", ".force_y", ".energy_flux"}) {
      add(side_names[side] + std::string(quantity));
    }
  }
  return found;
}

template <class ExecutionSpace>
std::unique_ptr<Method> make_for_backend(const Parameters& parameters) {
  if (parameters.single_precision) {
    return std::make_unique<BgkwMethod<ExecutionSpace, float>>(parameters);
  }
  return std::make_unique<BgkwMethod<ExecutionSpace, double>>(parameters);
}

}  // namespace

std::unique_ptr<Method> make_method(const Parameters& parameters, Backend backend) {
  if (backend == Backend::host) return make_for_backend<HostExecutionSpace>(parameters);
  return make_for_backend<DeviceExecutionSpace>(parameters);
}

}  // namespace knudsen::bgkw
