#include "methods/lbm_d3q27/diagnostics.hpp"

#include <limits>

#include "lattice/valid_flow.hpp"
#include "methods/lbm_d3q27/instantiate.hpp"
#include "methods/lbm_d3q27/node_update.hpp"

namespace knudsen::lbm_d3q27 {
namespace {

/// Calls body(n) for every node number.
template <class LatticeType, class Body>
void for_nodes(const char* label, const ContextOf<LatticeType>& context, const LatticeType& lattice,
               const Body& body) {
  using Policy =
      Kokkos::RangePolicy<typename LatticeType::Execution, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(
      label, Policy(context.execution, 0, static_cast<std::int64_t>(lattice.nodes)), body);
}

template <class LatticeType>
struct NodeReader {
  using Velocities = typename LatticeType::Velocities;
  using Real = typename LatticeType::Real;
  using Index = typename LatticeType::Index;

  LatticeType lattice;
  CollisionParameters<Real> parameters;
  int parity;

  KOKKOS_INLINE_FUNCTION bool is_fluid(Index n) const { return LatticeType::bit(lattice.fluid, n); }
  KOKKOS_INLINE_FUNCTION void load(Index n, Real (&g)[Velocities::populations]) const {
    lattice.with_stencil(n,
                         [&](const auto& stencil) { load_node(lattice, stencil, parity, n, g); });
  }
  KOKKOS_INLINE_FUNCTION FlowState3D<Real> flow(Index n) const {
    Real g[Velocities::populations];
    load(n, g);
    return flow_state<Velocities>(g, parameters.force);
  }
  /// Density, NaN where a population is not finite, and speed.
  KOKKOS_INLINE_FUNCTION void density_and_speed(Index n, double& density, double& speed) const {
    Real g[Velocities::populations];
    load(n, g);
    Real zero = 0;
    for (int q = 0; q < Velocities::populations; ++q) zero += g[q] * Real(0);
    const FlowState3D<Real> state = flow_state<Velocities>(g, parameters.force);
    double square = 0;
    for (int a = 0; a < 3; ++a) {
      const double u = state.velocity[a];
      square += u * u;
    }
    density = 1 + static_cast<double>(state.density_deviation) + static_cast<double>(zero);
    speed = math::sqrt(square);
  }
};

template <class LatticeType>
struct Initialise {
  using Velocities = typename LatticeType::Velocities;
  using Real = typename LatticeType::Real;
  using Storage = typename LatticeType::Storage;

  LatticeType lattice;
  InitialFlow flow;
  Real omega;
  Real force[3];
  View<std::uint64_t*, typename LatticeType::Execution> places;  ///< dense numbers of sparse nodes
  bool twins;  ///< fill the second slots of the links, and the memory of open sides

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t index) const {
    const auto n = static_cast<typename LatticeType::Index>(index);
    if (!LatticeType::bit(lattice.fluid, n)) return;
    const Extents& extents = lattice.extents;
    const std::uint64_t place = lattice.sparse ? places.data()[n] : n;
    const std::uint64_t row = place / extents.pitch;
    const int at[3] = {static_cast<int>(place - row * extents.pitch),
                       static_cast<int>(row % extents.ny), static_cast<int>(row / extents.ny)};
    Real g[Velocities::populations];
    initial_populations<Velocities>(flow, at[0], at[1], at[2], omega, force, g);
    lattice.with_stencil(n, [&](const auto& stencil) {
      for (int q = 0; q < Velocities::populations; ++q) {
        lattice.populations.data()[incoming_slot(lattice, stencil, 0, q, twins)] =
            static_cast<Storage>(g[twins ? Velocities::opposite(q) : q]);
      }
    });
    if (!twins || lattice.faces.extent(0) == 0 || LatticeType::bit(lattice.plain, n)) return;
    const FlowState3D<double> state = flow.at(at[0], at[1], at[2]);
    const auto& boundary = lattice.special_node(n);
    std::uint32_t link = boundary.first_link;
    for (std::uint32_t cut = boundary.cut; cut != 0; cut &= cut - 1, ++link) {
      const std::int32_t face = lattice.face_of(link);
      if (face < 0) continue;
      const int side = lattice.faces.data()[face].side;
      FaceMemory<Real>& memory = lattice.face_memory.data()[face];
      memory.density_deviation = memory.mean_density_deviation =
          static_cast<Real>(state.density_deviation);
      for (int a = 0; a < 3; ++a) memory.velocity[a] = static_cast<Real>(state.velocity[a]);
      memory.mean_normal_velocity = Real(normal_of(side)) * memory.velocity[axis_of(side)];
    }
  }
};

template <class LatticeType>
struct NodeValue {
  using Real = typename LatticeType::Real;

  NodeReader<LatticeType> nodes;
  NodeQuantity quantity;
  View<Real*, typename LatticeType::Execution> values;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t index) const {
    using Velocities = typename LatticeType::Velocities;
    const auto n = static_cast<typename LatticeType::Index>(index);
    if (!nodes.is_fluid(n)) {
      values.data()[index] = Real(NAN);
      return;
    }
    Real g[Velocities::populations];
    nodes.load(n, g);
    const Real(&force)[3] = nodes.parameters.force;
    const FlowState3D<Real> state = flow_state<Velocities>(g, force);
    const int number = static_cast<int>(quantity);
    if (quantity == NodeQuantity::density_deviation) {
      values.data()[index] = state.density_deviation;
    } else if (number < static_cast<int>(NodeQuantity::stress_xx)) {
      values.data()[index] = state.velocity[number - 1];
    } else {
      constexpr int axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
      const int component = number - static_cast<int>(NodeQuantity::stress_xx);
      const int a = axes[component][0];
      const int b = axes[component][1];
      Real stress = 0;
      for (int q = 0; q < Velocities::populations; ++q) {
        stress += Real(Velocities::velocity(q, a) * Velocities::velocity(q, b)) *
                  (equilibrium<Velocities>(q, state) - g[q]);
      }
      // Remove the second moment of the force term, -(u F + F u) / 2: it is not a stress.
      stress -= Real(0.5) * (state.velocity[a] * force[b] + state.velocity[b] * force[a]);
      values.data()[index] = (Real(1) - Real(0.5) * nodes.parameters.relaxation_rate) * stress;
    }
  }
};

constexpr int sum_segment = 4096;

template <class LatticeType>
struct SumFlow {
  using Real = typename LatticeType::Real;
  using ExecutionSpace = typename LatticeType::Execution;
  using Index = typename LatticeType::Index;

  NodeReader<LatticeType> nodes;
  RememberedVelocity<LatticeType> remembered;
  View<FlowSums*, ExecutionSpace> segments;

  KOKKOS_INLINE_FUNCTION FlowSums of_node(Index n) const {
    FlowSums own;
    using Velocities = typename LatticeType::Velocities;
    Real g[Velocities::populations];
    nodes.load(n, g);
    const FlowState3D<Real> state = flow_state<Velocities>(g, nodes.parameters.force);
    const double density = 1 + static_cast<double>(state.density_deviation);
    double square = 0;
    for (int a = 0; a < 3; ++a) {
      const double u = state.velocity[a];
      own.velocity[a] = u;
      own.momentum[a] = density * u;
      square += u * u;
      if (remembered.extent(0) > 0) {
        const double change =
            u - static_cast<double>(remembered.data()[std::size_t{3} * static_cast<std::size_t>(n) +
                                                      static_cast<std::size_t>(a)]);
        own.change_squared += change * change;
      }
    }
    own.density_deviation = state.density_deviation;
    own.speed = own.highest_speed = math::sqrt(square);
    own.kinetic_energy = 0.5 * density * square;
    return own;
  }

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const Index first = static_cast<Index>(team.league_rank()) * sum_segment;
    const Index rest = nodes.lattice.nodes - first;
    const int count = static_cast<int>(rest < sum_segment ? rest : sum_segment);
    FlowSums sums;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, count),
        [&](int i, FlowSums& sum) {
          const Index n = first + static_cast<Index>(i);
          if (nodes.is_fluid(n)) sum += of_node(n);
        },
        Kokkos::Sum<FlowSums>(sums));
    Kokkos::single(Kokkos::PerTeam(team), [&]() { segments.data()[team.league_rank()] = sums; });
  }
};

template <class LatticeType>
struct FirstInvalid {
  NodeReader<LatticeType> nodes;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n, std::int64_t& lowest) const {
    const auto index = static_cast<typename LatticeType::Index>(n);
    if (n >= lowest || !nodes.is_fluid(index)) return;
    double density = 0;
    double speed = 0;
    nodes.density_and_speed(index, density, speed);
    if (!is_valid_flow(density, speed)) lowest = n;
  }
};

template <class LatticeType>
struct DensityAndSpeed {
  NodeReader<LatticeType> nodes;
  std::int64_t node;
  View<double*, typename LatticeType::Execution> found;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t) const {
    nodes.density_and_speed(static_cast<typename LatticeType::Index>(node), found.data()[0],
                            found.data()[1]);
  }
};

template <class LatticeType>
struct RememberFlow {
  NodeReader<LatticeType> nodes;
  RememberedVelocity<LatticeType> remembered;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t index) const {
    const auto n = static_cast<typename LatticeType::Index>(index);
    if (!nodes.is_fluid(n)) return;
    const auto state = nodes.flow(n);
    for (int a = 0; a < 3; ++a) remembered.data()[3 * index + a] = state.velocity[a];
  }
};

template <class LatticeType>
struct ListedMomentum {
  NodeReader<LatticeType> nodes;
  View<std::uint64_t*, typename LatticeType::Execution> list;
  View<double*, typename LatticeType::Execution> momentum;
  int axis;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const auto state = nodes.flow(static_cast<typename LatticeType::Index>(list.data()[i]));
    momentum.data()[i] = (1 + static_cast<double>(state.density_deviation)) *
                         static_cast<double>(state.velocity[axis]);
  }
};

template <class LatticeType>
NodeReader<LatticeType> reader(const ContextOf<LatticeType>& context, const LatticeType& lattice,
                               int parity) {
  return {lattice, context.parameters, parity};
}

}  // namespace

template <class LatticeType>
void initialise(const ContextOf<LatticeType>& context, LatticeType& lattice, const NodeMap& map,
                const InitialFlow& flow) {
  using ExecutionSpace = typename LatticeType::Execution;
  View<std::uint64_t*, ExecutionSpace> places("places of nodes", map.sparse ? map.count : 0);
  if (map.sparse) {
    const auto host = Kokkos::create_mirror_view(places);
    for (std::size_t dense = 0; dense < map.number.size(); ++dense) {
      if (map.number[dense] != NodeMap::none) {
        host(map.number[dense]) = dense;
      }
    }
    Kokkos::deep_copy(places, host);
  }
  Kokkos::deep_copy(lattice.populations, typename LatticeType::Storage{});
  for (const bool twins : {true, false}) {
    const auto& parameters = context.parameters;
    for_nodes(
        "knudsen/lbm_d3q27/initialise", context, lattice,
        Initialise<LatticeType>{lattice,
                                flow,
                                parameters.relaxation_rate,
                                {parameters.force[0], parameters.force[1], parameters.force[2]},
                                places,
                                twins});
    context.execution.fence();
  }
}

template <class LatticeType>
View<typename LatticeType::Real*, typename LatticeType::Execution> node_values(
    const ContextOf<LatticeType>& context, const LatticeType& lattice, int parity,
    NodeQuantity quantity) {
  View<typename LatticeType::Real*, typename LatticeType::Execution> values("values of nodes",
                                                                            lattice.nodes);
  for_nodes("knudsen/lbm_d3q27/node_values", context, lattice,
            NodeValue<LatticeType>{reader(context, lattice, parity), quantity, values});
  context.execution.fence();
  return values;
}

template <class LatticeType>
FlowSums flow_sums(const ContextOf<LatticeType>& context, const LatticeType& lattice, int parity,
                   const RememberedVelocity<LatticeType>& remembered) {
  using ExecutionSpace = typename LatticeType::Execution;
  const int count =
      static_cast<int>((std::uint64_t{lattice.nodes} + sum_segment - 1) / sum_segment);
  View<FlowSums*, ExecutionSpace> segments("sums of segments", static_cast<std::size_t>(count));
  constexpr int team_size = is_host_backend<ExecutionSpace> ? 1 : 128;
  Kokkos::parallel_for(
      "knudsen/lbm_d3q27/flow_sums",
      TeamPolicy<ExecutionSpace>(context.execution, count, team_size, 1),
      SumFlow<LatticeType>{reader(context, lattice, parity), remembered, segments});
  context.execution.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), segments);
  FlowSums total;
  for (std::size_t i = 0; i < host.extent(0); ++i) total += host(i);
  return total;
}

template <class LatticeType>
InvalidNode first_invalid_node(const ContextOf<LatticeType>& context, const LatticeType& lattice,
                               int parity) {
  using ExecutionSpace = typename LatticeType::Execution;
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  const auto nodes = reader(context, lattice, parity);
  std::int64_t first = 0;
  Kokkos::parallel_reduce("knudsen/lbm_d3q27/first_invalid_node",
                          Policy(context.execution, 0, static_cast<std::int64_t>(lattice.nodes)),
                          FirstInvalid<LatticeType>{nodes}, Kokkos::Min<std::int64_t>(first));
  if (first == std::numeric_limits<std::int64_t>::max()) return {};
  View<double*, ExecutionSpace> found("invalid node", 2);
  Kokkos::parallel_for("knudsen/lbm_d3q27/invalid_node", Policy(context.execution, 0, 1),
                       DensityAndSpeed<LatticeType>{nodes, first, found});
  context.execution.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
  return {first, host(0), host(1)};
}

template <class LatticeType>
void remember_velocity(const ContextOf<LatticeType>& context, const LatticeType& lattice,
                       int parity, const RememberedVelocity<LatticeType>& remembered) {
  for_nodes("knudsen/lbm_d3q27/remember_velocity", context, lattice,
            RememberFlow<LatticeType>{reader(context, lattice, parity), remembered});
}

template <class LatticeType>
double momentum_through(const ContextOf<LatticeType>& context, const LatticeType& lattice,
                        int parity,
                        const View<std::uint64_t*, typename LatticeType::Execution>& nodes,
                        int axis) {
  using ExecutionSpace = typename LatticeType::Execution;
  View<double*, ExecutionSpace> momentum("momentum of nodes", nodes.extent(0));
  Kokkos::parallel_for(
      "knudsen/lbm_d3q27/momentum_through",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(
          context.execution, 0, static_cast<std::int64_t>(nodes.extent(0))),
      ListedMomentum<LatticeType>{reader(context, lattice, parity), nodes, momentum, axis});
  context.execution.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), momentum);
  double sum = 0;
  for (std::size_t i = 0; i < host.extent(0); ++i) sum += host(i);
  return sum;
}

#define KNUDSEN_INSTANTIATE(...)                                                                   \
  template void initialise(const ContextOf<__VA_ARGS__>&, __VA_ARGS__&, const NodeMap&,            \
                           const InitialFlow&);                                                    \
  template View<__VA_ARGS__::Real*, __VA_ARGS__::Execution> node_values(                           \
      const ContextOf<__VA_ARGS__>&, const __VA_ARGS__&, int, NodeQuantity);                       \
  template FlowSums flow_sums(const ContextOf<__VA_ARGS__>&, const __VA_ARGS__&, int,              \
                              const RememberedVelocity<__VA_ARGS__>&);                             \
  template InvalidNode first_invalid_node(const ContextOf<__VA_ARGS__>&, const __VA_ARGS__&, int); \
  template void remember_velocity(const ContextOf<__VA_ARGS__>&, const __VA_ARGS__&, int,          \
                                  const RememberedVelocity<__VA_ARGS__>&);                         \
  template double momentum_through(const ContextOf<__VA_ARGS__>&, const __VA_ARGS__&, int,         \
                                   const View<std::uint64_t*, __VA_ARGS__::Execution>&, int);
KNUDSEN_D3Q27_FOR_LATTICES(KNUDSEN_INSTANTIATE)

}  // namespace knudsen::lbm_d3q27
