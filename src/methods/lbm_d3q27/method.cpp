#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "device/launch_clock.hpp"
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
    if (part_.slab().whole()) {
      lattice_ = make_lattice<LatticeType>(*map_, p.propagation, tuning);
    } else {
      require_slot_owners(*map_);
      lattice_ = make_lattice<LatticeType>(part_.map_of(*map_), p.propagation, tuning);
    }
    ghosts_ = GhostSlots<LatticeType>(part_);
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
    set_eddy_viscosity();
  }

  void advance(std::int64_t steps) override {
    for (std::int64_t i = 0; i < steps; ++i) {
      scalars_.advance(context_.execution, timers_, [this] { set_scalar_velocity(); });
      const bool two_kernels = parameters_.propagation == Propagation::aa_pattern;
      timers_.call(two_kernels ? static_cast<std::size_t>(parity()) : 0, [&] {
        step(context_, lattice_, parity());
        conduct(context_, lattice_, parity());
      });
      ghosts_.update(context_.execution, lattice_, parity(), SlotUse::stored);
      ++step_;
      set_sides();
      control_flow();
      set_eddy_viscosity();
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
    InvalidNode node = first_invalid_node(context_, lattice_, parity());
    if (node.number >= 0) {
      node.number =
          static_cast<std::int64_t>(part_.whole_number(static_cast<std::uint64_t>(node.number)));
    }
    for (const InvalidNode& each : world().concatenate(std::vector{node})) {
      if (node.number < 0 || (each.number >= 0 && each.number < node.number)) node = each;
    }
    if (node.number < 0 && !scalars_.empty()) {
      return carried_scalars().find_divergence(context_.execution);
    }
    if (node.number < 0) return std::nullopt;
    const auto place = static_cast<std::uint64_t>(node.number);
    const Extents& extents = map_->extents;
    const std::uint64_t row = place / extents.pitch;
    std::array<std::int64_t, 3> cell{static_cast<std::int64_t>(place % extents.pitch),
                                     static_cast<std::int64_t>(row % extents.ny),
                                     static_cast<std::int64_t>(row / extents.ny)};
    if (map_->sparse) {
      map_->number.for_planes(2, 0, static_cast<int>(extents.nz),
                              [&](const std::array<int, 3>& at, std::uint64_t number) {
                                if (number == place) cell = {at[0], at[1], at[2]};
                              });
    }
    return lbm::with_flow_advice(lbm::divergence_at(cell, node.density, node.speed, parameters_),
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
    averages_.declare(timers_, static_cast<double>(map_->fluid_nodes),
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
      result.push_back(map_->is_fluid(index) ? values(part_.number_of(index)) : NAN);
    });
    return result;
  }
  void load_averages(const CheckpointReader& checkpoint) override {
    std::vector<std::size_t> nodes;
    for_owned_cells([&](std::size_t, std::uint64_t index) {
      nodes.push_back(map_->is_fluid(index) ? part_.number_of(index) : Averages::none);
    });
    averages_.load(checkpoint, SharedCells(parameters_.nodes, part_.own_planes()), nodes);
  }
  std::map<std::string, std::string> results() override;

  /// The order in the file is the same for all backends: by population, then by node.
  void save(CheckpointWriter& checkpoint) override {
    checkpoint.integer("geometry", geometry_hash());
    const auto host =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), lattice_.populations);
    const auto eddy_times =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), lattice_.eddy_times);
    checkpoint.array_in_pieces<Stored>(
        "populations", stored_values(), world().piece_of<Stored>(stored_values()),
        [&](std::size_t begin, std::size_t size, Stored* values) {
          for_rows_of_piece(
              begin, size, map_->count,
              [&](std::size_t q, std::size_t first, std::size_t count, std::size_t at) {
                const auto copy = [&](std::size_t n, std::size_t nodes, Stored* to) {
                  for (std::size_t i = 0; i < nodes; ++i) {
                    const std::size_t slot =
                        lattice_.slot(static_cast<NodeIndex>(n + i), static_cast<int>(q));
                    std::memcpy(&to[i], &host.data()[slot], sizeof(Stored));
                  }
                };
                part_.gather(first, first + count, copy, place_in(values, at));
              });
        });
    if (has_eddy_times()) {
      checkpoint.array_in_pieces<Real>(
          "eddy_times", map_->count, world().piece_of<Real>(map_->count),
          [&](std::size_t begin, std::size_t size, Real* values) {
            const auto copy = [&](std::size_t n, std::size_t nodes, Real* to) {
              std::copy_n(eddy_times.data() + n, nodes, to);
            };
            part_.gather(begin, begin + size, copy, values);
          });
    }
    const std::vector<FaceMemory<Real>> memory =
        by_place(to_list(lattice_.face_memory), part_.faces());
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
    const std::vector<int> ghosts =
        ghost_planes<typename LatticeType::Velocities>(parameters_.propagation);
    const int rank = world().rank();
    checkpoint.array_in_pieces<Stored>(
        "populations", stored_values(), world().piece_of<Stored>(stored_values()),
        [&](std::size_t begin, std::size_t size, const Stored* values) {
          for_rows_of_piece(
              begin, size, map_->count,
              [&](std::size_t q, std::size_t first, std::size_t count, std::size_t at) {
                const auto load = [&](std::uint64_t number, std::uint64_t nodes, std::uint64_t n) {
                  const Stored* const from = values + at + (number - first);
                  for (std::uint64_t i = 0; i < nodes; ++i) {
                    const std::size_t slot =
                        lattice_.slot(static_cast<NodeIndex>(n + i), static_cast<int>(q));
                    std::memcpy(static_cast<void*>(&host.data()[slot]), &from[i], sizeof(Stored));
                  }
                };
                part_.for_runs(rank, first, first + count, load);
                const lbm::Slab& slab = part_.slab();
                const int ghost = map_->sparse ? 1 : ghosts[q];
                if (slab.whole() || ghost == 0) return;
                const std::uint32_t plane = ghost > 0 ? slab.end : slab.begin + slab.layers - 1;
                part_.for_ghost_runs(plane % slab.layers, first, first + count, load);
              });
        });
    Kokkos::deep_copy(lattice_.populations, host);
    if (has_eddy_times()) {
      const auto eddy_times = Kokkos::create_mirror_view(lattice_.eddy_times);
      checkpoint.array_in_pieces<Real>(
          "eddy_times", map_->count, world().piece_of<Real>(map_->count),
          [&](std::size_t begin, std::size_t size, const Real* values) {
            part_.for_runs(rank, begin, begin + size,
                           [&](std::uint64_t number, std::uint64_t nodes, std::uint64_t n) {
                             std::copy_n(values + (number - begin), nodes, eddy_times.data() + n);
                           });
          });
      Kokkos::deep_copy(lattice_.eddy_times, eddy_times);
    }
    // Every rank reads the memory of all faces, which are few, and keeps that of its own.
    std::vector<FaceMemory<Real>> all(map_->faces.size());
    checkpoint.array("face_memory", reinterpret_cast<Real*>(all.data()), {all.size(), face_values});
    std::vector<FaceMemory<Real>> memory;
    for (const std::size_t face : part_.faces()) memory.push_back(all[face]);
    Kokkos::deep_copy(lattice_.face_memory,
                      HostView<const FaceMemory<Real>*>(memory.data(), memory.size()));
    step_ = checkpoint.step();
    if (parameters_.flow_control) driving_ = lbm::load_driving_force(checkpoint);
    set_force();
    forget_sums();
    set_sides();
    scalars_.load(context_.execution, checkpoint);
  }

 private:
  using Stored =
      std::conditional_t<std::is_same_v<Storage, HalfPopulation>, std::uint16_t, Storage>;
  static constexpr std::size_t face_values = sizeof(FaceMemory<Real>) / sizeof(Real);

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
    grid.body = &parameters_.solids.body;
    grid.axis = part_.axis();
    grid.planes = {begin, end};
    grid.whole = slab.whole();
    grid.rank_before = slab.rank_before();
    grid.rank_after = slab.rank_after();
    if (map_->sparse) {
      grid.place = [this](const lbm::ScalarGrid::Coordinates& at) {
        return static_cast<std::size_t>(part_.number_of(map_->index(at[0], at[1], at[2])));
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
      const auto found = faces.find(part_.number_of(map_->index(at[0], at[1], at[2])));
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
    // The populations are read, the velocity is written and read, the result is written.
    eddy_kernel_ = timers_.declare(
        "eddy_viscosity",
        fluid_nodes() * static_cast<double>(LatticeType::Velocities::populations * sizeof(Storage) +
                                            7 * sizeof(Real)),
        0);
  }
  bool has_eddy_times() const { return lattice_.eddy_times.extent(0) > 0; }
  /// Collective: sets the eddy viscosity of the steps to come if it is due.
  void set_eddy_viscosity() {
    if (!has_eddy_times() || step_ % parameters_.wale_interval != 0) return;
    timers_.call_rarely(eddy_kernel_, [&] { wale_.update(context_, lattice_, parity()); });
  }

  int parity() const { return static_cast<int>(step_ & 1); }
  void forget_sums() { sums_step_ = loads_step_ = heat_step_ = carried_step_ = -1; }

  /// Lists the nodes of open sides whose values depend on time.
  void add_varying_sides() {
    for (std::size_t side = 0; side < 6; ++side) {
      std::vector<typename VaryingSides::Node> nodes;
      const std::vector<std::size_t>& faces = part_.faces();
      for (std::size_t i = 0; i < faces.size(); ++i) {
        if (map_->faces[faces[i]].side != side) continue;
        nodes.push_back({static_cast<std::uint32_t>(i), map_->face_places[faces[i]]});
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

  std::size_t stored_values() const { return map_->count * LatticeType::Velocities::populations; }

  void declare_kernels() {
    const Parameters& p = parameters_;
    const auto nodes = static_cast<double>(map_->fluid_nodes);
    const double in_solids =
        static_cast<double>(map_->conducting.size()) * (p.all_populations() - p.populations);
    const double bytes =
        nodes * (2.0 * LatticeType::Velocities::populations * sizeof(Storage) +
                 (p.sparse ? sparse_index_bytes : 0) + (p.wale_constant > 0 ? sizeof(Real) : 0)) +
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

  /// Polynomial hash of the kinds of nodes and of the order of sparse ones; overflow wraps.
  std::int64_t geometry_hash() const {
    std::uint64_t hash =
        map_->count * 1099511628211ULL + static_cast<std::uint64_t>(map_->strip_rows);
    for (const std::uint32_t word : map_->fluid) hash = hash * 1099511628211ULL + word;
    for (const std::uint32_t word : map_->plain) hash = hash * 1099511628211ULL + word;
    return static_cast<std::int64_t>(hash >> 1);
  }

  const Parameters& parameters() const override { return parameters_; }
  double fluid_nodes() const override { return static_cast<double>(map_->fluid_nodes); }

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
          const std::uint64_t n = map_->index(at[0], at[1], at[2]);
          if (!map_->is_fluid(n) || part_.number_of(n) == NodeMap::none) continue;
          nodes.push_back(part_.number_of(n));
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

  /// Mean positions of the bodies' nodes, in node spacings from the domain's lower corner.
  std::vector<std::array<double, 3>> body_centres() const {
    const auto& n = parameters_.nodes;
    const std::size_t count = parameters_.solids.bodies.size();
    std::vector<std::array<double, 3>> centres(count, {0, 0, 0});
    std::vector<double> nodes(count, 0);
    std::size_t i = 0;
    for (int z = 0; z < n[2]; ++z) {
      for (int y = 0; y < n[1]; ++y) {
        for (int x = 0; x < n[0]; ++x) {
          const std::int16_t body = parameters_.solids.body[i++];
          if (body < 0) continue;
          const auto b = static_cast<std::size_t>(body);
          centres[b][0] += x + 0.5;
          centres[b][1] += y + 0.5;
          centres[b][2] += z + 0.5;
          ++nodes[b];
        }
      }
    }
    for (std::size_t b = 0; b < count; ++b) {
      for (double& coordinate : centres[b]) coordinate /= nodes[b];
    }
    return centres;
  }

  const std::vector<BodyLoad>& loads() override {
    if (centres_.empty()) {
      centres_ = body_centres();
      std::vector<BodyLinks> links = body_links(parameters_.domain(), *map_);
      if (!part_.slab().whole()) {
        const std::vector<BodyLinks> all = std::move(links);
        links.clear();
        for (std::size_t i = 0; i < all.size(); ++i) {
          const std::uint64_t n = part_.number_of(all[i].node);
          if (n == NodeMap::none) continue;
          links.push_back(all[i]);
          links.back().node = n;
          link_places_.push_back(i);
        }
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
      if (heat_surfaces_.empty()) {
        std::vector<HeatLink> own;
        for (std::size_t i = 0; i < map_->heat_links.size(); ++i) {
          HeatLink link = map_->heat_links[i];
          heat_surfaces_.push_back(link.surface);
          const std::uint64_t n = part_.number_of(link.node);
          if (n == NodeMap::none) continue;
          link.node = static_cast<NodeIndex>(n);
          own.push_back(link);
          heat_places_.push_back(i);
        }
        links = View<HeatLink*, ExecutionSpace>("heat links", own.size());
        Kokkos::deep_copy(links, HostView<const HeatLink*>(own.data(), own.size()));
      }
      heat_flows_.assign(parameters_.sides.size() + parameters_.solids.bodies.size(), 0);
      const std::vector<double> heat =
          by_place(heat_through(context_, lattice_, parity(), links), heat_places_);
      const double unit = parameters_.heat->stored_unit;
      for (std::size_t i = 0; i < heat.size(); ++i) {
        heat_flows_[heat_surfaces_[i]] += unit * heat[i];
      }
      heat_step_ = step_;
    }
    return heat_flows_[surface];
  }

  double mean_scalar(std::size_t body) override {
    std::vector<std::size_t> places;  // of this rank's nodes among those of all
    const std::vector<ConductingNode>& nodes = map_->conducting;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (part_.number_of(nodes[i].node) != NodeMap::none) places.push_back(i);
    }
    const std::vector<double> values =
        by_place(scalar_in_solids(context_, lattice_, parity()), places);
    double sum = 0;
    double count = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (nodes[i].body != body) continue;
      sum += values[i];
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
      result.push_back(index == NodeMap::none ? Real(NAN) : values(part_.number_of(index)));
    });
    return result;
  }

  /// Calls body(cell, index) for the cells of the domain that this rank owns, in the order (z, y,
  /// x): their places in a field, and the numbers of their nodes in the whole lattice.
  template <class Body>
  void for_owned_cells(const Body& body) const {
    const auto& n = parameters_.nodes;
    std::array<int, 3> begin{};
    std::array<int, 3> end = n;
    const auto axis = static_cast<std::size_t>(part_.axis());
    std::tie(begin[axis], end[axis]) = part_.planes_of_domain(world().rank());
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
    const bool conducts = !map_->conducting.empty();
    if (!given.temperature.empty() || conducts) {
      flow.scalar = View<double*, ExecutionSpace>("given scalar", nodes);
      const auto scalar = Kokkos::create_mirror_view(flow.scalar);
      flow.conducts = View<bool*, ExecutionSpace>("conducting cells", conducts ? nodes : 0);
      const auto conducting = Kokkos::create_mirror_view(flow.conducts);
      const lbm::Heat& heat = *parameters_.heat;
      for (std::size_t cell = 0; cell < nodes; ++cell) {
        const lbm::Conduction* const own =
            conducts ? heat.conduction(parameters_.solids.body[cell]) : nullptr;
        if (conducts) conducting(cell) = own != nullptr;
        const double difference = own == nullptr && is_solid(cell) ? NAN
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
          host(cell, 0) = is_solid(cell)          ? NAN
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
      result.push_back(map_->is_fluid(index) ? times(part_.number_of(index)) / 3 : Real(NAN));
    });
    return result;
  }

  bool is_solid(std::size_t cell) const {
    const auto nx = static_cast<std::size_t>(parameters_.nodes[0]);
    const auto ny = static_cast<std::size_t>(parameters_.nodes[1]);
    const std::size_t row = cell / nx;
    return !map_->is_fluid(map_->index(static_cast<int>(cell % nx), static_cast<int>(row % ny),
                                       static_cast<int>(row / ny)));
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
  std::shared_ptr<const NodeMap> map_;  ///< of the whole lattice
  LatticePart part_;
  ContextOf<LatticeType> context_{};
  LatticeType lattice_;  ///< of the slab
  GhostSlots<LatticeType> ghosts_;
  VaryingSides varying_sides_;
  Averages averages_;
  Scalars scalars_;
  lbm::DrivingForce driving_;                             ///< of the flow control, if any
  std::array<double, 3> force_ = parameters_.body_force;  ///< in use
  std::size_t control_kernel_ = 0;
  WaleField<LatticeType> wale_;
  std::size_t eddy_kernel_ = 0;
  RememberedVelocity<LatticeType> remembered_;
  View<BodyLinks*, ExecutionSpace> links_;
  NodeNumbersView<LatticeType> numbers_;  ///< for fields, once one is asked for
  std::vector<std::array<double, 3>> centres_;
  std::vector<std::size_t> link_places_;  ///< of the links, among those of all ranks
  KernelTimers timers_{make_launch_clock(context_.execution)};
  std::int64_t step_ = 0;
  std::int64_t sums_step_ = -1;
  FlowSums sums_;
  std::int64_t loads_step_ = -1;
  std::vector<BodyLoad> loads_;
  View<HeatLink*, ExecutionSpace> heat_links_;
  std::vector<std::size_t> heat_surfaces_;  ///< of the links of all ranks
  std::vector<std::size_t> heat_places_;    ///< of this rank's links among those of all
  std::int64_t carried_step_ = -1;          ///< whose velocity carries the scalars
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
  if (p.has_velocity) lbm::add_coefficients(*this, p.solids.bodies, found);
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
