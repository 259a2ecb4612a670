#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/stopwatch.hpp"
#include "device/launch_clock.hpp"
#include "device/to_list.hpp"
#include "kinetic/case/check_velocities.hpp"
#include "kinetic/gas_fields.hpp"
#include "methods/gas/cavity.hpp"
#include "methods/gas/quantities.hpp"
#include "methods/gas/sonic_side.hpp"
#include "methods/gas/surfaces.hpp"
#include "methods/shakhov/block_shares.hpp"
#include "methods/shakhov/central_moments.hpp"
#include "methods/shakhov/face_emission.hpp"
#include "methods/shakhov/iteration.hpp"
#include "methods/shakhov/make_sweep_space.hpp"
#include "methods/shakhov/parameters.hpp"
#include "methods/shakhov/positive_cells.hpp"
#include "methods/shakhov/quantities.hpp"
#include "methods/shakhov/rank_sums.hpp"
#include "methods/shakhov/slices.hpp"
#include "methods/shakhov/synthetic_acceleration.hpp"
#include "methods/shakhov/target_covariance.hpp"
#include "methods/shakhov/wall_scattering.hpp"
#include "model/checkpoint_view.hpp"
#include "model/make_method.hpp"
#include "parallel/communicator.hpp"

namespace knudsen::shakhov {
namespace {

/// Floating-point operations for a phase-space point with BGK. The polynomials of the other models
/// are not counted.
constexpr double sweep_flops = 24;

/// The first iterates of a case of second order: as they are; of first order in their place, once
/// too many in a row had no positive solution, or there are shocks thinner than a cell; past, since
/// the moments have settled.
enum class Start { of_second_order, of_first_order, over };

/// Data of the iteration of a problem.
template <class ExecutionSpace, class Real>
struct Solver {
  const FlowGrid& grid;
  SweepContext<ExecutionSpace> context;
  SweepSpace<ExecutionSpace, Real> space;
  Scheme scheme;
  SweepStorage<ExecutionSpace, Real> storage;  ///< buffers of the scheme "pencils"
  Slices<ExecutionSpace, Real> slices;         ///< buffers of the scheme "slices"
  std::vector<Batch> batches;                  ///< those of this rank
  std::optional<SweepQueues<ExecutionSpace>> queues;
  RankSums<ExecutionSpace, Real> sums;
  WallScattering<ExecutionSpace, Real> scattering;
  FaceEmission<ExecutionSpace, Real> emission;
  std::optional<SyntheticAcceleration<ExecutionSpace, Real>> acceleration;
  double mass = 0;  ///< mass to conserve; 0 if a side is open
  Start start = Start::of_second_order;
  int shortened = 0;  ///< iterations in a row that shortened the step of a cell
  int kept = 0;       ///< all of these since the last one that changed little
  double change = 0;  ///< largest one of the moments in the last iteration

  /// Messages have the tags `first_tag` and the next one.
  explicit Solver(const Parameters& p, int first_tag = 0)
      : grid(p.grid),
        space(make_sweep_space<ExecutionSpace, Real>(p.grid, p.order)),
        scheme(p.scheme),
        sums(space, first_tag),
        scattering(p.grid, space, scheme == Scheme::slices),
        emission(p.grid, p.gas, space) {
    context.model = p.model;
    context.gas = p.gas;
    context.conservative = p.conservative;
    for (std::size_t d = 0; d < 3; ++d) {
      context.body_force[d] = p.body_force[d];
      context.temperature_gradient[d] = p.temperature_gradient[d];
    }
    batches = make_batches(p.grid, space.octant_blocks(), p.batch_blocks, scheme == Scheme::slices,
                           world().rank(), world().size());
    int blocks = 1;
    for (const Batch& batch : batches) blocks = std::max(blocks, batch.blocks);
    if (scheme == Scheme::slices) {
      slices = make_slices<ExecutionSpace, Real>(p.grid, blocks);
    } else {
      storage = make_storage<ExecutionSpace, Real>(p.grid, p.tuning, p.order, blocks);
      queues.emplace(context.execution, part_count(space, storage));
    }
    if (p.accelerated()) {
      acceleration.emplace(p.grid, context, space, !p.has_open_side(), p.acceleration);
    }
  }

  void set_initial(const Parameters& p, const GivenFields& given = {}) {
    set_uniform(context, space, p.initial);
    emission.set_initial(p.grid, space, p.initial);
    if (!given.density.empty() || !given.velocity.empty() || !given.temperature.empty()) {
      set_moments(space, [&](std::size_t cell) { return with_given(p.initial, given, cell); });
    }
    set_positive_cells(p.grid, space);
    start = Start::of_second_order;
    shortened = 0;
    kept = 0;
    if (acceleration) acceleration->reset();
    context.execution.fence();
    mass = p.has_open_side() ? 0 : total_mass(context, space);
  }

  /// Impulsive first iterates of a fast flow may have no positive solution of second order. They
  /// are then made of first order, until the moments have settled. So are those of a flow with
  /// shocks thinner than a cell, which show where these will be.
  void choose_order() {
    if (space.order == 1 || start == Start::over) return;
    if (start == Start::of_first_order) {
      if (!(change < started_change)) return;
      const std::vector<std::uint16_t> shocks = cells_of_shocks();
      if (!shocks.empty() && !(change < shock_change)) return;
      set_positive_cells(grid, space, shocks);
      if (acceleration) acceleration->reset();
      start = Start::over;
    } else if (space.settled && cells_of_shocks().empty()) {
      start = Start::over;
    } else if (space.settled || shortened >= iterations_to_start) {
      make_all_first_order(grid, space);
      if (acceleration) acceleration->reset();
      start = Start::of_first_order;
    }
  }
  /// See thin_shocks. Plain sweeps converge without, and while they still move a shock.
  std::vector<std::uint16_t> cells_of_shocks() const {
    return acceleration ? thin_shocks(grid, context.gas, states()) : std::vector<std::uint16_t>{};
  }
  /// States of the cells; zeros in solids.
  std::vector<Macroscopic> states() const {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), space.moments);
    std::vector<Macroscopic> found(grid.cell_count());
    for (std::size_t cell = 0; cell < found.size(); ++cell) {
      if (grid.solid(cell)) continue;
      found[cell] =
          state_of(raw_moments(host, static_cast<std::int64_t>(cell)), context.gas.rotation);
    }
    return found;
  }

  void begin() {
    choose_order();
    space.starting = space.order > 1 && start != Start::over;
    if (acceleration) acceleration->begin(context, space);
    make_entering();
    begin_iteration(context, space);
  }
  /// What walls make of what left in the last iteration.
  void make_entering() {
    scattering.scatter(context.execution, space);
    emission.emit(context.execution, space);
  }
  Changes finish() {
    const Changes changes =
        finish_iteration(context, space, mass, acceleration && acceleration->scales_sweep());
    change = largest_change_of_moments(changes);
    space.settled = change < settled_change;
    shortened = space.shortened ? shortened + 1 : 0;
    kept = space.shortened ? kept + 1 : space.settled ? 0 : kept;
    return changes;
  }
  void accelerate(Changes& changes) { acceleration->correct(context, space, mass, changes); }

  /// Sweeps the blocks of all ranks.
  void sweep() {
    if (scheme == Scheme::slices) {
      for (const Batch& batch : batches) sweep_slices(context, space, slices, batch);
    } else {
      sweep_batches(context, space, storage, batches, *queues);
    }
    sums.add_up(context.execution, space);
    context.execution.fence();
    scattering.share(space);
  }
};

template <class ExecutionSpace, class Real>
class ShakhovMethod final : public Method, private Solution {
 public:
  explicit ShakhovMethod(Parameters parameters)
      : parameters_(std::move(parameters)),
        solver_(parameters_),
        fields_(field_table(parameters_.gas.rotation > 0)),
        monitors_(monitor_table(parameters_)) {
    const Parameters& p = parameters_;
    faces_ = list_faces(p.grid);
    double points = static_cast<double>(p.grid.cell_count());
    for (const VelocityAxis& axis : p.grid.velocities) points *= axis.count();
    const auto moments = static_cast<double>(solver_.space.moments.span()) * 8;
    timers_.declare("equilibria", 2 * moments, 0);
    timers_.declare("sweeps", points * bytes_a_point(p), points * sweep_flops);
    timers_.declare("changes", 2 * moments, 0);
    if (p.accelerated()) timers_.declare("acceleration", 2 * moments, 0);
  }

  void initialise() override {
    begin({});
    if (parameters_.coarse_start) start_coarsely();
  }
  void initialise(const GivenFields& given) override {
    check_integrated(given, parameters_.grid.velocities, parameters_.units);
    begin(given);
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t i = 0; i < steps; ++i) {
      timers_.call(0, [&] { solver_.begin(); });
      sonic_iterations_ = find_sonic() ? sonic_iterations_ + 1 : 0;
      timers_.call(1, [&] { solver_.sweep(); });
      timers_.call(2, [&] { changes_ = solver_.finish(); });
      if (solver_.acceleration) timers_.call(3, [&] { solver_.accelerate(changes_); });
      if (solver_.space.shortened) {
        // Cells of little gas count for little in the changes, but the iterate is no solution.
        for (double& change : changes_) change = std::max(change, settled_change);
      }
      ++step_;
    }
  }

  void fence() override { solver_.context.execution.fence(); }
  KernelTimers& timers() override { return timers_; }
  /// Nothing to do: an iteration computes its changes itself.
  void remember() override {}

  /// All ranks have all moments, so that the first one needs no other for what it returns.
  double monitor(const std::string& name) override {
    return world().is_first() ? monitors_.value(name, *this) : 0;
  }
  std::optional<Divergence> find_divergence() override;
  /// What is wrong if iterates go on being kept positive, where the gas is thinnest or coldest.
  Divergence kept_positive();
  /// A side of given pressure through which the gas flows faster than sound at the beginning of the
  /// last iteration.
  std::optional<Divergence> find_sonic();
  double mach_number(int side) override {
    surface_loads();  // which makes what enters
    const std::vector<double> mach = solver_.emission.mach_numbers(side);
    return mach.empty() ? 0 : *std::max_element(mach.begin(), mach.end());
  }
  SurfaceFields surface() override { return fields_on_surfaces(surface_loads()); }
  std::vector<std::string> warnings() override;
  Field field(const std::string& name) override {
    if (!world().is_first()) return {};
    const auto& row = fields_.row(name);
    return {row.quantity, row.value(*this)};
  }
  std::map<std::string, std::string> results() override;

  void save(CheckpointWriter& checkpoint) override {
    save_view(checkpoint, "moments", solver_.space.moments);
    save_view(checkpoint, "wall_density", solver_.space.face_density);
    save_view(checkpoint, "wall_flux", solver_.space.flux);
    for (const int side : {0, 1, 2, 3, 4, 5, leaving_to_solids}) {
      if (solver_.space.outgoing[side].extent(0) > 0) save_outgoing(checkpoint, side);
    }
    const std::vector<std::uint16_t> numbers = positive_cells(solver_.space);
    if (!numbers.empty()) {
      checkpoint.array("positive_cells", numbers.data(), {numbers.size()});
      checkpoint.integer("settled", solver_.space.settled ? 1 : 0);
      checkpoint.integer("shortened", solver_.shortened);
      checkpoint.number("start", static_cast<int>(solver_.start));
      checkpoint.number("change", solver_.change);
    }
    checkpoint.number("kept_positive", solver_.kept);
    if (solver_.acceleration) solver_.acceleration->save(checkpoint);
    if (sonic_iterations_ > 0) checkpoint.number("sonic_iterations", sonic_iterations_);
    checkpoint.number("initial_mass", solver_.mass);
  }

  void load(const CheckpointReader& checkpoint) override {
    load_view(checkpoint, "moments", solver_.space.moments);
    load_view(checkpoint, "wall_density", solver_.space.face_density);
    load_view(checkpoint, "wall_flux", solver_.space.flux);
    for (const int side : {0, 1, 2, 3, 4, 5, leaving_to_solids}) {
      if (solver_.space.outgoing[side].extent(0) > 0) {
        load_view(checkpoint, name_of_left(side), solver_.space.outgoing[side]);
      }
    }
    std::vector<std::uint16_t> numbers(solver_.space.held.extent(0));
    const std::vector<std::size_t> shape{numbers.size()};
    const bool stored = checkpoint.has_array("positive_cells", shape);
    if (stored) checkpoint.array("positive_cells", numbers.data(), shape);
    set_positive_cells(parameters_.grid, solver_.space, numbers);
    solver_.space.settled = stored && checkpoint.integer("settled") == 1;
    // Older checkpoints have none of these.
    solver_.start = Start::over;
    if (checkpoint.has_number("start")) {
      solver_.start = static_cast<Start>(static_cast<int>(checkpoint.number("start")));
      solver_.shortened = static_cast<int>(checkpoint.integer("shortened"));
      solver_.change = checkpoint.number("change");
    }
    solver_.kept = checkpoint.has_number("kept_positive")
                       ? static_cast<int>(checkpoint.number("kept_positive"))
                       : 0;
    if (solver_.acceleration) solver_.acceleration->load(checkpoint);
    solver_.mass = checkpoint.number("initial_mass");
    sonic_iterations_ = checkpoint.has_number("sonic_iterations")
                            ? static_cast<int>(checkpoint.number("sonic_iterations"))
                            : 0;
    step_ = checkpoint.step();
    changes_.fill(std::nan(""));
    cells_step_ = -1;
    loads_step_ = -1;
  }

 private:
  /// Sets moments and wall densities to the solution on the coarser velocity grid.
  void begin(const GivenFields& given) {
    step_ = 0;
    watch_ = Stopwatch();
    sonic_iterations_ = 0;
    solver_.set_initial(parameters_, given);
    changes_.fill(std::nan(""));
    cells_step_ = -1;
    loads_step_ = -1;
  }

  void start_coarsely() {
    const CoarseStart& start = *parameters_.coarse_start;
    const Stopwatch watch;
    const Parameters coarse_problem = coarse_parameters(parameters_);
    Solver<ExecutionSpace, Real> coarse(coarse_problem, 2);
    coarse.set_initial(coarse_problem);
    coarse_iterations_ = 0;
    double change = 1;
    while (coarse_iterations_ < start.max_iterations && !(change <= start.tolerance)) {
      coarse.begin();
      coarse.sweep();
      Changes changes = coarse.finish();
      if (coarse.acceleration) coarse.accelerate(changes);
      change = largest_change_of_moments(changes);
      ++coarse_iterations_;
    }
    Kokkos::deep_copy(solver_.space.moments, coarse.space.moments);
    Kokkos::deep_copy(solver_.space.face_density, coarse.space.face_density);
    coarse_seconds_ = watch.seconds();
  }

  const Parameters& parameters() const override { return parameters_; }
  const Changes& changes() const override { return changes_; }
  const std::vector<Macroscopic>& cells() override {
    if (cells_step_ != step_) cells_ = solver_.states();
    cells_step_ = step_;
    return cells_;
  }

  /// Name in checkpoints of what left through a side, or of leaving_to_solids.
  static std::string name_of_left(int side) {
    return "left_" + (side < 6 ? side_names[static_cast<std::size_t>(side)] : "solids");
  }
  /// Writes SweepSpace::outgoing, of each block what the rank has that sweeps it.
  void save_outgoing(CheckpointWriter& checkpoint, int side);
  WallFlux wall_flux(int wall) override;
  const std::vector<SurfaceLoad>& surface_loads() override;
  /// Sets normal, centre and corners of the surface in a cut cell.
  void place_facet(const CutCell& cut, SurfaceLoad& load) const;
  /// Sets laws_ and unit_inflow_.
  void set_laws();
  FieldValues field_values(int components,
                           const std::function<double(std::size_t, std::size_t)>& value) override;

  Parameters parameters_;
  Solver<ExecutionSpace, Real> solver_;
  std::vector<Face> faces_;
  std::vector<SurfaceLaw> laws_;  ///< of each of Surfaces; empty until a load is wanted
  /// By surface and side of the cell, where there are such faces: fluxes into the gas of what laws_
  /// emits.
  std::vector<std::array<std::optional<SurfaceFlux>, 6>> unit_inflow_;
  KernelTimers timers_{make_launch_clock(solver_.context.execution)};
  Stopwatch watch_;
  std::int64_t step_ = 0;
  int coarse_iterations_ = 0;
  double coarse_seconds_ = 0;
  Changes changes_{};
  FieldTable<Solution> fields_;
  MonitorTable<Solution> monitors_;
  std::int64_t cells_step_ = -1;  ///< step that `cells_` belongs to; -1 for none
  std::vector<Macroscopic> cells_;
  /// Iterations in a row in which gas flowed faster than sound through a side of given pressure.
  int sonic_iterations_ = 0;
  std::int64_t loads_step_ = -1;  ///< step that `loads_` belongs to; -1 for none
  std::vector<SurfaceLoad> loads_;
};

template <class ExecutionSpace, class Real>
void ShakhovMethod<ExecutionSpace, Real>::save_outgoing(CheckpointWriter& checkpoint, int side) {
  const auto& space = solver_.space;
  const auto& values = space.outgoing[side];
  const auto octant_blocks = static_cast<std::size_t>(space.octant_blocks());
  const BlockShares shares(parameters_.grid, space.octant_blocks(),
                           solver_.scheme == Scheme::slices, world().size());
  std::array<std::vector<int>, 6> owners;
  for (std::size_t of_cell = 0; of_cell < 6; ++of_cell) {
    owners[of_cell] = owners_of_outgoing(shares, space.octant_blocks(), static_cast<int>(of_cell));
  }
  const std::vector<int> made_face = to_list(space.made_face);
  const auto owner = [&](std::size_t row) {
    const std::size_t face = row / (4 * octant_blocks);
    const int of_cell = side < 6 ? side : faces_[static_cast<std::size_t>(made_face[face])].side;
    return static_cast<std::size_t>(
        owners[static_cast<std::size_t>(of_cell)][row % (4 * octant_blocks)]);
  };
  const auto block_values = static_cast<std::size_t>(space.block_values());
  const std::size_t row_count = values.extent(0) / block_values;
  constexpr std::size_t piece = 2048;  // rows
  std::vector<Real> rows(std::min(piece, row_count) * block_values);
  const auto is_own = [&](std::size_t row) {
    return owner(row) == static_cast<std::size_t>(world().rank());
  };
  checkpoint.shared_array<Real>(
      name_of_left(side), {values.extent(0)},
      [&](const auto& body) {
        for (std::size_t begin = 0; begin < row_count; begin += piece) {
          const std::size_t end = std::min(begin + piece, row_count);
          const auto places = Kokkos::make_pair(begin * block_values, end * block_values);
          Kokkos::deep_copy(HostView<Real*>(rows.data(), places.second - places.first),
                            Kokkos::subview(values, places));
          for (std::size_t row = begin, next = begin; row < end; row = next + 1) {
            for (next = row; next < end && is_own(next);) ++next;
            if (row == next) continue;
            body(row * block_values, (next - row) * block_values, (row - begin) * block_values);
          }
        }
      },
      [&](std::size_t place, std::size_t count, Real* to) {
        std::copy_n(rows.data() + place, count, to);
      });
}

template <class ExecutionSpace, class Real>
void ShakhovMethod<ExecutionSpace, Real>::set_laws() {
  for (const SideCondition& condition :
       Surfaces(parameters_.grid.sides, parameters_.grid.solids).conditions) {
    laws_.push_back(surface_law(condition));
  }
  unit_inflow_.resize(laws_.size());
  for (const Face& face : faces_) {
    if (face.side == facet_side) continue;
    const auto surface = static_cast<std::size_t>(face.surface);
    auto& inflow = unit_inflow_[surface][static_cast<std::size_t>(face.side)];
    if (!inflow) {
      inflow = half_range_flux(parameters_.grid.velocities, laws_[surface].emitted, face.side);
    }
  }
}

template <class ExecutionSpace, class Real>
void ShakhovMethod<ExecutionSpace, Real>::place_facet(const CutCell& cut, SurfaceLoad& load) const {
  const FlowGrid& grid = parameters_.grid;
  const auto at = grid.at(cut.cell);
  const auto place = [&](const std::array<double, 3>& in_cell) {
    std::array<double, 3> point{};
    for (std::size_t d = 0; d < 3; ++d) {
      point[d] = grid.edges[d][static_cast<std::size_t>(at[d])] + in_cell[d] * grid.width(d, at[d]);
    }
    return point;
  };
  load.normal = grid.facet_area(cut);
  for (double& component : load.normal) component /= load.area;
  load.centre = place(cut.centre);
  for (const std::array<double, 3>& corner : cut.corners) {
    load.face.corners.push_back(place(corner));
  }
}

template <class ExecutionSpace, class Real>
const std::vector<SurfaceLoad>& ShakhovMethod<ExecutionSpace, Real>::surface_loads() {
  if (loads_step_ == step_) return loads_;
  solver_.make_entering();
  solver_.context.execution.fence();
  const auto flux = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), solver_.space.flux);
  const auto density =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), solver_.space.face_density);
  const auto facet_inflow =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), solver_.space.facet_inflow);
  const auto first_facet = static_cast<std::size_t>(solver_.space.first_face[facet_side]);
  const FlowGrid& grid = parameters_.grid;
  if (laws_.empty()) set_laws();
  // By side, then of solids: what enters where walls make it, and the temperatures of heated ones.
  std::array<HostView<double* [flux_count]>, facet_side + 1> entering;
  std::array<std::vector<double>, facet_side + 1> temperatures;
  const std::vector<int> made_face = to_list(solver_.space.made_face);
  std::vector<std::size_t> made_row(faces_.size());
  for (std::size_t row = 0; row < made_face.size(); ++row) {
    made_row[static_cast<std::size_t>(made_face[row])] = row;
  }
  for (int side = 0; side <= facet_side; ++side) {
    const bool made = side == facet_side
                          ? !made_face.empty()
                          : side < 2 * grid.dimensions && solver_.space.has_own_entering(side);
    if (!made) continue;
    if (side != facet_side || !grid.has_cut_cells()) {
      entering[static_cast<std::size_t>(side)] = entering_flux(solver_.space, side);
    }
    temperatures[static_cast<std::size_t>(side)] = solver_.emission.temperatures(side);
  }
  HostView<double* [continuum_numbers]> continuum;
  if (solver_.acceleration && solver_.acceleration->asymptotic() != nullptr) {
    continuum = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(),
                                                    solver_.acceleration->asymptotic()->faces());
  }
  loads_.clear();
  for (std::size_t number = 0; number < faces_.size(); ++number) {
    const Face& face = faces_[number];
    if (face.area == 0) continue;
    if (face.wall < 6 && grid.sides[static_cast<std::size_t>(face.wall)].kind == SideKind::periodic)
      continue;
    SurfaceLoad load{{face.cell, face.side, {}}, face.wall, face.area, {}, {}, {}, 0};
    const auto surface = static_cast<std::size_t>(face.surface);
    SurfaceFlux inflow{};
    if (face.side == facet_side) {
      place_facet(*grid.solids.cut_cell(face.cell), load);
      for (std::size_t i = 0; i < flux_count; ++i) {
        inflow[i] = facet_inflow(number - first_facet, i);
      }
    } else {
      load.normal = side_normal(face.side);
      const auto at = grid.at(face.cell);
      for (std::size_t d = 0; d < 3; ++d) {
        const double* edge = grid.edges[d].data() + at[d];
        load.centre[d] =
            static_cast<int>(d) == face.side / 2 ? edge[face.side % 2] : 0.5 * (edge[0] + edge[1]);
      }
      inflow = *unit_inflow_[surface][static_cast<std::size_t>(face.side)];
    }
    const bool of_solid = laws_[surface].made_by_face() && face.wall >= 6;
    const auto made_at = static_cast<std::size_t>(of_solid ? facet_side : face.side);
    const std::size_t in_side =
        of_solid ? made_row[number]
                 : number - static_cast<std::size_t>(solver_.space.first_face[face.side]);
    load.temperature =
        laws_[surface].heated ? temperatures[made_at][in_side] : laws_[surface].temperature();
    // Surfaces in cut cells emit a Maxwellian, of which facet_inflow tells.
    const bool in_cell = face.side == facet_side;
    const InflowWeights<double> weights(in_cell ? 1 : laws_[surface].diffuse_share,
                                        density(number));
    for (int i = 0; i < flux_count; ++i) {
      const auto n = static_cast<std::size_t>(i);
      const double out = flux(number, n);
      if (laws_[surface].made_by_face() && !in_cell) {
        load.flux[n] = out - entering[made_at](in_side, n);
        continue;
      }
      // net_flux with the terms in the order of the recorded results.
      load.flux[n] = out -
                     weights.mirrored * mirrored_flux(i, solver_.space.reversed[face.side], out) -
                     weights.emitted * inflow[n];
    }
    if (continuum.extent(0) > 0) {
      const double share = continuum(number, continuum_share);
      for (std::size_t i = 0; i < flux_count; ++i) {
        load.flux[i] += share * (continuum(number, i) - load.flux[i]);
      }
      if (laws_[surface].heated) {
        load.temperature += share * (continuum(number, continuum_temperature) - load.temperature);
      }
    }
    loads_.push_back(load);
  }
  loads_step_ = step_;
  return loads_;
}

template <class ExecutionSpace, class Real>
WallFlux ShakhovMethod<ExecutionSpace, Real>::wall_flux(int wall) {
  WallFlux flux;
  const double downstream = parameters_.stream_side() == east ? 1 : -1;
  for (const SurfaceLoad& load : surface_loads()) {
    if (load.surface != wall) continue;
    flux.area += load.area;
    for (std::size_t i = 0; i < flux_count; ++i) flux.total[i] += load.area * load.flux[i];
    flux.frontal_area += load.area * std::max(downstream * load.normal[0], 0.0);
  }
  return flux;
}

template <class ExecutionSpace, class Real>
std::vector<std::string> ShakhovMethod<ExecutionSpace, Real>::warnings() {
  std::vector<std::string> found;
  if (solver_.acceleration && solver_.acceleration->relaxation() == 0) {
    found.emplace_back(
        "propagation.acceleration: the corrections were given up, since they did not bring the "
        "iteration closer to its end; plain sweeps went on, which in a dense gas change little "
        "long before they converge");
  }
  if (solver_.shortened > 0) {
    found.emplace_back(
        "propagation: the last iterate has cells whose density or temperature would have been "
        "negative and was kept positive: it is no solution; go on, or take finer cells");
  }
  const std::vector<std::size_t> positive = first_order_cells(solver_.space);
  if (!positive.empty()) {
    const auto at = parameters_.grid.at(positive.front());
    found.push_back("propagation.order: " + std::to_string(positive.size()) + " of " +
                    std::to_string(parameters_.grid.cell_count()) + " cells, the first at (" +
                    std::to_string(at[0]) + ", " + std::to_string(at[1]) + ", " +
                    std::to_string(at[2]) +
                    "), are of first order, since the second has a negative density or "
                    "temperature there, or a shock is thinner than a cell");
  }
  if (sonic_iterations_ > 0) {
    const auto sonic = find_sonic();
    if (sonic) {
      found.push_back(
          "boundaries: at the end " + sonic->what +
          ", and the side limited the velocity to that of sound; go on until the flow is "
          "slower, or " +
          sonic->advice);
    }
  }
  // Of a steady flow as much enters as leaves, of energy where nothing heats the gas within. That
  // of a slow flow is small and settles last.
  constexpr double imbalance = 0.01;
  constexpr double nothing = 1e-6;  // flux of mass or energy; that of mass in resting gas is 0.28
  const auto is_zero = [](const auto& vector) {
    return std::ranges::all_of(vector, [](double each) { return each == 0; });
  };
  struct Balance {
    std::size_t flux;
    double settled;  ///< largest change of the moments in an iteration
    const char* name;
    const char* unit;
    bool holds;
  };
  const bool unheated =
      is_zero(parameters_.body_force) && is_zero(parameters_.temperature_gradient);
  for (const Balance& balance :
       {Balance{0, 1e-4, "a mass flow", "rho_ref v_ref L^(d-1)", true},
        Balance{4, 1e-6, "an energy flow", "rho_ref v_ref^3 L^(d-1)", unheated}}) {
    double enters = 0;
    double leaves = 0;
    double area = 0;
    for (const SurfaceLoad& load : surface_loads()) {
      const double flow = load.area * load.flux[balance.flux];
      (flow < 0 ? enters : leaves) += std::abs(flow);
      area += load.area;
    }
    const double greater = std::max(enters, leaves);
    if (balance.holds && largest_change_of_moments(changes_) < balance.settled &&
        greater > nothing * area && std::abs(enters - leaves) > imbalance * greater) {
      found.push_back("boundaries: " + std::string(balance.name) + " of " + result_text(enters) +
                      " " + balance.unit + " enters and " + result_text(leaves) +
                      " leaves, though the moments hardly change any more; use a smaller "
                      "tolerance, " +
                      (parameters_.conservative
                           ? "thinner cells or more velocities"
                           : "\"collision.conservative\" true or more velocities"));
    }
  }
  const Parameters& p = parameters_;
  const auto& states = cells();
  const auto unresolved = warnings_of_cells(
      p.grid.velocities, p.units, p.gas, p.grid.shortest_way(), p.conservative, p.grid.cells,
      [&](std::size_t cell) {
        const Macroscopic& s = states[cell];
        return GasState{s.density, {s.velocity[0], s.velocity[1], s.velocity[2]}, s.temperature};
      });
  found.insert(found.end(), unresolved.begin(), unresolved.end());
  return found;
}

template <class ExecutionSpace, class Real>
std::optional<Divergence> ShakhovMethod<ExecutionSpace, Real>::find_divergence() {
  // Copying and checking all moments takes about a third of an iteration on a GPU.
  if (std::isfinite(std::accumulate(changes_.begin(), changes_.end(), 0.0))) {
    if (solver_.kept >= most_shortened) return kept_positive();
    // Iterates on the way to a slower flow may be faster than sound, to which the side limits them.
    constexpr int patience = 100;
    constexpr double settled = 1e-3;
    const bool stays =
        sonic_iterations_ >= patience || largest_change_of_moments(changes_) < settled;
    return stays ? find_sonic() : std::nullopt;
  }
  const auto& states = cells();
  const auto& force = parameters_.body_force;
  const bool pushed =
      std::any_of(force.begin(), force.end(), [](double each) { return each != 0; });
  const std::string advice =
      pushed && parameters_.model == CollisionModel::es_bgk
          ? "where the gas is thin, \"body_force\" makes molecules faster between two collisions "
            "than \"es-bgk\" has a Gaussian for; take a smaller force or another model"
      : parameters_.grid.has_heated_walls()
          ? "a wall of given \"heat_flux\" gets as hot as it must to hand that to the gas that "
            "reaches it, which the velocities may not reach where that is little; take a smaller "
            "heat flux or a larger \"velocity_grid\""
          : "";
  for (std::size_t cell = 0; cell < states.size(); ++cell) {
    if (parameters_.grid.solid(cell)) continue;
    const std::string what = fault_of(states[cell]);
    const auto at = parameters_.grid.at(cell);
    if (!what.empty()) return Divergence{{at[0], at[1], at[2]}, what, advice};
    const CovarianceShares share(parameters_.model, parameters_.gas);
    if (share.stress == 0 || TargetCovariance(states[cell], share).is_positive()) continue;
    return Divergence{
        {at[0], at[1], at[2]},
        "the stress is one for which \"es-bgk\" has no Gaussian",
        parameters_.order > 1
            ? "order 2 may leave such a stress where little gas is, as in the wake of "
              "a body or beside a vacuum; take finer cells, order 1 or another model"
            : "take finer cells or another model"};
  }
  return std::nullopt;
}

template <class ExecutionSpace, class Real>
Divergence ShakhovMethod<ExecutionSpace, Real>::kept_positive() {
  const auto least = [&](std::size_t cell) {
    const Macroscopic& state = cells()[cell];
    return parameters_.grid.solid(cell) ? std::numeric_limits<double>::infinity()
                                        : std::min(state.density, state.temperature);
  };
  std::size_t lowest = 0;
  for (std::size_t cell = 1; cell < parameters_.grid.cell_count(); ++cell) {
    if (least(cell) < least(lowest)) lowest = cell;
  }
  const auto at = parameters_.grid.at(lowest);
  return {{at[0], at[1], at[2]},
          "here or nearby density or temperature would be negative and was kept positive in " +
              std::to_string(solver_.kept) + " iterations, in which the moments did not settle",
          "take finer cells, or a flow that is less fast"};
}

template <class ExecutionSpace, class Real>
std::optional<Divergence> ShakhovMethod<ExecutionSpace, Real>::find_sonic() {
  const FlowGrid& grid = parameters_.grid;
  for (int side = 0; side < 2 * grid.dimensions; ++side) {
    if (!surface_law(grid.sides[static_cast<std::size_t>(side)]).has_pressure) continue;
    const std::vector<double> mach = solver_.emission.mach_numbers(side);
    for (std::size_t i = 0; i < mach.size(); ++i) {
      if (!(mach[i] >= 1)) continue;
      const auto at =
          grid.at(faces_[i + static_cast<std::size_t>(solver_.space.first_face[side])].cell);
      return sonic_side({at[0], at[1], at[2]}, side, mach[i]);
    }
  }
  return std::nullopt;
}

template <class ExecutionSpace, class Real>
FieldValues ShakhovMethod<ExecutionSpace, Real>::field_values(
    int components, const std::function<double(std::size_t, std::size_t)>& value) {
  std::vector<Real> values;
  for (std::size_t cell = 0; cell < parameters_.grid.cell_count(); ++cell) {
    for (std::size_t c = 0; c < static_cast<std::size_t>(components); ++c) {
      values.push_back(static_cast<Real>(value(cell, c)));
    }
  }
  return values;
}

template <class ExecutionSpace, class Real>
std::map<std::string, std::string> ShakhovMethod<ExecutionSpace, Real>::results() {
  std::map<std::string, std::string> found;
  if (!world().is_first()) return found;
  found["iterations"] = std::to_string(step_);
  if (solver_.acceleration) {
    found["share of corrections applied"] = result_text(solver_.acceleration->relaxation());
    if (solver_.acceleration->asymptotic() != nullptr && solver_.acceleration->relaxation() == 0) {
      found["asymptotic-preserving"] = "given up; plain sweeps went on towards their own solution";
    }
  }
  found["seconds to convergence"] = result_text(watch_.seconds());
  if (parameters_.coarse_start) {
    found["iterations of the coarse start"] = std::to_string(coarse_iterations_);
    found["seconds of the coarse start"] = result_text(coarse_seconds_);
  }
  for (std::size_t i = 0; i < change_count; ++i)
    found[change_names()[i]] = result_text(changes_[i]);
  if (is_cavity(parameters_.grid.sides, parameters_.grid.dimensions)) {
    add_monitor(*this, "drag_coefficient", found);
    add_monitor(*this, "flow_rate", found);
  }
  add_wall_monitors(*this, parameters_.grid.sides, found);
  add_flow_monitors(*this, parameters_.grid.sides, found);
  int wall = 6;
  for (const GasSolid& body : parameters_.grid.solids.bodies) {
    const bool meets_stream =
        parameters_.initial.velocity[0] != 0 && wall_flux(wall++).frontal_area > 0;
    for (const char* quantity : {".force_x", ".force_y", ".force_z", ".energy_flux"}) {
      add_monitor(*this, body.name + quantity, found);
    }
    if (body.wall.heat_flux) add_monitor(*this, body.name + ".temperature", found);
    if (meets_stream) add_monitor(*this, body.name + ".drag_coefficient", found);
  }
  return found;
}

}  // namespace

std::unique_ptr<Method> make_method(const Parameters& parameters, Backend backend) {
  // By default as many blocks as fit into the free memory, which ranks may see differently.
  Parameters shared = parameters;
  world().broadcast(shared.batch_blocks);
  return make_method_for<ShakhovMethod>(shared, backend);
}

}  // namespace knudsen::shakhov
