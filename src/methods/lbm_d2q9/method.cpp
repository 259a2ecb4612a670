#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "device/launch_clock.hpp"
#include "device/view_owner.hpp"
#include "methods/lattice/heat_quantities.hpp"
#include "methods/lattice/passive_scalars.hpp"
#include "methods/lattice/quantities.hpp"
#include "methods/lattice/varying_sides.hpp"
#include "methods/lbm_d2q9/diagnostics.hpp"
#include "methods/lbm_d2q9/flow_analysis.hpp"
#include "methods/lbm_d2q9/ghost_rows.hpp"
#include "methods/lbm_d2q9/initial_fields.hpp"
#include "methods/lbm_d2q9/quantities.hpp"
#include "methods/lbm_d2q9/slab.hpp"
#include "model/checkpoint_view.hpp"
#include "model/make_method.hpp"
#include "parallel/communicator.hpp"
#include "parallel/shared_cells.hpp"

namespace knudsen::lbm_d2q9 {
namespace {

/// Floating-point operations of a collision, as counted in README.md.
double collision_flops(const Parameters& p) {
  const double force = p.forcing == Forcing::guo ? 38 : (p.forcing == Forcing::none ? 0 : 5);
  const double heat = p.heat ? (p.heat->buoyant() ? 40 : 36) : 0;
  return operator_traits(p.collision_operator).flops(D2Q9::populations) + force + heat;
}

template <class ExecutionSpace, class Real>
class D2Q9Method final : public Method, private Solution {
  using VaryingSides = lbm::VaryingSides<ExecutionSpace, Real>;
  using Averages = lbm::Averages<ExecutionSpace>;
  using Scalars = lbm::ScalarsOnLattices<ExecutionSpace, Real, D2Q5, D2Q9>;

 public:
  explicit D2Q9Method(Parameters parameters)
      : parameters_(std::move(parameters)),
        monitors_(monitor_table(parameters_)),
        map_(parameters_.node_map()),
        slab_(lbm::cut_into_slabs(static_cast<std::uint32_t>(map_.extents.ny),
                                  map_.extents.node(0, 1), least_rows, "rows")) {
    const Parameters& p = parameters_;
    Tuning tuning = default_tuning<ExecutionSpace>(p.propagation, sizeof(Real));
    tuning.segment = p.segment.value_or(tuning.segment);
    if (!is_host_backend<ExecutionSpace>) {
      tuning.team_size = p.team_size.value_or(tuning.team_size);
      tuning.nodes_per_thread = p.nodes_per_thread.value_or(tuning.nodes_per_thread);
    }
    context_.parameters = rounded<Real>(p.collision_parameters());
    if (p.heat) {
      context_.heated =
          rounded<Real>(HeatedParameters<double>{p.collision_parameters(), p.heat->parameters()});
    }
    context_.collision_operator = p.collision_operator;
    context_.forcing = p.forcing;
    context_.tuning = tuning;
    if (slab_.whole()) {
      make_state(map_, tuning);
    } else {
      make_state(part_of(map_, slab_), tuning);
    }
    declare_kernels();
    add_varying_sides();
    varying_sides_.declare(timers_);
    add_scalars();
  }

  void initialise() override { initialise(GivenFields{}); }
  void initialise(const GivenFields& given) override {
    step_ = 0;
    driving_ = {};
    set_force();
    forget_sums();
    set_sides();
    knudsen::lbm_d2q9::initialise(
        context_, lattice_, initial_fields(parameters_, map_, slab_, given), phase().arrangement);
    ghosts_.begin(context_.execution, lattice_, phase().arrangement);
    initialise_scalars(given);
    control_flow();
    initial_mass_ = watches_mass() ? monitor("mass") : 0;
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t i = 0; i < steps; ++i) {
      const int parity = static_cast<int>(step_ & 1);
      scalars_.advance(context_.execution, timers_, [this] { set_scalar_velocity(); });
      switch (parameters_.propagation) {
        case Propagation::in_place:
          timers_.call(static_cast<std::size_t>(parity), [&] {
            conduct(context_, lattice_, parity, true);
            step_in_place(context_, lattice_, parity);
          });
          break;
        case Propagation::two_array:
          timers_.call(0, [&] {
            conduct(context_, lattice_, parity, false);
            step_two_array(context_, lattice_, parity);
          });
          break;
        case Propagation::shared_memory:
          timers_.call(0, [&] { collide_propagate(context_, lattice_, parity); });
          timers_.call(1, [&] { exchange(context_, lattice_); });
          break;
      }
      ++step_;
      set_sides();
      ghosts_.update(context_.execution, lattice_, phase().arrangement);
      control_flow();
    }
  }

  void fence() override { context_.execution.fence(); }
  KernelTimers& timers() override { return timers_; }

  void remember() override {
    if (remembered_.extent(0) == 0) {
      remembered_ =
          View<Real* [2], ExecutionSpace>("remembered velocity", lattice_.extents.nodes());
    }
    remember_velocity(context_, lattice_, phase(), remembered_);
  }

  double monitor(const std::string& name) override { return monitors_.value(name, *this); }

  std::optional<Divergence> find_divergence() override {
    InvalidNode node = first_invalid_node(context_, lattice_, phase());
    const std::int64_t nx = lattice_.extents.nx;
    if (node.index >= 0) node.index += slab_.begin * nx;
    for (const InvalidNode& each : world().concatenate(std::vector{node})) {
      if (node.index < 0 || (each.index >= 0 && each.index < node.index)) node = each;
    }
    if (node.index < 0 && !scalars_.empty()) {
      return carried_scalars().find_divergence(context_.execution);
    }
    if (node.index < 0) return std::nullopt;
    return lbm::with_flow_advice(
        lbm::divergence_at({node.index % nx - map_.offset[0], node.index / nx - map_.offset[1], 0},
                           node.density, node.speed, parameters_),
        parameters_.flow_control);
  }

  Field field(const std::string& name) override {
    const auto& row = fields_.row(name);
    // On the host and one rank in a single pass over the populations, by all threads.
    if constexpr (is_host_backend<ExecutionSpace>) {
      const auto field = node_field(name, parameters_);
      if (field && slab_.whole()) {
        std::vector<Real> values(values_of(*field));
        fill(*field, View<Real*, ExecutionSpace>(values.data(), values.size()));
        return {row.quantity, std::move(values)};
      }
    }
    return {row.quantity, row.value(*this)};
  }
  std::optional<OwnPlanes> own_planes() const override {
    const auto first = static_cast<int>(slab_.begin) - map_.offset[1];
    const auto last = static_cast<int>(slab_.end) - map_.offset[1];
    const int end = std::clamp(last, 0, parameters_.ny);
    return OwnPlanes{1, std::clamp(first, 0, end), end};
  }
  std::optional<DeviceField> device_field(const std::string& name) override {
    const auto field = node_field(name, parameters_);
    if (!field) return {};
    const View<Real*, ExecutionSpace> values(
        Kokkos::view_alloc("node field", Kokkos::WithoutInitializing), values_of(*field));
    fill(*field, values);
    return DeviceField{fields_.row(name).quantity, owner_of(values), values.size()};
  }
  void keep_averages(const AveragePlan& plan) override {
    averages_ = Averages(plan, lattice_.extents.nodes(),
                         [&](const std::string& name) { return *node_field(name, parameters_); });
    averages_.declare(timers_, fluid_nodes(), map_.planes() * sizeof(Real));
  }
  void add_to_averages(std::int64_t sample) override {
    averages_.sample(timers_, sample, [&] {
      knudsen::lbm_d2q9::add_to_averages(context_, lattice_, phase(), averages_);
    });
  }
  std::vector<double> averages(std::size_t row) override {
    const auto values = averages_.on_host(row);
    std::vector<double> result;
    for_owned_cells([&](std::size_t cell, std::size_t node) {
      result.push_back(is_solid(cell) ? NAN : values(node));
    });
    return result;
  }
  void load_averages(const CheckpointReader& checkpoint) override {
    std::vector<std::size_t> nodes;
    for_owned_cells([&](std::size_t cell, std::size_t node) {
      nodes.push_back(is_solid(cell) ? Averages::none : node);
    });
    averages_.load(checkpoint, shared_cells(), nodes);
  }
  std::map<std::string, std::string> results() override;
  std::vector<std::string> warnings() override {
    std::vector<std::string> found;
    if (watches_mass()) lbm::check_drift(initial_mass_, monitor("mass"), found);
    lbm::check_highest_speed(monitor("max_speed"), parameters_, found);
    return found;
  }

  void save(CheckpointWriter& checkpoint) override {
    checkpoint.integer("geometry", geometry_hash());
    if (watches_mass()) checkpoint.number("initial_mass", initial_mass_);
    const auto host =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), lattice_.populations);
    checkpoint.shared_array<Real>("populations", {map_.planes() * map_.extents.plane()},
                                  populations_of_rank(host.size()),
                                  [&](std::size_t place, std::size_t count, Real* to) {
                                    if (place < host.size()) {
                                      std::copy_n(host.data() + place, count, to);
                                    } else {
                                      std::fill_n(to, count, Real(0));
                                    }
                                  });
    const auto published = published_of_all();
    checkpoint.array("published", published.data(), {published.size()});
    save_view(checkpoint, "corners", corners_of_all(), {lattice_.open.corners.span()});
    if (parameters_.flow_control) lbm::save(driving_, checkpoint);
    scalars_.save(checkpoint);
  }

  void load(const CheckpointReader& checkpoint) override {
    // The digest of the case does not cover the content of image files that the case names.
    if (checkpoint.integer("geometry") != geometry_hash()) {
      throw InputError(checkpoint.path().string() +
                       ": was written for other solids than those of this case");
    }
    const auto host = Kokkos::create_mirror_view(lattice_.populations);
    checkpoint.shared_array<Real>("populations", {map_.planes() * map_.extents.plane()},
                                  populations_of_rank(host.size()),
                                  [&](std::size_t place, std::size_t count, const Real* from) {
                                    if (place < host.size())
                                      std::copy_n(from, count, host.data() + place);
                                  });
    Kokkos::deep_copy(lattice_.populations, host);
    load_published(checkpoint);
    load_view(checkpoint, "corners", lattice_.open.corners, {lattice_.open.corners.span()});
    step_ = checkpoint.step();
    set_sides();
    ghosts_.pull(context_.execution, lattice_, phase().arrangement);
    if (parameters_.flow_control) driving_ = lbm::load_driving_force(checkpoint);
    set_force();
    forget_sums();
    scalars_.load(context_.execution, checkpoint);
    if (checkpoint.has_number("initial_mass")) initial_mass_ = checkpoint.number("initial_mass");
  }

 private:
  /// Whether the mass should stay, and interpolated walls may change it.
  bool watches_mass() const {
    return parameters_.walls == WallTreatment::interpolated && lbm::is_closed(parameters_.sides);
  }

  /// Rows of a slab, so that what the side north or south copies from the next row belongs to the
  /// rank of the side, also behind the ghost row of a wall.
  static constexpr std::uint32_t least_rows = 3;

  /// Collective: the runs of populations that this rank has in a checkpoint. Places of numbers
  /// behind the rows, which no node has, are beyond `end`.
  ForRuns populations_of_rank(std::size_t end) {
    return [this, end, plane = map_.extents.plane(), rows = shared_rows()](const auto& body) {
      for (std::size_t q = 0; q < map_.planes(); ++q) {
        rows.for_runs(slab_.rank, 0, rows.size(),
                      [&](std::size_t node, std::size_t count, std::size_t own) {
                        body(q * plane + node, count, q * lattice_.extents.plane() + own);
                      });
        // Not `end`, which would be adjacent to the last row.
        if (world().is_first()) body(q * plane + rows.size(), plane - rows.size(), end + 1);
      }
    };
  }

  void make_state(const NodeMap& map, const Tuning& tuning) {
    lattice_ = make_lattice<ExecutionSpace, Real>(map, parameters_.propagation, tuning);
    ghosts_ = GhostRows<ExecutionSpace, Real>(lattice_, slab_);
    const auto upload = [](const std::string& label, const std::vector<BodyLinks>& links) {
      View<BodyLinks*, ExecutionSpace> view(label, links.size());
      Kokkos::deep_copy(view, HostView<const BodyLinks*>(links.data(), links.size()));
      return view;
    };
    links_ = upload("body links", map.body_links);
    heat_links_ = upload("heat links", map.heat_links);
  }

  /// Collective: adjusts the force that holds the mean velocity if it is due at the present step.
  void control_flow() {
    const std::optional<lbm::FlowControl>& control = parameters_.flow_control;
    if (!control || !control->due(step_)) return;
    timers_.call_rarely(control_kernel_, [&] {
      const FlowSums sums = flow_sums(context_, lattice_, phase(), {});
      const double velocity =
          (control->axis == 0 ? sums.velocity_x : sums.velocity_y) / fluid_nodes();
      lbm::adjust(driving_, step_, velocity, *control);
    });
    set_force();
  }
  /// Sets the body force in use. Velocities contain half a step of it, so sums are made again.
  void set_force() {
    const std::optional<lbm::FlowControl>& control = parameters_.flow_control;
    if (!control) return;
    force_ = parameters_.body_force;
    force_[control->axis] = driving_.force;
    context_.parameters.force[control->axis] = static_cast<Real>(driving_.force);
    if (context_.heated) {
      context_.heated->flow.force[control->axis] = context_.parameters.force[control->axis];
    }
    forget_sums();
  }

  void add_scalars() {
    if (parameters_.scalars.empty()) return;
    const auto begin = static_cast<int>(slab_.begin) - map_.offset[1];
    const auto end = static_cast<int>(slab_.end) - map_.offset[1];
    const auto pitch = static_cast<std::size_t>(map_.extents.pitch);
    lbm::ScalarGrid grid;
    grid.cells = {parameters_.nx, parameters_.ny, 1};
    grid.periodic = {map_.periodic[0], map_.periodic[1], true};
    grid.body = &parameters_.solids.body;
    grid.axis = 1;
    grid.planes = {std::max(begin, 0), std::min(end, parameters_.ny)};
    grid.whole = slab_.whole();
    grid.rank_before = slab_.rank_before();
    grid.rank_after = slab_.rank_after();
    // A row of ghosts before the rows of the lattice, and one after them.
    grid.place = [this, begin](const lbm::ScalarGrid::Coordinates& at) {
      return static_cast<std::size_t>(at[1] - begin + 1) * slab_.layer +
             static_cast<std::size_t>(at[0] + map_.offset[0]);
    };
    grid.places = (slab_.owned() + 2) * pitch;
    grid.strides = {1, pitch, 0};
    grid.first_velocity = pitch;
    if (parameters_.walls == WallTreatment::interpolated) {
      const auto on_link = [&solids = parameters_.solids](auto function) {
        return [&solids, function](const lbm::ScalarGrid::Coordinates& at,
                                   const lbm::ScalarGrid::Coordinates& offset, int body) {
          return (solids.*function)(at[0], at[1], offset[0], offset[1], body);
        };
      };
      grid.wall_distance = on_link(&Solids2D::wall_distance);
      grid.wall_facing = on_link(&Solids2D::wall_facing);
    }
    scalars_ = Scalars(parameters_.scalars, grid, lattice_.extents.nodes(), {}, timers_,
                       fluid_nodes(), map_.planes() * sizeof(Real));
  }
  /// Sets the velocity of the present step, with which the flow carries the scalars.
  void set_scalar_velocity() { store_velocity(context_, lattice_, phase(), scalars_.velocity()); }
  /// The scalars with that velocity, for monitors and fields.
  Scalars& carried_scalars() {
    if (carried_step_ != step_) set_scalar_velocity();
    carried_step_ = step_;
    return scalars_;
  }
  void initialise_scalars(const GivenFields& given) {
    if (scalars_.empty()) return;
    const InitialFields fields = initial_fields(parameters_, map_, slab_, given);
    const auto owned = static_cast<int>(slab_.owned());
    const auto begin = static_cast<int>(slab_.begin);
    const int rows = map_.extents.ny;
    scalars_.initialise(context_.execution, given, [&](const lbm::ScalarGrid::Coordinates& at) {
      // After its own rows a slab has the row before it and the row after it.
      int row = (at[1] + map_.offset[1] - begin + rows) % rows;
      if (row == owned) {
        row = owned + 1;
      } else if (row > owned) {
        row = owned;
      }
      const std::size_t node = map_.extents.node(at[0] + map_.offset[0], row);
      return std::array<double, 3>{fields.velocity_x[node], fields.velocity_y[node], 0};
    });
  }

  /// Collective: the nodes of the domain.
  SharedCells shared_cells() const { return {{parameters_.nx, parameters_.ny, 1}, *own_planes()}; }
  /// Collective: the nodes of the lattice, without what is behind its rows.
  SharedCells shared_rows() const {
    return {{map_.extents.pitch, map_.extents.ny, 1},
            {1, static_cast<int>(slab_.begin), static_cast<int>(slab_.end)}};
  }

  void forget_sums() { sums_step_ = forces_step_ = heat_step_ = carried_step_ = -1; }

  std::size_t values_of(const NodeField& field) const {
    return static_cast<std::size_t>(parameters_.nx) * static_cast<std::size_t>(parameters_.ny) *
           static_cast<std::size_t>(field.components);
  }
  /// Evaluates a field of the whole domain.
  void fill(const NodeField& field, const View<Real*, ExecutionSpace>& values) const {
    fill_node_field(context_, lattice_, phase(), field, {parameters_.nx, parameters_.ny},
                    {map_.offset[0], map_.offset[1]}, values);
  }

  /// Lists the nodes of open sides whose values depend on time.
  void add_varying_sides() {
    const auto longest = static_cast<std::size_t>(map_.longest);
    for (const std::size_t side : {west, east, south, north}) {
      const bool across_x = is_across_x(static_cast<int>(side));
      const std::size_t axis = across_x ? 1 : 0;
      const std::size_t begin = across_x ? slab_.begin : 0;
      const std::size_t count = across_x ? slab_.owned() : longest;
      std::vector<typename VaryingSides::Node> nodes;
      for (std::size_t i = 0; i < static_cast<std::size_t>(map_.nodes[axis]); ++i) {
        const std::size_t along = i + static_cast<std::size_t>(map_.offset[axis]);
        if (along < begin || along >= begin + count) continue;
        nodes.push_back({static_cast<std::uint32_t>(side * longest + along - begin),
                         static_cast<std::uint32_t>(i)});
      }
      varying_sides_.add(parameters_.sides[side].profile, std::move(nodes));
    }
  }
  /// Sets what open sides prescribe at the present step.
  void set_sides() {
    const auto& values = lattice_.open.values;
    const auto component = static_cast<std::ptrdiff_t>(values.stride(1));
    varying_sides_.set(context_.execution, timers_, step_,
                       {values.data(), values.stride(0), {0, component, -1, 2 * component}});
  }

  /// The order of sides in a checkpoint.
  static constexpr std::array<std::size_t, 4> sides_of_file{west, south, east, north};

  /// Calls body(parity, entry, index) for what this rank publishes: `entry` is the place in
  /// OpenBoundaries::published, `index` that of the first of three values in a checkpoint.
  template <class Body>
  void for_published(const Body& body) const {
    if (lattice_.open.published.extent(1) == 0) return;
    const auto longest = static_cast<std::size_t>(map_.longest);
    for (std::size_t parity = 0; parity < 2; ++parity) {
      for (std::size_t n = 0; n < 4; ++n) {
        const std::size_t side = sides_of_file[n];
        const bool across_x = is_across_x(static_cast<int>(side));
        const bool here = across_x || slab_.rank == (side == south ? 0 : slab_.ranks - 1);
        const std::size_t count = across_x && !slab_.whole() ? slab_.owned() : longest;
        for (std::size_t along = 0; here && along < count; ++along) {
          const std::size_t place = along + (across_x ? slab_.begin : 0);
          body(parity, side * longest + along, 3 * ((parity * 4 + n) * longest + place));
        }
      }
    }
  }
  /// Collective: what all ranks publish, in the order of a checkpoint, on the first rank.
  std::vector<Real> published_of_all() const {
    struct Entry {
      std::size_t index;
      std::array<Real, 3> values;
    };
    const auto host =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), lattice_.open.published);
    std::vector<Entry> own;
    for_published([&](std::size_t parity, std::size_t entry, std::size_t index) {
      own.push_back(
          {index, {host(parity, entry, 0), host(parity, entry, 1), host(parity, entry, 2)}});
    });
    std::vector<Real> all(lattice_.open.published.span());
    for (const auto& [index, values] : world().concatenate_on_first(own)) {
      std::copy(values.begin(), values.end(), all.begin() + static_cast<std::ptrdiff_t>(index));
    }
    return all;
  }
  void load_published(const CheckpointReader& checkpoint) {
    std::vector<Real> all(lattice_.open.published.span());
    checkpoint.array("published", all.data(), {all.size()});
    const auto host = Kokkos::create_mirror_view(lattice_.open.published);
    for_published([&](std::size_t parity, std::size_t entry, std::size_t index) {
      for (std::size_t i = 0; i < 3; ++i) host(parity, entry, i) = all[index + i];
    });
    Kokkos::deep_copy(lattice_.open.published, host);
  }
  /// Collective: the values at the corners, those of the south from the first rank, those of the
  /// north from the last one.
  auto corners_of_all() const {
    auto host = Kokkos::create_mirror(lattice_.open.corners);
    Kokkos::deep_copy(host, lattice_.open.corners);
    std::vector<Real> own(host.data(), host.data() + host.span());
    world().broadcast(own.data(), own.size() * sizeof(Real), slab_.ranks - 1);
    for (std::size_t parity = 0; parity < 2; ++parity) {
      for (const std::size_t corner : {north_west, north_east}) {
        for (std::size_t i = 0; i < 3; ++i) {
          host(parity, corner, i) = own[(parity * 4 + corner) * 3 + i];
        }
      }
    }
    return host;
  }

  StepPhase phase() const {
    const bool odd = (step_ & 1) != 0;
    switch (parameters_.propagation) {
      case Propagation::two_array:
        return {Arrangement::gather, odd ? 1 : 0};
      case Propagation::shared_memory:
        return {Arrangement::scatter, odd ? 1 : 0};
      case Propagation::in_place:
        break;
    }
    return {odd ? Arrangement::in_place_odd : Arrangement::in_place_even, odd ? 1 : 0};
  }

  void declare_kernels() {
    const Parameters& p = parameters_;
    const auto nodes = static_cast<double>(map_.fluid_nodes);
    const double in_solids = static_cast<double>(map_.conducting.size()) * D2Q5::populations;
    const double bytes =
        (nodes * static_cast<double>(map_.planes()) + in_solids) * 2 * sizeof(Real);
    const double flops = nodes * collision_flops(p);
    switch (p.propagation) {
      case Propagation::in_place:
        timers_.declare("in_place_even", bytes, flops);
        timers_.declare("in_place_odd", bytes, flops);
        break;
      case Propagation::two_array:
        timers_.declare("two_array", bytes, flops);
        break;
      case Propagation::shared_memory:
        timers_.declare("collide_propagate", bytes, flops);
        timers_.declare("exchange",
                        12.0 * sizeof(Real) * lattice_.segments_per_row * map_.extents.ny, 0);
        break;
    }
    if (p.flow_control) control_kernel_ = timers_.declare("flow_control", bytes / 2, 0);
  }

  /// Polynomial hash of the classes of all nodes; overflow wraps.
  std::int64_t geometry_hash() const {
    std::uint64_t hash = map_.classes.size();
    for (const std::uint16_t index : map_.node_class) hash = hash * 1099511628211ULL + index;
    return static_cast<std::int64_t>(hash >> 1);
  }

  const Parameters& parameters() const override { return parameters_; }
  double fluid_nodes() const override { return static_cast<double>(map_.fluid_nodes); }

  const std::array<double, 2>& body_force() const override { return force_; }

  const FlowSums& sums() override {
    if (sums_step_ != step_) {
      sums_ = flow_sums(context_, lattice_, phase(), View<Real* [2], ExecutionSpace>());
      sums_step_ = step_;
    }
    return sums_;
  }

  FlowSums sums_with_change() override {
    return flow_sums(context_, lattice_, phase(), remembered_);
  }

  const std::vector<std::array<double, 2>>& forces() override {
    if (forces_step_ != step_) {
      forces_ = body_forces(context_, lattice_, phase(), links_, parameters_.solids.bodies.size());
      forces_step_ = step_;
    }
    return forces_;
  }

  double heat_flow(std::size_t surface) override {
    if (heat_step_ != step_) {
      heat_flows_ = heat_flows(context_, lattice_, phase(), heat_links_,
                               side_count + parameters_.solids.bodies.size());
      heat_step_ = step_;
    }
    return heat_flows_[surface];
  }

  double mean_scalar(std::size_t body) override {
    double nodes = 0;
    for (const ConductingNode& node : map_.conducting) nodes += node.body == body ? 1 : 0;
    return scalar_in_solids(context_, lattice_, phase(), parameters_.solids.bodies.size())[body] /
           nodes;
  }
  FieldValues scalar_field(std::size_t scalar) override {
    return carried_scalars().field(context_.execution, scalar);
  }
  lbm::ScalarRange scalar_range(std::size_t scalar) override {
    return carried_scalars().range(context_.execution, scalar);
  }
  double scalar_flow(std::size_t scalar, std::size_t surface) override {
    return carried_scalars().flow(context_.execution, scalar, surface);
  }

  FieldValues node_values(NodeQuantity quantity) override { return to_host(quantity); }

  bool is_solid(std::size_t cell) const {
    const auto nx = static_cast<std::size_t>(parameters_.nx);
    const std::size_t node = map_.extents.node(static_cast<int>(cell % nx) + map_.offset[0],
                                               static_cast<int>(cell / nx) + map_.offset[1]);
    return map_.classes[map_.node_class[node]].kind != NodeKind::fluid;
  }

  FieldValues solid() const override {
    std::vector<Real> values;
    for_owned_cells([&](std::size_t cell, std::size_t) {
      values.push_back(is_solid(cell) ? Real(1) : Real(0));
    });
    return values;
  }

  /// A quantity of the owned nodes of the domain, without padding and ghost rows.
  std::vector<Real> to_host(NodeQuantity quantity, std::size_t capacity = 0) const {
    const auto host = Kokkos::create_mirror_view_and_copy(
        Kokkos::HostSpace(), lbm_d2q9::node_values(context_, lattice_, phase(), quantity));
    std::vector<Real> values;
    const OwnPlanes rows = *own_planes();
    const auto own = static_cast<std::size_t>(rows.end - rows.begin);
    values.reserve(std::max(capacity, own * static_cast<std::size_t>(parameters_.nx)));
    for_owned_cells([&](std::size_t, std::size_t node) { values.push_back(host.data()[node]); });
    return values;
  }

  /// Calls body(cell, node) for the cells of the domain that this rank owns, in order: their places
  /// in a field, and their nodes in this rank's lattice.
  template <class Body>
  void for_owned_cells(const Body& body) const {
    for (int y = 0; y < static_cast<int>(slab_.owned()); ++y) {
      const int of_domain = static_cast<int>(slab_.begin) + y - map_.offset[1];
      if (of_domain < 0 || of_domain >= parameters_.ny) continue;
      const std::size_t cell =
          static_cast<std::size_t>(of_domain) * static_cast<std::size_t>(parameters_.nx);
      const std::size_t node = map_.extents.node(map_.offset[0], y);
      for (std::size_t x = 0; x < static_cast<std::size_t>(parameters_.nx); ++x) {
        body(cell + x, node + x);
      }
    }
  }

  /// Velocity in the own rows.
  PlaneFlow own_flow() const {
    const OwnPlanes rows = *own_planes();
    const std::size_t capacity = static_cast<std::size_t>(parameters_.nx) *
                                 static_cast<std::size_t>(rows.end - rows.begin + 2);
    return {parameters_.nx,
            rows.end - rows.begin,
            to_host(NodeQuantity::velocity_x, capacity),
            to_host(NodeQuantity::velocity_y, capacity),
            {parameters_.sides[west].kind == SideKind::periodic,
             parameters_.sides[south].kind == SideKind::periodic}};
  }
  FieldValues vorticity() override {
    PlaneFlow flow = own_flow();
    if (flow.ny == 0) flow.ny = -2;  // no rows beside it either
    const SharedCells cells = shared_cells();
    for (FieldValues* velocity : {&flow.velocity_x, &flow.velocity_y}) {
      *velocity = cells.with_neighbours(std::move(std::get<std::vector<Real>>(*velocity)),
                                        flow.periodic[1], Real(NAN));
    }
    flow.ny += 2;
    flow.periodic[1] = false;  // the rows beside the own ones are there
    auto values = std::get<std::vector<Real>>(lbm_d2q9::vorticity(flow));
    if (values.empty()) return values;
    const auto row = static_cast<std::size_t>(flow.nx);
    values.resize(values.size() - row);
    values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(row));
    return values;
  }
  /// Collective: that of the own nodes, each column continued from the rank before.
  std::vector<double> own_stream_function(const PlaneFlow& flow) const {
    StreamColumns columns;
    std::vector<double> values;
    for (int rank = 0; rank < slab_.ranks; ++rank) {
      if (rank == slab_.rank) values = lbm_d2q9::stream_function(flow, columns);
      columns.resize(static_cast<std::size_t>(flow.nx));
      world().broadcast(columns.data(), columns.size() * sizeof(columns[0]), rank);
    }
    return values;
  }
  FieldValues stream_function() override {
    const std::vector<double> values = own_stream_function(own_flow());
    return std::vector<Real>(values.begin(), values.end());
  }
  /// Collective: the strongest vortices, on the first rank.
  std::vector<Vortex> strongest_vortices() const {
    PlaneFlow flow = own_flow();
    std::vector<double> psi = own_stream_function(flow);
    // Not needed any more. Each is moved to, since an assignment of a copy would keep the memory.
    flow.velocity_x = FieldValues();
    flow.velocity_y = FieldValues();
    psi = shared_cells().with_neighbours(std::move(psi), false, double(NAN));
    flow.ny += 2;
    return strongest(world().concatenate_on_first(extrema(flow, psi, own_planes()->begin - 1)), 4,
                     1e-6);
  }

  Parameters parameters_;
  FieldTable<Solution> fields_ = field_table(parameters_);
  MonitorTable<Solution> monitors_;
  NodeMap map_;  ///< of the whole lattice
  lbm::Slab slab_;
  StepContext<ExecutionSpace, Real> context_{};
  Lattice<ExecutionSpace, Real> lattice_;  ///< of the slab
  GhostRows<ExecutionSpace, Real> ghosts_;
  VaryingSides varying_sides_;
  Averages averages_;
  Scalars scalars_;
  lbm::DrivingForce driving_;                             ///< of the flow control, if any
  std::array<double, 2> force_ = parameters_.body_force;  ///< in use
  std::size_t control_kernel_ = 0;
  View<BodyLinks*, ExecutionSpace> links_;
  View<BodyLinks*, ExecutionSpace> heat_links_;
  View<Real* [2], ExecutionSpace> remembered_;
  KernelTimers timers_{make_launch_clock(context_.execution)};
  double initial_mass_ = 0;  ///< if watches_mass(), else 0
  std::int64_t step_ = 0;
  std::int64_t sums_step_ = -1;
  FlowSums sums_;
  std::int64_t forces_step_ = -1;
  std::vector<std::array<double, 2>> forces_;
  std::int64_t carried_step_ = -1;  ///< whose velocity carries the scalars
  std::int64_t heat_step_ = -1;
  std::vector<double> heat_flows_;
};

template <class ExecutionSpace, class Real>
std::map<std::string, std::string> D2Q9Method<ExecutionSpace, Real>::results() {
  std::map<std::string, std::string> found;
  const Parameters& p = parameters_;
  bool closed = p.solids.bodies.empty();
  for (const SideCondition& side : p.sides) closed = closed && side.kind == SideKind::wall;
  if (closed) {
    int number = 0;
    for (const Vortex& vortex : strongest_vortices()) {
      ++number;
      char text[128];
      std::snprintf(text, sizeof(text), "x %.4f, y %.4f, stream function %.5g", vortex.x / p.length,
                    vortex.y / p.length, vortex.stream_function / (p.velocity * p.length));
      found["vortex " + std::to_string(number)] = text;
    }
  }
  if (p.has_body_force()) {
    found["permeability"] = number_text(monitor("permeability")) + " dx^2";
  }
  lbm::add_nusselt_numbers(*this, monitors_.quantities(), found);
  if (p.has_velocity) {
    lbm::add_coefficients(*this, p.solids.bodies, lbm::coefficient_reference(p, 2), found);
  }
  return found;
}

}  // namespace

std::unique_ptr<Method> make_method(const Parameters& parameters, Backend backend) {
  return make_method_for<D2Q9Method>(parameters, backend);
}

}  // namespace knudsen::lbm_d2q9
