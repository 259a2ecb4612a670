#include <algorithm>
#include <cmath>

#include "device/launch_clock.hpp"
#include "device/to_list.hpp"
#include "kinetic/case/check_velocities.hpp"
#include "kinetic/gas_fields.hpp"
#include "methods/bgkw/cut_cells.hpp"
#include "methods/bgkw/diagnostics.hpp"
#include "methods/bgkw/ghost_cells.hpp"
#include "methods/bgkw/imex.hpp"
#include "methods/bgkw/parameters.hpp"
#include "methods/bgkw/quantities.hpp"
#include "methods/bgkw/tiles.hpp"
#include "methods/bgkw/wall_scattering.hpp"
#include "methods/gas/cavity.hpp"
#include "methods/gas/quantities.hpp"
#include "methods/gas/shared_rows.hpp"
#include "methods/gas/sonic_side.hpp"
#include "methods/gas/surfaces.hpp"
#include "model/make_method.hpp"
#include "output/distribution_file.hpp"
#include "parallel/communicator.hpp"

namespace knudsen::bgkw {
namespace {

/// Floating-point operations of the streaming of a phase-space point.
constexpr double streaming_flops(int dimensions) { return 1 + 2 * dimensions; }
/// Floating-point operations of moments and relaxation of a phase-space point, for bgk.
constexpr double collision_flops = 9;

template <class ExecutionSpace, class Real>
class BgkwMethod final : public Method, private Solution {
 public:
  explicit BgkwMethod(Parameters parameters)
      : parameters_(std::move(parameters)),
        fields_(field_table(parameters_.gas.rotation > 0)),
        monitors_(monitor_table(parameters_)) {
    const Parameters& p = parameters_;
    context_.model = p.model;
    context_.collision.gas = p.gas;
    context_.collision.time_step = p.grid.time_step;
    context_.collision.conservative = p.conservative;
    for (std::size_t d = 0; d < 3; ++d) {
      context_.collision.velocity_gain[d] = p.body_force[d] * p.grid.time_step;
    }
    // Moments cannot be more accurate than the stored values.
    // Where a stage relaxes the gas wholly, the error of each step counts in full.
    const double in_double = p.grid.in_stages() ? 0 : 1e-13;
    context_.collision.tolerance = std::is_same_v<Real, float> ? 1e-8 : in_double;
    const auto& axes = p.grid.velocities;
    const int row_accesses = (axes[2].entries() - 1) / values_per_access<Real> + 1;
    context_.tuning =
        default_tuning<ExecutionSpace>(axes[0].count() * axes[1].count() * row_accesses);
    if (!is_host_backend<ExecutionSpace>) {
      const int least = (row_accesses + 31) / 32 * 32;  // a team processes whole rows
      for (int* size : {&context_.tuning.team_size, &context_.tuning.update_size}) {
        *size = std::max(p.team_size.value_or(*size), least);
      }
    }
    PhaseGrid grid = p.grid;
    grid.single_pass = p.single_pass.value_or(
        is_host_backend<ExecutionSpace> ? p.single_pass_pays_on_host : p.single_pass_pays);
    const std::vector<CellSlab> slabs = slabs_of<Real>(grid, world().size());
    slab_ = slabs[static_cast<std::size_t>(world().rank())];
    space_ = make_phase_space<ExecutionSpace, Real>(grid, slab_);
    ghosts_ = make_ghost_cells(space_, slabs, world().rank(), p.propagation == Propagation::fused);
    space_.ghosts = ghosts_.get();
    stages_ = make_imex_stages(p.grid.integration, space_);
    scattering_ = make_wall_scattering(p.grid, slab_, space_);
    space_.scattering = scattering_.get();
    cut_ = make_cut_space(p.grid, slabs, world().rank(), space_);
    space_.cut = cut_.get();
    neighbours_ = find_neighbours(p.grid);
    has_walls_ = !p.grid.solids.bodies.empty();
    for (const SideCondition& side : p.grid.sides) {
      const SurfaceLaw law = surface_law(side);
      has_walls_ |= law.balanced || law.has_pressure;
      has_pressure_sides_ |= law.has_pressure;
    }
    for (const SideCondition& wall : Surfaces(p.grid.sides, p.grid.solids).conditions) {
      has_heated_walls_ |= surface_law(wall).heated;
    }
    declare_kernels(slabs);
  }

  void initialise() override { initialise(GivenFields{}); }
  void initialise(const GivenFields& given) override {
    check_integrated(given, parameters_.grid.velocities, parameters_.units);
    step_ = 0;
    in_tiles_ = false;
    knudsen::bgkw::initialise(context_, space_, [&](int x, int y, int z) {
      const auto& cells = space_.cells;
      const int cell = slab_.first_cell() + (z * cells[1] + y) * cells[0] + x;
      if (slab_.axis == 0) x += slab_.first;
      return with_given(parameters_.initial.at(parameters_.grid.centre(0, x)), given,
                        static_cast<std::size_t>(cell));
    });
    cells_step_ = -1;
    fluxes_step_ = -1;
    loads_step_ = -1;
    if (scattering_) scattering_->forget();
    initial_mass_ = monitor("mass");
  }

  void advance(std::int64_t steps) override {
    const bool tiles = parameters_.propagation == Propagation::tiles;
    if (tiles && !in_tiles_) to_tiles(context_, space_);
    in_tiles_ = tiles;
    for (std::int64_t i = 0; i < steps; ++i) {
      std::size_t kernel = 0;
      const auto call = [&](const auto& launch) { timers_.call(kernel++, launch); };
      if (tiles) {
        step_tiles(call);
      } else if (stages_.empty()) {
        step(call);
      } else {
        step_in_stages(call);
      }
      ++step_;
    }
  }

  void fence() override { context_.execution.fence(); }
  KernelTimers& timers() override { return timers_; }

  void remember() override { remembered_ = cells(); }

  double monitor(const std::string& name) override { return monitors_.value(name, *this); }
  std::optional<Divergence> find_divergence() override;
  SurfaceFields surface() override { return fields_on_surfaces(surface_loads()); }
  Field field(const std::string& name) override {
    const auto& row = fields_.row(name);
    return {row.quantity, row.value(*this)};
  }
  std::map<std::string, std::string> results() override;
  std::vector<std::string> warnings() override;

  std::vector<DistributionSample> distributions() override;

  void save(CheckpointWriter& checkpoint) override {
    save_rows(checkpoint, "distribution", by_cell().f, slab_);
    // Recomputed sums could differ in the last bit.
    if (space_.known == KnownSums::flows) save_rows(checkpoint, "flows", space_.sums, slab_);
    checkpoint.number("initial_mass", initial_mass_);
  }

  void load(const CheckpointReader& checkpoint) override {
    load_rows(checkpoint, "distribution", space_.f, slab_);
    in_tiles_ = false;
    space_.known = KnownSums::none;
    if (space_.single_pass &&
        checkpoint.has_array("flows", SharedRows(space_.sums, slab_).shape())) {
      load_rows(checkpoint, "flows", space_.sums, slab_);
      space_.known = KnownSums::flows;
    }
    initial_mass_ = checkpoint.number("initial_mass");
    step_ = checkpoint.step();
    cells_step_ = -1;
    fluxes_step_ = -1;
    loads_step_ = -1;
  }

 private:
  /// Makes a step. call(launch) launches one kernel and times it; the calls come in the order of
  /// declare_kernels().
  template <class Call>
  void step(const Call& call) {
    const std::vector<int> axes = sweeps(step_);
    for (std::size_t n = 0; n < axes.size(); ++n) {
      if (ghosts_) {
        call([&] {
          if (axes[n] < 0 || axes[n] == slab_.axis) exchange_values(context_, space_);
        });
      }
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
  void step_in_stages(const Call& call) {
    for (const auto& stage : stages_) {
      if (ghosts_) call([&] { exchange_values(context_, space_); });
      if (has_walls_) call([&] { update_wall_density(context_, space_); });
      call([&] { run_stage(context_, space_, stage); });
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

  /// Bytes and operations are those of all ranks, whose `slabs` are given.
  void declare_kernels(const std::vector<CellSlab>& slabs) {
    const Parameters& p = parameters_;
    const auto& v = space_.velocities;
    const double velocities = double(v.count[0]) * v.count[1] * v.entries;
    const double points = velocities * p.grid.cell_count();
    const double bytes = 2 * points * sizeof(Real);
    const double flops = streaming_flops(p.grid.dimensions) * points;
    const auto sides = static_cast<double>(neighbours_.faces.size());
    double ghost_cells = 0;
    for (const CellSlab& slab : slabs) ghost_cells += slab.ghost_cells();
    const bool in_stages = !stages_.empty();
    const std::size_t count = in_stages ? stages_.size() : sweeps(0).size();
    for (std::size_t n = 0; n < count; ++n) {
      const std::string suffix = count > 1 ? "_" + std::to_string(n + 1) : "";
      // Each stage streams along all axes, each sweep along one.
      const double share = in_stages ? 1 : 1.0 / double(count);
      const double crossed = sides * velocities / 2 * share;
      if (ghosts_) {
        const double exchanged = velocities * ghost_cells * share;
        timers_.declare("ghost_exchange" + suffix, 2 * exchanged * sizeof(Real), 0);
      }
      if (has_walls_) {
        timers_.declare("wall_density" + suffix, crossed * sizeof(Real), 3 * crossed);
      }
      if (in_stages) {
        // The kept state is written by the one stage and read by the other.
        timers_.declare("stage" + suffix, count > 1 ? 1.5 * bytes : bytes,
                        flops + collision_flops * points);
      } else if (n + 1 == count && p.propagation == Propagation::fused) {
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

  const Parameters& parameters() const override { return parameters_; }
  const Neighbours& neighbours() const override { return neighbours_; }
  const std::vector<Macroscopic>& cells() override {
    if (cells_step_ != step_) {
      std::vector<Macroscopic>().swap(cells_);  // never in memory twice
      cells_ = world().concatenate_on_first(macroscopic_fields(context_, by_cell()));
      if (space_.order == 2 && stages_.empty()) {
        for (Macroscopic& s : cells_) unwind_half_step(s);
      }
      cells_step_ = step_;
    }
    return cells_;
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
    const auto pressure = [&] {
      return 0.5 * s.density * (s.temperature + s.translational_excess);
    };
    const double after = pressure();
    // So do the deviations of the temperatures of translation and rotation.
    const double growth = std::exp(collision.gas.rotation_rate * time);
    s.translational_excess *= growth;
    s.rotational_temperature = s.temperature + growth * (s.rotational_temperature - s.temperature);
    const double before = pressure();
    for (int i = 0; i < 6; ++i) {
      s.stress[i] = (i < 3 ? before : 0) + std::exp(time) * (s.stress[i] - (i < 3 ? after : 0));
    }
    for (int d = 0; d < 3; ++d) {
      s.heat_flux[d] *= std::exp(collision.gas.prandtl * time);
      s.velocity[d] -= 0.5 * collision.velocity_gain[d];
    }
  }

  const std::vector<Macroscopic>& remembered_cells() const override { return remembered_; }
  const std::vector<SurfaceFlux>& fluxes() override {
    if (fluxes_step_ != step_) {
      std::array<double, 3> spacing_over_step = parameters_.grid.spacing;
      for (double& spacing : spacing_over_step) spacing /= parameters_.grid.time_step;
      std::vector<SurfaceFlux> own = imex_fluxes(context_, by_cell(), stages_, spacing_over_step);
      // Those of cut cells follow on those of faces.
      const auto first = own.begin() + static_cast<std::ptrdiff_t>(space_.faces.extent(0));
      const std::vector<SurfaceFlux> in_cells =
          of_cut_cells(std::vector<SurfaceFlux>(first, own.end()));
      own.erase(first, own.end());
      fluxes_ = in_box(std::move(own));
      fluxes_.insert(fluxes_.end(), in_cells.begin(), in_cells.end());
      temperatures_.assign(neighbours_.faces.size(), 0.0);
      if (has_heated_walls_) temperatures_ = in_box(own_temperatures());
      if (cut_) {
        std::vector<double> emitted;
        for (const FacetEmission& each : to_list(cut_->emission)) {
          emitted.push_back(each.temperature);
        }
        emitted.resize(cut_->to_flux.size());  // without whole cells
        emitted = of_cut_cells(std::move(emitted));
        temperatures_.insert(temperatures_.end(), emitted.begin(), emitted.end());
      }
      fluxes_step_ = step_;
    }
    return fluxes_;
  }

  /// See WallScattering::temperatures. A rank may have no such faces.
  std::vector<double> own_temperatures() const {
    const std::size_t faces = space_.faces.extent(0);
    return scattering_ ? scattering_->temperatures(faces) : std::vector<double>(faces, 0.0);
  }

  const std::vector<double>& heated_temperatures() override {
    fluxes();
    return temperatures_;
  }

  double mach_number(std::size_t side) override {
    fluxes();
    return largest_of_sides(&WallScattering<ExecutionSpace, Real>::mach_numbers)[side];
  }

  /// Collective: by side the largest of Mach numbers of its faces, on the first rank.
  std::array<double, 6> largest_of_sides(std::vector<double> (
      WallScattering<ExecutionSpace, Real>::*of_faces)(std::size_t) const) const {
    std::array<double, 6> largest{};
    if (!has_pressure_sides_) return largest;
    const std::size_t faces = space_.faces.extent(0);
    const auto mach =
        in_box(scattering_ ? ((*scattering_).*of_faces)(faces) : std::vector<double>(faces, 0.0));
    for (std::size_t n = 0; n < mach.size(); ++n) {
      double& of_side = largest[static_cast<std::size_t>(neighbours_.faces[n].direction)];
      of_side = std::max(of_side, mach[n]);
    }
    return largest;
  }

  const std::vector<SurfaceLoad>& surface_loads() override {
    if (loads_step_ != step_) {
      loads_ = find_surface_loads(*this);
      loads_step_ = step_;
    }
    return loads_;
  }

  /// Collective: values at all faces on the first rank, from those at the faces of each rank; zeros
  /// on others.
  template <class Value>
  std::vector<Value> in_box(std::vector<Value> own) const {
    if (world().size() == 1) return own;
    std::vector<std::size_t> numbers;
    for (std::size_t n = 0; n < neighbours_.faces.size(); ++n) {
      if (slab_.owns(neighbours_.faces[n].cell)) numbers.push_back(n);
    }
    own.resize(numbers.size());  // without ghosts
    const std::vector<Value> values = world().concatenate_on_first(std::move(own));
    numbers = world().concatenate_on_first(std::move(numbers));
    std::vector<Value> all(neighbours_.faces.size());
    for (std::size_t n = 0; n < values.size(); ++n) all[numbers[n]] = values[n];
    return all;
  }

  /// Collective: values in all cut cells on the first rank, from those of each rank, whose order is
  /// that of the cells; zeros on others.
  template <class Value>
  std::vector<Value> of_cut_cells(std::vector<Value> own) const {
    std::vector<Value> all = world().concatenate_on_first(std::move(own));
    all.resize(parameters_.grid.solids.cut.size());
    return all;
  }

  double entropy_sum() override { return entropy(context_, by_cell()); }
  double entropy_gain() override;
  FieldValues field_values(int components,
                           const std::function<double(std::size_t, std::size_t)>& value) override;

  Parameters parameters_;
  StepContext<ExecutionSpace> context_;
  PhaseSpace<ExecutionSpace, Real> space_;
  std::vector<StageWithMemory<ExecutionSpace, Real>> stages_;  ///< none with splitting
  bool in_tiles_ = false;          ///< the distribution is stored as (velocity, cell)
  bool has_walls_ = false;         ///< sides or solids
  bool has_heated_walls_ = false;  ///< in the whole box
  bool has_pressure_sides_ = false;
  KernelTimers timers_{make_launch_clock(context_.execution)};
  std::int64_t step_ = 0;
  double initial_mass_ = 0;  ///< for the drift of the mass among the results
  CellSlab slab_;            ///< the part of this rank
  std::unique_ptr<GhostCells<ExecutionSpace, Real>> ghosts_;  ///< null with one rank
  /// Null without Cercignani-Lampis walls.
  std::unique_ptr<WallScattering<ExecutionSpace, Real>> scattering_;
  std::unique_ptr<CutSpace<ExecutionSpace, Real>> cut_;  ///< null without cut cells
  Neighbours neighbours_;                                ///< of the whole box
  FieldTable<Solution> fields_;
  MonitorTable<Solution> monitors_;
  std::int64_t cells_step_ = -1;         ///< step of `cells_`
  std::vector<Macroscopic> cells_;       ///< result of cells()
  std::vector<Macroscopic> remembered_;  ///< the states at the last remember()
  std::int64_t fluxes_step_ = -1;        ///< step of `fluxes_`
  std::vector<SurfaceFlux> fluxes_;      ///< result of fluxes()
  std::vector<double> temperatures_;     ///< result of heated_temperatures()
  std::int64_t loads_step_ = -1;         ///< step of `loads_`
  std::vector<SurfaceLoad> loads_;       ///< result of surface_loads()
};

/// Relaxes a copy of the distribution, without force, in the memory that is free between steps.
template <class ExecutionSpace, class Real>
double BgkwMethod<ExecutionSpace, Real>::entropy_gain() {
  PhaseSpace<ExecutionSpace, Real> relaxed = by_cell();
  std::swap(relaxed.f, relaxed.next);
  Kokkos::deep_copy(relaxed.f, space_.f);
  StepContext<ExecutionSpace> context = context_;
  for (double& gain : context.collision.velocity_gain) gain = 0;
  collide(context, relaxed);
  return entropy(context, relaxed) - entropy(context, space_);
}

template <class ExecutionSpace, class Real>
std::vector<DistributionSample> BgkwMethod<ExecutionSpace, Real>::distributions() {
  std::vector<DistributionSample> samples;
  const PhaseGrid& grid = parameters_.grid;
  const auto& v = space_.velocities;
  for (const std::array<int, 3>& at : parameters_.probes) {
    DistributionSample sample;
    for (std::size_t d = 0; d < 3; ++d) {
      sample.position[d] = grid.centre(d, at[d]);
      sample.velocities[d] = grid.velocities[d].nodes;
    }
    sample.unit = "rho_ref / v_ref^3";
    sample.velocity_unit = "v_ref";
    const int cell = (at[2] * grid.cells[1] + at[1]) * grid.cells[0] + at[0];
    std::vector<double> own;  // of the rank that has the cell
    if (slab_.owns(cell)) {
      const auto values = Kokkos::create_mirror_view_and_copy(
          Kokkos::HostSpace(),
          Kokkos::subview(by_cell().f, cell - slab_.first_cell(), Kokkos::ALL));
      for (int row = 0; row < v.count[0] * v.count[1]; ++row) {
        for (int k = 0; k < v.count[2]; ++k) {
          own.push_back(
              static_cast<double>(values(static_cast<std::size_t>(row * v.row_length + k))));
        }
      }
    }
    sample.values = world().concatenate_on_first(own);
    samples.push_back(std::move(sample));
  }
  return samples;
}

template <class ExecutionSpace, class Real>
std::optional<Divergence> BgkwMethod<ExecutionSpace, Real>::find_divergence() {
  const std::size_t faces = space_.faces.extent(0);
  std::vector<double> mach;
  if (has_pressure_sides_) {
    mach = in_box(scattering_ ? scattering_->mach_numbers(faces) : std::vector<double>(faces, 0.0));
  }
  const std::size_t count = cells().size();
  for (std::size_t i = 0; i < count; ++i) {
    if (neighbours_.of_cell[i][0] == PhaseSpace<ExecutionSpace, Real>::solid) continue;
    const std::string what = fault_of(cells()[i]);
    if (what.empty()) continue;
    const auto [x, y, z] = parameters_.grid.cell_at(static_cast<int>(i));
    return Divergence{{x, y, z}, what};
  }
  for (std::size_t n = 0; n < mach.size(); ++n) {
    if (!(mach[n] >= 1)) continue;
    const Face& face = neighbours_.faces[n];
    const auto [x, y, z] = parameters_.grid.cell_at(face.cell);
    return sonic_side({x, y, z}, face.direction, mach[n]);
  }
  return std::nullopt;
}

template <class ExecutionSpace, class Real>
std::vector<std::string> BgkwMethod<ExecutionSpace, Real>::warnings() {
  std::vector<std::string> found = warnings_of_limits(
      largest_of_sides(&WallScattering<ExecutionSpace, Real>::largest_mach_numbers));
  const auto& states = cells();
  if (states.empty()) return found;  // not the first rank
  const Parameters& p = parameters_;
  const auto unresolved = warnings_of_cells(
      p.grid.velocities, p.units, p.gas, p.shortest_side(), p.conservative, p.grid.cells,
      [&](std::size_t cell) {
        const Macroscopic& s = states[cell];
        const bool solid = neighbours_.of_cell[cell][0] == PhaseSpace<ExecutionSpace, Real>::solid;
        return GasState{
            solid ? 0 : s.density, {s.velocity[0], s.velocity[1], s.velocity[2]}, s.temperature};
      });
  found.insert(found.end(), unresolved.begin(), unresolved.end());
  return found;
}

template <class ExecutionSpace, class Real>
FieldValues BgkwMethod<ExecutionSpace, Real>::field_values(
    int components, const std::function<double(std::size_t, std::size_t)>& value) {
  std::vector<Real> values;
  const std::size_t count = cells().size();
  for (std::size_t cell = 0; cell < count; ++cell) {
    for (std::size_t c = 0; c < static_cast<std::size_t>(components); ++c) {
      values.push_back(static_cast<Real>(value(cell, c)));
    }
  }
  return values;
}

template <class ExecutionSpace, class Real>
std::map<std::string, std::string> BgkwMethod<ExecutionSpace, Real>::results() {
  std::map<std::string, std::string> found;
  const auto add = [&](const std::string& name) { add_monitor(*this, name, found); };
  const Parameters& p = parameters_;
  bool open = false;
  for (const SideCondition& side : p.grid.sides) open |= surface_law(side).open();
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
  if (is_shock(p.grid)) {
    add("density_thickness");
    add("temperature_thickness");
  }
  add_wall_monitors(*this, p.grid.sides, found);
  add_flow_monitors(*this, p.grid.sides, found);
  return found;
}

}  // namespace

std::unique_ptr<Method> make_method(const Parameters& parameters, Backend backend) {
  return make_method_for<BgkwMethod>(parameters, backend);
}

}  // namespace knudsen::bgkw
