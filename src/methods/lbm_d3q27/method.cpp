#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/error.hpp"
#include "core/text.hpp"
#include "methods/lbm_d3q27/diagnostics.hpp"
#include "methods/lbm_d3q27/flow_analysis.hpp"
#include "methods/lbm_d3q27/make_lattice.hpp"
#include "methods/lbm_d3q27/parameters.hpp"
#include "output/checkpoint.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

/// Floating-point operations of a collision (README.md has the counts).
double collision_flops(CollisionOperator collision_operator, int populations) {
  switch (collision_operator) {
    case CollisionOperator::bgk:
      return populations == 27 ? 330 : 235;
    case CollisionOperator::trt:
      return populations == 27 ? 395 : 280;
    case CollisionOperator::central_moments:
      return 620;
    case CollisionOperator::cumulant:
    case CollisionOperator::cumulant_galilean:
      return 680;
    case CollisionOperator::cumulant_parametrised:
      return 900;
  }
  return 0;
}

template <class LatticeType>
class D3Q27Method final : public Method {
  using ExecutionSpace = typename LatticeType::Execution;
  using Real = typename LatticeType::Real;
  using Storage = typename LatticeType::Storage;

 public:
  D3Q27Method(Parameters parameters, std::shared_ptr<const NodeMap> map)
      : parameters_(std::move(parameters)), map_(std::move(map)) {
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
    context_.relaxation = rounded<Real>(p.relaxation());
    context_.collision_operator = p.collision_operator;
    context_.eddy_viscosity = p.eddy_viscosity;
    context_.tuning = tuning;
    lattice_ = make_lattice<LatticeType>(*map_, p.propagation, tuning);
    declare_kernels();
  }

  void initialise() override {
    step_ = 0;
    forget_sums();
    knudsen::lbm_d3q27::initialise(context_, lattice_, *map_, parameters_.initial);
  }

  void advance(std::int64_t steps) override {
    const auto fence = [this] { context_.execution.fence(); };
    for (std::int64_t i = 0; i < steps; ++i) {
      const bool two_kernels = parameters_.propagation == Propagation::aa_pattern;
      timers_.call(
          two_kernels ? static_cast<std::size_t>(parity()) : 0, timers_.sampling(step_),
          [&] { step(context_, lattice_, parity()); }, fence);
      ++step_;
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

  double monitor(const std::string& name) override {
    const auto dot = name.find('.');
    if (dot != std::string::npos) return named_monitor(name.substr(0, dot), name.substr(dot + 1));
    const auto nodes = static_cast<double>(map_->fluid_nodes);
    if (name == "velocity_change") {
      const FlowSums changed = flow_sums(context_, lattice_, parity(), remembered_);
      return std::sqrt(nodes * changed.change_squared) / changed.speed;
    }
    if (name == "enstrophy") return enstrophy(box_flow());
    const FlowSums& sums = present_sums();
    if (name == "mass") return nodes + sums.density_deviation;
    if (name == "kinetic_energy") return sums.kinetic_energy;
    if (name == "mean_velocity_x") return sums.velocity[0] / nodes;
    if (name == "mean_velocity_y") return sums.velocity[1] / nodes;
    if (name == "mean_velocity_z") return sums.velocity[2] / nodes;
    if (name == "max_speed") return sums.highest_speed;
    if (name == "permeability") return permeability();
    if (name == "permeability_si") {
      return permeability() * *parameters_.spacing * *parameters_.spacing;
    }
    throw std::logic_error("no monitor " + name);
  }

  std::optional<Divergence> find_divergence() override {
    const InvalidNode node = first_invalid_node(context_, lattice_, parity());
    if (node.number < 0) return std::nullopt;
    auto place = static_cast<std::uint64_t>(node.number);
    if (map_->sparse) {
      std::uint64_t dense = 0;
      while (map_->number[dense] != place) ++dense;
      place = dense;
    }
    const Extents& extents = map_->extents;
    const std::uint64_t row = place / extents.pitch;
    return lbm::divergence_at(
        {static_cast<std::int64_t>(place % extents.pitch),
         static_cast<std::int64_t>(row % extents.ny), static_cast<std::int64_t>(row / extents.ny)},
        node.density, node.speed);
  }

  Field field(const std::string& name) override;
  bool is_solid(std::size_t cell) const override {
    const auto nx = static_cast<std::size_t>(parameters_.nodes[0]);
    const auto ny = static_cast<std::size_t>(parameters_.nodes[1]);
    const std::size_t row = cell / nx;
    return !map_->is_fluid(map_->index(static_cast<int>(cell % nx), static_cast<int>(row % ny),
                                       static_cast<int>(row / ny)));
  }
  std::map<std::string, std::string> results() override;

  /// Populations go to the file in one order for all backends: by population, then by node.
  void save(CheckpointWriter& checkpoint) override {
    checkpoint.integer("geometry", geometry_hash());
    const auto host =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), lattice_.populations);
    std::vector<Stored> ordered(stored_values());
    for_stored([&](std::size_t in_file, std::size_t in_memory) {
      std::memcpy(&ordered[in_file], &host.data()[in_memory], sizeof(Stored));
    });
    checkpoint.array("populations", ordered.data(), {ordered.size()});
    const auto memory =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), lattice_.face_memory);
    checkpoint.array("face_memory", reinterpret_cast<const Real*>(memory.data()),
                     {memory.extent(0), face_values});
  }

  void load(const CheckpointReader& checkpoint) override {
    // The case's digest does not know what stands in a file that the case names.
    if (checkpoint.integer("geometry") != geometry_hash()) {
      throw InputError(checkpoint.path().string() +
                       ": was made with other solids than the case now has, or with another "
                       "tuning.strip");
    }
    std::vector<Stored> ordered(stored_values());
    checkpoint.array("populations", ordered.data(), {ordered.size()});
    const auto host = Kokkos::create_mirror_view(lattice_.populations);
    for_stored([&](std::size_t in_file, std::size_t in_memory) {
      std::memcpy(static_cast<void*>(&host.data()[in_memory]), &ordered[in_file], sizeof(Stored));
    });
    Kokkos::deep_copy(lattice_.populations, host);
    const auto memory = Kokkos::create_mirror_view(lattice_.face_memory);
    checkpoint.array("face_memory", reinterpret_cast<Real*>(memory.data()),
                     {memory.extent(0), face_values});
    Kokkos::deep_copy(lattice_.face_memory, memory);
    step_ = checkpoint.step();
    forget_sums();
  }

 private:
  using Stored =
      std::conditional_t<std::is_same_v<Storage, HalfPopulation>, std::uint16_t, Storage>;
  static constexpr std::size_t face_values = sizeof(FaceMemory<Real>) / sizeof(Real);

  int parity() const { return static_cast<int>(step_ & 1); }
  void forget_sums() { sums_step_ = loads_step_ = -1; }

  std::size_t stored_values() const {
    return std::size_t{lattice_.nodes} * LatticeType::Velocities::populations;
  }
  template <class Body>
  void for_stored(const Body& body) const {
    std::size_t in_file = 0;
    for (int q = 0; q < LatticeType::Velocities::populations; ++q) {
      for (typename LatticeType::Index n = 0; n < lattice_.nodes; ++n)
        body(in_file++, lattice_.slot(n, q));
    }
  }

  void declare_kernels() {
    const Parameters& p = parameters_;
    const auto nodes = static_cast<double>(map_->fluid_nodes);
    const double bytes = nodes * (2.0 * p.populations * sizeof(Storage) + (p.sparse ? 32 : 0));
    const double flops = nodes * collision_flops(p.collision_operator, p.populations);
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
  }

  /// Fingerprint of which nodes are fluid and which are special, and of the order of sparse ones (a
  /// polynomial hash; overflow wraps).
  std::int64_t geometry_hash() const {
    std::uint64_t hash =
        map_->count * 1099511628211ULL + static_cast<std::uint64_t>(map_->strip_rows);
    for (const std::uint32_t word : map_->fluid) hash = hash * 1099511628211ULL + word;
    for (const std::uint32_t word : map_->plain) hash = hash * 1099511628211ULL + word;
    return static_cast<std::int64_t>(hash >> 1);
  }

  const FlowSums& present_sums() {
    if (sums_step_ != step_) {
      sums_ = flow_sums(context_, lattice_, parity(), RememberedVelocity<LatticeType>());
      sums_step_ = step_;
    }
    return sums_;
  }

  double permeability() {
    const auto& force = parameters_.body_force;
    const FlowSums& sums = present_sums();
    double along = 0;
    double square = 0;
    double all_nodes = 1;
    for (std::size_t a = 0; a < 3; ++a) {
      along += sums.momentum[a] * force[a];
      square += force[a] * force[a];
      all_nodes *= parameters_.nodes[a];
    }
    return parameters_.kinematic_viscosity * along / (all_nodes * square);
  }

  double named_monitor(const std::string& owner, const std::string& quantity) {
    if (quantity == "flow_rate") {
      for (const FlowPlane& plane : parameters_.planes) {
        if (plane.name == owner) return flow_rate(plane);
      }
    }
    const auto& bodies = parameters_.solids.bodies;
    const double scale =
        2 / (parameters_.velocity * parameters_.velocity * parameters_.length * parameters_.length);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies[i].name != owner) continue;
      const BodyLoad& load = present_loads()[i];
      for (std::size_t a = 0; a < 3; ++a) {
        const std::string axis(1, "xyz"[a]);
        if (quantity == "force_" + axis) return load.force[a];
        if (quantity == "torque_" + axis) return load.torque[a];
      }
      if (quantity == "drag_coefficient") return load.force[0] * scale;
      if (quantity == "lift_coefficient") return load.force[2] * scale;
    }
    throw std::logic_error("no monitor " + owner + "." + quantity);
  }

  double flow_rate(const FlowPlane& plane) const {
    std::vector<std::uint64_t> nodes;
    const auto axis = static_cast<std::size_t>(plane.axis);
    std::array<int, 3> end = parameters_.nodes;
    std::array<int, 3> at{};
    end[axis] = plane.position + 1;
    at[axis] = plane.position;
    const std::array<int, 3> begin = at;
    for (at[2] = begin[2]; at[2] < end[2]; ++at[2]) {
      for (at[1] = begin[1]; at[1] < end[1]; ++at[1]) {
        for (at[0] = begin[0]; at[0] < end[0]; ++at[0]) {
          const std::uint64_t n = map_->index(at[0], at[1], at[2]);
          if (map_->is_fluid(n)) nodes.push_back(n);
        }
      }
    }
    View<std::uint64_t*, ExecutionSpace> list("nodes of a plane", nodes.size());
    Kokkos::deep_copy(list, HostView<const std::uint64_t*>(nodes.data(), nodes.size()));
    return momentum_through(context_, lattice_, parity(), list, plane.axis);
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

  const std::vector<BodyLoad>& present_loads() {
    if (centres_.empty()) {
      centres_ = body_centres();
      const std::vector<BodyLinks> links = body_links(parameters_.domain(), *map_);
      links_ = View<BodyLinks*, ExecutionSpace>("body links", links.size());
      Kokkos::deep_copy(links_, HostView<const BodyLinks*>(links.data(), links.size()));
    }
    if (loads_step_ != step_) {
      loads_ = body_loads(context_, lattice_, parity(), links_, centres_);
      loads_step_ = step_;
    }
    return loads_;
  }

  /// Values of the domain's nodes, (z, y, x); NaN in solid nodes.
  std::vector<Real> to_host(NodeQuantity quantity) const {
    const auto values = Kokkos::create_mirror_view_and_copy(
        Kokkos::HostSpace(), node_values(context_, lattice_, parity(), quantity));
    const auto& n = parameters_.nodes;
    std::vector<Real> result;
    result.reserve(static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) *
                   static_cast<std::size_t>(n[2]));
    for (int z = 0; z < n[2]; ++z) {
      for (int y = 0; y < n[1]; ++y) {
        for (int x = 0; x < n[0]; ++x) {
          const std::uint64_t index = map_->index(x, y, z);
          result.push_back(index == NodeMap::none ? Real(NAN) : values(index));
        }
      }
    }
    return result;
  }

  BoxFlow box_flow() const {
    BoxFlow flow{parameters_.nodes, {}, {}};
    for (int a = 0; a < 3; ++a) {
      const std::vector<Real> values = to_host(component(NodeQuantity::velocity_x, a));
      flow.velocity[static_cast<std::size_t>(a)].assign(values.begin(), values.end());
      flow.periodic[static_cast<std::size_t>(a)] =
          parameters_.sides[2 * static_cast<std::size_t>(a)].kind == SideKind::periodic;
    }
    return flow;
  }

  static NodeQuantity component(NodeQuantity first, int number) {
    return static_cast<NodeQuantity>(static_cast<int>(first) + number);
  }

  /// Components of each node one after the other.
  template <class Component>
  static std::vector<Real> interleaved(int components, const Component& values_of) {
    std::vector<Real> all;
    const auto count = static_cast<std::size_t>(components);
    for (std::size_t a = 0; a < count; ++a) {
      const auto values = values_of(static_cast<int>(a));
      all.resize(values.size() * count);
      for (std::size_t i = 0; i < values.size(); ++i) {
        all[i * count + a] = static_cast<Real>(values[i]);
      }
    }
    return all;
  }

  Parameters parameters_;
  std::shared_ptr<const NodeMap> map_;
  ContextOf<LatticeType> context_{};
  LatticeType lattice_;
  RememberedVelocity<LatticeType> remembered_;
  View<BodyLinks*, ExecutionSpace> links_;
  std::vector<std::array<double, 3>> centres_;
  KernelTimers timers_;
  std::int64_t step_ = 0;
  std::int64_t sums_step_ = -1;
  FlowSums sums_;
  std::int64_t loads_step_ = -1;
  std::vector<BodyLoad> loads_;
};

template <class LatticeType>
Field D3Q27Method<LatticeType>::field(const std::string& name) {
  Field result;
  for (const Quantity& quantity : field_quantities()) {
    if (quantity.name == name) result.quantity = quantity;
  }
  const auto velocity = [&](int a) { return to_host(component(NodeQuantity::velocity_x, a)); };
  if (name == "velocity") {
    result.values = interleaved(3, velocity);
  } else if (name == "stress") {
    result.values =
        interleaved(6, [&](int a) { return to_host(component(NodeQuantity::stress_xx, a)); });
  } else if (name == "vorticity") {
    const auto curl = vorticity(box_flow());
    result.values = interleaved(3, [&](int a) { return curl[static_cast<std::size_t>(a)]; });
  } else if (name == "speed") {
    const std::vector<Real> all = interleaved(3, velocity);
    std::vector<Real> speed(all.size() / 3);
    for (std::size_t i = 0; i < speed.size(); ++i) {
      speed[i] = std::hypot(all[3 * i], all[3 * i + 1], all[3 * i + 2]);
    }
    result.values = std::move(speed);
  } else {
    std::vector<Real> values = to_host(NodeQuantity::density_deviation);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = name == "solid" ? Real(is_solid(i) ? 1 : 0)
                                  : (1 + values[i]) / (name == "density" ? Real(1) : Real(3));
    }
    result.values = std::move(values);
  }
  return result;
}

template <class LatticeType>
std::map<std::string, std::string> D3Q27Method<LatticeType>::results() {
  std::map<std::string, std::string> found;
  const Parameters& p = parameters_;
  if (p.forced()) {
    found["permeability"] = number_text(monitor("permeability")) + " spacings^2";
    if (p.spacing) found["permeability_si"] = number_text(monitor("permeability_si")) + " m^2";
  }
  for (const FlowPlane& plane : p.planes) {
    found[plane.name + ".flow_rate"] = number_text(monitor(plane.name + ".flow_rate"));
  }
  if (p.has_velocity) {
    for (const SolidBody3D& body : p.solids.bodies) {
      for (const char* name : {"drag_coefficient", "lift_coefficient"}) {
        const std::string key = body.name + "." + name;
        found[key] = number_text(monitor(key));
      }
    }
  }
  return found;
}

template <class ExecutionSpace, class Precision>
std::unique_ptr<Method> make_with(const Parameters& p, std::shared_ptr<const NodeMap> map) {
  const auto make = [&](auto velocities, auto index) -> std::unique_ptr<Method> {
    using LatticeType = Lattice<ExecutionSpace, Precision, decltype(velocities), decltype(index)>;
    return std::make_unique<D3Q27Method<LatticeType>>(p, std::move(map));
  };
  if (p.populations == 27) {
    return map->wide ? make(D3Q27{}, WideNodeIndex{}) : make(D3Q27{}, NodeIndex{});
  }
  return map->wide ? make(D3Q19{}, WideNodeIndex{}) : make(D3Q19{}, NodeIndex{});
}

template <class ExecutionSpace>
std::unique_ptr<Method> make_on(const Parameters& p, std::shared_ptr<const NodeMap> map) {
  switch (p.precision) {
    case StoragePrecision::double_precision:
      return make_with<ExecutionSpace, DoublePrecision>(p, std::move(map));
    case StoragePrecision::half_storage:
      return make_with<ExecutionSpace, HalfStorage>(p, std::move(map));
    case StoragePrecision::single_precision:
      break;
  }
  return make_with<ExecutionSpace, SinglePrecision>(p, std::move(map));
}

}  // namespace

std::unique_ptr<Method> make_method(const Parameters& parameters,
                                    std::shared_ptr<const NodeMap> map, Backend backend) {
  if (backend == Backend::host) return make_on<HostExecutionSpace>(parameters, std::move(map));
  return make_on<DeviceExecutionSpace>(parameters, std::move(map));
}

}  // namespace knudsen::lbm_d3q27
