#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "device/launch_clock.hpp"
#include "device/side_queue.hpp"
#include "device/to_list.hpp"
#include "device/view_owner.hpp"
#include "methods/lattice/heat_quantities.hpp"
#include "methods/lattice/passive_scalars.hpp"
#include "methods/lattice/quantities.hpp"
#include "methods/lattice/varying_sides.hpp"
#include "methods/lbm_d3q27/diagnostics.hpp"
#include "methods/lbm_d3q27/ghost_slots.hpp"
#include "methods/lbm_d3q27/lattice_part.hpp"
#include "methods/lbm_d3q27/make_lattice.hpp"
#include "methods/lbm_d3q27/quantities.hpp"
#include "methods/lbm_d3q27/surroundings.hpp"
#include "methods/lbm_d3q27/wale.hpp"
#include "output/checkpoint.hpp"
#include "parallel/communicator.hpp"
#include "parallel/shared_cells.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

template <class LatticeType>
class D3Q27Method final : public Method, private Solution {
  using ExecutionSpace = typename LatticeType::Execution;
  using Real = typename LatticeType::Real;
  using Storage = typename LatticeType::Storage;
  using VaryingSides = lbm::VaryingSides<ExecutionSpace, Real>;
  using Averages = lbm::Averages<ExecutionSpace>;
  using Scalars = lbm::ScalarsOnLattices<ExecutionSpace, Real, D3Q7, D3Q19>;
  static constexpr bool heated = has_scalar<typename LatticeType::Velocities>;
  /// Operations of the temperature of a node: its sum, its buoyancy and its collision on D3Q7.
  static constexpr double scalar_flops = 57;

 public:
  D3Q27Method(std::shared_ptr<const Parameters> parameters, std::shared_ptr<const NodeMap> map)
      : kept_(std::move(parameters)),
        parameters_(*kept_),
        monitors_(monitor_table(parameters_)),
        map_(std::move(map)),
        part_(*map_) {
    if (part_.slab().ranks != world().size()) {
      throw std::logic_error(
          "the lattice was not cut among the ranks: the case was not read together");
    }
    const Parameters& p = parameters_;
    Tuning tuning = default_tuning<LatticeType>(p.sparse);
    if (is_host_backend<ExecutionSpace>) {
      tuning.segment = p.segment.value_or(tuning.segment);
    } else {
      tuning.strip_nodes = p.strip.value_or(tuning.strip_nodes);
    }
    if (!is_host_backend<ExecutionSpace> && p.team_size) {
      const int nodes = tuning.segment / tuning.team_size;
      tuning.team_size = std::min(*p.team_size, tuning.team_size);
      tuning.segment = nodes * tuning.team_size;
    }
    if constexpr (heated) {
      context_.parameters =
          rounded<Real>(HeatedParameters<double>{p.collision_parameters(), p.heat->parameters()});
    } else {
      context_.parameters = rounded<Real>(p.collision_parameters());
    }
    context_.collision_operator = p.collision_operator;
    context_.eddy_viscosity = p.eddy_viscosity;
    context_.tuning = tuning;
    lattice_ = make_lattice<LatticeType>(*map_, p.propagation, tuning);
    ghosts_ = GhostSlots<LatticeType>(part_);
    // Solids that conduct are updated after all planes.
    if (!is_host_backend<ExecutionSpace> && !part_.slab().whole() && has_inner_planes(lattice_) &&
        lattice_.conducting.extent(0) == 0) {
      exchange_queue_.emplace(context_.execution);
    }
    declare_kernels();
    add_varying_sides();
    varying_sides_.declare(timers_);
    add_scalars();
    add_wale();
  }

  void initialise() override { initialise(GivenFields{}); }
  void initialise(const GivenFields& given) override {
    step_ = 0;
    driving_ = {};
    set_force();
    forget_sums();
    set_sides();
    knudsen::lbm_d3q27::initialise(
        context_, lattice_, *map_, part_, parameters_.initial, given_flow(given),
        heated ? parameters_.heat->initial / parameters_.heat->stored_unit : 0, [&](bool twins) {
          // In one-array schemes the second slots of the links are those of an odd step.
          const bool odd = twins && parameters_.propagation != Propagation::two_array;
          ghosts_.update(context_.execution, lattice_, odd ? 1 : 0,
                         twins ? SlotUse::stored : SlotUse::loaded);
        });
    initialise_scalars(given);
    control_flow();
    Kokkos::deep_copy(context_.execution, lattice_.eddy_times, typename LatticeType::EddyTime(0));
    initial_mass_ = watches_mass() ? monitor("mass") : 0;
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t i = 0; i < steps; ++i) {
      scalars_.advance(context_.execution, timers_, [this] { set_scalar_velocity(); });
      const bool sets_eddies = has_eddy_times() && step_ % parameters_.wale_interval == 0;
      if (sets_eddies) store_velocity_for_eddies();
      const bool two_kernels = parameters_.propagation == Propagation::aa_pattern;
      timers_.call(two_kernels ? static_cast<std::size_t>(parity()) : 0, [&] {
        if (exchange_queue_) {
          LatticeType part = end_planes(lattice_);
          step(context_, part, parity());
          exchange_queue_->begin_after_main();
          part = inner_planes(lattice_);
          step(context_, part, parity());
        } else {
          step(context_, lattice_, parity());
          conduct(context_, lattice_, parity());
        }
      });
      if (exchange_queue_) {
        // Nodes of inner planes use no slots on links to other ranks.
        ghosts_.update(exchange_queue_->execution(), context_.execution, lattice_, parity(),
                       SlotUse::stored);
        exchange_queue_->let_main_wait();
      } else {
        ghosts_.update(context_.execution, lattice_, parity(), SlotUse::stored);
      }
      if (sets_eddies) {
        timers_.call_rarely(eddy_kernel_, [&] { wale_.evaluate(context_, lattice_); });
      }
      ++step_;
      set_sides();
      control_flow();
    }
  }

  void fence() override { context_.execution.fence(); }
  KernelTimers& timers() override { return timers_; }

  void remember() override {
    if (remembered_.extent(0) == 0) {
      remembered_ = RememberedVelocity<LatticeType>("remembered velocity", lattice_.nodes);
    }
    remember_velocity(context_, lattice_, parity(), remembered_);
  }

  double monitor(const std::string& name) override { return monitors_.value(name, *this); }

  std::optional<Divergence> find_divergence() override {
    struct Found {
      InvalidNode node;  // with the number in the lattice of all ranks
      std::array<std::int64_t, 3> cell;
    };
    Found found{};
    const auto take_lower = [&](const Found& each) {
      const std::int64_t number = found.node.number;
      if (number < 0 || (each.node.number >= 0 && each.node.number < number)) found = each;
    };
    for (const NodeRange& range : part_.ranges_in_order()) {
      Found own{first_invalid_node(context_, lattice_, parity(), range), {}};
      if (own.node.number < 0) continue;
      const auto n = static_cast<std::uint64_t>(own.node.number);
      own.cell = cell_of(n);
      own.node.number = static_cast<std::int64_t>(part_.whole_number(n));
      take_lower(own);
    }
    for (const Found& each : world().concatenate(std::vector{found})) take_lower(each);
    const InvalidNode& node = found.node;
    if (node.number < 0 && !scalars_.empty()) {
      return carried_scalars().find_divergence(context_.execution);
    }
    if (node.number < 0) return std::nullopt;
    return lbm::with_flow_advice(
        lbm::divergence_at(found.cell, node.density, node.speed, parameters_),
        parameters_.flow_control);
  }

  Field field(const std::string& name) override {
    const auto& row = fields_.row(name);
    // On the host and one rank in a single pass over the populations, by all threads.
    if constexpr (is_host_backend<ExecutionSpace>) {
      const auto field = node_field(name, parameters_);
      if (field && part_.slab().whole()) {
        std::vector<Real> values(values_of(*field));
        fill(*field, View<Real*, ExecutionSpace>(values.data(), values.size()));
        return {row.quantity, std::move(values)};
      }
    }
    return {row.quantity, row.value(*this)};
  }
  std::optional<OwnPlanes> own_planes() const override { return part_.own_planes(); }
  std::optional<DeviceField> device_field(const std::string& name) override {
    const auto field = node_field(name, parameters_);
    if (!field) return {};
    const View<Real*, ExecutionSpace> values(
        Kokkos::view_alloc("node field", Kokkos::WithoutInitializing), values_of(*field));
    fill(*field, values);
    return DeviceField{fields_.row(name).quantity, owner_of(values), values.size()};
  }
  void keep_averages(const AveragePlan& plan) override {
    averages_ = Averages(plan, lattice_.owned,
                         [&](const std::string& name) { return *node_field(name, parameters_); });
    averages_.declare(timers_, fluid_nodes(),
                      LatticeType::Velocities::populations * sizeof(Storage));
  }
  void add_to_averages(std::int64_t sample) override {
    averages_.sample(timers_, sample, [&] {
      knudsen::lbm_d3q27::add_to_averages(context_, lattice_, parity(), averages_);
    });
  }
  std::vector<double> averages(std::size_t row) override {
    const auto values = averages_.on_host(row);
    std::vector<double> result;
    for_owned_cells([&](std::size_t, std::uint64_t index) {
      result.push_back(map_->is_fluid(index) ? values(index) : NAN);
    });
    return result;
  }
  void load_averages(const CheckpointReader& checkpoint) override {
    std::vector<std::size_t> nodes;
    for_owned_cells([&](std::size_t, std::uint64_t index) {
      nodes.push_back(map_->is_fluid(index) ? index : Averages::none);
    });
    averages_.load(checkpoint, SharedCells(parameters_.nodes, part_.own_planes()), nodes);
  }
  std::map<std::string, std::string> results() override;
  std::vector<std::string> warnings() override {
    std::vector<std::string> found;
    if (watches_mass()) lbm::check_drift(initial_mass_, monitor("mass"), found);
    lbm::check_highest_speed(monitor("max_speed"), parameters_, found);
    return found;
  }

  /// The order in the file is the same for all backends: by population, then by node.
  void save(CheckpointWriter& checkpoint) override {
    checkpoint.integer("geometry", geometry_hash());
    if (watches_mass()) checkpoint.number("initial_mass", initial_mass_);
    const auto host =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), lattice_.populations);
    const auto eddy_times =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), lattice_.eddy_times);
    const std::size_t numbers = map_->all.numbers;
    checkpoint.shared_array<Stored>(
        "populations", {stored_values()}, own_runs(stored_values() / numbers),
        [&](std::size_t place, std::size_t count, Stored* to) {
          const auto q = static_cast<int>(place / numbers);
          const auto first = static_cast<NodeIndex>(place % numbers);
          for (std::size_t i = 0; i < count; ++i) {
            const std::size_t slot = lattice_.slot(first + static_cast<NodeIndex>(i), q);
            std::memcpy(&to[i], &host.data()[slot], sizeof(Stored));
          }
        });
    if (has_eddy_times()) {
      checkpoint.shared_array<Real>("eddy_times", {numbers}, own_runs(1),
                                    [&](std::size_t place, std::size_t count, Real* to) {
                                      const auto* const from = eddy_times.data() + place;
                                      std::transform(from, from + count, to, [](auto value) {
                                        return static_cast<Real>(value);
                                      });
                                    });
    }
    const std::vector<FaceMemory<Real>> memory =
        by_place(to_list(lattice_.face_memory), map_->whole_faces);
    checkpoint.array("face_memory", reinterpret_cast<const Real*>(memory.data()),
                     {memory.size(), face_values});
    if (parameters_.flow_control) lbm::save(driving_, checkpoint);
    scalars_.save(checkpoint);
  }

  void load(const CheckpointReader& checkpoint) override {
    // The digest of the case does not cover the content of files that the case names.
    if (checkpoint.integer("geometry") != geometry_hash()) {
      throw InputError(checkpoint.path().string() +
                       ": was written for other solids or another tuning.strip than those of this "
                       "case");
    }
    const auto host = Kokkos::create_mirror_view(lattice_.populations);
    const std::size_t numbers = map_->all.numbers;
    checkpoint.shared_array<Stored>(
        "populations", {stored_values()}, own_runs(stored_values() / numbers),
        [&](std::size_t place, std::size_t size, const Stored* values) {
          for_rows_of_piece(place, size, numbers,
                            [&](std::size_t q, std::size_t n, std::size_t count, std::size_t at) {
                              for (std::size_t i = 0; i < count; ++i) {
                                const std::size_t slot = lattice_.slot(
                                    static_cast<NodeIndex>(n + i), static_cast<int>(q));
                                std::memcpy(static_cast<void*>(&host.data()[slot]), &values[at + i],
                                            sizeof(Stored));
                              }
                            });
        });
    Kokkos::deep_copy(lattice_.populations, host);
    ghosts_.take_from_neighbours(context_.execution, lattice_);
    if (has_eddy_times()) {
      const auto eddy_times = Kokkos::create_mirror_view(lattice_.eddy_times);
      checkpoint.shared_array<Real>(
          "eddy_times", {numbers}, own_runs(1),
          [&](std::size_t place, std::size_t count, const Real* from) {
            std::transform(from, from + count, eddy_times.data() + place,
                           [](Real value) { return typename LatticeType::EddyTime(value); });
          });
      Kokkos::deep_copy(lattice_.eddy_times, eddy_times);
    }
    // Every rank reads the memory of all faces, which are few, and keeps that of its own.
    std::vector<FaceMemory<Real>> all(map_->all.faces);
    checkpoint.array("face_memory", reinterpret_cast<Real*>(all.data()), {all.size(), face_values});
    std::vector<FaceMemory<Real>> memory;
    for (const std::size_t face : map_->whole_faces) memory.push_back(all[face]);
    Kokkos::deep_copy(lattice_.face_memory,
                      HostView<const FaceMemory<Real>*>(memory.data(), memory.size()));
    step_ = checkpoint.step();
    if (parameters_.flow_control) driving_ = lbm::load_driving_force(checkpoint);
    set_force();
    forget_sums();
    set_sides();
    scalars_.load(context_.execution, checkpoint);
    if (checkpoint.has_number("initial_mass")) initial_mass_ = checkpoint.number("initial_mass");
  }

 private:
  /// Whether the mass should stay, and interpolated walls may change it.
  bool watches_mass() const {
    return parameters_.walls == WallTreatment::interpolated && lbm::is_closed(parameters_.sides);
  }

  using Stored =
      std::conditional_t<std::is_same_v<Storage, HalfPopulation>, std::uint16_t, Storage>;
  static constexpr std::size_t face_values = sizeof(FaceMemory<Real>) / sizeof(Real);

  /// The runs of this rank's nodes in an array (population, node) of a checkpoint. Their places are
  /// those in such an array by the rank's own numbers of nodes.
  ForRuns own_runs(std::size_t populations) const {
    return [this, populations](const auto& body) {
      const std::size_t numbers = map_->all.numbers;
      for (std::size_t q = 0; q < populations; ++q) {
        part_.for_runs(world().rank(), 0, numbers,
                       [&](std::uint64_t number, std::uint64_t count, std::uint64_t n) {
                         body(q * numbers + number, count, q * numbers + n);
                       });
      }
    };
  }

  /// Collective: adjusts the force that holds the mean velocity if it is due at the present step.
  void control_flow() {
    const std::optional<lbm::FlowControl>& control = parameters_.flow_control;
    if (!control || !control->due(step_)) return;
    timers_.call_rarely(control_kernel_, [&] {
      const FlowSums sums = flow_sums(context_, lattice_, parity(), {});
      const double velocity = sums.velocity[control->axis] / fluid_nodes();
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
    const auto force = static_cast<Real>(driving_.force);
    if constexpr (heated) {
      context_.parameters.flow.force[control->axis] = force;
    } else {
      context_.parameters.force[control->axis] = force;
    }
    forget_sums();
  }

  std::size_t values_of(const NodeField& field) const {
    const auto& [nx, ny, nz] = parameters_.nodes;
    return static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) *
           static_cast<std::size_t>(nz) * static_cast<std::size_t>(field.components);
  }
  /// Evaluates a field of the whole domain.
  void fill(const NodeField& field, const View<Real*, ExecutionSpace>& values) {
    if (map_->sparse && numbers_.extent(0) == 0) {
      const Extents& extents = map_->extents;
      const View<NodeIndex*, ExecutionSpace> numbers("numbers of cells", extents.nodes());
      const auto host = Kokkos::create_mirror_view(numbers);
      Kokkos::deep_copy(host, NodeIndex{0xffffffffU});
      map_->number.for_planes(
          2, 0, static_cast<int>(extents.nz),
          [&](const std::array<int, 3>& at, std::uint64_t number) {
            host(extents.node(static_cast<NodeIndex>(at[0]), static_cast<NodeIndex>(at[1]),
                              static_cast<NodeIndex>(at[2]))) = static_cast<NodeIndex>(number);
          });
      Kokkos::deep_copy(numbers, host);
      numbers_ = numbers;
    }
    fill_node_field(context_, lattice_, parity(), field, parameters_.nodes, numbers_, values);
  }

  void add_scalars() {
    if (parameters_.scalars.empty()) return;
    const lbm::Slab& slab = part_.slab();
    const auto [begin, end] = part_.planes_of_domain(slab.rank);
    lbm::ScalarGrid grid;
    grid.cells = parameters_.nodes;
    for (std::size_t a = 0; a < 3; ++a) {
      grid.periodic[a] = parameters_.sides[2 * a].kind == SideKind::periodic;
    }
    grid.body = &parameters_.solids.body;  // of all nodes, see Reader::share_geometry
    grid.axis = part_.axis();
    grid.planes = {begin, end};
    grid.whole = slab.whole();
    grid.rank_before = slab.rank_before();
    grid.rank_after = slab.rank_after();
    if (map_->sparse) {
      grid.place = [this](const lbm::ScalarGrid::Coordinates& at) {
        return static_cast<std::size_t>(map_->index(at[0], at[1], at[2]));
      };
      grid.places = lattice_.nodes;
    } else {
      // A plane of ghosts before the planes of the lattice, and one after them.
      const auto pitch = static_cast<std::size_t>(map_->extents.pitch);
      const auto layer = static_cast<std::size_t>(slab.layer);
      grid.place = [pitch, layer, first = static_cast<int>(slab.begin) - 1](
                       const lbm::ScalarGrid::Coordinates& at) {
        return static_cast<std::size_t>(at[2] - first) * layer +
               static_cast<std::size_t>(at[1]) * pitch + static_cast<std::size_t>(at[0]);
      };
      grid.places = (slab.owned() + 2) * layer;
      grid.strides = {1, pitch, layer};
      grid.first_velocity = layer;
    }
    if (parameters_.walls == WallTreatment::interpolated) {
      const auto on_link = [&solids = parameters_.solids](auto function) {
        return [&solids, function](const lbm::ScalarGrid::Coordinates& at,
                                   const lbm::ScalarGrid::Coordinates& offset, int body) {
          return (solids.*function)(at[0], at[1], at[2], offset[0], offset[1], offset[2], body);
        };
      };
      grid.wall_distance = on_link(&Solids3D::wall_distance);
      grid.wall_facing = on_link(&Solids3D::wall_facing);
    }
    // What flows out is carried by the velocity that the nodes at open sides remember.
    std::map<std::uint64_t, std::int32_t> faces;
    if (lattice_.faces.extent(0) > 0) {
      const auto special = to_list(lattice_.special);
      const auto link_faces = to_list(lattice_.link_faces);
      for (const BoundaryNode& node : special) {
        for (std::uint32_t link = node.first_link, cut = node.cut; cut != 0;
             cut &= cut - 1, ++link) {
          if (link_faces[link] >= 0) faces.emplace(node.node, link_faces[link]);
        }
      }
    }
    const auto open_place = [&](const lbm::ScalarGrid::Coordinates& at) {
      const auto found = faces.find(map_->index(at[0], at[1], at[2]));
      return found == faces.end() ? std::int32_t{-1} : found->second;
    };
    scalars_ = Scalars(parameters_.scalars, grid, lattice_.nodes, open_place, timers_,
                       fluid_nodes(), LatticeType::Velocities::populations * sizeof(Storage));
    using Memory = FaceMemory<Real>;
    static_assert(sizeof(Memory) % sizeof(Real) == 0 && offsetof(Memory, velocity) == sizeof(Real));
    if (lattice_.faces.extent(0) > 0) {
      scalars_.set_open({reinterpret_cast<const Real*>(lattice_.face_memory.data()) + 1,
                         sizeof(Memory) / sizeof(Real)});
    }
  }
  /// Sets the velocity of the present step, with which the flow carries the scalars.
  void set_scalar_velocity() { store_velocity(context_, lattice_, parity(), scalars_.velocity()); }
  /// The scalars with that velocity, for monitors and fields.
  Scalars& carried_scalars() {
    if (carried_step_ != step_) set_scalar_velocity();
    carried_step_ = step_;
    return scalars_;
  }
  void initialise_scalars(const GivenFields& given) {
    if (scalars_.empty()) return;
    scalars_.initialise(context_.execution, given, [&](const lbm::ScalarGrid::Coordinates& at) {
      std::array<double, 3> velocity{};
      if (given.velocity.empty()) {
        const FlowState3D<double> state = parameters_.initial.at(at[0], at[1], at[2]);
        std::copy_n(state.velocity, 3, velocity.begin());
      } else {
        const auto& n = parameters_.nodes;
        const auto row = static_cast<std::size_t>(at[2]) * static_cast<std::size_t>(n[1]) +
                         static_cast<std::size_t>(at[1]);
        const auto cell = row * static_cast<std::size_t>(n[0]) + static_cast<std::size_t>(at[0]);
        std::copy_n(given.velocity.begin() + static_cast<std::ptrdiff_t>(3 * cell), 3,
                    velocity.begin());
      }
      return velocity;
    });
  }

  void add_wale() {
    const Parameters& p = parameters_;
    if (p.wale_constant == 0) return;
    std::array<bool, 3> periodic{};
    for (std::size_t a = 0; a < 3; ++a) periodic[a] = p.sides[2 * a].kind == SideKind::periodic;
    wale_ = WaleField<LatticeType>(*map_, part_, p.nodes, periodic, p.wale_constant, lattice_);
    eddy_kernel_ =
        timers_.declare("eddy_viscosity",
                        fluid_nodes() * static_cast<double>(3 * sizeof(Real) +
                                                            sizeof(typename LatticeType::EddyTime)),
                        0);
    if (!is_host_backend<ExecutionSpace>) return;  // a GPU stores velocities in its step kernel
    velocity_kernel_ = timers_.declare(
        "eddy_velocity",
        fluid_nodes() * static_cast<double>(LatticeType::Velocities::populations * sizeof(Storage) +
                                            3 * sizeof(Real)),
        0);
  }
  /// Of all ranks: one without nodes takes part, too.
  bool has_eddy_times() const { return parameters_.wale_constant > 0; }
  void store_velocity_for_eddies() {
    const auto store = [&] { wale_.store(context_, lattice_, parity()); };
    if (is_host_backend<ExecutionSpace>) {
      timers_.call_rarely(velocity_kernel_, store);
    } else {
      store();
    }
  }

  int parity() const { return static_cast<int>(step_ & 1); }
  void forget_sums() { sums_step_ = loads_step_ = heat_step_ = carried_step_ = -1; }

  /// Lists the nodes of open sides whose values depend on time.
  void add_varying_sides() {
    for (std::size_t side = 0; side < 6; ++side) {
      std::vector<typename VaryingSides::Node> nodes;
      for (std::size_t i = 0; i < map_->faces.size(); ++i) {
        if (map_->faces[i].side != side) continue;
        nodes.push_back({static_cast<std::uint32_t>(i), map_->face_places[i]});
      }
      varying_sides_.add(parameters_.sides[side].profile, std::move(nodes));
    }
  }
  /// Sets what open sides prescribe at the present step.
  void set_sides() {
    using Face = OpenFace<Real>;
    static_assert(sizeof(Face) % sizeof(Real) == 0 && offsetof(Face, velocity) == 0 &&
                  offsetof(Face, density_deviation) == 3 * sizeof(Real));
    varying_sides_.set(context_.execution, timers_, step_,
                       {reinterpret_cast<Real*>(lattice_.faces.data()),
                        sizeof(Face) / sizeof(Real),
                        {0, 1, 2, 3}});
  }

  std::size_t stored_values() const {
    return map_->all.numbers * LatticeType::Velocities::populations;
  }
  /// The cell of an owned node.
  std::array<std::int64_t, 3> cell_of(std::uint64_t own) const {
    const Extents& extents = map_->extents;
    const std::uint64_t row = own / extents.pitch;
    std::array<std::int64_t, 3> cell{
        static_cast<std::int64_t>(own % extents.pitch), static_cast<std::int64_t>(row % extents.ny),
        static_cast<std::int64_t>(row / extents.ny) + map_->cut.own_begin()};
    if (map_->sparse) {
      map_->number.for_planes(part_.axis(), map_->cut.own_begin(), map_->cut.own_end(),
                              [&](const std::array<int, 3>& at, std::uint64_t number) {
                                if (number == own) cell = {at[0], at[1], at[2]};
                              });
    }
    return cell;
  }

  void declare_kernels() {
    const Parameters& p = parameters_;
    const double nodes = fluid_nodes();
    const double in_solids =
        static_cast<double>(map_->all.conducting) * (p.all_populations() - p.populations);
    const double bytes =
        nodes * (2.0 * LatticeType::Velocities::populations * sizeof(Storage) +
                 (p.sparse ? sparse_index_bytes : 0) +
                 (p.wale_constant > 0 ? sizeof(typename LatticeType::EddyTime) : 0)) +
        2 * in_solids * sizeof(Storage);
    const double flops = nodes * (operator_traits(p.collision_operator).flops(p.populations) +
                                  (heated ? scalar_flops : 0));
    switch (p.propagation) {
      case Propagation::esoteric_twist:
        timers_.declare(p.sparse ? "esoteric_twist_sparse" : "esoteric_twist", bytes, flops);
        break;
      case Propagation::esoteric_pull:
        timers_.declare("esoteric_pull", bytes, flops);
        break;
      case Propagation::two_array:
        timers_.declare("two_array", bytes, flops);
        break;
      case Propagation::aa_pattern:
        timers_.declare("aa_even", bytes, flops);
        timers_.declare("aa_odd", bytes, flops);
        break;
    }
    if (p.flow_control) control_kernel_ = timers_.declare("flow_control", bytes / 2, 0);
  }

  /// Collective: polynomial hash of the kinds of nodes and of the order of sparse ones; overflow
  /// wraps. The lists of bits are those of the lattice of all ranks. Of each rank's bits there is a
  /// hash as if those of others were 0, and these add up.
  std::int64_t geometry_hash() const {
    constexpr std::uint64_t factor = 1099511628211ULL;
    const auto power = [](std::uint64_t exponent) {
      std::uint64_t result = 1;
      for (std::uint64_t square = factor; exponent != 0; exponent /= 2, square *= square) {
        if (exponent % 2 != 0) result *= square;
      }
      return result;
    };
    const std::uint64_t words = map_->all.numbers / 32 + 1;
    const auto hash_of = [&](const std::vector<std::uint32_t>& bits) {
      std::uint64_t hash = 0;
      std::uint64_t last = 0;  // word
      part_.for_runs(
          map_->cut.rank, 0, map_->all.numbers,
          [&](std::uint64_t number, std::uint64_t count, std::uint64_t n) {
            while (count > 0) {
              if (number / 32 != last) {
                hash *= number / 32 == last + 1 ? factor : power(number / 32 - last);
                last = number / 32;
              }
              // The bits that are in one word of either list.
              const std::uint64_t size = std::min({count, 32 - number % 32, 32 - n % 32});
              const std::uint64_t mask = (std::uint64_t{1} << size) - 1;
              hash += ((bits[n / 32] >> (n % 32)) & mask) << (number % 32);
              number += size;
              n += size;
              count -= size;
            }
          });
      return hash * power(words - 1 - last);
    };
    std::vector<std::uint64_t> hashes{hash_of(map_->fluid), hash_of(map_->plain)};
    if (map_->cut.ranks() > 1) world().sum(hashes);
    const std::uint64_t begin =
        map_->all.numbers * factor + static_cast<std::uint64_t>(map_->strip_rows);
    const std::uint64_t hash = (begin * power(words) + hashes[0]) * power(words) + hashes[1];
    return static_cast<std::int64_t>(hash >> 1);
  }

  const Parameters& parameters() const override { return parameters_; }
  double fluid_nodes() const override { return static_cast<double>(map_->all.fluid); }

  const std::array<double, 3>& body_force() const override { return force_; }

  const FlowSums& sums() override {
    if (sums_step_ != step_) {
      sums_ = flow_sums(context_, lattice_, parity(), RememberedVelocity<LatticeType>());
      sums_step_ = step_;
    }
    return sums_;
  }

  FlowSums sums_with_change() override {
    return flow_sums(context_, lattice_, parity(), remembered_);
  }

  double flow_rate(const FlowPlane& plane) override {
    std::vector<std::uint64_t> nodes;
    std::vector<std::size_t> places;  // in the order of the nodes of all ranks
    const auto axis = static_cast<std::size_t>(plane.axis);
    std::array<int, 3> end = parameters_.nodes;
    std::array<int, 3> at{};
    end[axis] = plane.position + 1;
    at[axis] = plane.position;
    const std::array<int, 3> begin = at;
    std::size_t place = 0;
    for (at[2] = begin[2]; at[2] < end[2]; ++at[2]) {
      for (at[1] = begin[1]; at[1] < end[1]; ++at[1]) {
        for (at[0] = begin[0]; at[0] < end[0]; ++at[0], ++place) {
          if (!map_->owns(at)) continue;
          const std::uint64_t n = map_->index(at[0], at[1], at[2]);
          if (!map_->is_fluid(n)) continue;
          nodes.push_back(n);
          places.push_back(place);
        }
      }
    }
    View<std::uint64_t*, ExecutionSpace> list("nodes of a plane", nodes.size());
    Kokkos::deep_copy(list, HostView<const std::uint64_t*>(nodes.data(), nodes.size()));
    double sum = 0;
    for (const double each :
         by_place(momentum_through(context_, lattice_, parity(), list, plane.axis), places)) {
      sum += each;
    }
    return sum;
  }

  /// Collective: mean positions of the bodies' nodes, in node spacings from the domain's lower
  /// corner.
  std::vector<std::array<double, 3>> body_centres() const {
    const Solids3D& solids = parameters_.solids;
    const std::size_t count = solids.bodies.size();
    const Domain domain = parameters_.domain();
    const Surroundings around{domain};
    // Of each body the sums of x, y and z, and the number of nodes.
    std::vector<std::uint64_t> sums(4 * count, 0);
    const auto [begin, end] = map_->own_box();
    std::array<int, 3> at{};
    for (at[2] = begin[2]; at[2] < end[2]; ++at[2]) {
      for (at[1] = begin[1]; at[1] < end[1]; ++at[1]) {
        for (at[0] = begin[0]; at[0] < end[0]; ++at[0]) {
          const std::int16_t body = around.body_at(at);
          if (body < 0) continue;
          std::uint64_t* const of_body = sums.data() + 4 * static_cast<std::size_t>(body);
          for (std::size_t a = 0; a < 3; ++a) of_body[a] += static_cast<std::uint64_t>(at[a]);
          ++of_body[3];
        }
      }
    }
    if (map_->cut.ranks() > 1) world().sum(sums);
    std::vector<std::array<double, 3>> centres(count);
    for (std::size_t b = 0; b < count; ++b) {
      const auto nodes = static_cast<double>(sums[4 * b + 3]);
      for (std::size_t a = 0; a < 3; ++a) {
        centres[b][a] = (static_cast<double>(sums[4 * b + a]) + 0.5 * nodes) / nodes;
      }
    }
    return centres;
  }

  const std::vector<BodyLoad>& loads() override {
    if (centres_.empty()) {
      centres_ = body_centres();
      const std::vector<BodyLinks> links = body_links(parameters_.domain(), *map_);
      // Among those of all ranks they have the order of their nodes, then their own.
      for (std::size_t i = 0; i < links.size(); ++i) {
        const auto& at = links[i].at;
        const bool same = i > 0 && std::equal(at, at + 3, links[i - 1].at);
        link_places_.push_back(
            same ? link_places_.back() + 1
                 : static_cast<std::size_t>(D3Q27::populations) *
                       NodePlanes(parameters_.nodes)(std::array{at[0], at[1], at[2]}));
      }
      links_ = View<BodyLinks*, ExecutionSpace>("body links", links.size());
      Kokkos::deep_copy(links_, HostView<const BodyLinks*>(links.data(), links.size()));
    }
    if (loads_step_ != step_) {
      loads_ = body_loads(context_, lattice_, parity(), links_, centres_, link_places_);
      loads_step_ = step_;
    }
    return loads_;
  }

  double heat_flow(std::size_t surface) override {
    if (heat_step_ != step_) {
      View<HeatLink*, ExecutionSpace>& links = heat_links_;
      if (!has_heat_links_) {
        const std::vector<HeatLink>& own = map_->heat_links;
        std::vector<std::uint16_t> surfaces;
        for (const HeatLink& link : own) surfaces.push_back(link.surface);
        heat_surfaces_ = by_place(std::move(surfaces), map_->whole_heat_links);
        links = View<HeatLink*, ExecutionSpace>("heat links", own.size());
        Kokkos::deep_copy(links, HostView<const HeatLink*>(own.data(), own.size()));
        has_heat_links_ = true;
      }
      heat_flows_.assign(parameters_.sides.size() + parameters_.solids.bodies.size(), 0);
      const std::vector<double> heat =
          by_place(heat_through(context_, lattice_, parity(), links), map_->whole_heat_links);
      const double unit = parameters_.heat->stored_unit;
      for (std::size_t i = 0; i < heat.size(); ++i) {
        heat_flows_[heat_surfaces_[i]] += unit * heat[i];
      }
      heat_step_ = step_;
    }
    return heat_flows_[surface];
  }

  double mean_scalar(std::size_t body) override {
    struct NodeScalar {
      std::size_t body;
      double value;
    };
    const std::vector<double> values = scalar_in_solids(context_, lattice_, parity());
    std::vector<NodeScalar> own;
    for (std::size_t i = 0; i < values.size(); ++i) {
      own.push_back({map_->conducting[i].body, values[i]});
    }
    double sum = 0;
    double count = 0;
    for (const NodeScalar& each : by_place(std::move(own), map_->whole_conducting)) {
      if (each.body != body) continue;
      sum += each.value;
      ++count;
    }
    return sum / count;
  }

  /// Values of the domain's nodes that this rank owns, (z, y, x); NaN in solid nodes.
  std::vector<Real> to_host(NodeQuantity quantity, std::size_t capacity = 0) const {
    const auto values = Kokkos::create_mirror_view_and_copy(
        Kokkos::HostSpace(), lbm_d3q27::node_values(context_, lattice_, parity(), quantity));
    std::vector<Real> result;
    result.reserve(capacity);
    for_owned_cells([&](std::size_t, std::uint64_t index) {
      result.push_back(index == NodeMap::none ? Real(NAN) : values(index));
    });
    return result;
  }

  /// Calls body(cell, index) for the cells of the domain that this rank owns, in the order (z, y,
  /// x): their places in a field, and the numbers of their nodes.
  template <class Body>
  void for_owned_cells(const Body& body) const {
    const auto& n = parameters_.nodes;
    const auto [begin, end] = map_->own_box();
    for (int z = begin[2]; z < end[2]; ++z) {
      for (int y = begin[1]; y < end[1]; ++y) {
        const std::size_t row = (static_cast<std::size_t>(z) * static_cast<std::size_t>(n[1]) +
                                 static_cast<std::size_t>(y)) *
                                static_cast<std::size_t>(n[0]);
        for (int x = begin[0]; x < end[0]; ++x) {
          body(row + static_cast<std::size_t>(x), map_->index(x, y, z));
        }
      }
    }
  }

  GivenFlow<ExecutionSpace> given_flow(const GivenFields& given) const {
    GivenFlow<ExecutionSpace> flow;
    const auto& n = parameters_.nodes;
    for (std::size_t a = 0; a < 3; ++a) {
      flow.nodes[a] = n[a];
      flow.periodic[a] = parameters_.sides[2 * a].kind == SideKind::periodic;
    }
    const std::size_t nodes = std::size_t(n[0]) * std::size_t(n[1]) * std::size_t(n[2]);
    const Domain domain = parameters_.domain();
    const Surroundings around{domain};
    // The flow of this rank's nodes takes no values beyond the planes beside its own.
    const auto body_at = [&](const std::array<int, 3>& at) {
      return around.planes.covers(at) ? around.body_at(at) : std::int16_t{-1};
    };
    const bool conducts = map_->all.conducting > 0;
    if (!given.temperature.empty() || conducts) {
      flow.scalar = View<double*, ExecutionSpace>("given scalar", nodes);
      const auto scalar = Kokkos::create_mirror_view(flow.scalar);
      flow.conducts = View<bool*, ExecutionSpace>("conducting cells", conducts ? nodes : 0);
      const auto conducting = Kokkos::create_mirror_view(flow.conducts);
      const lbm::Heat& heat = *parameters_.heat;
      for (std::size_t cell = 0; cell < nodes; ++cell) {
        const auto nx = static_cast<std::size_t>(n[0]);
        const auto ny = static_cast<std::size_t>(n[1]);
        const std::int16_t body =
            body_at({static_cast<int>(cell % nx), static_cast<int>(cell / nx % ny),
                     static_cast<int>(cell / nx / ny)});
        const lbm::Conduction* const own = conducts ? heat.conduction(body) : nullptr;
        if (conducts) conducting(cell) = own != nullptr;
        const double difference = own == nullptr && body >= 0 ? NAN
                                  : !given.temperature.empty()
                                      ? given.temperature[cell] - heat.reference
                                  : own != nullptr ? own->initial.value_or(heat.initial)
                                                   : heat.initial;
        scalar(cell) = difference / heat.stored_unit;
      }
      Kokkos::deep_copy(flow.scalar, scalar);
      Kokkos::deep_copy(flow.conducts, conducting);
    }
    if (given.density.empty() && given.velocity.empty()) return flow;
    flow.values = View<double* [4], ExecutionSpace>("given flow", nodes);
    const auto host = Kokkos::create_mirror_view(flow.values);
    std::size_t cell = 0;
    for (int z = 0; z < n[2]; ++z) {
      for (int y = 0; y < n[1]; ++y) {
        for (int x = 0; x < n[0]; ++x, ++cell) {
          const FlowState3D<double> own = parameters_.initial.at(x, y, z);
          host(cell, 0) = body_at({x, y, z}) >= 0 ? NAN
                          : given.density.empty() ? own.density_deviation
                                                  : given.density[cell] - 1;
          for (std::size_t a = 0; a < 3; ++a) {
            host(cell, 1 + a) =
                given.velocity.empty() ? own.velocity[a] : given.velocity[3 * cell + a];
          }
        }
      }
    }
    Kokkos::deep_copy(flow.values, host);
    return flow;
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
  FieldValues eddy_viscosity() override {
    const auto times =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), lattice_.eddy_times);
    std::vector<Real> result;
    for_owned_cells([&](std::size_t, std::uint64_t index) {
      result.push_back(map_->is_fluid(index) ? static_cast<Real>(times(index)) / 3 : Real(NAN));
    });
    return result;
  }

  FieldValues solid() const override {
    std::vector<Real> values;
    for_owned_cells([&](std::size_t, std::uint64_t index) {
      values.push_back(map_->is_fluid(index) ? Real(0) : Real(1));
    });
    return values;
  }

  BoxFlow box_flow() override {
    BoxFlow flow{parameters_.nodes, part_.own_planes(), {}, {}};
    const SharedCells cells(flow.nodes, flow.planes);
    for (std::size_t a = 0; a < 3; ++a) {
      flow.periodic[a] = parameters_.sides[2 * a].kind == SideKind::periodic;
    }
    const bool periodic = flow.periodic[static_cast<std::size_t>(flow.planes.axis)];
    for (std::size_t a = 0; a < 3; ++a) {
      flow.velocity[a] = cells.with_neighbours(
          to_host(static_cast<NodeQuantity>(static_cast<int>(NodeQuantity::velocity_x) +
                                            static_cast<int>(a)),
                  cells.size_with_neighbours()),
          periodic, Real(NAN));
    }
    return flow;
  }

  std::shared_ptr<const Parameters> kept_;
  const Parameters& parameters_;
  FieldTable<Solution> fields_ = field_table(parameters_);
  MonitorTable<Solution> monitors_;
  std::shared_ptr<const NodeMap> map_;  ///< of the slab
  LatticePart part_;
  ContextOf<LatticeType> context_{};
  LatticeType lattice_;  ///< of the slab
  GhostSlots<LatticeType> ghosts_;
  /// For the exchange between two steps, where inner planes are updated meanwhile.
  std::optional<SideQueue<ExecutionSpace>> exchange_queue_;
  VaryingSides varying_sides_;
  Averages averages_;
  Scalars scalars_;
  lbm::DrivingForce driving_;                             ///< of the flow control, if any
  std::array<double, 3> force_ = parameters_.body_force;  ///< in use
  std::size_t control_kernel_ = 0;
  WaleField<LatticeType> wale_;
  std::size_t eddy_kernel_ = 0;
  std::size_t velocity_kernel_ = 0;
  RememberedVelocity<LatticeType> remembered_;
  View<BodyLinks*, ExecutionSpace> links_;
  NodeNumbersView<LatticeType> numbers_;  ///< for fields, once one is asked for
  std::vector<std::array<double, 3>> centres_;
  std::vector<std::size_t> link_places_;  ///< of the links, among those of all ranks
  KernelTimers timers_{make_launch_clock(context_.execution)};
  double initial_mass_ = 0;  ///< if watches_mass(), else 0
  std::int64_t step_ = 0;
  std::int64_t sums_step_ = -1;
  FlowSums sums_;
  std::int64_t loads_step_ = -1;
  std::vector<BodyLoad> loads_;
  View<HeatLink*, ExecutionSpace> heat_links_;
  bool has_heat_links_ = false;
  std::vector<std::uint16_t> heat_surfaces_;  ///< of the links of all ranks, on the first one
  std::int64_t carried_step_ = -1;            ///< whose velocity carries the scalars
  std::int64_t heat_step_ = -1;
  std::vector<double> heat_flows_;
};

template <class LatticeType>
std::map<std::string, std::string> D3Q27Method<LatticeType>::results() {
  std::map<std::string, std::string> found;
  const Parameters& p = parameters_;
  if (p.forced()) {
    found["permeability"] = number_text(monitor("permeability")) + " dx^2";
    if (p.spacing) found["permeability_si"] = number_text(monitor("permeability_si")) + " m^2";
  }
  for (const FlowPlane& plane : p.planes) {
    found[plane.name + ".flow_rate"] = number_text(monitor(plane.name + ".flow_rate"));
  }
  lbm::add_nusselt_numbers(*this, monitors_.quantities(), found);
  if (p.has_velocity) {
    lbm::add_coefficients(*this, p.solids.bodies, lbm::coefficient_reference(p, 3), found);
  }
  return found;
}

template <class ExecutionSpace, class Precision>
std::unique_ptr<Method> make_with(std::shared_ptr<const Parameters> kept,
                                  std::shared_ptr<const NodeMap> map) {
  const Parameters& p = *kept;
  const auto make = [&](auto velocities) -> std::unique_ptr<Method> {
    using LatticeType = Lattice<ExecutionSpace, Precision, decltype(velocities)>;
    return std::make_unique<D3Q27Method<LatticeType>>(std::move(kept), std::move(map));
  };
  if (p.heat) return make(HeatedWith<Precision>{});
  return p.populations == 27 ? make(D3Q27{}) : make(D3Q19{});
}

template <class ExecutionSpace>
std::unique_ptr<Method> make_on(std::shared_ptr<const Parameters> p,
                                std::shared_ptr<const NodeMap> map) {
  switch (p->precision) {
    case StoragePrecision::double_precision:
      return make_with<ExecutionSpace, DoublePrecision>(std::move(p), std::move(map));
    case StoragePrecision::half_storage:
      return make_with<ExecutionSpace, HalfStorage>(std::move(p), std::move(map));
    case StoragePrecision::single_precision:
      break;
  }
  return make_with<ExecutionSpace, SinglePrecision>(std::move(p), std::move(map));
}

}  // namespace

std::unique_ptr<Method> make_method(std::shared_ptr<const Parameters> parameters,
                                    std::shared_ptr<const NodeMap> map, Backend backend) {
  if (backend == Backend::host)
    return make_on<HostExecutionSpace>(std::move(parameters), std::move(map));
  return make_on<DeviceExecutionSpace>(std::move(parameters), std::move(map));
}

}  // namespace knudsen::lbm_d3q27
