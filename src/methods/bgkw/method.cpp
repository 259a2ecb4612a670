#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.hpp"
#include "kinetic/case/gas_case.hpp"
#include "methods/bgkw/diagnostics.hpp"
#include "methods/bgkw/parameters.hpp"
#include "methods/bgkw/tiles.hpp"
#include "methods/gas/cavity.hpp"
#include "methods/gas/quantities.hpp"
#include "model/checkpoint_view.hpp"
#include "model/make_method.hpp"
#include "output/distribution_file.hpp"

namespace knudsen::bgkw {
namespace {

/// Floating-point operations of the streaming of a phase-space point.
constexpr double streaming_flops(int dimensions) { return 1 + 2 * dimensions; }
/// Floating-point operations of moments and relaxation of a phase-space point, for bgk.
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
    // Moments cannot be more accurate than the stored values.
    context_.collision.tolerance = std::is_same_v<Real, float> ? 1e-8 : 1e-13;
    std::size_t cell_bytes = sizeof(Real);
    for (const VelocityAxis& axis : p.grid.velocities) {
      cell_bytes *= static_cast<std::size_t>(axis.count());
    }
    context_.tuning = default_tuning<ExecutionSpace>(cell_bytes);
    if (!is_host_backend<ExecutionSpace>) {
      context_.tuning.team_size = p.team_size.value_or(context_.tuning.team_size);
      // A team processes whole rows.
      const int accesses = (p.grid.velocities[2].count() - 1) / values_per_access<Real> + 1;
      if (accesses > context_.tuning.team_size) context_.tuning.team_size = 512;
    }
    PhaseGrid grid = p.grid;
    grid.single_pass =
        p.single_pass.value_or(p.single_pass_pays && !is_host_backend<ExecutionSpace>);
    space_ = make_phase_space<ExecutionSpace, Real>(grid);
    neighbours_ = find_neighbours(p.grid);
    has_walls_ = !p.grid.blocks.empty();
    for (const SideCondition& side : p.grid.sides) has_walls_ |= side.kind == SideKind::wall;
    declare_kernels();
  }

  void initialise() override {
    step_ = 0;
    in_tiles_ = false;
    knudsen::bgkw::initialise(context_, space_, [this](int x, int, int) {
      return parameters_.initial_state((x + 0.5) * parameters_.grid.spacing[0]);
    });
    fields_step_ = -1;
    fluxes_step_ = -1;
    initial_mass_ = monitor("mass");
  }

  void advance(std::int64_t steps) override {
    const bool tiles = parameters_.propagation == Propagation::tiles;
    if (tiles && !in_tiles_) to_tiles(context_, space_);
    in_tiles_ = tiles;
    const auto fence = [this] { context_.execution.fence(); };
    for (std::int64_t i = 0; i < steps; ++i) {
      const bool measured = timers_.sampling(step_);
      std::size_t kernel = 0;
      const auto call = [&](const auto& launch) {
        timers_.call(kernel++, measured, launch, fence);
      };
      tiles ? step_tiles(call) : step(call);
      ++step_;
    }
  }

  void fence() override { context_.execution.fence(); }
  KernelTimers& timers() override { return timers_; }

  void remember() override { remembered_ = present(); }

  double monitor(const std::string& name) override;
  std::optional<Divergence> find_divergence() override;
  Field field(const std::string& name) override;
  bool is_solid(std::size_t cell) const override {
    return neighbours_.of_cell[cell][0] == PhaseSpace<ExecutionSpace, Real>::solid;
  }
  std::map<std::string, std::string> results() override;

  std::vector<DistributionSample> distributions() override;

  void save(CheckpointWriter& checkpoint) override {
    save_view(checkpoint, "distribution", by_cell().f);
    // Recomputed sums could differ in the last bit.
    if (space_.known == KnownSums::flows) save_view(checkpoint, "flows", space_.sums);
    checkpoint.number("initial_mass", initial_mass_);
  }

  void load(const CheckpointReader& checkpoint) override {
    load_view(checkpoint, "distribution", space_.f);
    in_tiles_ = false;
    space_.known = KnownSums::none;
    if (space_.single_pass && checkpoint.has_array("flows", extents_of(space_.sums))) {
      load_view(checkpoint, "flows", space_.sums);
      space_.known = KnownSums::flows;
    }
    initial_mass_ = checkpoint.number("initial_mass");
    step_ = checkpoint.step();
    fields_step_ = -1;
    fluxes_step_ = -1;
  }

 private:
  /// Makes a step. call(launch) launches one kernel and times it; the calls come in the order of
  /// declare_kernels().
  template <class Call>
  void step(const Call& call) {
    const std::vector<int> axes = sweeps(step_);
    for (std::size_t n = 0; n < axes.size(); ++n) {
      if (has_walls_) call([&] { update_wall_density(context_, space_, axes[n]); });
      if (n + 1 == axes.size() && parameters_.propagation == Propagation::fused) {
        call([&] { stream_collide(context_, space_, axes[n]); });
      } else {
        call([&] { stream(context_, space_, axes[n]); });
      }
    }
    if (parameters_.propagation == Propagation::separate) {
      call([&] { collide(context_, space_); });
    }
  }

  template <class Call>
  void step_tiles(const Call& call) {
    if (has_walls_) call([&] { update_wall_density_of_tiles(context_, space_); });
    call([&] { stream_tiles(context_, space_); });
    call([&] { collide_tiles(context_, space_); });
  }

  /// The distribution stored as (cell, velocity), which all functions but the steps of tiles need.
  const PhaseSpace<ExecutionSpace, Real>& by_cell() {
    if (in_tiles_) from_tiles(context_, space_);
    in_tiles_ = false;
    return space_;
  }

  void declare_kernels() {
    const Parameters& p = parameters_;
    const auto& v = space_.velocities;
    const double velocities = double(v.count[0]) * v.count[1] * v.count[2];
    const double points = velocities * space_.cell_count();
    const double bytes = 2 * points * sizeof(Real);
    const double flops = streaming_flops(p.grid.dimensions) * points;
    const auto sides = static_cast<double>(neighbours_.faces.size());
    const std::size_t count = sweeps(0).size();
    for (std::size_t n = 0; n < count; ++n) {
      const std::string suffix = count > 1 ? "_" + std::to_string(n + 1) : "";
      const double share = 1.0 / double(count);
      const double crossed = sides * velocities / 2 * share;
      if (has_walls_) {
        timers_.declare("wall_density" + suffix, crossed * sizeof(Real), 3 * crossed);
      }
      if (n + 1 == count && p.propagation == Propagation::fused) {
        timers_.declare("stream_collide" + suffix, bytes, flops * share + collision_flops * points);
      } else {
        timers_.declare("stream" + suffix, bytes, flops * share);
      }
    }
    if (p.propagation != Propagation::fused) {
      timers_.declare("collide", bytes, collision_flops * points);
    }
  }

  /// The axes along which a step streams, one after the other; {-1}: along all at once. The order
  /// alternates, so that two steps together are symmetric.
  std::vector<int> sweeps(std::int64_t step) const {
    if (!space_.split) return {-1};
    std::vector<int> axes;
    for (int n = 0; n < space_.dimensions; ++n) {
      axes.push_back(step % 2 == 0 ? n : space_.dimensions - 1 - n);
    }
    return axes;
  }

  const std::vector<Macroscopic>& present() {
    if (fields_step_ != step_) {
      fields_ = macroscopic_fields(context_, by_cell());
      if (space_.order == 2) {
        for (Macroscopic& s : fields_) unwind_half_step(s);
      }
      fields_step_ = step_;
    }
    return fields_;
  }

  /// Takes a state at the end of a step back by half a relaxation, to the time at which Strang's
  /// splitting is of second order. Stress and heat flux decay exponentially in a relaxation, so
  /// they are multiplied by the inverse of the decay. The exponent is bounded: after many
  /// relaxation times only rounding errors are left, which must not be amplified.
  void unwind_half_step(Macroscopic& s) const {
    const Collision& collision = context_.collision;
    constexpr double max_time = 5;
    const double time =
        std::min(max_time, 0.5 * collision.time_step *
                               collision.gas.stress_relaxation_rate(s.density, s.temperature));
    const double pressure = 0.5 * s.density * s.temperature;
    for (int i = 0; i < 6; ++i) {
      const double equilibrium = i < 3 ? pressure : 0;
      s.stress[i] = equilibrium + std::exp(time) * (s.stress[i] - equilibrium);
    }
    for (int d = 0; d < 3; ++d) {
      s.heat_flux[d] *= std::exp(collision.gas.prandtl * time);
      s.velocity[d] -= 0.5 * collision.velocity_gain[d];
    }
  }

  const std::vector<FaceFlux>& present_fluxes() {
    if (fluxes_step_ != step_) {
      std::array<double, 3> spacing_over_step = parameters_.grid.spacing;
      for (double& spacing : spacing_over_step) spacing /= parameters_.grid.time_step;
      fluxes_ = face_fluxes(context_, by_cell(), spacing_over_step);
      fluxes_step_ = step_;
    }
    return fluxes_;
  }

  double surface_monitor(const std::string& name, const std::string& quantity);
  double entropy_production();
  double change(const std::string& name);
  double flow_rate();
  double vortex_flow_rate();
  double lid_stress();
  double thickness(bool of_density);

  Parameters parameters_;
  StepContext<ExecutionSpace> context_;
  PhaseSpace<ExecutionSpace, Real> space_;
  bool in_tiles_ = false;  ///< the distribution is stored as (velocity, cell)
  bool has_walls_ = false;
  KernelTimers timers_;
  std::int64_t step_ = 0;
  double initial_mass_ = 0;
  Neighbours neighbours_;
  std::int64_t fields_step_ = -1;
  std::vector<Macroscopic> fields_, remembered_;
  std::int64_t fluxes_step_ = -1;
  std::vector<FaceFlux> fluxes_;
};

template <class ExecutionSpace, class Real>
double BgkwMethod<ExecutionSpace, Real>::monitor(const std::string& name) {
  if (name == "drag_coefficient") {
    return cavity_drag(surface_monitor("north", "force_x"), parameters_.grid.sides);
  }
  if (name == "flow_rate") return flow_rate();
  if (name == "vortex_flow_rate") return vortex_flow_rate();
  if (name == "lid_stress") return lid_stress();
  if (name == "entropy") return entropy(context_, by_cell()) * parameters_.cell_volume();
  if (name == "entropy_production") return entropy_production();
  if (name == "density_thickness") return thickness(true);
  if (name == "temperature_thickness") return thickness(false);
  if (name == "velocity_change" || name == "temperature_change") return change(name);
  const auto dot = name.find('.');
  if (dot != std::string::npos) return surface_monitor(name.substr(0, dot), name.substr(dot + 1));
  double mass = 0;
  double energy = 0;
  std::array<double, 3> velocity{0, 0, 0};
  double highest = 0;
  double count = 0;
  const auto& cells = present();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (is_solid(i)) continue;
    const Macroscopic& s = cells[i];
    const double speed = speed_of(s);
    count += 1;
    mass += s.density;
    energy += s.density * (1.5 * s.temperature + speed * speed);
    for (std::size_t d = 0; d < 3; ++d) velocity[d] += s.velocity[d];
    highest = std::max(highest, speed);
  }
  const double volume = parameters_.cell_volume();
  if (name == "mass") return mass * volume;
  if (name == "energy") return energy * volume;
  for (std::size_t d = 0; d < 3; ++d) {
    if (name == std::string("mean_velocity_") + "xyz"[d]) return velocity[d] / count;
  }
  if (name == "max_speed") return highest;
  throw std::logic_error("no monitor " + name);
}

/// Relaxes a copy of the distribution, without force, in the memory that is free between steps.
template <class ExecutionSpace, class Real>
double BgkwMethod<ExecutionSpace, Real>::entropy_production() {
  PhaseSpace<ExecutionSpace, Real> relaxed = by_cell();
  std::swap(relaxed.f, relaxed.next);
  Kokkos::deep_copy(relaxed.f, space_.f);
  StepContext<ExecutionSpace> context = context_;
  for (double& gain : context.collision.velocity_gain) gain = 0;
  collide(context, relaxed);
  return (entropy(context, relaxed) - entropy(context, space_)) * parameters_.cell_volume() /
         parameters_.grid.time_step;
}

template <class ExecutionSpace, class Real>
std::vector<DistributionSample> BgkwMethod<ExecutionSpace, Real>::distributions() {
  std::vector<DistributionSample> samples;
  const PhaseGrid& grid = parameters_.grid;
  const auto& v = space_.velocities;
  for (const std::array<int, 3>& at : parameters_.probes) {
    DistributionSample sample;
    for (std::size_t d = 0; d < 3; ++d) {
      sample.position[d] = (at[d] + 0.5) * grid.spacing[d];
      sample.velocities[d] = grid.velocities[d].nodes;
    }
    sample.unit = "rho_ref / v_ref^3";
    sample.velocity_unit = "v_ref";
    const int cell = (at[2] * grid.cells[1] + at[1]) * grid.cells[0] + at[0];
    const auto values = Kokkos::create_mirror_view_and_copy(
        Kokkos::HostSpace(), Kokkos::subview(by_cell().f, cell, Kokkos::ALL));
    for (int row = 0; row < v.count[0] * v.count[1]; ++row) {
      for (int k = 0; k < v.count[2]; ++k) {
        sample.values.push_back(
            static_cast<double>(values(static_cast<std::size_t>(row * v.row_length + k))));
      }
    }
    samples.push_back(std::move(sample));
  }
  return samples;
}

/// Flux through a surface: the mean over the faces of a side, the integral over those of a solid.
/// Momentum and energy fluxes are converted from the reference density to the reference pressure by
/// a factor of 2.
template <class ExecutionSpace, class Real>
double BgkwMethod<ExecutionSpace, Real>::surface_monitor(const std::string& name,
                                                         const std::string& quantity) {
  static const std::array<std::string, 5> quantities{"mass_flux", "force_x", "force_y", "force_z",
                                                     "energy_flux"};
  const auto found = std::find(quantities.begin(), quantities.end(), quantity);
  const auto side = std::find(side_names.begin(), side_names.end(), name);
  const auto solid = std::find(parameters_.solids.begin(), parameters_.solids.end(), name);
  const bool of_solid = solid != parameters_.solids.end();
  if (found == quantities.end() || (side == side_names.end() && !of_solid)) {
    throw std::logic_error("no monitor " + name + "." + quantity);
  }
  const auto index = static_cast<std::size_t>(found - quantities.begin());
  const auto surface = static_cast<std::size_t>(of_solid ? 6 + (solid - parameters_.solids.begin())
                                                         : side - side_names.begin());
  const PhaseGrid& grid = parameters_.grid;
  const auto first = static_cast<std::size_t>(neighbours_.first_face[surface]);
  const auto last = static_cast<std::size_t>(neighbours_.first_face[surface + 1]);
  double sum = 0;
  for (std::size_t n = first; n < last; ++n) {
    double area = 1;
    for (std::size_t d = 0; d < 3 && of_solid; ++d) {
      if (static_cast<int>(d) != neighbours_.faces[n].direction / 2) area *= grid.spacing[d];
    }
    sum += area * present_fluxes()[n][index];
  }
  const double count = of_solid ? 1 : double(last - first);
  return sum / count * (index == 0 ? 1 : 2);
}

template <class ExecutionSpace, class Real>
double BgkwMethod<ExecutionSpace, Real>::change(const std::string& name) {
  const auto& now = present();
  double squares = 0;
  double speeds = 0;
  double temperature = 0;
  double count = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (is_solid(i)) continue;
    count += 1;
    for (std::size_t d = 0; d < 3; ++d) {
      squares += std::pow(now[i].velocity[d] - remembered_[i].velocity[d], 2);
    }
    speeds += speed_of(now[i]);
    temperature = std::max(temperature, std::abs(now[i].temperature - remembered_[i].temperature));
  }
  return name == "temperature_change" ? temperature : std::sqrt(count * squares) / speeds;
}

template <class ExecutionSpace, class Real>
double BgkwMethod<ExecutionSpace, Real>::flow_rate() {
  const PhaseGrid& grid = parameters_.grid;
  std::array<std::vector<double>, 3> widths;
  for (std::size_t d = 0; d < 3; ++d) {
    widths[d].assign(static_cast<std::size_t>(grid.cells[d]), grid.spacing[d]);
  }
  const auto& cells = present();
  return cavity_flow_rate(grid.sides, widths, [&](int x, int y, int z) {
    return cells[grid.cell_index(x, y, z)].velocity[0];
  });
}

template <class ExecutionSpace, class Real>
double BgkwMethod<ExecutionSpace, Real>::vortex_flow_rate() {
  const PhaseGrid& grid = parameters_.grid;
  const auto& cells = present();
  const auto middle = [&](std::size_t axis) {
    const int count = grid.cells[axis];
    return std::array<int, 2>{(count - 1) / 2, count / 2};
  };
  std::vector<double> velocity(static_cast<std::size_t>(grid.cells[1]), 0.0);
  for (std::size_t y = 0; y < velocity.size(); ++y) {
    for (const int z : middle(2)) {
      for (const int x : middle(0)) {
        velocity[y] += 0.25 * cells[grid.cell_index(x, static_cast<int>(y), z)].velocity[0];
      }
    }
  }
  return cavity_vortex_flow_rate(grid.sides, velocity);
}

template <class ExecutionSpace, class Real>
double BgkwMethod<ExecutionSpace, Real>::lid_stress() {
  const PhaseGrid& grid = parameters_.grid;
  const auto& cells = present();
  const auto columns = static_cast<std::size_t>(grid.cells[0]);
  const std::vector<double> widths(columns, grid.spacing[0]);
  return cavity_lid_stress(grid.sides, widths, [&](int x) {
    double sum = 0;
    for (int z = 1; z <= grid.cells[2]; ++z) {
      const auto row = static_cast<std::size_t>(z * grid.cells[1] - 1);
      sum += cells[row * columns + static_cast<std::size_t>(x)].stress[3];
    }
    // The factor 2 converts density times v_ref squared to reference pressures.
    return 2 * sum / grid.cells[2];
  });
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
    if (is_solid(i)) continue;
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
  const auto& cells = present();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (std::size_t c = 0; c < static_cast<std::size_t>(result.quantity.components); ++c) {
      values.push_back(is_solid(i) ? std::numeric_limits<Real>::quiet_NaN()
                                   : static_cast<Real>(gas_field_value(name, cells[i], c)));
    }
  }
  result.values = std::move(values);
  return result;
}

template <class ExecutionSpace, class Real>
std::map<std::string, std::string> BgkwMethod<ExecutionSpace, Real>::results() {
  std::map<std::string, std::string> found;
  const auto add = [&](const std::string& name) { add_monitor(*this, name, found); };
  const Parameters& p = parameters_;
  bool open = false;
  for (const SideCondition& side : p.grid.sides) open |= side.kind == SideKind::reservoir;
  if (!open) {
    char text[64];
    std::snprintf(text, sizeof(text), "%.3g of the initial mass",
                  monitor("mass") / initial_mass_ - 1);
    found["drift of the mass"] = text;
  }
  if (is_cavity(p.grid.sides, p.grid.dimensions)) {
    add("drag_coefficient");
    add("lid_stress");
    add("flow_rate");
    add("vortex_flow_rate");
  }
  if (p.grid.dimensions == 1 && p.grid.sides[west].kind == SideKind::reservoir &&
      p.grid.sides[east].kind == SideKind::reservoir) {
    add("density_thickness");
    add("temperature_thickness");
  }
  add_wall_monitors(*this, p.grid.sides, found);
  return found;
}

}  // namespace

std::unique_ptr<Method> make_method(const Parameters& parameters, Backend backend) {
  return make_method_for<BgkwMethod>(parameters, backend);
}

}  // namespace knudsen::bgkw
