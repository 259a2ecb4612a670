#include <algorithm>
#include <cmath>

#include "device/launch_clock.hpp"
#include "kinetic/case/check_velocities.hpp"
#include "kinetic/case/gas_case.hpp"
#include "kinetic/gas_fields.hpp"
#include "methods/boltzmann/diagnostics.hpp"
#include "methods/boltzmann/equilibrium_part.hpp"
#include "methods/boltzmann/parameters.hpp"
#include "methods/boltzmann/quantities.hpp"
#include "methods/gas/cavity.hpp"
#include "methods/gas/ghost_exchange.hpp"
#include "methods/gas/quantities.hpp"
#include "methods/gas/shared_rows.hpp"
#include "model/make_method.hpp"
#include "parallel/communicator.hpp"

namespace knudsen::boltzmann {
namespace {

// Floating-point operations as Frezzotti 2010 counts them.
constexpr double streaming_flops_per_point = 11;
constexpr double collision_flops_per_velocity = 80;
constexpr double collision_flops_per_sample = 12;

/// Largest allowed ratio of the deviation to the bound of the linearised equation. Sums over few
/// velocities differ from integrals by some per cent, and noise that does not grow adds as little.
constexpr double allowed_growth = 3;

template <class ExecutionSpace, class Real>
class BoltzmannMethod final : public Method, private Solution {
 public:
  explicit BoltzmannMethod(Parameters parameters)
      : parameters_(std::move(parameters)),
        fields_(field_table()),
        monitors_(monitor_table(parameters_)) {
    const Parameters& p = parameters_;
    context_.collision = p.collision;
    context_.tuning = default_tuning<ExecutionSpace>();
    if (!is_host_backend<ExecutionSpace>) {
      context_.tuning.team_size = p.team_size.value_or(context_.tuning.team_size);
      context_.tuning.lanes = p.lanes.value_or(context_.tuning.lanes);
    }
    const std::vector<CellSlab> slabs = slabs_of(p.grid, world().size());
    slab_ = slabs[static_cast<std::size_t>(world().rank())];
    state_ = make_state<ExecutionSpace, Real>(p.grid, p.scale,
                                              p.collision.perturbation_parameter == 0, slab_);
    if (slabs.size() > 1) {
      // Slopes also take what leaves the slab.
      const RowRuns all = all_velocities(state_.velocities);
      const std::array<RowRuns, 2> whole{all, all};
      const GhostRows values{
          p.grid.order == 1 ? inward_velocities(state_.velocities, slab_.axis) : whole,
          sizeof(Real)};
      ghosts_ = {slabs, world().rank(), {values}, false, 0};
    }
    sets_ = make_collision_sets<ExecutionSpace, Real>(p.grid.velocities, p.samples,
                                                      context_.tuning.set_batch);
    if (p.equilibrium_exact) {
      equilibrium_part_ = EquilibriumPart<ExecutionSpace>(
          "equilibrium_part", static_cast<std::size_t>(state_.cell_count()));
    }
    for (const SideCondition& side : p.grid.sides) {
      has_walls_ |= surface_law(side).balanced || surface_law(side).specular;
    }
    is_fused_ =
        p.fused && p.molecules.rate > 0 && !p.equilibrium_exact && streams_while_colliding(state_);
    declare_kernels(slabs);
  }

  SurfaceFields surface() override { return fields_on_surfaces(find_surface_loads(*this)); }
  void initialise() override { initialise(GivenFields{}); }
  void initialise(const GivenFields& given) override {
    knudsen::boltzmann::initialise(
        context_, parameters_.grid, parameters_.scale, state_, [&](const Cell& cell) {
          const auto in_box =
              static_cast<std::size_t>(cell.index) + static_cast<std::size_t>(slab_.first_cell());
          return with_given(parameters_.initial_state(parameters_.cell(in_box)), given, in_box);
        });
    step_ = 0;
    drawn_from_ = -1;
    cells_step_ = -1;
    statistics_ = {};
    const bool is_given =
        !given.density.empty() || !given.velocity.empty() || !given.temperature.empty();
    given_mean_square_ = is_given ? 2 * monitor("entropy") : 0;
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t i = 0; i < steps; ++i) {
      stream_step();
      if (parameters_.molecules.rate > 0) collide_step();
      ++step_;
      sample_statistics();
    }
  }

  void fence() override { context_.execution.fence(); }
  KernelTimers& timers() override { return timers_; }

  void remember() override { remembered_ = cells(); }

  double monitor(const std::string& name) override { return monitors_.value(name, *this); }
  std::optional<Divergence> find_divergence() override;
  Field field(const std::string& name) override {
    const auto& row = fields_.row(name);
    return {row.quantity, row.value(*this)};
  }
  std::map<std::string, std::string> results() override;
  std::vector<std::string> warnings() override;

  void save(CheckpointWriter& checkpoint) override {
    save_rows(checkpoint, "deviation", state_.h, slab_);
    for (std::size_t n = 0; n < statistics_.size(); ++n) {
      save_statistics(checkpoint, statistics_names[n], statistics_[n]);
    }
    if (given_mean_square_ > 0) checkpoint.number("given_mean_square", given_mean_square_);
  }

  void load(const CheckpointReader& checkpoint) override {
    load_rows(checkpoint, "deviation", state_.h, slab_);
    for (std::size_t n = 0; n < statistics_.size(); ++n) {
      load_statistics(checkpoint, statistics_names[n], statistics_[n]);
    }
    given_mean_square_ =
        checkpoint.has_number("given_mean_square") ? checkpoint.number("given_mean_square") : 0;
    step_ = checkpoint.step();
    drawn_from_ = -1;
    cells_step_ = -1;
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

  /// Bytes and operations are those of all ranks, whose `slabs` are given.
  void declare_kernels(const std::vector<CellSlab>& slabs) {
    const Parameters& p = parameters_;
    const auto& v = state_.velocities;
    const double velocities = double(v.count[0]) * v.count[1] * v.count[2];
    const double cells = double(p.grid.cells(0)) * p.grid.cells(1) * p.grid.cells(2);
    const double bytes = 2 * velocities * cells * sizeof(Real);
    double faces = 0;
    for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(p.grid.dimensions); ++side) {
      const SurfaceLaw law = surface_law(p.grid.sides[side]);
      if (law.balanced || law.specular) faces += cells / p.grid.cells(side / 2);
    }
    const auto declare = [&](const char* name, double kernel_bytes, double flops) {
      timers_.declare(name, kernel_bytes, flops);
      return timers_.records().size() - 1;
    };
    if (slab_.depth > 0) {
      double ghost_cells = 0;
      for (const CellSlab& slab : slabs) ghost_cells += slab.ghost_cells();
      exchange_timer_ = declare("ghost_exchange", 2 * velocities * ghost_cells * sizeof(Real), 0);
    }
    if (has_walls_) {
      wall_timer_ =
          declare("wall_density", faces * velocities / 2 * sizeof(Real), faces * velocities * 2);
    }
    const double stream_flops = streaming_flops_per_point * velocities * cells;
    if (!is_fused_) stream_timer_ = declare("stream", bytes, stream_flops);
    if (p.molecules.rate <= 0) return;
    const double batch = context_.tuning.set_batch;
    sample_timer_ = declare("sample", batch * p.samples * (8.0 + sizeof(Real) + 8), 0);
    const double collide_flops = cells * (collision_flops_per_velocity * velocities +
                                          collision_flops_per_sample * p.samples);
    collide_timer_ =
        is_fused_ ? declare("stream_collide", bytes, stream_flops + collide_flops)
                  : declare("collide", p.equilibrium_exact ? 3 * bytes : bytes, collide_flops);
  }

  /// Wall densities and streaming; if this is fused with the collisions the former alone.
  void stream_step() {
    // Order 2 alternates the order of the axes, so that two steps are of second order in time.
    const int passes = state_.order == 2 ? state_.dimensions : 1;
    for (int pass = 0; pass < passes; ++pass) {
      const int axis = step_ % 2 == 0 ? pass : passes - 1 - pass;
      if (slab_.depth > 0 && (passes == 1 || axis == slab_.axis)) {
        timers_.call(exchange_timer_, [&] { exchange(); });
      }
      if (has_walls_) {
        timers_.call(wall_timer_, [&] { update_wall_density(context_, state_); });
      }
      if (is_fused_) continue;
      timers_.call(stream_timer_, [&] {
        if (state_.order == 1) {
          stream(context_, state_);
        } else {
          stream_along(context_, state_, axis);
        }
      });
    }
  }

  /// Collective: fills the ghost cells.
  void exchange() {
    ghosts_(context_.execution,
            {{state_.h.data(), static_cast<std::size_t>(state_.velocities.size())}});
  }

  void collide_step() {
    if (drawn_from_ < 0 || step_ >= drawn_from_ + context_.tuning.set_batch) draw();
    const auto set = static_cast<int>(step_ - drawn_from_);
    timers_.call(collide_timer_, [&] {
      if (is_fused_) {
        stream_and_collide(context_, state_, sets_, set);
        return;
      }
      if (parameters_.equilibrium_exact) {
        remove_equilibrium_part(context_, state_, equilibrium_part_);
      }
      collide(context_, state_, sets_, set);
      if (parameters_.equilibrium_exact) {
        restore_equilibrium_part(context_, state_, equilibrium_part_);
      }
    });
  }

  /// Draws the collision sets of the next steps.
  void draw() {
    drawn_from_ = step_;
    timers_.call_rarely(sample_timer_, [&] {
      draw_collisions(context_.execution, parameters_.sampling(), static_cast<std::uint64_t>(step_),
                      sets_);
    });
  }

  void sample_statistics() {
    const Parameters& p = parameters_;
    if (p.statistics_every == 0 || step_ < p.statistics_from) return;
    if ((step_ - p.statistics_from) % p.statistics_every != 0) return;
    for (std::size_t n = 0; n < statistics_.size(); ++n) {
      statistics_[n].add(monitor(statistics_names[n]));
    }
  }

  const Parameters& parameters() const override { return parameters_; }
  std::optional<Divergence> find_growth();

  const std::vector<Deviation>& cells() override {
    if (cells_step_ != step_) {
      std::vector<Deviation>().swap(cells_);  // never in memory twice
      cells_ = world().concatenate_on_first(deviations(context_, state_));
      cells_step_ = step_;
    }
    return cells_;
  }
  const std::vector<Deviation>& remembered_cells() const override { return remembered_; }
  double side_flux(int side, std::size_t flux) override;
  std::vector<SurfaceFlux> face_fluxes(int side) override;
  const Statistics& statistics(std::size_t n) const override { return statistics_[n]; }
  FieldValues field_values(int components,
                           const std::function<double(std::size_t, std::size_t)>& value) override;

  Parameters parameters_;
  FieldTable<Solution> fields_;
  MonitorTable<Solution> monitors_;
  StepContext<ExecutionSpace> context_;
  State<ExecutionSpace, Real> state_;
  CollisionSets<ExecutionSpace, Real> sets_;
  EquilibriumPart<ExecutionSpace> equilibrium_part_;
  double given_mean_square_ = 0;  ///< of h at step 0 where that was made from given fields
  bool has_walls_ = false;
  bool is_fused_ = false;  ///< streaming and collision are one kernel
  KernelTimers timers_{make_launch_clock(context_.execution)};
  CellSlab slab_;                               ///< the part of this rank
  GhostExchange<ExecutionSpace, Real> ghosts_;  ///< does nothing with one rank
  std::size_t exchange_timer_ = 0, wall_timer_ = 0, stream_timer_ = 0, sample_timer_ = 0,
              collide_timer_ = 0;
  std::int64_t step_ = 0;
  std::int64_t drawn_from_ = -1;  ///< step of the first collision set; -1: none is drawn
  std::int64_t cells_step_ = -1;  ///< step of `cells_`; -1: not computed
  std::vector<Deviation> cells_;
  std::vector<Deviation> remembered_;
  std::array<Statistics, statistics_names.size()> statistics_;
};

template <class ExecutionSpace, class Real>
std::vector<SurfaceFlux> BoltzmannMethod<ExecutionSpace, Real>::face_fluxes(int side) {
  exchange();
  auto fluxes = world().concatenate_on_first(wall_fluxes(context_, state_, side));
  for (SurfaceFlux& face : fluxes) {
    for (double& flux : face) flux *= parameters_.scale;
  }
  return fluxes;
}

/// The factor 2 converts momentum and energy fluxes from rho_ref v_ref^2 to p_ref.
template <class ExecutionSpace, class Real>
double BoltzmannMethod<ExecutionSpace, Real>::side_flux(int side, std::size_t flux) {
  const std::vector<SurfaceFlux> fluxes = face_fluxes(side);
  const PhaseGrid& grid = parameters_.grid;
  const int cells[3] = {grid.cells(0), grid.cells(1), grid.cells(2)};
  const auto axis = static_cast<std::size_t>(side) / 2;
  double sum = 0;
  double area = 0;
  for (std::size_t face = 0; face < fluxes.size(); ++face) {
    const Cell cell =
        cell_on_line(cells, side / 2, side % 2 == 0 ? 0 : cells[axis] - 1, static_cast<int>(face));
    const double here =
        parameters_.volume(cell) / grid.widths[axis][static_cast<std::size_t>(cell.at[axis])];
    sum += here * fluxes[face][flux];
    area += here;
  }
  return sum / area * (flux == 0 ? 1 : 2);
}

template <class ExecutionSpace, class Real>
std::optional<Divergence> BoltzmannMethod<ExecutionSpace, Real>::find_divergence() {
  const auto& states = cells();
  const double e = parameters_.collision.perturbation_parameter;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Deviation& s = states[i];
    const std::string what = !std::isfinite(s.density + speed_of(s) + s.temperature)
                                 ? "the distribution is not finite"
                             : !(1 + e * s.density > 0)     ? "the density is not positive"
                             : !(1 + e * s.temperature > 0) ? "the temperature is not positive"
                                                            : "";
    if (what.empty()) continue;
    const Cell cell = parameters_.cell(i);
    return Divergence{{cell.at[0], cell.at[1], cell.at[2]}, what};
  }
  if (states.empty()) return std::nullopt;  // not the first rank
  return find_growth();
}

/// Finds noise of the linearised form that has grown beyond what any solution can (README, "What
/// cannot grow"). The moments show it much later, since noise cancels in them.
template <class ExecutionSpace, class Real>
std::optional<Divergence> BoltzmannMethod<ExecutionSpace, Real>::find_growth() {
  const Parameters& p = parameters_;
  if (p.collision.perturbation_parameter != 0) return std::nullopt;
  const double mean_square = 2 * monitor("entropy");
  // Norms of the parts of a solution of a linear equation add up.
  const double largest =
      std::pow(std::sqrt(p.max_mean_square(step_)) + std::sqrt(given_mean_square_), 2);
  if (mean_square <= allowed_growth * allowed_growth * largest) return std::nullopt;
  const auto& states = cells();
  const auto worst = std::max_element(
      states.begin(), states.end(),
      [](const Deviation& a, const Deviation& b) { return a.entropy < b.entropy; });
  const Cell cell = parameters_.cell(static_cast<std::size_t>(worst - states.begin()));
  return Divergence{
      {cell.at[0], cell.at[1], cell.at[2]},
      "the noise of the sampled collisions grows without bound: the deviation is " +
          (largest > 0 ? number_text(rounded(std::sqrt(mean_square / largest))) + " times as large"
                       : "larger") +
          " as sides, force and initial state can make it",
      "use " + std::string(p.interpolate ? "the \"interpolation\" \"constant\", " : "") +
          "more \"samples\", a \"sample_temperature\" of 1.5 to 2 or a shorter time step"};
}

template <class ExecutionSpace, class Real>
FieldValues BoltzmannMethod<ExecutionSpace, Real>::field_values(
    int components, const std::function<double(std::size_t, std::size_t)>& value) {
  std::vector<Real> values;
  for (std::size_t cell = 0; cell < cells().size(); ++cell) {
    for (std::size_t c = 0; c < static_cast<std::size_t>(components); ++c) {
      values.push_back(static_cast<Real>(value(cell, c)));
    }
  }
  return values;
}

template <class ExecutionSpace, class Real>
std::vector<std::string> BoltzmannMethod<ExecutionSpace, Real>::warnings() {
  const Parameters& p = parameters_;
  const double e = p.collision.perturbation_parameter;
  const auto& states = cells();
  // The linearised form has the Maxwellian of the reference state alone.
  if (e == 0 || states.empty()) return {};
  double shortest = p.length(0);
  for (std::size_t d = 1; d < p.dimensions(); ++d) shortest = std::min(shortest, p.length(d));
  const Gas gas{.rarefaction = p.rarefaction, .viscosity_exponent = 0.5 + p.molecules.softness};
  return warnings_of_cells(
      p.grid.velocities, p.units, gas, shortest, true,
      {p.grid.cells(0), p.grid.cells(1), p.grid.cells(2)}, [&](std::size_t cell) {
        const Deviation& s = states[cell];
        return GasState{1 + e * s.density,
                        {e * s.velocity[0], e * s.velocity[1], e * s.velocity[2]},
                        1 + e * s.temperature};
      });
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
  add_flow_monitors(*this, p.grid.sides, found);
  return found;
}

}  // namespace

std::unique_ptr<Method> make_method(const Parameters& parameters, Backend backend) {
  return make_method_for<BoltzmannMethod>(parameters, backend);
}

}  // namespace knudsen::boltzmann
