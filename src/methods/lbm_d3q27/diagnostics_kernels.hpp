#pragma once

// Kernels over all nodes, and what launches them. Included only by the generated files that
// instantiate them, see diagnostics.cpp.in.

#include <limits>

#include "device/to_list.hpp"
#include "lattice/valid_flow.hpp"
#include "methods/lbm_d3q27/diagnostics.hpp"
#include "methods/lbm_d3q27/node_reader.hpp"
#include "parallel/communicator.hpp"

namespace knudsen::lbm_d3q27 {

/// A quantity of a node with the populations g before its collision, whose flow is `state`.
template <class Lattice, class Real>
KOKKOS_INLINE_FUNCTION Real value_of(NodeQuantity quantity, const FlowState3D<Real>& state,
                                     const Real (&g)[Lattice::populations],
                                     const CollisionParameters<Real>& parameters) {
  using Velocities = FlowOf<Lattice>;
  if (quantity == NodeQuantity::scalar) return scalar_of<Lattice>(g);
  const Real(&force)[3] = parameters.force;
  const int number = static_cast<int>(quantity);
  if (quantity == NodeQuantity::density_deviation) return state.density_deviation;
  if (number < static_cast<int>(NodeQuantity::stress_xx)) return state.velocity[number - 1];
  constexpr int axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
  const int component = number - static_cast<int>(NodeQuantity::stress_xx);
  const int a = axes[component][0];
  const int b = axes[component][1];
  Real stress = 0;
  for_populations<Velocities>([&](auto q) KNUDSEN_INLINE_LAMBDA {
    stress += Real(Velocities::velocity(q, a) * Velocities::velocity(q, b)) *
              (equilibrium<Velocities>(q, state) - g[q]);
  });
  // Remove the second moment of the force term, -(u F + F u) / 2: it is not a stress.
  stress -= Real(0.5) * (state.velocity[a] * force[b] + state.velocity[b] * force[a]);
  return (Real(1) - Real(0.5) * parameters.relaxation_rate) * stress;
}

template <class LatticeType>
struct NodeValue {
  using Real = typename LatticeType::Real;
  using Velocities = typename LatticeType::Velocities;

  NodeReader<LatticeType> nodes;
  NodeQuantity quantity;
  View<Real*, typename LatticeType::Execution> values;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t index) const {
    const auto n = static_cast<NodeIndex>(index);
    if (!nodes.is_fluid(n)) {
      values.data()[index] =
          quantity == NodeQuantity::scalar ? nodes.scalar_in_solid(n) : Real(NAN);
      return;
    }
    Real g[Velocities::populations];
    nodes.load(n, g);
    values.data()[index] =
        value_of<Velocities>(quantity, nodes.flow_of(g), g, nodes.parameters_at(g));
  }
};

template <class LatticeType>
struct FillField {
  using Real = typename LatticeType::Real;
  using Velocities = typename LatticeType::Velocities;

  NodeReader<LatticeType> nodes;
  NodeField field;
  NodeIndex nx, ny;  ///< of the domain
  NodeNumbersView<LatticeType> numbers;
  View<Real*, typename LatticeType::Execution> values;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t index) const {
    const auto cell = static_cast<std::uint64_t>(index);
    const std::uint64_t row = cell / nx;
    const std::uint64_t dense = nodes.lattice.extents.node(static_cast<NodeIndex>(cell - row * nx),
                                                           static_cast<NodeIndex>(row % ny),
                                                           static_cast<NodeIndex>(row / ny));
    const NodeIndex n =
        nodes.lattice.sparse ? numbers.data()[dense] : static_cast<NodeIndex>(dense);
    const bool fluid = n < nodes.lattice.nodes && nodes.is_fluid(n);
    if (!fluid && field.quantity(0) == NodeQuantity::scalar) {
      values.data()[cell] = shown(field.what, nodes.scalar_in_solid(n), field.offset, field.unit);
      return;
    }
    Real g[Velocities::populations] = {};
    if (fluid) nodes.load(n, g);
    const auto state = nodes.flow_of(g);
    const auto parameters = nodes.parameters_at(g);
    const auto components = static_cast<std::uint64_t>(field.components);
    for (int c = 0; c < field.components; ++c) {
      values.data()[cell * components + static_cast<std::uint64_t>(c)] =
          fluid ? shown(field.what, value_of<Velocities>(field.quantity(c), state, g, parameters),
                        field.offset, field.unit)
                : Real(NAN);
    }
  }
};

template <class LatticeType>
struct AddToAverages {
  using Real = typename LatticeType::Real;
  using Velocities = typename LatticeType::Velocities;
  using Averages = lbm::Averages<typename LatticeType::Execution>;

  NodeReader<LatticeType> nodes;
  Averages averages;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t block) const {
    const auto first = static_cast<NodeIndex>(block * Averages::width);
    const int count = Averages::count_in_block(nodes.lattice.owned - first);
    typename Averages::Values values;
    for (int i = 0; i < count; ++i) {
      const NodeIndex n = first + static_cast<NodeIndex>(i);
      Real sources[lbm::averaged_sources] = {};
      if (nodes.is_fluid(n)) {
        Real g[Velocities::populations];
        nodes.load(n, g);
        const FlowState3D<Real> state = nodes.flow_of(g);
        sources[0] = state.density_deviation;
        for (int a = 0; a < 3; ++a) sources[1 + a] = state.velocity[a];
        if constexpr (has_scalar<Velocities>) sources[4] = scalar_of<Velocities>(g);
      } else if (Averages::width == 1) {
        return;
      }
      averages.evaluate(sources, i, values);
    }
    averages.add(first, count, values);
  }
};

template <class LatticeType>
struct SumFlow {
  using Real = typename LatticeType::Real;
  using ExecutionSpace = typename LatticeType::Execution;

  NodeReader<LatticeType> nodes;
  RememberedVelocity<LatticeType> remembered;
  View<FlowSums*, ExecutionSpace> segments;

  KOKKOS_INLINE_FUNCTION FlowSums of_node(NodeIndex n) const {
    FlowSums own;
    using Velocities = typename LatticeType::Velocities;
    Real g[Velocities::populations];
    nodes.load(n, g);
    const FlowState3D<Real> state = nodes.flow_of(g);
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
    if constexpr (has_scalar<Velocities>)
      own.scalar = static_cast<double>(scalar_of<Velocities>(g));
    return own;
  }

  KOKKOS_INLINE_FUNCTION void operator()(const TeamMember<ExecutionSpace>& team) const {
    const NodeRange range = nodes.lattice.sum_segments.data()[team.league_rank()];
    const int count = static_cast<int>(range.end - range.begin);
    FlowSums sums;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, count),
        [&](int i, FlowSums& sum) {
          const NodeIndex n = range.begin + static_cast<NodeIndex>(i);
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
    const auto index = static_cast<NodeIndex>(n);
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
    nodes.density_and_speed(static_cast<NodeIndex>(node), found.data()[0], found.data()[1]);
  }
};

template <class LatticeType>
struct RememberFlow {
  NodeReader<LatticeType> nodes;
  RememberedVelocity<LatticeType> remembered;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t index) const {
    const auto n = static_cast<NodeIndex>(index);
    if (!nodes.is_fluid(n)) return;
    const auto state = nodes.flow(n);
    for (int a = 0; a < 3; ++a) remembered.data()[3 * index + a] = state.velocity[a];
  }
};

template <class LatticeType>
struct HeatOfLink {
  using Real = typename LatticeType::Real;

  LatticeType lattice;
  int parity;
  View<HeatLink*, typename LatticeType::Execution> links;
  View<double*, typename LatticeType::Execution> heat;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    if constexpr (has_scalar<typename LatticeType::Velocities>) {
      const HeatLink entry = links.data()[i];
      using Velocities = typename LatticeType::Velocities;
      lattice.with_stencil(entry.node, [&](const auto& stencil) {
        Real g[Velocities::populations];
        Real h[WholeOf<typename Velocities::Scalar>::populations];
        if (LatticeType::bit(lattice.fluid, entry.node)) {
          load_node(lattice, stencil, parity, entry.node, g);
          const int q = Velocities::Flow::populations + entry.incoming;
          h[entry.incoming] = g[q];
          if constexpr (in_two_parts<typename Velocities::Scalar>) {
            h[entry.incoming] += g[q + WholeOf<typename Velocities::Scalar>::populations];
          }
        } else {
          load_in_solid(lattice, stencil, parity, *lattice.conducting_node(entry.node), h);
        }
        // What was sent is in the twin slot, also where the scalar passes over the link.
        const Real sent = incoming_scalar(lattice, stencil, parity, entry.incoming, true);
        heat.data()[i] = static_cast<double>(h[entry.incoming]) - static_cast<double>(sent);
      });
    }
  }
};

template <class LatticeType>
struct ScalarInSolid {
  NodeReader<LatticeType> nodes;
  View<double*, typename LatticeType::Execution> values;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    values.data()[i] =
        static_cast<double>(nodes.scalar_in_solid(nodes.lattice.conducting.data()[i].node));
  }
};

template <class LatticeType>
struct ListedMomentum {
  NodeReader<LatticeType> nodes;
  View<std::uint64_t*, typename LatticeType::Execution> list;
  View<double*, typename LatticeType::Execution> momentum;
  int axis;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const auto state = nodes.flow(static_cast<NodeIndex>(list.data()[i]));
    momentum.data()[i] = (1 + static_cast<double>(state.density_deviation)) *
                         static_cast<double>(state.velocity[axis]);
  }
};

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
void fill_node_field(
    const ContextOf<LatticeType>& context, const LatticeType& lattice, int parity,
    const NodeField& field, const std::array<int, 3>& cells,
    const NodeNumbersView<LatticeType>& numbers,
    const View<typename LatticeType::Real*, typename LatticeType::Execution>& values) {
  using ExecutionSpace = typename LatticeType::Execution;
  const auto count = std::int64_t{cells[0]} * cells[1] * cells[2];
  Kokkos::parallel_for("knudsen/lbm_d3q27/node_field",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(
                           context.execution, 0, count),
                       FillField<LatticeType>{reader(context, lattice, parity), field,
                                              static_cast<NodeIndex>(cells[0]),
                                              static_cast<NodeIndex>(cells[1]), numbers, values});
  context.execution.fence();
}

template <class LatticeType>
void add_to_averages(const ContextOf<LatticeType>& context, const LatticeType& lattice, int parity,
                     const lbm::Averages<typename LatticeType::Execution>& averages) {
  using ExecutionSpace = typename LatticeType::Execution;
  constexpr int width = lbm::Averages<ExecutionSpace>::width;
  const auto owned = static_cast<std::int64_t>(lattice.owned);
  Kokkos::parallel_for("knudsen/lbm_d3q27/statistics",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(
                           context.execution, 0, (owned + width - 1) / width),
                       AddToAverages<LatticeType>{reader(context, lattice, parity), averages});
}

template <class LatticeType>
FlowSums flow_sums(const ContextOf<LatticeType>& context, const LatticeType& lattice, int parity,
                   const RememberedVelocity<LatticeType>& remembered) {
  using ExecutionSpace = typename LatticeType::Execution;
  View<FlowSums*, ExecutionSpace> segments("sums of segments", lattice.sum_segments.extent(0));
  constexpr int team_size = is_host_backend<ExecutionSpace> ? 1 : 128;
  Kokkos::parallel_for(
      "knudsen/lbm_d3q27/flow_sums",
      TeamPolicy<ExecutionSpace>(context.execution, static_cast<int>(segments.extent(0)), team_size,
                                 1),
      SumFlow<LatticeType>{reader(context, lattice, parity), remembered, segments});
  context.execution.fence();
  FlowSums total;
  for (const FlowSums& sums : world().concatenate_on_first(to_list(segments))) total += sums;
  return total;
}

template <class LatticeType>
InvalidNode first_invalid_node(const ContextOf<LatticeType>& context, const LatticeType& lattice,
                               int parity, NodeRange range) {
  using ExecutionSpace = typename LatticeType::Execution;
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  const auto nodes = reader(context, lattice, parity);
  std::int64_t first = 0;
  Kokkos::parallel_reduce("knudsen/lbm_d3q27/first_invalid_node",
                          Policy(context.execution, range.begin, range.end),
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
std::vector<double> momentum_through(
    const ContextOf<LatticeType>& context, const LatticeType& lattice, int parity,
    const View<std::uint64_t*, typename LatticeType::Execution>& nodes, int axis) {
  using ExecutionSpace = typename LatticeType::Execution;
  View<double*, ExecutionSpace> momentum("momentum of nodes", nodes.extent(0));
  Kokkos::parallel_for(
      "knudsen/lbm_d3q27/momentum_through",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(
          context.execution, 0, static_cast<std::int64_t>(nodes.extent(0))),
      ListedMomentum<LatticeType>{reader(context, lattice, parity), nodes, momentum, axis});
  context.execution.fence();
  return to_list(momentum);
}

template <class LatticeType>
std::vector<double> heat_through(const ContextOf<LatticeType>& context, const LatticeType& lattice,
                                 int parity,
                                 const View<HeatLink*, typename LatticeType::Execution>& links) {
  using ExecutionSpace = typename LatticeType::Execution;
  View<double*, ExecutionSpace> heat("heat of links", links.extent(0));
  Kokkos::parallel_for("knudsen/lbm_d3q27/heat_through",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(
                           context.execution, 0, static_cast<std::int64_t>(links.extent(0))),
                       HeatOfLink<LatticeType>{lattice, parity, links, heat});
  context.execution.fence();
  return to_list(heat);
}

template <class LatticeType>
std::vector<double> scalar_in_solids(const ContextOf<LatticeType>& context,
                                     const LatticeType& lattice, int parity) {
  using ExecutionSpace = typename LatticeType::Execution;
  const std::size_t count = lattice.conducting.extent(0);
  View<double*, ExecutionSpace> values("scalar in solids", count);
  Kokkos::parallel_for("knudsen/lbm_d3q27/scalar_in_solids",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(
                           context.execution, 0, static_cast<std::int64_t>(count)),
                       ScalarInSolid<LatticeType>{reader(context, lattice, parity), values});
  context.execution.fence();
  return to_list(values);
}

}  // namespace knudsen::lbm_d3q27
