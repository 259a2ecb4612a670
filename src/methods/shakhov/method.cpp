#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "core/stopwatch.hpp"
#include "core/text.hpp"
#include "kinetic/case/gas_case.hpp"
#include "methods/gas/cavity.hpp"
#include "methods/shakhov/iteration.hpp"
#include "methods/shakhov/make_sweep_space.hpp"
#include "methods/shakhov/parameters.hpp"
#include "methods/shakhov/slices.hpp"
#include "model/make_method.hpp"
#include "output/checkpoint_view.hpp"

namespace knudsen::shakhov {
namespace {

const std::array<std::string, change_count> change_names{
    "density_change", "momentum_x_change",      "momentum_y_change", "momentum_z_change",
    "energy_change",  "pressure_tensor_change", "heat_flux_change"};
const std::array<std::string, flux_count> flux_names{"mass_flux", "force_x", "force_y", "force_z",
                                                     "energy_flux"};

/// Floating-point operations at a phase-space point for bgk; the polynomials of the other models
/// are not counted.
constexpr double sweep_flops = 24;

/// Everything that iterations of a problem need.
template <class ExecutionSpace, class Real>
struct Solver {
  SweepContext<ExecutionSpace> context;
  SweepSpace<ExecutionSpace, Real> space;
  Scheme scheme;
  SweepStorage<ExecutionSpace, Real> storage;  ///< of pencils
  Slices<ExecutionSpace, Real> slices;
  std::vector<Batch> batches;
  double mass = 0;  ///< to be kept; 0 where a side is open

  explicit Solver(const Parameters& p) : scheme(p.scheme) {
    context.model = p.model;
    context.gas = p.gas;
    context.conservative = p.conservative;
    for (std::size_t d = 0; d < 3; ++d) context.body_force[d] = p.body_force[d];
    space = make_sweep_space<ExecutionSpace, Real>(p.grid, p.order);
    if (scheme == Scheme::slices) {
      slices = make_slices<ExecutionSpace, Real>(p.grid, p.batch_blocks);
    } else {
      storage = make_storage<ExecutionSpace, Real>(p.grid, p.tuning, p.order, p.batch_blocks);
    }
    batches = make_batches(p.grid, space.octant_blocks(), p.batch_blocks, scheme == Scheme::slices);
  }

  void set_initial(const Parameters& p) {
    set_uniform(context, space, p.initial);
    context.execution.fence();
    mass = p.has_open_side() ? 0 : total_mass(context, space);
  }

  void sweep() const {
    for (const Batch& batch : batches) {
      if (scheme == Scheme::slices) {
        sweep_slices(context, space, slices, batch);
      } else {
        sweep_batch(context, space, storage, batch);
      }
    }
  }
};

double largest_of_moments(const Changes& changes) {
  return *std::max_element(changes.begin(), changes.begin() + 5);
}

template <class ExecutionSpace, class Real>
class ShakhovMethod final : public Method {
 public:
  explicit ShakhovMethod(Parameters parameters)
      : parameters_(std::move(parameters)), solver_(parameters_) {
    const Parameters& p = parameters_;
    faces_ = list_faces(p.grid);
    double points = static_cast<double>(p.grid.cell_count());
    for (const VelocityAxis& axis : p.grid.velocities) points *= axis.count();
    timers_.declare("sweeps", points * bytes_a_point(p), points * sweep_flops);
  }

  void initialise() override {
    step_ = 0;
    watch_ = Stopwatch();
    solver_.set_initial(parameters_);
    if (parameters_.coarse_start) start_coarsely();
    changes_.fill(std::nan(""));
    fields_step_ = -1;
  }

  void advance(std::int64_t steps) override {
    const auto fence = [this] { solver_.context.execution.fence(); };
    for (std::int64_t i = 0; i < steps; ++i) {
      begin_iteration(solver_.context, solver_.space);
      timers_.call(
          0, timers_.sampling(step_), [&] { solver_.sweep(); }, fence);
      changes_ = finish_iteration(solver_.context, solver_.space, solver_.mass);
      ++step_;
    }
  }

  void fence() override { solver_.context.execution.fence(); }
  KernelTimers& timers() override { return timers_; }
  /// Every iteration keeps the moments of the one before.
  void remember() override {}

  double monitor(const std::string& name) override;
  std::optional<Divergence> find_divergence() override;
  Field field(const std::string& name) override;
  bool is_solid(std::size_t cell) const override { return parameters_.grid.solid(cell); }
  std::map<std::string, std::string> results() override;

  void save(CheckpointWriter& checkpoint) override {
    save_view(checkpoint, "moments", solver_.space.moments);
    save_view(checkpoint, "wall_density", solver_.space.face_density);
    save_view(checkpoint, "wall_flux", solver_.space.flux);
    for (std::size_t side = 0; side < 6; ++side) {
      if (solver_.space.left[side].extent(0) > 0) {
        save_view(checkpoint, std::string("left_") + side_names[side], solver_.space.left[side]);
      }
    }
    checkpoint.number("initial_mass", solver_.mass);
  }

  void load(const CheckpointReader& checkpoint) override {
    load_view(checkpoint, "moments", solver_.space.moments);
    load_view(checkpoint, "wall_density", solver_.space.face_density);
    load_view(checkpoint, "wall_flux", solver_.space.flux);
    for (std::size_t side = 0; side < 6; ++side) {
      if (solver_.space.left[side].extent(0) > 0) {
        load_view(checkpoint, std::string("left_") + side_names[side], solver_.space.left[side]);
      }
    }
    solver_.mass = checkpoint.number("initial_mass");
    step_ = checkpoint.step();
    changes_.fill(std::nan(""));
    fields_step_ = -1;
  }

 private:
  /// Moments and wall densities of the solution with fewer velocities.
  void start_coarsely() {
    const CoarseStart& start = *parameters_.coarse_start;
    const Stopwatch watch;
    const Parameters coarse_problem = coarse_parameters(parameters_);
    Solver<ExecutionSpace, Real> coarse(coarse_problem);
    coarse.set_initial(coarse_problem);
    coarse_iterations_ = 0;
    double change = 1;
    while (coarse_iterations_ < start.most_iterations && !(change <= start.tolerance)) {
      begin_iteration(coarse.context, coarse.space);
      coarse.sweep();
      change = largest_of_moments(finish_iteration(coarse.context, coarse.space, coarse.mass));
      ++coarse_iterations_;
    }
    Kokkos::deep_copy(solver_.space.moments, coarse.space.moments);
    Kokkos::deep_copy(solver_.space.face_density, coarse.space.face_density);
    coarse_seconds_ = watch.seconds();
  }

  const std::vector<Macroscopic>& present() {
    if (fields_step_ == step_) return fields_;
    const auto host =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), solver_.space.moments);
    fields_.assign(host.extent(0), {});
    for (std::size_t cell = 0; cell < fields_.size(); ++cell) {
      if (parameters_.grid.solid(cell)) continue;
      RawMoments<moment_count> raw;
      for (std::size_t i = 0; i < moment_count; ++i) raw.value[i] = host(cell, i);
      fields_[cell] = macroscopic(raw);
    }
    fields_step_ = step_;
    return fields_;
  }

  std::array<double, flux_count> wall_total(int wall, double& area);
  double body_coefficient(std::size_t body, const std::string& quantity);
  double mean(const std::string& name);
  double flow_rate();

  Parameters parameters_;
  Solver<ExecutionSpace, Real> solver_;
  std::vector<Face> faces_;
  KernelTimers timers_;
  Stopwatch watch_;
  std::int64_t step_ = 0;
  int coarse_iterations_ = 0;
  double coarse_seconds_ = 0;
  Changes changes_{};
  std::int64_t fields_step_ = -1;
  std::vector<Macroscopic> fields_;
};

/// What goes out through all faces of a wall, net of what comes in from it.
template <class ExecutionSpace, class Real>
std::array<double, flux_count> ShakhovMethod<ExecutionSpace, Real>::wall_total(int wall,
                                                                               double& area) {
  const auto flux = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), solver_.space.flux);
  const auto density =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), solver_.space.face_density);
  const double share = diffuse_share(parameters_.grid, wall);
  std::array<double, flux_count> total{};
  std::array<std::array<double, flux_count>, 6> emitted{};
  for (int side = 0; side < 6; ++side) {
    if (wall >= 6 || side == wall) {
      emitted[static_cast<std::size_t>(side)] = emitted_flux(parameters_.grid, wall, side);
    }
  }
  area = 0;
  for (std::size_t face = 0; face < faces_.size(); ++face) {
    if (faces_[face].wall != wall || faces_[face].area == 0) continue;
    area += faces_[face].area;
    const auto side = static_cast<std::size_t>(faces_[face].side);
    for (std::size_t i = 0; i < flux_count; ++i) {
      const double out = flux(face, i);
      // Mirrored molecules come back with all but the component across the face.
      const double back = i == 1 + side / 2 ? out : -out;
      total[i] += faces_[face].area *
                  (out + (1 - share) * back + share * double(density(face)) * emitted[side][i]);
    }
  }
  return total;
}

/// Forces and energy in units of the reference pressure are twice those of the reference density.
template <class ExecutionSpace, class Real>
double ShakhovMethod<ExecutionSpace, Real>::body_coefficient(std::size_t body,
                                                             const std::string& quantity) {
  double area = 0;
  const auto total = wall_total(6 + static_cast<int>(body), area);
  const auto found = std::find(flux_names.begin(), flux_names.end(), quantity);
  if (found != flux_names.end()) {
    return 2 * total[static_cast<std::size_t>(found - flux_names.begin())];
  }
  const GasState& stream = parameters_.initial;
  const double speed = std::abs(stream.velocity[0]);
  double frontal = 0;
  for (const Face& face : faces_) {
    if (face.wall == 6 + static_cast<int>(body) && face.side == east) frontal += face.area;
  }
  const double pressure = 0.5 * stream.density * speed * speed * frontal;
  if (quantity == "drag_coefficient") {
    return (stream.velocity[0] < 0 ? -total[1] : total[1]) / pressure;
  }
  if (quantity == "lift_coefficient_y") return total[2] / pressure;
  if (quantity == "lift_coefficient_z") return total[3] / pressure;
  if (quantity == "heat_coefficient") return total[4] / (pressure * speed);
  throw std::logic_error("no monitor of a body " + quantity);
}

template <class ExecutionSpace, class Real>
double ShakhovMethod<ExecutionSpace, Real>::mean(const std::string& name) {
  const auto& states = present();
  double volume = 0;
  double sum = 0;
  for (std::size_t cell = 0; cell < states.size(); ++cell) {
    if (parameters_.grid.solid(cell)) continue;
    const Macroscopic& s = states[cell];
    const double part = parameters_.grid.volume(parameters_.grid.at(cell));
    const double speed = speed_of(s);
    volume += part;
    sum += part * (name == "mean_velocity_x"   ? s.velocity[0]
                   : name == "mean_velocity_y" ? s.velocity[1]
                   : name == "mass"            ? s.density
                                               : s.density * (1.5 * s.temperature + speed * speed));
  }
  return name == "mass" || name == "energy" ? sum : sum / volume;
}

template <class ExecutionSpace, class Real>
double ShakhovMethod<ExecutionSpace, Real>::flow_rate() {
  const FlowGrid& grid = parameters_.grid;
  std::array<std::vector<double>, 3> widths;
  for (std::size_t d = 0; d < 3; ++d) {
    for (int i = 0; i < grid.cells[d]; ++i) widths[d].push_back(grid.width(d, i));
  }
  const auto& states = present();
  return cavity_flow_rate(grid.sides, widths, [&](int x, int y, int z) {
    return states[grid.index({x, y, z})].velocity[0];
  });
}

template <class ExecutionSpace, class Real>
double ShakhovMethod<ExecutionSpace, Real>::monitor(const std::string& name) {
  for (std::size_t i = 0; i < change_count; ++i) {
    if (name == change_names[i]) return changes_[i];
  }
  if (name == "moments_change") return largest_of_moments(changes_);
  if (name == "drag_coefficient") {
    return cavity_drag(monitor("north.force_x"), parameters_.grid.sides);
  }
  if (name == "flow_rate") return flow_rate();
  const auto dot = name.find('.');
  if (dot != std::string::npos) {
    const std::string owner = name.substr(0, dot);
    const std::string quantity = name.substr(dot + 1);
    for (std::size_t body = 0; body < parameters_.grid.bodies.size(); ++body) {
      if (owner == parameters_.grid.bodies[body].name) return body_coefficient(body, quantity);
    }
    for (int side = 0; side < 6; ++side) {
      if (owner != side_names[static_cast<std::size_t>(side)]) continue;
      double area = 0;
      const auto total = wall_total(side, area);
      const auto found = std::find(flux_names.begin(), flux_names.end(), quantity);
      const auto index = static_cast<std::size_t>(found - flux_names.begin());
      return total.at(index) / area * (index == 0 ? 1 : 2);
    }
  }
  if (name == "max_speed") {
    double highest = 0;
    for (const Macroscopic& s : present()) highest = std::max(highest, speed_of(s));
    return highest;
  }
  for (const char* known : {"mass", "energy", "mean_velocity_x", "mean_velocity_y"}) {
    if (name == known) return mean(name);
  }
  throw std::logic_error("no monitor " + name);
}

template <class ExecutionSpace, class Real>
std::optional<Divergence> ShakhovMethod<ExecutionSpace, Real>::find_divergence() {
  // To copy all moments and look at each takes about a third of an iteration on a GPU.
  if (std::isfinite(std::accumulate(changes_.begin(), changes_.end(), 0.0))) return std::nullopt;
  const auto& states = present();
  for (std::size_t cell = 0; cell < states.size(); ++cell) {
    if (parameters_.grid.solid(cell)) continue;
    const std::string what = fault_of(states[cell]);
    if (what.empty()) continue;
    const auto at = parameters_.grid.at(cell);
    return Divergence{{at[0], at[1], at[2]}, what};
  }
  return std::nullopt;
}

template <class ExecutionSpace, class Real>
Field ShakhovMethod<ExecutionSpace, Real>::field(const std::string& name) {
  const FlowGrid& grid = parameters_.grid;
  Field result;
  for (const Quantity& quantity : field_quantities()) {
    if (quantity.name == name) result.quantity = quantity;
  }
  const auto& states = present();
  std::vector<Real> values;
  for (std::size_t cell = 0; cell < states.size(); ++cell) {
    for (std::size_t c = 0; c < static_cast<std::size_t>(result.quantity.components); ++c) {
      double value = 0;
      if (name == "position") {
        const auto i = static_cast<std::size_t>(grid.at(cell)[c]);
        value = 0.5 * (grid.edges[c][i] + grid.edges[c][i + 1]);
      } else if (name == "body") {
        value = grid.body.empty() ? 0 : grid.body[cell] + 1;
      } else {
        value = gas_field_value(name, states[cell], c);
      }
      values.push_back(static_cast<Real>(value));
    }
  }
  result.values = std::move(values);
  return result;
}

template <class ExecutionSpace, class Real>
std::map<std::string, std::string> ShakhovMethod<ExecutionSpace, Real>::results() {
  std::map<std::string, std::string> found;
  const auto text = [](double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof(buffer), "%.6g", value);
    return std::string(buffer);
  };
  found["iterations"] = std::to_string(step_);
  found["seconds to convergence"] = text(watch_.seconds());
  if (parameters_.coarse_start) {
    found["iterations of the coarse start"] = std::to_string(coarse_iterations_);
    found["seconds of the coarse start"] = text(coarse_seconds_);
  }
  for (std::size_t i = 0; i < change_count; ++i) found[change_names[i]] = text(changes_[i]);
  if (is_cavity(parameters_.grid.sides, parameters_.grid.dimensions)) {
    add_monitor(*this, "drag_coefficient", found);
    add_monitor(*this, "flow_rate", found);
  }
  add_wall_monitors(*this, parameters_.grid.sides, found);
  for (const Body& body : parameters_.grid.bodies) {
    for (const char* quantity : {".force_x", ".force_y", ".force_z", ".energy_flux"}) {
      add_monitor(*this, body.name + quantity, found);
    }
    if (parameters_.initial.velocity[0] == 0) continue;
    add_monitor(*this, body.name + ".drag_coefficient", found);
  }
  return found;
}

}  // namespace

std::unique_ptr<Method> make_method(const Parameters& parameters, Backend backend) {
  return make_method_for<ShakhovMethod>(parameters, backend);
}

}  // namespace knudsen::shakhov
